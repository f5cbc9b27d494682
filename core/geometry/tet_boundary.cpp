#include "core/geometry/tet_boundary.h"

#include <algorithm>
#include <array>
#include <map>

namespace selvage
{

std::vector<Vec3i> tet_boundary(const std::vector<Vec4i>& tets)
{
    // The face opposite each vertex, outwards.
    constexpr int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    const auto key = [](const Vec3i& f) {
        std::array<int, 3> k = {f[0], f[1], f[2]};
        std::sort(k.begin(), k.end());
        return k;
    };
    std::vector<Vec3i> all;
    std::map<std::array<int, 3>, int> count;
    all.reserve(4 * tets.size());
    for (const Vec4i& t : tets)
        for (const auto& f : faces) {
            all.emplace_back(t[f[0]], t[f[1]], t[f[2]]);
            ++count[key(all.back())];
        }
    std::vector<Vec3i> outer;
    for (const Vec3i& f : all)
        if (count[key(f)] == 1) outer.push_back(f);
    return outer;
}

} // namespace selvage
