// Conjugate gradients on the pre-filtered system, preconditioned by one V(1,1) cycle of smoothed
// aggregation [Tamstorf et al. 2015]. The iteration is in doubles, the hierarchy in floats: β is
// taken in the flexible form, which forgives the preconditioner its rounding.
//
// The hierarchy outlives the matrix it was built for: later matrices renew its finest level only,
// until the iterations that this has cost add up to what building anew would cost. Counts decide,
// never a clock; `forget` ends all reuse.
#include "core/base/parallel.h"
#include "core/linear/backends.h"
#include "core/linear/filtered_matrix.h"
#include "core/linear/filtered_system.h"
#include "core/linear/multigrid_hierarchy.h"

#include <cmath>
#include <functional>

namespace selvage
{

namespace
{

constexpr std::size_t grain = 512; // block rows per chunk: decides how sums are rounded

class MultigridSolver final : public LinearSolver
{
public:
    std::string_view name() const override { return "multigrid"; }

    LinearReport prepare(const LinearSystem& system) override
    {
        system_ = system;
        LinearReport report;
        report.analysed = matrix_.assemble(system);
        ready_ = false;
        if (!matrix_.finite())
            return linear_failure(LinearStatus::failed, "the matrix has infinite or NaN entries");
        if (!matrix_.definite_diagonal())
            return linear_failure(LinearStatus::indefinite,
                                  "a diagonal block is not positive definite");
        MultigridOptions options;
        options.rotations = system.positions != nullptr;
        grid_ = make_multigrid(options);
        if (!grid_->build(matrix_, system))
            return linear_failure(LinearStatus::indefinite,
                                  "a coarse matrix is not positive definite");
        ready_ = true;
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

    LinearSystem system_;
    LinearSettings settings_;
    FilteredMatrix matrix_;
    std::unique_ptr<Multigrid> grid_;
    bool ready_ = false;
    VecX y_, r_, z_, p_, q_;
    std::vector<double> partial_; ///< one sum per chunk
};

LinearReport MultigridSolver::iterate()
{
    double alpha = 0, beta = 0;
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
    };
    auto dot = [&](const VecX& u, const VecX& v) {
        auto pass = [&](std::size_t begin, std::size_t end) {
            const auto n = Eigen::Index(3 * (end - begin));
            partial_[begin / grain] =
                u.segment(Eigen::Index(3 * begin), n).dot(v.segment(Eigen::Index(3 * begin), n));
        };
        return sum(std::ref(pass));
    };
    auto turn = [&](std::size_t begin, std::size_t end) {
        double* p = p_.data();
        const double* z = z_.data();
        for (std::size_t i = 3 * begin; i < 3 * end; ++i) p[i] = z[i] + beta * p[i];
    };

    LinearReport report;
    grid_->apply(r_, z_);
    double rz = dot(r_, z_);
    const double start = rz;
    if (!std::isfinite(start))
        return linear_failure(LinearStatus::failed,
                              "the right-hand side has infinite or NaN entries");
    if (start == 0) return report;
    p_ = z_;
    report.residual = 1;
    while (report.residual > settings_.tolerance) {
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
        parallel_chunks(std::size_t(matrix_.rows()), grain, std::ref(advance));
        grid_->apply(r_, z_);
        const double rz_new = dot(r_, z_);
        beta = -alpha * dot(z_, q_) / rz;
        rz = rz_new;
        ++report.iterations;
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

std::unique_ptr<LinearSolver> make_multigrid_solver()
{
    return std::make_unique<MultigridSolver>();
}

} // namespace selvage
