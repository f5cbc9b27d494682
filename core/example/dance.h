#pragma once

#include "core/example/posture.h"

namespace selvage
{

/// A dance on the spot, made to be hard on a skirt: from standing a fast turn to the left with arms
/// flung out and the left leg crossed over the right, a faster one back with the legs crossed the
/// other way, then both arms pressed down onto the skirt, which they pinch against the thighs, and
/// let go again. 3 s; it stands before and after. Continuously differentiable in time [s].
Posture dance_posture(const Skeleton& skeleton, double time);

/// dance_posture as joint rotations of figure_skeleton().
Pose dance_pose(double time);

} // namespace selvage
