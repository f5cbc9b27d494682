#pragma once

#include "core/energy/tet_element.h"
#include "core/example/tet_shapes.h"
#include "core/geometry/geometry.h"

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
    const TetShape shape = tet_grid({nx, ny, nz}, [&](const Vec3& p) -> Vec3 { return edge * p; });
    TetMesh m;
    m.points = shape.points;
    for (const Vec4i& t : shape.tets) m.tets.insert(m.tets.end(), t.begin(), t.end());
    return m;
}

/// The same as a host would hand it over, P in 64 bits.
inline Geometry tet_geometry(const TetMesh& mesh)
{
    Geometry g;
    g.set_point_count(mesh.points.size());
    for (std::size_t t = 0; t < mesh.tets.size(); t += 4)
        g.add_tetrahedron({mesh.tets[t], mesh.tets[t + 1], mesh.tets[t + 2], mesh.tets[t + 3]});
    g.set_vectors("P", mesh.stacked(), "point", Storage::real64);
    return g;
}

/// Its points at x = 0, as a point group.
inline Group left_side(const TetMesh& mesh)
{
    Group left;
    left.name = "left";
    for (const Vec3& p : mesh.points) left.member.push_back(p[0] == 0);
    return left;
}

} // namespace selvage::test
