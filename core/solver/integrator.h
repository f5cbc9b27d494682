#pragma once

#include "core/model/state.h"
#include "core/solver/step_settings.h"

namespace selvage
{

/// One routine for BDF-1 and BDF-2 with variable steps [specs: dynamic deformables §2.15]:
///   x⁺ = x + r (x − x_prev) + c h v⁺,     M (v⁺ − v − r (v − v_prev)) = c h f(x⁺)
///   w = h/h_prev,  c = (1+w)/(1+2w),  r = w²/(1+2w);   r = 0, c = 1 is backward Euler.
/// In position form: x⁺ minimises ½‖x − x_tilde‖²_M + h_eff² E(x), with v⁺ = (x⁺ − x_star)/h_eff.
struct TimeScheme {
    double h_eff = 0; ///< c h
    VecX x_star;      ///< x + r (x − x_prev)
    VecX v_star;      ///< v + r (v − v_prev)
};

TimeScheme time_scheme(const State& state, double h, Integrator integrator);

/// Moves the state to the end of the step.
void advance(State& state, const TimeScheme& scheme, VecX x_1, double h);

} // namespace selvage
