#include "core/geometry/surface_tree.h"

#include "core/example/sphere.h"
#include "core/geometry/triangulate.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

SurfaceTree ball(const Vec3& centre = Vec3::Zero(), std::size_t left_out = 0)
{
    const Geometry g = sphere(1, 3, centre);
    std::vector<Vec3i> triangles = triangulate(g).triangles;
    triangles.resize(triangles.size() - left_out);
    return SurfaceTree(triangles, g.positions());
}

} // namespace

TEST(SurfaceTree, WindingNumbersOfABall)
{
    const SurfaceTree tree = ball();
    ASSERT_TRUE(tree.closed());
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        const Vec3 p = 2 * Vec3(random.vector(3));
        if (std::abs(p.norm() - 1) < 0.02) continue;
        EXPECT_NEAR(tree.winding_number(p), p.norm() < 1 ? 1 : 0, 0.05) << p.transpose();
        EXPECT_EQ(tree.inside(p), p.norm() < 1);
    }
}

TEST(SurfaceTree, SmallHolesDoNotOpenABody)
{
    EXPECT_TRUE(ball(Vec3::Zero(), 2).closed());
    const SurfaceTree bowl = ball(Vec3::Zero(), 600);
    EXPECT_FALSE(bowl.closed());
    EXPECT_FALSE(bowl.inside(Vec3::Zero()));
}

TEST(SurfaceTree, NearestAgreesWithLookingAtEveryTriangle)
{
    const Geometry g = sphere(1, 2, Vec3(0.1, 0.2, 0.3));
    const std::vector<Vec3i> triangles = triangulate(g).triangles;
    const VecX x = g.positions();
    const SurfaceTree tree(triangles, x);
    Random random(6);
    for (int i = 0; i < 100; ++i) {
        const Vec3 p = 2 * Vec3(random.vector(3));
        const SurfacePlace place = tree.nearest(p), slow = nearest_surface(p, triangles, x);
        EXPECT_NEAR(place.distance, slow.distance, 1e-12);
        EXPECT_NEAR((place_at(triangles[std::size_t(place.triangle)], place.weights, x) - p).norm(),
                    place.distance, 1e-12);
    }
}
