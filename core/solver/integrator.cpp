#include "core/solver/integrator.h"

namespace selvage
{

TimeScheme time_scheme(const State& state, double h, Integrator integrator)
{
    if (integrator == Integrator::bdf1 || state.h_prev == 0) return {h, state.x, state.v};
    const double w = h / state.h_prev;
    const double c = (1 + w) / (1 + 2 * w), r = w * w / (1 + 2 * w);
    return {c * h, state.x + r * (state.x - state.x_prev), state.v + r * (state.v - state.v_prev)};
}

void advance(State& state, const TimeScheme& scheme, VecX x_1, double h)
{
    state.x_prev.swap(state.x);
    state.v_prev.swap(state.v);
    state.v = (x_1 - scheme.x_star) / scheme.h_eff;
    state.x = std::move(x_1);
    state.h_prev = h;
    state.time += h;
}

} // namespace selvage
