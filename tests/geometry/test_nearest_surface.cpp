#include "core/geometry/nearest_surface.h"

#include "tests/support/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

TEST(NearestSurface, NoOtherPlaceInTheTriangleIsNearer)
{
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        const Vec3 a = random.vector(3), b = random.vector(3), c = random.vector(3),
                   p = 2 * random.vector(3);
        const Vec3 w = nearest_in_triangle(p, a, b, c);
        EXPECT_GE(w.minCoeff(), 0);
        EXPECT_NEAR(w.sum(), 1, 1e-12);
        const double d = (w[0] * a + w[1] * b + w[2] * c - p).norm();
        for (int k = 0; k < 50; ++k) {
            Vec3 other = random.vector(3).cwiseAbs();
            other /= other.sum();
            EXPECT_LE(d, (other[0] * a + other[1] * b + other[2] * c - p).norm() + 1e-12);
        }
    }
}

TEST(NearestSurface, PicksTheTriangleAmongThoseAllowed)
{
    const Mesh mesh = grid_cloth(6, 6, 1, 1);
    std::vector<Vec3i> triangles;
    for (std::size_t k = 0; k < mesh.triangles.size(); k += 3)
        triangles.emplace_back(mesh.triangles[k], mesh.triangles[k + 1], mesh.triangles[k + 2]);
    const VecX x = mesh.stacked();
    const Vec3 above(0.31, 0.2, 0.77);
    const SurfacePlace place = nearest_surface(above, triangles, x);
    EXPECT_NEAR(place.distance, 0.2, 1e-12);
    const Vec3 foot = place_at(triangles[std::size_t(place.triangle)], place.weights, x);
    EXPECT_LT((foot - Vec3(0.31, 0, 0.77)).norm(), 1e-12);
    const SurfacePlace second =
        nearest_surface(above, triangles, x, [&](int t) { return t != place.triangle; });
    EXPECT_NE(second.triangle, place.triangle);
    EXPECT_GT(second.distance, 0.2);
    EXPECT_EQ(nearest_surface(above, triangles, x, [](int) { return false; }).triangle, -1);
}
