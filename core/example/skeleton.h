#pragma once

#include "core/base/types.h"

#include <Eigen/Geometry>

#include <array>
#include <string>

namespace selvage
{

/// The figure's joints. Metres, Y up, the figure faces +Z, so that its left side is +X.
enum class Joint {
    pelvis,
    spine,
    chest,
    upper_chest,
    neck,
    head,
    clavicle_left,
    upper_arm_left,
    forearm_left,
    hand_left,
    thigh_left,
    shin_left,
    foot_left,
    toes_left,
    clavicle_right,
    upper_arm_right,
    forearm_right,
    hand_right,
    thigh_right,
    shin_right,
    foot_right,
    toes_right
};
inline constexpr int joint_count = 22;

enum class Side { left, right };
/// The same joint on the given side: on_side(Joint::thigh_left, Side::right) is thigh_right.
Joint on_side(Joint left_joint, Side side);

/// One value per joint, indexed by Joint.
template <class T> struct PerJoint : std::array<T, joint_count> {
    using std::array<T, joint_count>::operator[];
    T& operator[](Joint j) { return (*this)[std::size_t(j)]; }
    const T& operator[](Joint j) const { return (*this)[std::size_t(j)]; }
};

/// The bind pose: every joint's frame is aligned with the world, so that a joint rotation reads
/// as an angle about a world axis of the bind pose (X: flexion, Y: twist, Z: to the side).
struct Skeleton {
    PerJoint<std::string> name;
    PerJoint<int> parent;   ///< -1 for the pelvis; a parent's number is less than its children's
    PerJoint<Vec3> origin;  ///< the joint [m]
    PerJoint<Vec3> tip;     ///< far end of the bone it turns [m]
    PerJoint<double> girth; ///< typical distance of the skin from the bone [m]
};

/// A grown-up of 1.75 m, arms held 35° off the vertical (an "A" pose), soles on y = 0.
Skeleton figure_skeleton();

/// Angle of the bind pose's arms to the vertical [rad].
double bind_arm_angle();

/// Joint rotations relative to the parent, and where the pelvis is in the world.
struct Pose {
    Vec3 pelvis;
    PerJoint<Eigen::Quaterniond> rotation;
};

/// The bind pose as a Pose.
Pose bind_pose(const Skeleton& skeleton);

/// Rigid motion of each bone from the bind pose to `pose`, in world space: a point x fixed to bone
/// j in the bind pose lies at result[j] * x.
PerJoint<Eigen::Isometry3d> bone_transforms(const Skeleton& skeleton, const Pose& pose);

/// Points moved along with a bone.
VecX carried(const VecX& x, const Eigen::Isometry3d& motion);

} // namespace selvage
