#pragma once

#include "core/example/skeleton.h"

#include <array>

namespace selvage
{

/// Where a foot is wanted.
struct FootTarget {
    Vec3 ground = Vec3::Zero(); ///< where the ankle would stand over with the sole flat on y = 0
    double heading = 0;         ///< about +Y, 0 faces +Z [rad]
    double heel_roll = 0;       ///< toes up, rolling on the heel [rad], ≥ 0
    double ball_roll = 0;       ///< heel up, rolling on the ball [rad], ≥ 0
    double lift = 0;            ///< height of the sole above y = 0 [m]
    double toes = 0;            ///< toes bent up relative to the foot [rad]
};

/// How an arm is held; zeros let it hang straight down.
struct ArmAngles {
    double raise = 0; ///< to the side [rad]
    double swing = 0; ///< to the front [rad]
    double elbow = 0; ///< bend, ≥ 0 [rad]
    double turn = 0;  ///< inward about its own axis [rad]
};

/// A figure's posture in the terms an animator thinks in: where the pelvis and the feet are, how
/// the trunk bends, how the arms are held. A motion is a function from time to Posture.
struct Posture {
    Vec3 pelvis = Vec3::Zero(); ///< position of the pelvis joint, at its highest [m]
    double heading = 0;         ///< of the whole figure about +Y [rad]
    Vec3 pelvis_turn =
        Vec3::Zero();               ///< forward tilt (x), twist to the left (y), sideways (z) [rad]
    Vec3 spine_turn = Vec3::Zero(); ///< pelvis to shoulders, same meaning, spread over three joints
    Vec3 head_turn = Vec3::Zero();  ///< shoulders to head, spread over neck and head
    std::array<FootTarget, 2> feet; ///< left, right
    std::array<ArmAngles, 2> arms;  ///< left, right
};

/// Both feet side by side where the bind pose has them, knees soft, arms hanging, at the origin.
Posture standing_posture(const Skeleton& skeleton);

/// Joint rotations of a posture: trunk and arms directly, legs by two-bone inverse kinematics.
/// Where a foot would be out of reach the pelvis sinks, smoothly, as far as it takes.
Pose solve_posture(const Skeleton& skeleton, const Posture& posture);

} // namespace selvage
