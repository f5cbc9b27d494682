#pragma once

#include "core/model/scene.h"
#include "core/model/state.h"

namespace selvage
{

/// [m] Smallest gap (distance beyond thickness) of each simulated vertex to what it is in contact
/// with; ∞ where it is in none, or collisions are off. Volumes count as long as
/// they stand still: of others the scene has the start alone. Searches anew: for looking at a
/// frame, not for every step.
VecX vertex_gaps(const Scene& scene, const State& state);

} // namespace selvage
