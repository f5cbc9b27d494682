// The core's only door to OpenVDB.
#include "core/geometry/vdb_collider.h"

#include "core/geometry/vdb_grid.h"

#pragma GCC visibility push(default)
#include <openvdb/io/Stream.h>
#include <openvdb/tools/MeshToVolume.h>
#pragma GCC visibility pop

#include <fmt/format.h>

#include <sstream>

namespace selvage
{
namespace
{

/// OpenVDB's exceptions, in our words.
template <class Body> auto translating(Body&& body)
{
    openvdb::initialize(); // as often as one likes
    try {
        return body();
    } catch (const openvdb::Exception& e) {
        throw InputError(
            fmt::format("it is no volume file that OpenVDB understands ({}).", e.what()));
    }
}

Volume named_volume(const openvdb::GridBase::Ptr& grid)
{
    const std::string name = grid->getName();
    try {
        Volume v = vdb::volume_of(grid);
        v.name = name;
        return v;
    } catch (const InputError& e) {
        throw InputError(fmt::format("grid '{}': {}", name, e.what()));
    }
}

} // namespace

bool has_openvdb() { return true; }

std::vector<Volume> read_vdb(const std::string& bytes)
{
    return translating([&] {
        std::istringstream in(bytes, std::ios::binary);
        std::vector<Volume> volumes;
        const openvdb::GridPtrVecPtr grids = openvdb::io::Stream(in).getGrids();
        for (const openvdb::GridBase::Ptr& grid : *grids) volumes.push_back(named_volume(grid));
        return volumes;
    });
}

std::string write_vdb(const std::vector<Volume>& volumes)
{
    return translating([&] {
        openvdb::GridPtrVec grids;
        for (const Volume& v : volumes)
            if (v.field) grids.push_back(vdb::grid_of(v));
        std::ostringstream out(std::ios::binary);
        openvdb::io::Stream(out).write(grids);
        return out.str();
    });
}

DistanceSamples distance_of_surface(const VecX& x, const std::vector<Vec3i>& triangles,
                                    double voxel_size, double band)
{
    openvdb::initialize();
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> faces;
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        points.emplace_back(float(x[i]), float(x[i + 1]), float(x[i + 2]));
    for (const Vec3i& t : triangles)
        faces.emplace_back(std::uint32_t(t[0]), std::uint32_t(t[1]), std::uint32_t(t[2]));
    const auto transform = openvdb::math::Transform::createLinearTransform(voxel_size);
    return vdb::samples_of(*openvdb::tools::meshToLevelSet<openvdb::FloatGrid>(*transform, points,
                                                                               faces, float(band)));
}

} // namespace selvage
