#include "core/example/surface_extraction.h"

#include "core/base/error.h"
#include "core/example/profile_tube.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

const Eigen::AlignedBox3d box(Vec3(-1.2, -1.2, -1.2), Vec3(1.2, 1.2, 1.2));

} // namespace

TEST(SurfaceExtraction, PointsLieOnTheSurface)
{
    const TriangleMesh mesh =
        extract_surface([](const Vec3& p) { return p.norm() - 1; }, box, 0.15);
    EXPECT_TRUE(is_closed_manifold(mesh));
    for (const Vec3& p : mesh.points) EXPECT_NEAR(p.norm(), 1, 1e-9);
    EXPECT_EQ(mesh.triangles.size(), 2 * mesh.points.size() - 4); // a sphere
}

TEST(SurfaceExtraction, PinchedCornersAreUntied)
{
    // A sheet of ripples near the cell size meets grid squares diagonally in many places.
    const auto ripples = [](const Vec3& p) {
        return 0.5 * (p.norm() - 0.9 -
                      0.05 * std::sin(14 * p.x()) * std::sin(13 * p.y()) * std::sin(12 * p.z()));
    };
    for (const double cell : {0.11, 0.09, 0.07})
        EXPECT_TRUE(is_closed_manifold(extract_surface(ripples, box, cell))) << cell;
}

TEST(SurfaceExtraction, NothingToExtractIsAnError)
{
    EXPECT_THROW(extract_surface([](const Vec3&) { return 1.0; }, box, 0.2), InputError);
    // Cut open by the box.
    EXPECT_THROW(extract_surface([](const Vec3& p) { return p.x(); }, box, 0.2), InputError);
}

TEST(SurfaceExtraction, ManifoldCheckFindsPinchedPoint)
{
    // Two tetrahedra that share one point: closed edges, but two fans there.
    TriangleMesh mesh;
    mesh.points.resize(7);
    for (const int o : {0, 3})
        for (const Vec3i& f : {Vec3i(0, 2, 1), Vec3i(0, 1, 3), Vec3i(1, 2, 3), Vec3i(2, 0, 3)})
            mesh.triangles.push_back(f.array() + o);
    EXPECT_FALSE(is_closed_manifold(mesh));
    mesh.points.resize(4);
    mesh.triangles.resize(4);
    EXPECT_TRUE(is_closed_manifold(mesh));
}

TEST(ProfileTube, DistanceIsFirstOrderAtTheSurface)
{
    const ProfileTube tube(Vec3::Zero(), Vec3::UnitY(), Vec3::UnitZ(),
                           {{0.0, 0.1, 0.2, 0.15}, {1.0, 0.1, 0.2, 0.15}}, 0.1, 0.1);
    EXPECT_NEAR(tube.distance({0.1, 0.5, 0}), 0, 1e-12);
    EXPECT_NEAR(tube.distance({0, 0.5, 0.21}), 0.01, 1e-3);
    EXPECT_NEAR(tube.distance({0, 0.5, -0.14}), -0.01, 1e-3);
    EXPECT_NEAR(tube.distance({0, 1.1, 0}), 0, 1e-12);
    EXPECT_GT(tube.distance({3, 0.5, 0}), 1);
}

TEST(ProfileTube, SmoothUnionOnlyActsNearTheSeam)
{
    EXPECT_EQ(smooth_union(1.0, 2.0, 0.5), 1.0);
    EXPECT_NEAR(smooth_union(1.0, 1.0, 0.6), 0.9, 1e-12);
}
