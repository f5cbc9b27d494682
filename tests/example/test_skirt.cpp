#include "core/example/skirt.h"

#include "core/base/error.h"
#include "core/example/dance.h"
#include "tests/example/mesh_checks.h"

#include <gtest/gtest.h>

using namespace selvage;

TEST(Skirt, StartsClearOfTheBodyAndClosedAround)
{
    const Figure figure;
    const Pose start = dance_pose(0);
    const Skirt skirt(figure, start);
    const Triangles body = triangles_of(figure.geometry(start));
    const Triangles cloth = triangles_of(skirt.geometry());
    EXPECT_GT(least_distance(cloth.x, body, 0.05), 0.004);
    EXPECT_GT(least_distance(body.x, cloth, 0.05), 0.004);
    EXPECT_EQ(intersections(cloth, body), 0);
    EXPECT_EQ(self_intersections(cloth), 0);
    EXPECT_EQ(bad_edges(skirt.geometry()), 0);
    EXPECT_EQ(euler_characteristic(skirt.geometry()), 0); // a tube
}

TEST(Skirt, WaistStaysClearOfTheBodyThroughTheDance)
{
    const Figure figure;
    const Pose start = dance_pose(0);
    const Skirt skirt(figure, start);
    const Group* waist = skirt.geometry().find_group(Owner::point, "waist");
    ASSERT_TRUE(waist);
    const Eigen::Index held = 3 * Eigen::Index(waist->count());
    for (int frame = 1; frame <= 96; frame += 5) {
        const Pose pose = dance_pose((frame - 1) / 24.0);
        const VecX x = skirt.carried_geometry(pose).positions();
        EXPECT_GT(least_distance(x.head(held), triangles_of(figure.geometry(pose)), 0.05), 0.003)
            << "frame " << frame;
    }
}

TEST(Dance, StartsAtRestAndMovesSmoothly)
{
    const Skeleton s = figure_skeleton();
    const auto joints = [&](double time) {
        const auto bones = bone_transforms(s, dance_pose(time));
        PerJoint<Vec3> out;
        for (std::size_t j = 0; j < joint_count; ++j) out[j] = bones[j] * s.origin[j];
        return out;
    };
    const auto start = joints(0), before = joints(-1);
    for (std::size_t j = 0; j < joint_count; ++j) EXPECT_EQ(start[j], before[j]);
    // Speeds change by no more than accelerations of a dancer allow.
    const double dt = 1e-3;
    for (double t = 0; t < 4; t += 0.02) {
        const auto a = joints(t - dt), b = joints(t), c = joints(t + dt);
        for (std::size_t j = 0; j < joint_count; ++j)
            EXPECT_LT((a[j] - 2 * b[j] + c[j]).norm() / (dt * dt), 200) << s.name[j] << " " << t;
    }
}
