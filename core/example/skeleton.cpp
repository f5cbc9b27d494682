#include "core/example/skeleton.h"

#include <cmath>

namespace selvage
{
namespace
{

constexpr int left_to_right = int(Joint::clavicle_right) - int(Joint::clavicle_left);

Vec3 mirrored(const Vec3& p) { return {-p.x(), p.y(), p.z()}; }

struct Bone {
    Joint joint;
    const char* name;
    int parent;
    Vec3 origin, tip;
    double girth;
};

std::array<Bone, 14> centre_and_left_bones()
{
    const double a = bind_arm_angle();
    const Vec3 arm(std::sin(a), -std::cos(a), 0);
    const Vec3 shoulder(0.178, 1.412, -0.018);
    const Vec3 elbow = shoulder + 0.285 * arm;
    const Vec3 wrist = elbow + 0.250 * arm;
    const Vec3 hand = wrist + 0.17 * arm;
    const Vec3 hip(0.090, 0.930, 0.0), knee(0.102, 0.500, 0.012), ankle(0.114, 0.085, -0.020);
    const Vec3 ball(0.126, 0.022, 0.100), toe(0.132, 0.018, 0.165);
    const Vec3 pelvis(0, 0.95, -0.005), spine(0, 1.06, -0.010), chest(0, 1.18, -0.018);
    const Vec3 upper_chest(0, 1.31, -0.024), neck(0, 1.475, -0.028), head(0, 1.565, -0.008);
    const auto at = [](Joint j) { return int(j); };
    return {{
        {Joint::pelvis, "pelvis", -1, pelvis, spine, 0.125},
        {Joint::spine, "spine", at(Joint::pelvis), spine, chest, 0.110},
        {Joint::chest, "chest", at(Joint::spine), chest, upper_chest, 0.120},
        {Joint::upper_chest, "upper_chest", at(Joint::chest), upper_chest, neck, 0.125},
        {Joint::neck, "neck", at(Joint::upper_chest), neck, head, 0.060},
        {Joint::head, "head", at(Joint::neck), head, Vec3(0, 1.70, 0.0), 0.090},
        {Joint::clavicle_left, "clavicle", at(Joint::upper_chest), Vec3(0.025, 1.435, -0.010),
         shoulder, 0.060},
        {Joint::upper_arm_left, "upper_arm", at(Joint::clavicle_left), shoulder, elbow, 0.050},
        {Joint::forearm_left, "forearm", at(Joint::upper_arm_left), elbow, wrist, 0.038},
        {Joint::hand_left, "hand", at(Joint::forearm_left), wrist, hand, 0.030},
        {Joint::thigh_left, "thigh", at(Joint::pelvis), hip, knee, 0.075},
        {Joint::shin_left, "shin", at(Joint::thigh_left), knee, ankle, 0.050},
        {Joint::foot_left, "foot", at(Joint::shin_left), ankle, ball, 0.045},
        {Joint::toes_left, "toes", at(Joint::foot_left), ball, toe, 0.030},
    }};
}

} // namespace

Joint on_side(Joint left_joint, Side side)
{
    return side == Side::left ? left_joint : Joint(int(left_joint) + left_to_right);
}

double bind_arm_angle() { return 35.0 * M_PI / 180.0; }

Skeleton figure_skeleton()
{
    Skeleton s;
    const auto place = [&s](Joint j, std::string name, int parent, const Vec3& origin,
                            const Vec3& tip, double girth) {
        s.name[j] = std::move(name);
        s.parent[j] = parent;
        s.origin[j] = origin;
        s.tip[j] = tip;
        s.girth[j] = girth;
    };
    for (const Bone& b : centre_and_left_bones()) {
        const bool paired = b.joint >= Joint::clavicle_left;
        place(b.joint, b.name + std::string(paired ? "_left" : ""), b.parent, b.origin, b.tip,
              b.girth);
        if (!paired) continue;
        const bool paired_parent = b.parent >= int(Joint::clavicle_left);
        place(on_side(b.joint, Side::right), b.name + std::string("_right"),
              b.parent + (paired_parent ? left_to_right : 0), mirrored(b.origin), mirrored(b.tip),
              b.girth);
    }
    return s;
}

Pose bind_pose(const Skeleton& skeleton)
{
    Pose pose;
    pose.pelvis = skeleton.origin[Joint::pelvis];
    pose.rotation.fill(Eigen::Quaterniond::Identity());
    return pose;
}

PerJoint<Eigen::Isometry3d> bone_transforms(const Skeleton& skeleton, const Pose& pose)
{
    PerJoint<Eigen::Isometry3d> frame, motion;
    for (std::size_t j = 0; j < joint_count; ++j) {
        const int parent = skeleton.parent[j];
        Eigen::Isometry3d& f = frame[j];
        if (parent < 0) {
            f = Eigen::Translation3d(pose.pelvis) * pose.rotation[j];
        } else {
            const Vec3 offset = skeleton.origin[j] - skeleton.origin[std::size_t(parent)];
            f = frame[std::size_t(parent)] * Eigen::Translation3d(offset) * pose.rotation[j];
        }
        motion[j] = f * Eigen::Translation3d(-skeleton.origin[j]);
    }
    return motion;
}

VecX carried(const VecX& x, const Eigen::Isometry3d& motion)
{
    VecX out(x.size());
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        out.segment<3>(i) = motion * Vec3(x.segment<3>(i));
    return out;
}

} // namespace selvage
