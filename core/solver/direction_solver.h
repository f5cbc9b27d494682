#pragma once

#include "core/energy/sink.h"
#include "core/linear/linear_solver.h"
#include "core/solver/low_rank_update.h"
#include "core/solver/step_settings.h"

#include <memory>
#include <string>
#include <vector>

namespace selvage
{

/// Newton directions: picks the linear solver, and does not give up on a matrix that one method
/// cannot handle. `auto` decides by size and iteration counts, so that a result never depends on
/// the clock.
class DirectionSolver
{
public:
    /// Unknowns that couple along chains, see LinearSystem; must outlive it.
    void set_chains(const std::vector<std::vector<int>>& chains) { chains_ = &chains; }

    /// Nothing of earlier steps is used from here on: a run that resumes here gives the same bits.
    void begin_step();

    /// Solves (H + contact) p = −g with the filter's constraints; iterative solvers stop at the
    /// relative residual `loose`. A failed iterative solve is repeated with a stronger method, at
    /// last a direct one; an indefinite matrix gets a growing diagonal shift (H is changed then).
    /// x: positions of the vertices, which multigrid wants to know; z (may be null): the motion of
    /// what the filter holds. `cancel` (may be null) stops iterative solvers on the way.
    LinearReport solve(BlockMatrix& H, const BlockMatrix* contact, const VertexFilter& filter,
                       const VecX& x, const VecX& g, const StepSettings& settings, double loose,
                       VecX& p, const VecX* z = nullptr, const Cancel* cancel = nullptr);

    /// Turns the solution p of the last system, prescribed parts included, into that of the one
    /// with Σ σ u uᵀ added, which `refine` keeps in mind. Costs one solve per part; returns
    /// iterations.
    int add_rank_one(const std::vector<RankOne>& parts, const StepSettings& settings, VecX& p);

    /// True when the last direction is as exact as the settings ask for.
    bool exact() const { return exact_; }
    /// The same system once more, to the settings' tolerance.
    LinearReport refine(const VecX& g, const StepSettings& settings, VecX& p,
                        const Cancel* cancel = nullptr);

    /// The solver in use.
    const std::string& name() const { return name_; }

private:
    LinearSolver& solver_for(const std::string& name);
    LinearReport attempt(const std::string& name, const LinearSystem& system, const VecX& b,
                         const VecX* z, const LinearSettings& settings, VecX& p);

    const std::vector<std::vector<int>>* chains_ = nullptr;
    std::string name_;
    bool exact_ = true;
    bool escalated_ = false; ///< `auto` has left conjugate gradients for multigrid in this step
    std::vector<std::unique_ptr<LinearSolver>> solvers_; ///< those used so far
    LowRankUpdate low_rank_;
};

/// What `auto` starts with for this many vertices that no constraint holds altogether, some of them
/// on chains. Barriers are stiff: block-Jacobi does not see across them.
std::string automatic_linear_solver(int free_vertices, bool in_contact, int on_chains = 0);

} // namespace selvage
