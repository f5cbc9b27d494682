#include "core/linear/conjugate_gradients.h"

#include "core/base/parallel.h"
#include "core/linear/backends.h"
#include "core/linear/filtered_system.h"

#include <cmath>

namespace selvage
{
namespace
{

constexpr int between_polls = 8; ///< iterations: a tenth of a second at some 100,000 vertices

} // namespace

LinearReport ConjugateGradients::prepare(const LinearSystem& system)
{
    system_ = system;
    LinearReport report;
    const bool new_pattern = matrix_.assemble(system);
    if (!matrix_.finite())
        report = linear_failure(LinearStatus::failed, "the matrix has infinite or NaN entries");
    else if (!matrix_.definite_diagonal())
        report =
            linear_failure(LinearStatus::indefinite, "a diagonal block is not positive definite");
    else if (!chains_.prepare(system.chains, matrix_))
        report = linear_failure(LinearStatus::indefinite, "a rod is not positive definite");
    else
        report = build_preconditioner(new_pattern);
    report.analysed = new_pattern;
    ready_ = report.ok();
    for (VecX* v : {&y_, &r_, &z_, &p_, &q_}) v->resize(3 * matrix_.rows());
    partial_.resize((std::size_t(matrix_.rows()) + grain - 1) / grain);
    return report;
}

LinearReport ConjugateGradients::solve(const VecX& b, const VecX* z, VecX& x,
                                       const LinearSettings& settings)
{
    settings_ = settings;
    LinearReport report = linear_failure(LinearStatus::failed, "there is no matrix to solve with");
    y_.setZero();
    if (ready_) report = before_solve();
    if (report.ok()) {
        do {
            const int before = report.iterations;
            filtered_right_hand_side(system_, b, z, r_);
            y_.setZero();
            report = iterate();
            report.iterations += before;
        } while (report.status != LinearStatus::cancelled && retry(report));
    }
    assemble_solution(system_, ready_ ? y_ : VecX::Zero(b.size()), z, x);
    return report;
}

void ConjugateGradients::for_chunks(const Pass& pass)
{
    parallel_chunks(std::size_t(matrix_.rows()), grain, pass);
}

double ConjugateGradients::sum(const Pass& pass)
{
    for_chunks(pass);
    double total = 0;
    for (const double p : partial_) total += p;
    return total;
}

double ConjugateGradients::dot(const VecX& u, const VecX& v)
{
    auto pass = [&](std::size_t begin, std::size_t end) {
        const auto first = Eigen::Index(3 * begin), n = Eigen::Index(3 * (end - begin));
        partial(begin) = u.segment(first, n).dot(v.segment(first, n));
    };
    return sum(std::ref(pass));
}

void ConjugateGradients::advance_rows(double alpha, std::size_t begin, std::size_t end)
{
    double *y = y_.data(), *r = r_.data();
    const double *p = p_.data(), *q = q_.data();
    for (std::size_t i = 3 * begin; i < 3 * end; ++i) {
        y[i] += alpha * p[i];
        r[i] -= alpha * q[i];
    }
}

/// rᵀz with z = B r known but for chains.
double ConjugateGradients::with_chains(double rz)
{
    if (chains_.empty()) return rz;
    chains_.apply(r_, z_);
    return dot(r_, z_);
}

/// Solves for y with the right-hand side in r. The last iterate has the least error in the norm of
/// A, also where the cap is hit.
LinearReport ConjugateGradients::iterate()
{
    double beta = 0;
    auto multiply = [&](std::size_t begin, std::size_t end) {
        partial(begin) = matrix_.multiply_rows(begin, end, p_.data(), q_.data());
    };
    auto turn = [&](std::size_t begin, std::size_t end) {
        double* p = p_.data();
        const double* z = z_.data();
        for (std::size_t i = 3 * begin; i < 3 * end; ++i) p[i] = z[i] + beta * p[i];
    };
    LinearReport report;
    const auto fail = [&](LinearStatus status, const char* message) {
        report.status = status;
        report.message = message;
        return report;
    };
    const char* const broke_down = "the iteration broke down in NaN";
    const char* const not_positive = "the preconditioner is not positive";

    if (!std::isfinite(dot(r_, r_)))
        return fail(LinearStatus::failed, "the right-hand side has infinite or NaN entries");
    double rz = with_chains(precondition());
    const double start = rz;
    if (start == 0) return report;
    if (std::isnan(start)) return fail(LinearStatus::failed, broke_down);
    if (start < 0) return fail(LinearStatus::indefinite, not_positive);
    p_ = z_;
    report.residual = 1;
    while (report.residual > settings_.tolerance) {
        if (report.iterations == settings_.max_iterations)
            return fail(LinearStatus::not_converged, "the iteration cap was reached");
        if (settings_.cancel && report.iterations % between_polls == 0 &&
            settings_.cancel->requested())
            return fail(LinearStatus::cancelled, "cancelled");
        const double curvature = sum(std::ref(multiply));
        if (std::isnan(curvature)) return fail(LinearStatus::failed, broke_down);
        if (!(curvature > 0))
            return fail(LinearStatus::indefinite, "a search direction has no positive curvature");
        const double alpha = rz / curvature, rz_next = with_chains(advance(alpha));
        ++report.iterations;
        beta = last_direction(alpha, rz, rz_next);
        rz = rz_next;
        if (rz < 0) return fail(LinearStatus::indefinite, not_positive);
        report.residual = std::sqrt(rz / start);
        if (!std::isfinite(report.residual)) return fail(LinearStatus::failed, broke_down);
        for_chunks(std::ref(turn));
        if (const char* reason = give_up(report)) return fail(LinearStatus::not_converged, reason);
    }
    return report;
}

} // namespace selvage
