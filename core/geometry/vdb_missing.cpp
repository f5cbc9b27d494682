// In the place of vdb_collider.cpp where OpenVDB is not installed.
#include "core/base/error.h"
#include "core/geometry/vdb_collider.h"

namespace selvage
{
namespace
{

[[noreturn]] void refuse()
{
    throw InputError("this build of Selvage has no OpenVDB, and volume files need it. Install "
                     "libopenvdb-dev and build again, or use polygons.");
}

} // namespace

bool has_openvdb() { return false; }

std::vector<Volume> read_vdb(const std::string&) { refuse(); }

std::string write_vdb(const std::vector<Volume>&) { refuse(); }

DistanceSamples distance_of_surface(const VecX&, const std::vector<Vec3i>&, double, double)
{
    refuse();
}

} // namespace selvage
