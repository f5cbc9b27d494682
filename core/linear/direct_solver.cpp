#include "core/linear/direct_solver.h"

#include "core/linear/backends.h"
#include "core/linear/filtered_system.h"

namespace selvage
{

LinearReport DirectSolver::prepare(const LinearSystem& system)
{
    system_ = system;
    factorised_ = false;
    if (matrix_.assemble(system)) analysed_ = false;
    if (!matrix_.finite())
        return linear_failure(LinearStatus::failed, "the matrix has infinite or NaN entries");

    LinearReport report;
    const bool analyse_now = !analysed_ && matrix_.size() > 0;
    if (analyse_now) {
        report = analyse(matrix_);
        if (!report.ok()) return report;
        analysed_ = true;
    }
    if (matrix_.size() > 0) report = factorise(matrix_);
    report.analysed = analyse_now;
    factorised_ = report.ok();
    return report;
}

LinearReport DirectSolver::solve(const VecX& b, const VecX* z, VecX& x, const LinearSettings&)
{
    if (!factorised_) {
        assemble_solution(system_, VecX::Zero(b.size()), z, x);
        return linear_failure(LinearStatus::failed, "there is no factorisation to solve with");
    }
    filtered_right_hand_side(system_, b, z, rhs_);
    y_.setZero(b.size());
    LinearReport report;
    if (!rhs_.allFinite())
        report =
            linear_failure(LinearStatus::failed, "the right-hand side has infinite or NaN entries");
    else if (matrix_.size() > 0)
        report = substitute(matrix_, rhs_, y_);
    if (report.ok() && !y_.allFinite())
        report = linear_failure(LinearStatus::failed, "the solution has infinite or NaN entries");
    assemble_solution(system_, y_, z, x);
    return report;
}

} // namespace selvage
