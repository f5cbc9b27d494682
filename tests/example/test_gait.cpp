#include "core/example/gait.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace selvage;

namespace
{

PerJoint<Vec3> joints_at(const Skeleton& s, double time, const WalkSettings& walk = {})
{
    const auto bones = bone_transforms(s, figure_pose(time, walk));
    PerJoint<Vec3> out;
    for (std::size_t j = 0; j < joint_count; ++j) out[j] = bones[j] * s.origin[j];
    return out;
}

/// Largest acceleration of any joint over the shot, by second differences of step dt.
double largest_acceleration(double dt, const WalkSettings& walk = {})
{
    const Skeleton s = figure_skeleton();
    double largest = 0;
    PerJoint<Vec3> a = joints_at(s, -2 * dt, walk), b = joints_at(s, -dt, walk);
    for (double t = 0; t < 4.2; t += dt) {
        const PerJoint<Vec3> c = joints_at(s, t, walk);
        for (std::size_t j = 0; j < joint_count; ++j)
            largest = std::max(largest, (a[j] - 2 * b[j] + c[j]).norm() / (dt * dt));
        a = b;
        b = c;
    }
    return largest;
}

double heading_of(const Pose& pose)
{
    const Vec3 ahead = pose.rotation[Joint::pelvis] * Vec3::UnitZ();
    return std::atan2(ahead.x(), ahead.z());
}

} // namespace

TEST(Gait, FrameOneIsTheRestStance)
{
    const Skeleton s = figure_skeleton();
    const auto start = joints_at(s, 0);
    const auto before = joints_at(s, -10);
    const Pose standing = solve_posture(s, standing_posture(s));
    const auto bones = bone_transforms(s, standing);
    for (std::size_t j = 0; j < joint_count; ++j) {
        EXPECT_EQ(start[j], before[j]);
        EXPECT_TRUE(start[j].isApprox(bones[j] * s.origin[j], 1e-12)) << s.name[j];
    }
}

TEST(Gait, BonesKeepTheirLengths)
{
    const Skeleton s = figure_skeleton();
    for (int i = 0; i <= 95; ++i) {
        const auto x = joints_at(s, i / 24.0);
        for (std::size_t j = 1; j < joint_count; ++j) {
            const auto parent = std::size_t(s.parent[j]);
            EXPECT_NEAR((x[j] - x[parent]).norm(), (s.origin[j] - s.origin[parent]).norm(), 1e-12);
        }
    }
}

TEST(Gait, VelocityIsContinuous)
{
    // A jump in velocity would make the finer difference several times larger.
    const double coarse = largest_acceleration(1.0 / 240), fine = largest_acceleration(1.0 / 1920);
    EXPECT_LT(fine, 1.6 * coarse);
    EXPECT_LT(fine, 120); // m/s²; a knee at heel strike
}

TEST(Gait, FeetOnTheGroundDoNotSlide)
{
    const Skeleton s = figure_skeleton();
    for (const Side side : {Side::left, Side::right}) {
        const Joint ball = on_side(Joint::toes_left, side);
        int contacts = 0;
        for (double t = 0; t < 4; t += 1.0 / 96) {
            const FootTarget foot = walk_posture(s, t).feet[std::size_t(side)];
            const FootTarget next = walk_posture(s, t + 1.0 / 96).feet[std::size_t(side)];
            if (foot.lift > 0 || next.lift > 0 || foot.heel_roll > 0) continue;
            const Vec3 a = joints_at(s, t)[ball], b = joints_at(s, t + 1.0 / 96)[ball];
            EXPECT_LT((b - a).norm(), 5e-4) << s.name[ball] << " at " << t << " s";
            EXPECT_NEAR(a.y(), s.origin[ball].y(), 3e-3) << s.name[ball] << " at " << t << " s";
            ++contacts;
        }
        EXPECT_GT(contacts, 100);
    }
}

TEST(Gait, WalksForwardThenTurns)
{
    const WalkSettings walk;
    const Skeleton s = figure_skeleton();
    EXPECT_GT(figure_pose(1.3).pelvis.z(), 0.5);
    EXPECT_NEAR(heading_of(figure_pose(1.0)), 0, 0.15);
    const double later = walk_posture(s, 10).heading;
    EXPECT_NEAR(later, walk.turn, 1e-12);
    const Vec3 step = walk_posture(s, 11).pelvis - walk_posture(s, 10).pelvis;
    EXPECT_NEAR(step.norm(), walk.speed, 0.06); // sway and bob aside
    EXPECT_GT(walk_posture(s, 95 / 24.0).heading, 2.0);
}

TEST(Gait, KneesBendForwardAndArmsSwing)
{
    const Skeleton s = figure_skeleton();
    double knee_bend = 0, swing = 0;
    for (double t = 1; t < 4; t += 0.02) {
        const Pose p = figure_pose(t);
        for (const Joint j : {Joint::shin_left, Joint::shin_right}) {
            const Vec3 axis_angle = [&] {
                const Eigen::AngleAxisd r(p.rotation[j]);
                return Vec3(r.angle() * r.axis());
            }();
            EXPECT_GT(axis_angle.x(), -0.1); // the bind pose has it bent by 0.1
            knee_bend = std::max(knee_bend, axis_angle.x());
        }
        const auto arms = walk_posture(s, t).arms;
        swing = std::max(swing, std::abs(arms[0].swing - arms[1].swing));
    }
    EXPECT_GT(knee_bend, 0.7);
    EXPECT_LT(knee_bend, 1.6);
    EXPECT_GT(swing, 0.6);
}

TEST(Gait, OtherSettingsStaySmoothAndOnTheFloor)
{
    WalkSettings right;
    right.turn = -M_PI;
    WalkSettings brisk;
    brisk.speed = 1.5;
    brisk.stride = 1.25;
    brisk.swing = 0.6;
    const Skeleton s = figure_skeleton();
    for (const WalkSettings& walk : {right, brisk}) {
        EXPECT_LT(largest_acceleration(1.0 / 1920, walk),
                  1.6 * largest_acceleration(1.0 / 240, walk));
        for (double t = 0; t < 4; t += 1.0 / 48) {
            const auto x = joints_at(s, t, walk);
            for (const Joint j : {Joint::toes_left, Joint::toes_right})
                EXPECT_GT(x[j].y(), s.origin[j].y() - 1e-3) << t << " s";
        }
    }
}

TEST(Gait, RefusesAWalkWithoutStride)
{
    WalkSettings walk;
    walk.stride = 0;
    EXPECT_THROW(figure_pose(1, walk), InputError);
}
