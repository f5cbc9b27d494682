#pragma once

#include "core/example/posture.h"
#include "core/example/skeleton.h"

namespace selvage
{

/// A short dance on the spot, four seconds: from standing with the arms held out, a fast turn to
/// the left, legs crossed and a deep bend of the knees, hands pressed to the hips, a turn back.
struct DanceSettings {
    double turn = 6.283;      ///< first turn, to the left [rad]
    double turn_back = 4.712; ///< second turn, to the right [rad]
    double bend = 0.22;       ///< how far the pelvis goes down [m]
    double press = 1;         ///< how far the hands go towards the hips, 0 … 1
};

/// Posture at any time [s]; twice differentiable in time. At time ≤ 0 (frame 1) the figure stands
/// still at the origin, facing +Z.
Posture dance_posture(const Skeleton& skeleton, double time, const DanceSettings& settings = {});

/// dance_posture as joint rotations of figure_skeleton().
Pose dance_pose(double time, const DanceSettings& settings = {});

} // namespace selvage
