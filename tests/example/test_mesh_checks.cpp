// The judges themselves: each must find the fault it looks for.
#include "tests/example/mesh_checks.h"

#include "core/example/cloth_grid.h"
#include "core/example/sphere.h"

#include <gtest/gtest.h>

using namespace selvage;

TEST(MeshChecks, FindOverlappingSpheres)
{
    const Triangles a = triangles_of(sphere(0.1, 2));
    const Triangles b = triangles_of(sphere(0.1, 2, Vec3(0.15, 0, 0)));
    EXPECT_GT(intersections(a, b), 0);
    EXPECT_EQ(intersections(a, triangles_of(sphere(0.1, 2, Vec3(0.25, 0, 0)))), 0);

    Triangles both = a;
    both.x.conservativeResize(a.x.size() + b.x.size());
    both.x.tail(b.x.size()) = b.x;
    const int shift = int(a.x.size() / 3);
    for (const Vec3i& f : b.faces) both.faces.push_back(f.array() + shift);
    EXPECT_GT(self_intersections(both), 0);
    EXPECT_EQ(self_intersections(a), 0);
}

TEST(MeshChecks, FindHolesFlippedFacesAndLooseParts)
{
    Geometry open = cloth_grid(3, 3, 1, 1);
    EXPECT_EQ(open_or_bad_edges(open), 12);
    EXPECT_EQ(bad_edges(open), 0);
    EXPECT_EQ(component_count(open), 1);
    open.add_polygon({0, 1, 5, 4}); // a second face on top of the first
    EXPECT_GT(bad_edges(open), 0);
    open.set_point_count(open.point_count() + 1);
    EXPECT_EQ(component_count(open), 2);
}

TEST(MeshChecks, DistanceToASphere)
{
    const Triangles mesh = triangles_of(sphere(0.1, 4));
    EXPECT_NEAR(least_distance(Vec3(0, 0.13, 0), mesh, 0.1), 0.03, 2e-4);
    EXPECT_EQ(least_distance(Vec3(0, 0.5, 0), mesh, 0.1), 0.1);
}
