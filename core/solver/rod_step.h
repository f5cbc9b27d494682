#pragma once

#include "core/solver/rod_loads.h"

namespace selvage
{

/// One group of rods on its way through a step: first the minimum of its potential as if nothing
/// new were in the way, then moves under contact forces from outside, each linear in them.
/// What it is made from must outlive it.
class RodStep
{
public:
    RodStep() = default;
    /// `pull` [N]: forces on vertices that stay as they are through the step; empty: none.
    RodStep(const Scene& scene, const RodGroup& group, const Drive& drive, const State& state,
            const TimeScheme& scheme, const WindField& wind, double h, const VecX& pull = {});

    const RodGroup& group() const { return *group_; }
    /// To the minimum under the contact forces of the step before (State::strand_loads), fully
    /// nonlinear: what rests on something stays about where it is.
    RodNewtonOutcome predict(const RodNewtonSettings& settings, RodScratch& scratch);
    void store(State& next, double h) const;
    /// [J] without viscosity, lane by lane.
    Real4 elastic_energy() const;
    /// Largest l/L − 1 of free and held edges, lane by lane.
    Real4 max_strain() const;

    bool free(std::size_t lane, std::size_t point) const
    {
        return problem_.free[4 * point][lane] > 0;
    }
    const RodVector& predicted_force() const { return predicted_force_; } ///< those
    /// The linear model of the given lanes is from now on that of where they are, under these
    /// forces from outside [N, four per point]; the other lanes keep theirs.
    void linearise(const Mask4& lanes, const RodVector& force);
    /// [m] How far a point is from the start of the step where its lane was linearised.
    Vec3 displacement(std::size_t lane, std::size_t point) const;
    /// The model, in the scratch: the gradient g of the potential, and K = L D Lᵀ in `hessian`, the
    /// Hessian with the forces as loads, made positive definite; or inertia alone for K. Returns
    /// the lanes in which it is that: not where a strand is drawn out so far that rounding decides.
    Mask4 evaluate_model(bool inertia_only, RodScratch& scratch);
    /// K⁻¹ (force − g) of the model in the scratch; there as well.
    void direction(const RodVector& force, RodScratch& scratch) const;
    /// Moves lanes along the scratch's direction from where they were linearised, all points along
    /// straight lines. Lanes that this would stretch by more than `stretch` turn their edges
    /// instead, where they hang, see RodProblem; they are returned.
    Mask4 move(const Mask4& lanes, double stretch, RodScratch& scratch);

private:
    void add_point_loads(const VecX& pull, double step);
    /// Adds forces to the loads and returns what these were.
    std::vector<Vec3T<Real4>> add_loads(const RodVector& force);
    Mask4 nearly_buckles(RodMatrix K) const;
    /// Where the animation has a held point.
    Vec3 target(std::size_t lane, int point) const;
    /// Frames follow the points; held roots take the animation's.
    void finish(RodChainShape& s) const;
    /// Moves the first `count` points of a strand along with the held ones among them.
    void carry_along(std::size_t lane, std::size_t count, std::vector<Vec3T<Real4>>& x) const;
    /// Newton starts from gliding on with edges as long as they are, or from following the root
    /// like a rigid body: whichever has the lower potential, lane by lane.
    void choose_guess();

    const Scene* scene_ = nullptr;
    const RodGroup* group_ = nullptr;
    const Drive* drive_ = nullptr;
    const State* state_ = nullptr;
    const TimeScheme* scheme_ = nullptr;
    const WindField* wind_ = nullptr;
    std::array<Vec3, 4> origin_;
    RodProblem problem_;
    RodChainShape start_, shape_, base_; ///< base_: where lanes were linearised
    std::vector<Real4> turn_, base_turn_;
    Real4 hangs_;
    RodVector predicted_force_, base_force_;
    Mask4 judged_, near_buckling_; ///< lanes whose model is known to be clamped or not; those it is
};

} // namespace selvage
