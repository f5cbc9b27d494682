#pragma once

#include "core/energy/rod_chain.h"

namespace selvage
{

/// A symmetric 3×3 matrix per lane.
struct Sym3R {
    Real4 xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;
};

/// A time step of four rods as a minimisation over points x and turns θ of the frames:
///   f = Σ ½ (x − c)ᵀ A (x − c) − F·(x − c) + Σ ½ J (θ − θ̃)² + E(x, frames)
/// A, c and F sum up what acts on single points (inertia, gravity, drag, soft targets), J and θ̃
/// the inertia of sections about the rod's axis.
struct RodProblem {
    RodChainLaws laws;                ///< rest state and stiffness with viscosity folded in
    std::vector<Sym3R> weight;        ///< A [N/m] per point
    std::vector<Vec3T<Real4>> center; ///< c [m] per point
    std::vector<Vec3T<Real4>> load;   ///< F [N] per point
    std::vector<Real4> spin_weight;   ///< J [N·m] per edge
    std::vector<Real4> spin_target;   ///< θ̃ [rad] per edge
    std::vector<Real4> free;          ///< four per point as the unknowns: 1 free, 0 held
    std::vector<Real4> beyond;        ///< per point: 1 where the rod of this lane has ended before
    /// 1 where only the first points of the rod are held. Then a displacement turns edges instead
    /// of drawing them out: the next positions follow from the root by
    ///   e' = (‖e‖ + δe·t) (e + δe)/‖e + δe‖,
    /// and the loads beyond an edge resist its turning. Newton's method then sees an almost
    /// inextensible rod as a chain of angles and takes steps of many degrees. 0: x' = x + δx.
    Real4 hangs = 1.0;
    /// [N/m] How each edge resists turning; empty: as `hangs` says, from the loads of the rod
    /// alone.
    std::vector<Real4> across;

    explicit RodProblem(int points = 0);
    int points() const { return int(center.size()); }
};

struct RodNewtonSettings {
    double tolerance = 1e-5; ///< [m] a direction shorter than this is the last
    int max_iterations = 100;
};

/// Lane by lane.
struct RodNewtonOutcome {
    Real4 converged = 0.0;  ///< 1 or 0
    Real4 iterations = 0.0; ///< until then
    Real4 residual = 0.0;   ///< [m] largest component of the last direction
    int backtracks = 0;     ///< halvings of steps, all lanes together
    int clamped = 0;        ///< iterations in which some Hessian was not positive definite
};

/// Memory that is used again from rod to rod.
struct RodScratch {
    RodVector gradient, direction;
    RodMatrix hessian;
    RodChainShape trial;
    std::vector<Real4> turn_change, trial_turn;
};

/// f; with its gradient and Hessian (held unknowns decoupled, with 1 on the diagonal) as wanted.
/// Exact where `clamp` is not set: that of the retraction, see RodProblem::hangs.
Real4 rod_objective(const RodProblem& problem, const RodChainShape& shape,
                    const std::vector<Real4>& turn, Want want, const Mask4& clamp,
                    RodScratch& scratch);

/// The shape after step × direction, in scratch.trial (of the size of `from`): see
/// RodProblem::hangs.
void retract(const RodProblem& problem, const RodChainShape& from, const Real4& step,
             const RodVector& direction, RodScratch& scratch);

/// The Hessian of what acts on single points, in scratch.hessian; held unknowns as above.
void set_inertia(const RodProblem& problem, RodScratch& scratch);

/// Newton's method with exact Hessians, clamped only in lanes where they are not positive definite,
/// and backtracking. `turn` holds θ since the start of the step.
RodNewtonOutcome minimise(const RodProblem& problem, RodChainShape& shape, std::vector<Real4>& turn,
                          const RodNewtonSettings& settings, RodScratch& scratch);

} // namespace selvage
