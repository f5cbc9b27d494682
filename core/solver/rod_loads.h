#pragma once

#include "core/energy/wind_field.h"
#include "core/solver/integrator.h"
#include "core/solver/rod_group.h"

namespace selvage
{

/// Adds ½ (x − place)ᵀ K (x − place) to the quadratic about the point's center.
void add_pull(RodProblem& problem, std::size_t lane, std::size_t point, const Mat3& K,
              const Vec3& place);

/// A group of rods at the start of a step, and what drives it.
struct RodStart {
    const Scene& scene;
    const RodGroup& group;
    const Drive& drive;
    const State& state;
    const TimeScheme& scheme;
    const RodChainShape& shape;
    const std::array<Vec3, 4>& origin; ///< that shape and problem are relative to, one per lane
};

/// Pulls to the animated groom, by Hair::target_rate.
void add_targets(const RodStart& start, RodProblem& problem);

/// Drag of the air, linear in the velocity at the end of the step, with the coefficient of its
/// start; half as much along the strand as across it, as slender bodies have.
void add_drag(const RodStart& start, const WindField& wind, RodProblem& problem);

} // namespace selvage
