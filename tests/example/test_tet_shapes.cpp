#include "core/example/tet_shapes.h"

#include "tests/example/mesh_checks.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

/// Sum of all volumes; every one must be positive.
double volume(const TetShape& s)
{
    double sum = 0;
    for (const Vec4i& t : s.tets) {
        const auto at = [&](int i) { return s.points[std::size_t(t[i])]; };
        const double v = (at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0)) / 6;
        EXPECT_GT(v, 0);
        sum += v;
    }
    return sum;
}

/// The surface alone.
Geometry skin(const TetShape& s)
{
    const Geometry all = tet_geometry(s);
    Geometry g;
    g.set_point_count(all.point_count());
    g.set_positions(all.positions());
    for (std::size_t p = s.tets.size(); p < all.primitive_count(); ++p) {
        const Primitive& prim = all.primitives()[p];
        std::vector<int> points;
        for (std::int64_t i = 0; i < prim.count; ++i)
            points.push_back(all.vertex_point()[std::size_t(
                all.primitive_vertices()[std::size_t(prim.first + i)])]);
        g.add_polygon(points);
    }
    return g;
}

} // namespace

TEST(TetShapes, BlocksFillTheirBox)
{
    for (const Vec3i& cells : {Vec3i(1, 1, 1), Vec3i(2, 3, 4), Vec3i(5, 1, 2)}) {
        const TetShape s = tet_block(cells, {-1, 0, 2}, {1, 3, 2.5});
        EXPECT_NEAR(volume(s), 3, 1e-12);
        EXPECT_EQ(open_or_bad_edges(skin(s)), 0);
        EXPECT_NEAR(enclosed_volume(triangles_of(skin(s))), 3, 1e-6);
    }
}

TEST(TetShapes, BallsAndRingsAreClosedAndApproachTheirVolumes)
{
    EXPECT_NEAR(volume(tet_ball(1, 12)), 4.0 / 3 * M_PI, 0.1);
    EXPECT_GT(volume(tet_ball(1, 2)), 1);
    EXPECT_EQ(open_or_bad_edges(skin(tet_ball(1, 4))), 0);
    EXPECT_NEAR(volume(tet_ring(1, 0.3, 40, 8)), 2 * M_PI * M_PI * 0.09, 0.1);
    for (const int across : {1, 2, 3}) {
        EXPECT_EQ(open_or_bad_edges(skin(tet_ring(1, 0.3, 12, across))), 0);
        EXPECT_EQ(self_intersections(triangles_of(skin(tet_ring(1, 0.3, 12, across)))), 0);
    }
}
