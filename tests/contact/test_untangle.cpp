#include "core/contact/untangle.h"

#include "core/contact/start_check.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace selvage
{
namespace
{

/// Two triangles, each with one edge through the other: the crossing divides neither.
struct Crossed {
    ContactMesh mesh{6};
    VecX x = VecX(18);

    Crossed()
    {
        MeshTopology triangle;
        triangle.triangles = {Vec3i(0, 1, 2)};
        triangle.edges = {Vec2i(0, 1), Vec2i(1, 2), Vec2i(0, 2)};
        x << 0, 0, 0, 1, 0, 0.1, 0, 1, 0, // lying
            0.3, 0.2, -0.5, 0.35, -0.6, 0.2, 0.3, 0.25, 0.6;
        mesh.add_surface("a", triangle, 0, x.head(9), 0, 0);
        mesh.add_surface("b", triangle, 3, x.tail(9), 0, 0);
    }
    Vec3 at(const VecX& y, int v) const { return y.segment<3>(3 * v); }

    /// [m] of the crossing: between the two places where an edge meets the other triangle.
    double length(const VecX& y) const
    {
        std::vector<Vec3> ends;
        for (const OffendingPair& p : find_piercing_pairs(mesh, y)) {
            const Vec2i& e = mesh.edges()[std::size_t(p.a)];
            const Vec3i& t = mesh.triangles()[std::size_t(p.b)];
            const Vec3 n = (at(y, t[1]) - at(y, t[0])).cross(at(y, t[2]) - at(y, t[0]));
            const double h0 = n.dot(at(y, e[0]) - at(y, t[0]));
            const double h1 = n.dot(at(y, e[1]) - at(y, t[0]));
            ends.push_back(at(y, e[0]) + h0 / (h0 - h1) * (at(y, e[1]) - at(y, e[0])));
        }
        EXPECT_EQ(ends.size(), 2u);
        return ends.size() == 2 ? (ends[1] - ends[0]).norm() : 0;
    }
};

} // namespace

TEST(Untangle, CrossingsThatDivideNothingGetShorterUntilTheyAreGone)
{
    const Crossed s;
    ASSERT_EQ(find_piercing_pairs(s.mesh, s.x).size(), 2u);
    VecX x = s.x;
    constexpr double reach = 2e-3;
    int steps = 0;
    for (; steps < 1000; ++steps) {
        if (find_piercing_pairs(s.mesh, x).empty()) break;
        const double before = s.length(x);
        const Untangling u = untangle(s.mesh, x, {}, reach, 1e-3, false);
        EXPECT_TRUE(u.released.empty());
        ASSERT_FALSE(u.pulls.empty());
        for (const Pull& p : u.pulls) {
            const Eigen::Index i = 3 * p.vertex;
            EXPECT_LE((p.target - x.segment<3>(i)).norm(), reach * (1 + 1e-12));
            x.segment<3>(i) = p.target;
        }
        if (!find_piercing_pairs(s.mesh, x).empty()) {
            EXPECT_LT(s.length(x), before) << steps;
        }
    }
    EXPECT_GT(steps, 0);
    EXPECT_LT(steps, 1000);
}

TEST(Untangle, TheSmallerPartGoesBackThroughTheOther)
{
    // The upright triangle dips with one corner through the lying one.
    Crossed s;
    s.x.tail(9) << 0.3, 0.3, -0.2, 0.2, 0.3, 0.8, 0.4, 0.3, 0.8;
    const Untangling u = untangle(s.mesh, s.x, {}, 0.01, 1e-3, false);
    ASSERT_EQ(u.pulls.size(), 1u);
    EXPECT_EQ(u.pulls[0].vertex, 3);
    EXPECT_GT(u.pulls[0].target[2], -0.2);
    ASSERT_EQ(u.released.size(), 1u);
    EXPECT_EQ(u.released[0], (ReleasedVertex{3, 0, 1}));
    // Nothing to do for layers where there are none.
    EXPECT_TRUE(untangle(s.mesh, s.x, {}, 0.01, 1e-3, true).pulls.empty());
    // The lying one is in the higher layer: what of it is behind the other goes to its front.
    s.mesh.set_layer(0, {1, 1, 1});
    for (const Pull& p : untangle(s.mesh, s.x, {}, 0.01, 1e-3, true).pulls) EXPECT_LT(p.vertex, 3);
}

/// Two strands that cross in a point part along what is across to both.
TEST(Untangle, StrandsThatCrossPartAcrossBoth)
{
    ContactMesh mesh(4);
    VecX x(12);
    x << -1, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 1;
    mesh.add_wires("strands", {{0, 1}, {2, 3}}, 0, x, 0.02, 0);
    const Untangling u = untangle(mesh, x, {}, 0.1, 1e-3, false);
    ASSERT_EQ(u.pulls.size(), 4u);
    for (const Pull& p : u.pulls) {
        const Vec3 by = p.target - x.segment<3>(3 * p.vertex);
        EXPECT_NEAR(std::abs(by[1]), 0.01025, 1e-9);
        EXPECT_EQ(by[1] > 0, u.pulls[0].target[1] > 0 ? p.vertex < 2 : p.vertex > 1);
        EXPECT_LT(std::hypot(by[0], by[2]), 1e-12);
    }
    EXPECT_TRUE(untangle(mesh, x, {}, 0.1, 1e-3, false, [](PairKind, std::int32_t, std::int32_t) {
                    return false;
                }).pulls.empty());
}

/// Each strand through a surface keeps its longer part where it is.
TEST(Untangle, ShorterPartsOfStrandsGoBack)
{
    ContactMesh mesh(9);
    VecX x(27);
    x << -1, 0, -1, 1, 0, -1, 0, 0, 1, // a triangle
        0, 2, 0, 0, 1, 0, 0, -1, 0,    // most of it above
        0.2, 1, 0, 0.2, -1, 0, 0.2, -2, 0;
    MeshTopology triangle;
    triangle.triangles = {Vec3i(0, 1, 2)};
    triangle.edges = {Vec2i(0, 1), Vec2i(1, 2), Vec2i(0, 2)};
    mesh.add_surface("sheet", triangle, 0, x.head(9), 0, 0);
    mesh.add_wires("strands", {{0, 1}, {1, 2}, {3, 4}, {4, 5}}, 3, x.tail(18), 0, 0);
    std::vector<std::int32_t> moved;
    for (const Pull& p : untangle(mesh, x, {}, 0.1, 1e-3, false).pulls) moved.push_back(p.vertex);
    EXPECT_EQ(moved, (std::vector<std::int32_t>{5, 6}));
}

} // namespace selvage
