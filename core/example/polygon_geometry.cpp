#include "core/example/polygon_geometry.h"

#include <cassert>
#include <numeric>

namespace selvage
{

Geometry polygon_geometry(std::size_t points, const std::vector<int>& corners, int per_face)
{
    assert(corners.size() % std::size_t(per_face) == 0);
    std::vector<std::int32_t> sequence(corners.size());
    std::iota(sequence.begin(), sequence.end(), 0);
    std::vector<Primitive> primitives(corners.size() / std::size_t(per_face));
    for (std::size_t i = 0; i < primitives.size(); ++i) {
        primitives[i].first = std::int64_t(i) * per_face;
        primitives[i].count = per_face;
    }
    Geometry g;
    g.set_topology(points, {corners.begin(), corners.end()}, std::move(sequence), {},
                   std::move(primitives));
    return g;
}

void add_group(Geometry& g, const char* name, const std::vector<int>& points)
{
    Group group;
    group.name = name;
    group.member.assign(g.point_count(), 0);
    for (const int p : points) group.member[std::size_t(p)] = 1;
    g.set_group(std::move(group));
}

} // namespace selvage
