#include "core/example/skirt.h"

#include "core/base/error.h"
#include "core/example/dance.h"
#include "tests/example/mesh_checks.h"

#include <gtest/gtest.h>

using namespace selvage;

TEST(Skirt, StartsClearOfTheBodyAndClosesAroundIt)
{
    const Figure figure;
    const Pose start = dance_pose(0);
    const Skirt skirt(figure, start);
    const Triangles body = triangles_of(figure.geometry(start));
    const Triangles cloth = triangles_of(skirt.geometry());
    EXPECT_EQ(intersections(cloth, body), 0);
    EXPECT_EQ(self_intersections(cloth), 0);
    EXPECT_GT(least_distance(cloth.x, body, 0.05), 0.006);
    EXPECT_GT(least_distance(body.x, cloth, 0.05), 0.006);
    EXPECT_EQ(euler_characteristic(skirt.geometry()), 0); // a tube
    EXPECT_EQ(skirt.geometry().find_group(Owner::point, "waist")->count(), 240u);
    EXPECT_EQ(skirt.carried_geometry(start).positions(), skirt.geometry().positions());
    EXPECT_THROW(Skirt(figure, start, SkirtSettings{4}), InputError);
}

TEST(Dance, IsSmoothAndTurnsFast)
{
    const Skeleton skeleton = figure_skeleton();
    double fastest = 0;
    for (double t = -0.1; t < 3.2; t += 1.0 / 480) {
        const double before = dance_posture(skeleton, t).heading,
                     at = dance_posture(skeleton, t + 1e-3).heading,
                     after = dance_posture(skeleton, t + 2e-3).heading;
        fastest = std::max(fastest, std::abs(after - before) / 2e-3);
        EXPECT_LT(std::abs(after - 2 * at + before) / 1e-6, 120) << t; // [rad/s²]
    }
    EXPECT_GT(fastest, 10);
    const Pose start = dance_pose(0), still = dance_pose(0.2);
    EXPECT_TRUE(start.pelvis == still.pelvis);
}

TEST(Dance, LegsCrossAndArmsComeDownOnTheSkirt)
{
    const Skeleton skeleton = figure_skeleton();
    const auto beside = [&](const Posture& p, std::size_t side) {
        return (Eigen::AngleAxisd(-p.heading, Vec3::UnitY()) * p.feet[side].ground).x();
    };
    const Posture left = dance_posture(skeleton, 0.7), right = dance_posture(skeleton, 1.5);
    EXPECT_LT(beside(left, 0), beside(dance_posture(skeleton, 0), 0) - 0.1);
    EXPECT_GT(beside(right, 1), beside(dance_posture(skeleton, 0), 1) + 0.1);
    EXPECT_LT(dance_posture(skeleton, 2.2).arms[0].raise, 0);
}
