#pragma once

#include "core/linear/chain_solver.h"
#include "core/linear/filtered_matrix.h"

#include <functional>

namespace selvage
{

/// Conjugate gradients on the pre-filtered system [Tamstorf et al. 2015; Kim and Eberle 2022,
/// ch. 10], whatever the preconditioner B. Constraints are in the matrix, so nothing is filtered
/// inside the loop; y starts at 0 and stays in the range of S. Where unknowns couple along chains,
/// exact solves along these stand in the place of B.
///
/// Sums are taken chunk by chunk and added in chunk order: the bits do not depend on the number of
/// threads. The iteration allocates nothing.
class ConjugateGradients : public LinearSolver
{
public:
    LinearReport prepare(const LinearSystem& system) final;
    LinearReport solve(const VecX& b, const VecX* z, VecX& x, const LinearSettings& settings) final;

protected:
    /// Makes B for matrix_, which is finite and has a definite diagonal.
    virtual LinearReport build_preconditioner(bool new_pattern) = 0;
    /// Before each solve: makes what `build_preconditioner` has put off.
    virtual LinearReport before_solve() { return {}; }
    /// z = B r; returns rᵀz.
    virtual double precondition() = 0;
    /// y += α p, r −= α q, z = B r; returns rᵀz.
    virtual double advance(double alpha) = 0;
    /// The weight β of the last direction in the next one.
    virtual double last_direction(double /*alpha*/, double rz, double rz_next)
    {
        return rz_next / rz;
    }
    /// Asked after each iteration: why to give up, or null.
    virtual const char* give_up(const LinearReport& /*so_far*/) { return nullptr; }
    /// After each solve. True where it failed and B is a better one now: solve once more.
    virtual bool retry(const LinearReport& /*report*/) { return false; }

    /// Calls pass(begin, end) for chunks of block rows in parallel. Give it as std::ref(pass): a
    /// std::function of a lambda would allocate.
    using Pass = std::function<void(std::size_t, std::size_t)>;
    void for_chunks(const Pass& pass);
    /// The same, and adds up what each chunk left in partial(begin).
    double sum(const Pass& pass);
    double& partial(std::size_t begin) { return partial_[begin / grain]; }
    double dot(const VecX& u, const VecX& v);
    /// y += α p, r −= α q for a chunk.
    void advance_rows(double alpha, std::size_t begin, std::size_t end);

    LinearSystem system_;
    LinearSettings settings_; ///< of the solve under way
    FilteredMatrix matrix_;
    ChainSolver chains_;
    VecX y_, r_, z_, p_, q_; ///< solution, residual, B r, direction, A p

private:
    static constexpr std::size_t grain = 512; ///< rows per chunk: decides how sums are rounded

    LinearReport iterate();
    double with_chains(double rz);

    bool ready_ = false;
    std::vector<double> partial_; ///< one sum per chunk
};

} // namespace selvage
