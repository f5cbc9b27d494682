// Conjugate gradients on the pre-filtered system with the inverse of its 3×3 diagonal blocks as
// preconditioner [Tamstorf et al. 2015; Kim and Eberle 2022, ch. 10]. Constraints are in the
// matrix, so nothing is filtered inside the loop; y starts at 0 and stays in the range of S. Where
// unknowns couple along chains, exact solves along these take the place of their diagonal blocks.
//
// Sums are taken chunk by chunk and added in chunk order: the bits do not depend on the number of
// threads. Three parallel passes per iteration, and no allocation of ours in any of them.
#include "core/base/parallel.h"
#include "core/linear/backends.h"
#include "core/linear/chain_solver.h"
#include "core/linear/filtered_matrix.h"
#include "core/linear/filtered_system.h"

#include <cmath>
#include <functional>

namespace selvage
{

namespace
{

constexpr std::size_t grain = 512; // block rows per chunk: decides how sums are rounded

class PcgSolver final : public LinearSolver
{
public:
    std::string_view name() const override { return "pcg"; }

    LinearReport prepare(const LinearSystem& system) override
    {
        system_ = system;
        LinearReport report;
        const bool analysed = matrix_.assemble(system);
        if (!matrix_.finite())
            report = linear_failure(LinearStatus::failed, "the matrix has infinite or NaN entries");
        else if (!matrix_.definite_diagonal())
            report = linear_failure(LinearStatus::indefinite,
                                    "a diagonal block is not positive definite");
        else if (!chains_.prepare(system.chains, matrix_))
            report = linear_failure(LinearStatus::indefinite, "a rod is not positive definite");
        report.analysed = analysed;
        ready_ = report.ok();

        const Eigen::Index n = 3 * matrix_.rows();
        for (VecX* v : {&y_, &r_, &z_, &p_, &q_}) v->resize(n);
        partial_.resize((std::size_t(matrix_.rows()) + grain - 1) / grain);
        return report;
    }

    LinearReport solve(const VecX& b, const VecX* z, VecX& x,
                       const LinearSettings& settings) override
    {
        settings_ = settings;
        y_.setZero();
        LinearReport report =
            linear_failure(LinearStatus::failed, "there is no matrix to solve with");
        if (ready_) {
            filtered_right_hand_side(system_, b, z, r_);
            report = iterate();
        }
        assemble_solution(system_, ready_ ? y_ : VecX::Zero(b.size()), z, x);
        return report;
    }

private:
    double sum(const std::function<void(std::size_t, std::size_t)>& pass)
    {
        parallel_chunks(std::size_t(matrix_.rows()), grain, pass);
        double total = 0;
        for (const double p : partial_) total += p;
        return total;
    }

    LinearReport iterate();

    /// rᵀz, where z is known but for chains.
    double with_chains(double rz)
    {
        if (chains_.empty()) return rz;
        chains_.apply(r_, z_);
        auto dot = [&](std::size_t begin, std::size_t end) {
            const auto first = Eigen::Index(3 * begin), n = Eigen::Index(3 * (end - begin));
            partial_[begin / grain] = r_.segment(first, n).dot(z_.segment(first, n));
        };
        return sum(std::ref(dot));
    }

    LinearSystem system_;
    LinearSettings settings_;
    FilteredMatrix matrix_;
    ChainSolver chains_;
    bool ready_ = false;
    VecX y_, r_, z_, p_, q_;
    std::vector<double> partial_; ///< one sum per chunk
};

/// Solves for y with the right-hand side in r_.
LinearReport PcgSolver::iterate()
{
    double alpha = 0, beta = 0;
    // std::ref: a std::function of these would allocate each time it is made.
    auto precondition = [&](std::size_t begin, std::size_t end) {
        partial_[begin / grain] = matrix_.precondition_rows(begin, end, r_.data(), z_.data());
    };
    auto multiply = [&](std::size_t begin, std::size_t end) {
        partial_[begin / grain] = matrix_.multiply_rows(begin, end, p_.data(), q_.data());
    };
    auto advance = [&](std::size_t begin, std::size_t end) {
        double *y = y_.data(), *r = r_.data();
        const double *p = p_.data(), *q = q_.data();
        for (std::size_t i = 3 * begin; i < 3 * end; ++i) {
            y[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        precondition(begin, end);
    };
    auto turn = [&](std::size_t begin, std::size_t end) {
        double* p = p_.data();
        const double* z = z_.data();
        for (std::size_t i = 3 * begin; i < 3 * end; ++i) p[i] = z[i] + beta * p[i];
    };

    LinearReport report;
    double rz = with_chains(sum(std::ref(precondition)));
    const double start = rz;
    if (!std::isfinite(start))
        return linear_failure(LinearStatus::failed,
                              "the right-hand side has infinite or NaN entries");
    if (start == 0) return report;
    p_ = z_;
    report.residual = 1;
    while (report.residual > settings_.tolerance) {
        // The last iterate has the least error in the norm of A, also where the cap is hit.
        if (report.iterations == settings_.max_iterations) {
            report.status = LinearStatus::not_converged;
            report.message = "the iteration cap was reached";
            return report;
        }
        const double curvature = sum(std::ref(multiply));
        if (!(curvature > 0)) {
            report.status = std::isnan(curvature) ? LinearStatus::failed : LinearStatus::indefinite;
            report.message = std::isnan(curvature) ? "the iteration broke down in NaN"
                                                   : "a search direction has no positive curvature";
            return report;
        }
        alpha = rz / curvature;
        const double rz_new = with_chains(sum(std::ref(advance)));
        ++report.iterations;
        beta = rz_new / rz;
        rz = rz_new;
        report.residual = std::sqrt(rz / start);
        if (!std::isfinite(report.residual)) {
            report.status = LinearStatus::failed;
            report.message = "the iteration broke down in NaN";
            return report;
        }
        parallel_chunks(std::size_t(matrix_.rows()), grain, std::ref(turn));
    }
    return report;
}

} // namespace

std::unique_ptr<LinearSolver> make_pcg_solver() { return std::make_unique<PcgSolver>(); }

} // namespace selvage
