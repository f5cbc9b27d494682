#include "core/example/tet_shapes.h"

#include "core/geometry/tet_boundary.h"

#include <cmath>
#include <utility>

namespace selvage
{

TetShape tet_grid(const Vec3i& cells, const std::function<Vec3(const Vec3&)>& place,
                  TetGridOptions options)
{
    TetShape s;
    const int columns = options.round ? cells[0] : cells[0] + 1;
    for (int k = 0; k <= cells[2]; ++k)
        for (int j = 0; j <= cells[1]; ++j)
            for (int i = 0; i < columns; ++i) s.points.push_back(place(Vec3(i, j, k)));
    const auto id = [&](const Vec3i& c) {
        return (c[2] * (cells[1] + 1) + c[1]) * columns + c[0] % columns;
    };
    // A path from corner to corner along the axes in some order; odd orders are inside out.
    constexpr int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int k = 0; k < cells[2]; ++k)
        for (int j = 0; j < cells[1]; ++j)
            for (int i = 0; i < cells[0]; ++i)
                for (int t = 0; t < 6; ++t) {
                    Vec3i at(i, j, k), way(1, 1, 1);
                    bool flipped = t >= 3;
                    for (int a = 0; a < 3; ++a)
                        if (options.mirrored && 2 * at[a] < cells[a] - 1) {
                            ++at[a], way[a] = -1;
                            flipped = !flipped;
                        }
                    Vec4i v;
                    for (int n = 0; n < 4; ++n) {
                        v[n] = id(at);
                        if (n < 3) at[order[t][n]] += way[order[t][n]];
                    }
                    if (flipped) std::swap(v[2], v[3]);
                    s.tets.push_back(v);
                }
    return s;
}

TetShape tet_block(const Vec3i& cells, const Vec3& lower, const Vec3& upper)
{
    return tet_grid(cells,
                    [&](const Vec3& p) -> Vec3 {
                        return lower.array() +
                               (upper - lower).array() * p.array() / cells.cast<double>().array();
                    },
                    {false, true});
}

TetShape tet_ball(double radius, int cells)
{
    return tet_grid(Vec3i::Constant(cells),
                    [&](const Vec3& p) -> Vec3 {
                        const Vec3 c = (2.0 / cells * p).array() - 1;
                        const double norm = c.norm();
                        return norm > 0 ? Vec3(radius * c.lpNorm<Eigen::Infinity>() / norm * c)
                                        : Vec3::Zero();
                    },
                    {false, true});
}

TetShape tet_ring(double radius, double section_radius, int around, int across, double stretch)
{
    return tet_grid(
        {around, across, across},
        [&](const Vec3& p) -> Vec3 {
            // The section: a square pushed onto a disc.
            Vec2 c = (2.0 / across * p.tail<2>()).array() - 1;
            if (c.norm() > 0) c *= section_radius * c.lpNorm<Eigen::Infinity>() / c.norm();
            const double a = 2 * M_PI * p[0] / around, r = radius - c[0];
            const double shift = std::sin(a) > 1e-9 ? 0.5 : std::sin(a) < -1e-9 ? -0.5 : 0.0;
            return {r * std::cos(a), r * std::sin(a) + shift * stretch, c[1]};
        },
        {true, true});
}

Geometry tet_geometry(const TetShape& shape, Storage storage)
{
    Geometry g;
    g.set_point_count(shape.points.size());
    for (const Vec4i& t : shape.tets) g.add_tetrahedron({t[0], t[1], t[2], t[3]});
    for (const Vec3i& f : tet_boundary(shape.tets)) g.add_polygon({f[0], f[1], f[2]});
    VecX x(3 * Eigen::Index(shape.points.size()));
    for (std::size_t i = 0; i < shape.points.size(); ++i)
        x.segment<3>(3 * Eigen::Index(i)) = shape.points[i];
    g.set_vectors("P", x, "point", storage);
    return g;
}

} // namespace selvage
