#pragma once

#include "core/energy/tet_element.h"

#include <utility>
#include <vector>

namespace selvage::test
{

/// A block of nx × ny × nz cubes of the given edge, each cut into six tetrahedra.
struct TetMesh {
    std::vector<Vec3> points;
    std::vector<std::int32_t> tets;

    VecX stacked() const
    {
        VecX x(3 * std::ptrdiff_t(points.size()));
        for (std::size_t i = 0; i < points.size(); ++i)
            x.segment<3>(3 * std::ptrdiff_t(i)) = points[i];
        return x;
    }
    std::vector<TetRest> rest() const
    {
        std::vector<TetRest> r;
        const auto p = [&](std::size_t i) { return points[std::size_t(tets[i])]; };
        for (std::size_t t = 0; t < tets.size(); t += 4)
            r.push_back(tet_rest(p(t), p(t + 1), p(t + 2), p(t + 3)));
        return r;
    }
};

inline TetMesh tet_block(int nx, int ny, int nz, double edge)
{
    TetMesh m;
    for (int k = 0; k <= nz; ++k)
        for (int j = 0; j <= ny; ++j)
            for (int i = 0; i <= nx; ++i) m.points.push_back(edge * Vec3(i, j, k));
    const auto id = [&](int i, int j, int k) {
        return std::int32_t((k * (ny + 1) + j) * (nx + 1) + i);
    };
    const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i)
                for (int t = 0; t < 6; ++t) {
                    // A path from corner to corner along the axes in some order.
                    Vec3i c(i, j, k);
                    std::int32_t v[4];
                    for (int s = 0; s < 4; ++s) {
                        v[s] = id(c[0], c[1], c[2]);
                        if (s < 3) ++c[order[t][s]];
                    }
                    if (t >= 3) std::swap(v[2], v[3]); // odd orders are inside out
                    m.tets.insert(m.tets.end(), v, v + 4);
                }
    return m;
}

} // namespace selvage::test
