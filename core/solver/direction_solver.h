#pragma once

#include "core/energy/sink.h"
#include "core/linear/linear_solver.h"
#include "core/solver/low_rank_update.h"
#include "core/solver/step_settings.h"

#include <memory>
#include <string>

namespace selvage
{

/// Newton directions: picks the linear solver, and does not give up on a matrix that one method
/// cannot handle. `auto` decides by size alone, so that a result never depends on the clock.
class DirectionSolver
{
public:
    /// Solves (H + contact) p = −g with the filter's constraints; iterative solvers stop at the
    /// relative residual `loose`. A failed iterative solve is repeated with a direct one; an
    /// indefinite matrix gets a growing diagonal shift (H is changed then). z (may be null) is the
    /// motion of what the filter holds.
    LinearReport solve(BlockMatrix& H, const BlockMatrix* contact, const VertexFilter& filter,
                       const VecX& g, const StepSettings& settings, double loose, VecX& p,
                       const VecX* z = nullptr);

    /// Turns the solution p of the last system, prescribed parts included, into that of the one
    /// with Σ σ u uᵀ added, which `refine` keeps in mind. Costs one solve per part; returns
    /// iterations.
    int add_rank_one(const std::vector<RankOne>& parts, const StepSettings& settings, VecX& p);

    /// True when the last direction is as exact as the settings ask for.
    bool exact() const { return exact_; }
    /// The same system once more, to the settings' tolerance.
    LinearReport refine(const VecX& g, const StepSettings& settings, VecX& p);

    /// The solver in use.
    const std::string& name() const { return name_; }

private:
    LinearSolver& solver_for(const std::string& name);
    LinearReport attempt(const std::string& name, const LinearSystem& system, const VecX& b,
                         const VecX* z, const LinearSettings& settings, VecX& p);

    std::string name_;
    bool exact_ = true;
    std::unique_ptr<LinearSolver> solver_;
    std::unique_ptr<LinearSolver> fallback_;
    LowRankUpdate low_rank_;
};

/// What `auto` means for this many vertices.
std::string automatic_linear_solver(int vertex_count);

} // namespace selvage
