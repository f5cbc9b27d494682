#pragma once

#include "core/example/posture.h"
#include "core/example/skeleton.h"

namespace selvage
{

/// A walk: stand, set off, go straight along +Z, then turn, then go straight on.
struct WalkSettings {
    double speed = 1.15;      ///< once under way [m/s]
    double stride = 1.15;     ///< two steps [m]; above 1.25 the legs get too short for it
    double turn = 2.44;       ///< whole change of heading, to the left [rad] (2.44: 140°)
    double turn_start = 0.8;  ///< walked before the turn begins [m]
    double turn_length = 2.9; ///< walked during the turn [m]
    double swing = 0.36;      ///< amplitude of the arms [rad]
    double still_time = 0.25; ///< standing before the first step [s]
    double start_time = 1.0;  ///< from standing to full speed [s]
};

/// Posture at any time [s]; continuously differentiable in time. At time ≤ 0 (frame 1) the figure
/// stands still at the origin, facing +Z. A foot on the ground does not slide.
Posture walk_posture(const Skeleton& skeleton, double time, const WalkSettings& settings = {});

/// walk_posture as joint rotations of figure_skeleton().
Pose figure_pose(double time, const WalkSettings& settings = {});

} // namespace selvage
