// Compiled against the host's own OpenVDB, which need not be the core's.
#include "plugin/houdini/volume_input.h"

#include "core/geometry/vdb_grid.h"

#include <GEO/GEO_PrimVDB.h>

#include <fmt/format.h>

namespace selvage::houdini
{

std::vector<Volume> read_volumes(const GU_Detail& gdp, const VolumeNames& names,
                                 const std::string& who)
{
    const auto wanted = [&](const std::string& name) {
        return names.distance.empty() || name == names.distance;
    };
    std::vector<Volume> volumes;
    for (GA_Index i = 0; i < gdp.getNumPrimitives(); ++i) {
        const GA_Offset offset = gdp.primitiveOffset(i);
        if (gdp.getPrimitiveTypeId(offset) != GA_PRIMVDB) continue;
        const auto& vdb = *static_cast<const GEO_PrimVDB*>(gdp.getPrimitive(offset));
        const char* given = vdb.getGridName();
        std::string name = given ? given : "";
        if (name.empty()) name = fmt::format("primitive {}", i);
        Volume volume;
        try {
            if (!vdb.hasGrid()) throw InputError("it has no voxels.");
            if (wanted(name)) volume = vdb::volume_of(vdb.getConstGridPtr());
        } catch (const InputError& e) {
            throw InputError(
                fmt::format("{}: primitive {}, volume '{}': {}", who, i, name, e.what()));
        }
        volume.name = std::move(name);
        volumes.push_back(std::move(volume));
    }
    return volumes;
}

} // namespace selvage::houdini
