#include "core/example/figure.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/example/gait.h"
#include "tests/example/mesh_checks.h"

#include <gtest/gtest.h>

using namespace selvage;

TEST(Figure, IsOneClosedWellShapedMesh)
{
    const Figure figure;
    const Geometry& g = figure.bind_geometry();
    EXPECT_GT(g.primitive_count(), 14000u);
    EXPECT_LT(g.primitive_count(), 20000u);
    EXPECT_EQ(open_or_bad_edges(g), 0);
    EXPECT_EQ(component_count(g), 1);
    EXPECT_EQ(euler_characteristic(g), 2);
    const Triangles mesh = triangles_of(g);
    EXPECT_GT(smallest_angle(mesh), 15 * M_PI / 180);
    EXPECT_EQ(self_intersections(mesh), 0);
}

TEST(Figure, HasTheSizeAndVolumeOfAPerson)
{
    const Figure figure;
    const Triangles mesh = triangles_of(figure.bind_geometry());
    Eigen::AlignedBox3d box;
    for (int i = 0; i < int(mesh.x.size() / 3); ++i) box.extend(mesh.point(i));
    EXPECT_NEAR(box.min().y(), 0, 0.002);
    EXPECT_NEAR(box.max().y(), 1.75, 0.01);
    EXPECT_NEAR(box.min().x(), -box.max().x(), 0.002);
    EXPECT_GT(box.max().z(), -box.min().z());    // the toes point to +Z
    const double volume = enclosed_volume(mesh); // positive: faces are oriented outward
    EXPECT_GT(volume, 0.050);
    EXPECT_LT(volume, 0.080);
}

TEST(Figure, PartsCoverEachPointOnce)
{
    const Figure figure(FigureSettings{0.022});
    const Geometry& g = figure.bind_geometry();
    std::vector<int> covered(g.point_count(), 0);
    const VecX x = g.positions();
    for (const char* part : {"head", "torso", "arm_left", "arm_right", "leg_left", "leg_right"}) {
        const Group* group = g.find_group(Owner::point, part);
        ASSERT_TRUE(group) << part;
        EXPECT_GT(group->count(), 100u) << part;
        for (std::size_t i = 0; i < covered.size(); ++i) covered[i] += group->member[i];
        const double side = std::string(part).find("_left") != std::string::npos    ? 1
                            : std::string(part).find("_right") != std::string::npos ? -1
                                                                                    : 0;
        for (std::size_t i = 0; i < covered.size(); ++i)
            if (group->member[i]) {
                EXPECT_GT(side * x[3 * Eigen::Index(i)], -0.01) << part;
            }
    }
    EXPECT_TRUE(std::all_of(covered.begin(), covered.end(), [](int c) { return c == 1; }));
}

TEST(Figure, FeetStayOnTheFloorAndLegsApartWhileWalking)
{
    const Figure figure(FigureSettings{0.020});
    for (int frame = 1; frame <= 96; frame += 5) {
        const Triangles mesh = triangles_of(figure.geometry(figure_pose((frame - 1) / 24.0)));
        double lowest = infinity;
        for (int i = 0; i < int(mesh.x.size() / 3); ++i)
            lowest = std::min(lowest, mesh.point(i).y());
        EXPECT_GT(lowest, -0.01) << "frame " << frame;
        EXPECT_LT(lowest, 0.01) << "frame " << frame; // one foot at least is on the floor
        EXPECT_EQ(self_intersections(mesh), 0) << "frame " << frame;
    }
}

TEST(Figure, SameBitsOnOneThreadAndMany)
{
    const auto make = [](int threads) {
        const ThreadLimit limit(threads);
        const Figure figure(FigureSettings{0.022});
        return figure.positions(figure_pose(1.7));
    };
    EXPECT_EQ(make(1), make(0));
}

TEST(Figure, RefusesSillyCells)
{
    EXPECT_THROW(Figure(FigureSettings{0.0}), InputError);
    EXPECT_THROW(Figure(FigureSettings{0.1}), InputError);
}

TEST(FigureFull, IsSoundAtOtherResolutions)
{
    for (const double cell : {0.022, 0.019, 0.015, 0.0125, 0.01}) {
        const Figure figure(FigureSettings{cell});
        const Geometry& g = figure.bind_geometry();
        EXPECT_EQ(open_or_bad_edges(g), 0) << cell;
        EXPECT_EQ(euler_characteristic(g), 2) << cell;
        EXPECT_EQ(component_count(g), 1) << cell;
        const Triangles mesh = triangles_of(g);
        EXPECT_GT(smallest_angle(mesh), 10 * M_PI / 180) << cell;
        EXPECT_EQ(self_intersections(mesh), 0) << cell;
    }
}

TEST(FigureFull, DoesNotPassThroughItselfInAnyFrame)
{
    const Figure figure;
    for (int frame = 1; frame <= 96; ++frame)
        EXPECT_EQ(
            self_intersections(triangles_of(figure.geometry(figure_pose((frame - 1) / 24.0)))), 0)
            << "frame " << frame;
}
