#include "core/example/skeleton.h"

#include "core/example/posture.h"

#include <gtest/gtest.h>

using namespace selvage;

TEST(Skeleton, IsSymmetricAndOrdered)
{
    const Skeleton s = figure_skeleton();
    for (std::size_t j = 0; j < joint_count; ++j) EXPECT_LT(s.parent[j], int(j));
    for (int j = int(Joint::clavicle_left); j <= int(Joint::toes_left); ++j) {
        const Joint left = Joint(j), right = on_side(left, Side::right);
        EXPECT_EQ(s.origin[left].x(), -s.origin[right].x());
        EXPECT_EQ(s.origin[left].tail<2>(), s.origin[right].tail<2>());
        EXPECT_EQ(s.name[right], s.name[left].substr(0, s.name[left].size() - 4) + "right");
    }
    EXPECT_EQ(s.parent[Joint::thigh_right], int(Joint::pelvis));
    EXPECT_EQ(s.parent[Joint::shin_right], int(Joint::thigh_right));
}

TEST(Skeleton, BindPoseMovesNothing)
{
    const Skeleton s = figure_skeleton();
    for (const Eigen::Isometry3d& bone : bone_transforms(s, bind_pose(s)))
        EXPECT_TRUE(bone.isApprox(Eigen::Isometry3d::Identity(), 1e-14));
}

TEST(Skeleton, TurningAJointTurnsWhatHangsOnIt)
{
    const Skeleton s = figure_skeleton();
    Pose pose = bind_pose(s);
    pose.rotation[Joint::shin_left] = Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX());
    const auto bones = bone_transforms(s, pose);
    const Vec3 knee = s.origin[Joint::shin_left], ankle = s.origin[Joint::foot_left];
    const Vec3 expected = knee + Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()) * (ankle - knee);
    EXPECT_TRUE((bones[Joint::foot_left] * ankle).isApprox(expected, 1e-12));
    EXPECT_TRUE((bones[Joint::foot_right] * s.origin[Joint::foot_right])
                    .isApprox(s.origin[Joint::foot_right], 1e-12));
}

TEST(Posture, FeetReachTheirTargets)
{
    const Skeleton s = figure_skeleton();
    Posture p = standing_posture(s);
    p.pelvis.y() -= 0.08;
    p.feet[0].ground += Vec3(0.05, 0, 0.2);
    p.feet[0].heading = 0.4;
    p.feet[1].ball_roll = 0.5;
    const auto bones = bone_transforms(s, solve_posture(s, p));

    // The left sole lies flat where it was wanted, turned by its heading.
    const Vec3 ankle = s.origin[Joint::foot_left], toes = s.origin[Joint::toes_left];
    const Vec3 ankle_now = bones[Joint::foot_left] * ankle;
    EXPECT_TRUE(ankle_now.isApprox(p.feet[0].ground + Vec3(0, ankle.y(), 0), 1e-9));
    const Vec3 along = Eigen::AngleAxisd(0.4, Vec3::UnitY()) * (toes - ankle);
    EXPECT_TRUE((bones[Joint::foot_left] * toes - ankle_now).isApprox(along, 1e-9));

    // The right ball stays put while its heel is up.
    const Vec3 ball = s.origin[Joint::toes_right];
    EXPECT_TRUE((bones[Joint::foot_right] * ball).isApprox(ball, 1e-9));
    EXPECT_GT((bones[Joint::foot_right] * s.origin[Joint::foot_right]).y(), ankle.y() + 0.04);
}

TEST(Posture, ElbowBendsForwardAndArmSwingsForward)
{
    const Skeleton s = figure_skeleton();
    Posture p = standing_posture(s);
    p.arms[0] = {0.0, 0.0, 1.0, 0.0};
    p.arms[1] = {0.0, 0.8, 0.0, 0.0};
    const auto bones = bone_transforms(s, solve_posture(s, p));
    const Vec3 shoulder_left = bones[Joint::upper_arm_left] * s.origin[Joint::upper_arm_left];
    EXPECT_GT((bones[Joint::hand_left] * s.tip[Joint::hand_left] - shoulder_left).z(), 0.2);
    const Vec3 shoulder_right = bones[Joint::upper_arm_right] * s.origin[Joint::upper_arm_right];
    EXPECT_GT((bones[Joint::hand_right] * s.tip[Joint::hand_right] - shoulder_right).z(), 0.4);
}
