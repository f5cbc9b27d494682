#pragma once

#include "core/linear/linear_solver.h"
#include "core/linear/scalar_system.h"

namespace selvage
{

/// What direct solvers share: assembly, symbolic reuse, the trivial and the broken systems. A
/// library behind it supplies three calls on a system of at least one row with finite entries.
class DirectSolver : public LinearSolver
{
public:
    LinearReport prepare(const LinearSystem& system) final;
    LinearReport solve(const VecX& b, const VecX* z, VecX& x, const LinearSettings& settings) final;

protected:
    /// Ordering and symbolic factorisation: the pattern is new.
    virtual LinearReport analyse(const ScalarSystem& matrix) = 0;
    /// Numeric factorisation; `indefinite` where the matrix is not positive definite.
    virtual LinearReport factorise(const ScalarSystem& matrix) = 0;
    virtual LinearReport substitute(const ScalarSystem& matrix, const VecX& rhs, VecX& y) = 0;

private:
    LinearSystem system_;
    ScalarSystem matrix_;
    bool analysed_ = false; ///< the library holds a symbolic factor of matrix_'s pattern
    bool factorised_ = false;
    VecX rhs_, y_;
};

} // namespace selvage
