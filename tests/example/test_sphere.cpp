#include "core/example/sphere.h"

#include "core/base/error.h"
#include "tests/example/mesh_checks.h"

#include <gtest/gtest.h>

using namespace selvage;

TEST(Sphere, IsClosedRoundAndOutward)
{
    const Vec3 centre(1, 2, 3);
    const Geometry g = sphere(0.5, 3, centre);
    EXPECT_EQ(g.point_count(), 642u);
    EXPECT_EQ(g.primitive_count(), 1280u);
    EXPECT_EQ(open_or_bad_edges(g), 0);
    EXPECT_EQ(euler_characteristic(g), 2);
    const Triangles mesh = triangles_of(g);
    for (int i = 0; i < int(g.point_count()); ++i)
        EXPECT_NEAR((mesh.point(i) - centre).norm(), 0.5, 1e-6);
    const double volume = 4 * M_PI / 3 * 0.125;
    EXPECT_NEAR(enclosed_volume(mesh), volume, 0.01 * volume);
    EXPECT_GT(smallest_angle(mesh), 0.8);
}

TEST(Sphere, RefusesNonsense)
{
    EXPECT_THROW(sphere(0), InputError);
    EXPECT_THROW(sphere(1, 9), InputError);
}
