#pragma once

#include "core/linear/linear_solver.h"

#include <memory>
#include <string>

namespace selvage
{

/// The solvers by name; the first two exist only in builds that have the library.
std::unique_ptr<LinearSolver> make_pardiso_solver();
std::unique_ptr<LinearSolver> make_cholmod_solver();
std::unique_ptr<LinearSolver> make_multifrontal_solver();
std::unique_ptr<LinearSolver> make_ldlt_solver();
std::unique_ptr<LinearSolver> make_multigrid_solver();
std::unique_ptr<LinearSolver> make_pcg_solver();

LinearReport linear_failure(LinearStatus status, std::string message);

/// While alive, MKL's BLAS runs on the calling thread alone. CHOLMOD calls whatever BLAS the
/// process resolves first, which is MKL's wherever MKL is linked, and a threaded BLAS would sum in
/// an order that depends on the thread count. Does nothing in a build without MKL.
class SequentialBlas
{
public:
    SequentialBlas();
    ~SequentialBlas();
    SequentialBlas(const SequentialBlas&) = delete;
    SequentialBlas& operator=(const SequentialBlas&) = delete;

private:
    [[maybe_unused]] int before_ = 0;
};

} // namespace selvage
