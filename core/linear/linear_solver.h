#pragma once

#include "core/base/cancel.h"
#include "core/base/types.h"
#include "core/linear/block_matrix.h"
#include "core/linear/vertex_filter.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace selvage
{

/// A symmetric system with exact constraints: (S A S + ρ(I−S)) y = S(b − A z), x = y + z, where
/// A is the fixed part (pattern per topology) plus a contact part (pattern per iteration).
struct LinearSystem {
    const BlockMatrix* fixed = nullptr;
    const BlockMatrix* contact = nullptr; ///< may be null
    const VertexFilter* filter = nullptr; ///< may be null: no constraints
    const VecX* positions = nullptr;      ///< [m] of the vertices; may be null, helps multigrid
    /// Unknowns that couple along chains, see chain_solver.h: what iterative solvers precondition
    /// by exact solves along them. May be null.
    const std::vector<std::vector<int>>* chains = nullptr;
};

struct LinearSettings {
    double tolerance = 1e-5; ///< iterative: preconditioned residual relative to the right-hand side
    int max_iterations = 2000; ///< iterative: cap, reported when hit
    /// Multigrid: begin with block-Jacobi, and build a hierarchy only where that does not converge
    /// quickly enough to make up for it. Pays up to about 20,000 vertices.
    bool hierarchy_on_demand = false;
    const Cancel* cancel = nullptr; ///< iterative: asked every few iterations; may be null
};

enum class LinearStatus { ok, not_converged, indefinite, failed, cancelled };

/// Failure is a value: nothing is thrown for a matrix that cannot be solved.
struct LinearReport {
    LinearStatus status = LinearStatus::ok;
    int iterations = 0;    ///< 0 for direct solvers
    double residual = 0;   ///< iterative: reached relative residual
    bool analysed = false; ///< this `prepare` met a new pattern and redid the symbolic work
    std::string message;   ///< empty when ok

    bool ok() const { return status == LinearStatus::ok; }
};

/// Solves with the matrix given to `prepare` until the next `prepare`. Symbolic work is reused
/// while the pattern stands. Same matrix, same bits for any thread count (except PARDISO).
class LinearSolver
{
public:
    virtual ~LinearSolver() = default;
    virtual std::string_view name() const = 0;
    /// Factorises or builds the preconditioner. The system's parts must outlive the solves.
    virtual LinearReport prepare(const LinearSystem& system) = 0;
    /// x such that the filtered system holds; z (may be null) gives the prescribed part of x.
    virtual LinearReport solve(const VecX& b, const VecX* z, VecX& x,
                               const LinearSettings& settings = {}) = 0;
    /// Drops what the next `prepare` might reuse of earlier numbers (not of patterns): from here on
    /// results are those of a new solver.
    virtual void forget() {}
};

/// "pardiso", "cholmod", "multifrontal", "ldlt", "pcg", "multigrid"; null where the build lacks it.
std::unique_ptr<LinearSolver> make_linear_solver(std::string_view name);
/// What this build offers, fastest direct solver first.
std::vector<std::string> available_linear_solvers();

} // namespace selvage
