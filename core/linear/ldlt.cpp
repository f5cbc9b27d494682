// Simplicial LDLᵀ: one thread, no library but Eigen, the same bits everywhere. The reference for
// the others, and quick enough up to some ten thousand vertices.
#include "core/linear/backends.h"
#include "core/linear/direct_solver.h"

#include <Eigen/SparseCholesky>

namespace selvage
{

namespace
{

class LdltSolver final : public DirectSolver
{
public:
    std::string_view name() const override { return "ldlt"; }

protected:
    LinearReport analyse(const ScalarSystem& matrix) override
    {
        ldlt_.analyzePattern(matrix.lower());
        return {};
    }

    LinearReport factorise(const ScalarSystem& matrix) override
    {
        // LDLᵀ exists for many indefinite matrices, too: the signs in D decide.
        ldlt_.factorize(matrix.lower());
        if (ldlt_.info() != Eigen::Success || !(ldlt_.vectorD().minCoeff() > 0))
            return linear_failure(LinearStatus::indefinite,
                                  "LDLT met a pivot that is not positive");
        return {};
    }

    LinearReport substitute(const ScalarSystem&, const VecX& rhs, VecX& y) override
    {
        y = ldlt_.solve(rhs);
        return {};
    }

private:
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> ldlt_;
};

} // namespace

std::unique_ptr<LinearSolver> make_ldlt_solver() { return std::make_unique<LdltSolver>(); }

} // namespace selvage
