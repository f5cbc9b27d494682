#include "core/example/posture.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

using Quaternion = Eigen::Quaterniond;

Quaternion about(const Vec3& axis, double angle)
{
    return Quaternion(Eigen::AngleAxisd(angle, axis));
}
Quaternion about_x(double angle) { return about(Vec3::UnitX(), angle); }
Quaternion about_y(double angle) { return about(Vec3::UnitY(), angle); }
Quaternion about_z(double angle) { return about(Vec3::UnitZ(), angle); }

Quaternion trunk_turn(const Vec3& turn)
{
    return about_y(turn.y()) * about_x(turn.x()) * about_z(turn.z());
}

/// Longest distance from hip to ankle, in parts of the leg's length: the knee stays a little bent,
/// for near the straight leg its angle runs away from any smooth motion of the ankle.
constexpr double longest_reach = 0.999;
constexpr double sinking_softness = 0.009; ///< over which the pelvis' limits are blended [m]

double leg_length(const Skeleton& s)
{
    return (s.origin[Joint::shin_left] - s.origin[Joint::thigh_left]).norm() +
           (s.origin[Joint::foot_left] - s.origin[Joint::shin_left]).norm();
}

/// Rotation that takes direction d0 and hinge axis h0 (made perpendicular) to d and h.
Quaternion align(const Vec3& d0, const Vec3& h0, const Vec3& d, const Vec3& h)
{
    const auto frame = [](const Vec3& a, const Vec3& b) {
        Mat3 m;
        m.col(0) = a.normalized();
        m.col(1) = (b - b.dot(m.col(0)) * m.col(0)).normalized();
        m.col(2) = m.col(0).cross(m.col(1));
        return m;
    };
    return Quaternion(Mat3(frame(d, h) * frame(d0, h0).transpose()));
}

/// Ankle position for a foot target: rolling about the heel or the ball keeps that on the ground.
Vec3 ankle_position(const Skeleton& s, Side side, const FootTarget& foot)
{
    const Vec3 ankle = s.origin[on_side(Joint::foot_left, side)];
    const Vec3 ball = s.origin[on_side(Joint::toes_left, side)];
    const Vec3 heel(ankle.x(), 0, ankle.z() - 0.052);
    const Vec3 on_ball = ball + about_x(foot.ball_roll) * Vec3(ankle - ball);
    const Vec3 on_heel = heel + about_x(-foot.heel_roll) * Vec3(on_ball - heel);
    const Vec3 rolled = on_heel - Vec3(ankle.x(), 0, ankle.z());
    return foot.ground + about_y(foot.heading) * rolled + Vec3(0, foot.lift, 0);
}

/// Height of the pelvis at which both feet can be reached: the smooth minimum of the wanted height
/// and what each leg allows.
double reachable_height(const Skeleton& s, const Posture& posture, const Quaternion& pelvis)
{
    const double reach = longest_reach * leg_length(s), w = sinking_softness;
    double sum = 1;
    for (const Side side : {Side::left, Side::right}) {
        const Vec3 hip =
            pelvis * Vec3(s.origin[on_side(Joint::thigh_left, side)] - s.origin[Joint::pelvis]);
        const Vec3 d =
            ankle_position(s, side, posture.feet[std::size_t(side)]) - hip - posture.pelvis;
        const double across = d.x() * d.x() + d.z() * d.z();
        const double rise = d.y() + std::sqrt(std::max(reach * reach - across, 0.0));
        sum += std::exp(-rise / w);
    }
    return posture.pelvis.y() - w * std::log(sum);
}

void solve_leg(const Skeleton& s, Side side, const FootTarget& foot,
               const Eigen::Isometry3d& pelvis_motion, Pose& pose)
{
    const Joint thigh = on_side(Joint::thigh_left, side), shin = on_side(Joint::shin_left, side);
    const Joint ankle_joint = on_side(Joint::foot_left, side);
    const Vec3 &hip0 = s.origin[thigh], &knee0 = s.origin[shin], &ankle0 = s.origin[ankle_joint];
    const double l1 = (knee0 - hip0).norm(), l2 = (ankle0 - knee0).norm();

    const Vec3 hip = pelvis_motion * hip0;
    const Vec3 wanted = ankle_position(s, side, foot) - hip;
    const Vec3 down = wanted.normalized();
    const double d = std::min(wanted.norm(), 0.9999 * (l1 + l2));

    // The knee points where pelvis and foot face on average.
    const Quaternion foot_heading = about_y(foot.heading);
    const Vec3 ahead = pelvis_motion.linear() * Vec3::UnitZ() + foot_heading * Vec3::UnitZ();
    const Vec3 hinge = ahead.cross(down).normalized();
    const Vec3 front = down.cross(hinge);
    const double cosine = (l1 * l1 + d * d - l2 * l2) / (2 * l1 * d);
    const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
    const Vec3 knee = l1 * (cosine * down + sine * front);
    const Vec3 ankle = d * down;

    const Quaternion pelvis(pelvis_motion.linear());
    const Quaternion thigh_world = align(knee0 - hip0, Vec3::UnitX(), knee, hinge);
    const Quaternion shin_world = align(ankle0 - knee0, Vec3::UnitX(), ankle - knee, hinge);
    const Quaternion foot_world = foot_heading * about_x(foot.ball_roll - foot.heel_roll);
    pose.rotation[thigh] = pelvis.conjugate() * thigh_world;
    pose.rotation[shin] = thigh_world.conjugate() * shin_world;
    pose.rotation[ankle_joint] = shin_world.conjugate() * foot_world;
    pose.rotation[on_side(Joint::toes_left, side)] = about_x(-foot.toes);
}

void pose_arm(const Skeleton& s, Side side, const ArmAngles& arm, Pose& pose)
{
    const Joint upper = on_side(Joint::upper_arm_left, side);
    const Joint forearm = on_side(Joint::forearm_left, side);
    const double outward = side == Side::left ? 1 : -1;
    const Vec3 along = (s.tip[upper] - s.origin[upper]).normalized();
    const Vec3 hinge = along.cross(Vec3::UnitZ());
    pose.rotation[upper] = about_x(-arm.swing) * about_z(outward * (arm.raise - bind_arm_angle())) *
                           about(along, outward * arm.turn);
    pose.rotation[forearm] = about(hinge, arm.elbow);
}

} // namespace

Posture standing_posture(const Skeleton& skeleton)
{
    Posture p;
    p.pelvis = skeleton.origin[Joint::pelvis] + Vec3(0, 0.012, 0); // sinks until the legs reach
    for (const Side side : {Side::left, Side::right}) {
        const Vec3 ankle = skeleton.origin[on_side(Joint::foot_left, side)];
        p.feet[std::size_t(side)].ground = Vec3(ankle.x(), 0, ankle.z());
        p.arms[std::size_t(side)] = {0.16, 0.0, 0.22, 0.25};
    }
    return p;
}

Pose solve_posture(const Skeleton& s, const Posture& posture)
{
    Pose pose = bind_pose(s);
    pose.rotation[Joint::pelvis] = about_y(posture.heading) * trunk_turn(posture.pelvis_turn);
    pose.pelvis = posture.pelvis;
    pose.pelvis.y() = reachable_height(s, posture, pose.rotation[Joint::pelvis]);
    for (const Joint j : {Joint::spine, Joint::chest, Joint::upper_chest})
        pose.rotation[j] = trunk_turn(posture.spine_turn / 3);
    for (const Joint j : {Joint::neck, Joint::head})
        pose.rotation[j] = trunk_turn(posture.head_turn / 2);

    const Eigen::Isometry3d pelvis_motion = Eigen::Translation3d(pose.pelvis) *
                                            pose.rotation[Joint::pelvis] *
                                            Eigen::Translation3d(-s.origin[Joint::pelvis]);
    for (const Side side : {Side::left, Side::right}) {
        solve_leg(s, side, posture.feet[std::size_t(side)], pelvis_motion, pose);
        pose_arm(s, side, posture.arms[std::size_t(side)], pose);
    }
    return pose;
}

} // namespace selvage
