#pragma once

#include "core/base/types.h"
#include "core/energy/batches.h"

#include <string_view>

namespace selvage
{

class Sink;

/// What an evaluation should produce.
struct Want {
    bool energy = false;
    bool gradient = false;
    bool hessian = false;
    Psd psd = Psd::clamp; ///< for the Hessian
};

/// What a term may look at when a step begins.
///   velocity of a candidate x in this step: v = (x − x_star) / h_eff
/// Backward Euler: h_eff = h, x_star = x_0. BDF-2: h_eff = c h, x_star = x_0 + r (x_0 − x_prev).
struct StepContext {
    double t_0 = 0, t_1 = 0; ///< [s] start and end of the step
    double h = 0;            ///< [s] t_1 − t_0
    double h_eff = 0;        ///< [s]
    const VecX* x_0 = nullptr;
    const VecX* v_0 = nullptr;
    const VecX* x_star = nullptr;
    /// x_0 and x_star as seen in the world by what does not ride along with a moving frame, see
    /// Drive::x_start; null: the same.
    const VecX* world_x_0 = nullptr;
    const VecX* world_x_star = nullptr;
};

/// An array of elements of one kind of energy: the only thing the solver sees of the physics.
/// One virtual call per array, not per element. Energies are in joule, gradients in newton.
class Term
{
public:
    virtual ~Term() = default;
    virtual std::string_view name() const = 0;
    /// Which vertices each element touches, in the order in which `evaluate` visits them.
    virtual const Batches& stencils() const = 0;
    /// Lagged quantities, damping references, animated rest state.
    virtual void begin_step(const StepContext&) {}
    /// Sets that depend on the iterate (contacts).
    virtual void update(const VecX& /*x*/) {}
    /// Adds scale × (energy, gradient, Hessian blocks) in one pass; energy +∞ where infeasible.
    virtual void evaluate(const VecX& x, Want want, Sink& out) const = 0;
    /// Largest step along p in (0, 1] that stays feasible.
    virtual double max_step(const VecX& /*x*/, const VecX& /*p*/) const { return 1.0; }
};

} // namespace selvage
