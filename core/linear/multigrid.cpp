// Conjugate gradients on the pre-filtered system, preconditioned by one V(1,1) cycle of smoothed
// aggregation [Tamstorf et al. 2015]. The iteration is in doubles, the hierarchy in floats; β is
// taken in the flexible form, which forgives the preconditioner its rounding.
//
// A hierarchy outlives the matrix it was built for: later matrices renew its finest level only,
// until the iterations that this has cost add up to what building anew costs. Counts decide, never
// a clock, and `forget` ends all reuse.
//
// Unknowns that couple along chains are no part of the hierarchy: exact solves along the chains
// stand beside the V-cycle of all others, and the iteration deals with what couples the two.
#include "core/base/parallel.h"
#include "core/linear/backends.h"
#include "core/linear/chain_solver.h"
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

/// Building a hierarchy takes as long as this many iterations (measured from 10k to 361k vertices).
constexpr double build_cost = 6;
/// An iteration that has not halved its residual in so many rounds will not come to an end.
constexpr int patience = 60;

class MultigridSolver final : public LinearSolver
{
public:
    std::string_view name() const override { return "multigrid"; }

    LinearReport prepare(const LinearSystem& system) override
    {
        system_ = system;
        ready_ = false;
        const bool analysed = matrix_.assemble(system);
        LinearReport report;
        if (!matrix_.finite())
            report = linear_failure(LinearStatus::failed, "the matrix has infinite or NaN entries");
        else if (!matrix_.definite_diagonal())
            report = linear_failure(LinearStatus::indefinite,
                                    "a diagonal block is not positive definite");
        else if (!chains_.prepare(system.chains, matrix_))
            report = linear_failure(LinearStatus::indefinite, "a rod is not positive definite");
        else if (take_out_chains(); analysed || !can_reuse() || !grid_->update(grid_matrix()))
            report = build();
        else
            stale_ = true;
        report.analysed = analysed;
        ready_ = report.ok();
        for (VecX* v : {&y_, &r_, &z_, &p_, &q_}) v->resize(3 * matrix_.rows());
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
            for (int attempt = 0; attempt < 2 && strengthen(report); ++attempt) {
                filtered_right_hand_side(system_, b, z, r_);
                const int before = report.iterations;
                y_.setZero();
                report = iterate();
                report.iterations += before;
            }
        }
        assemble_solution(system_, ready_ ? y_ : VecX::Zero(b.size()), z, x);
        return report;
    }

    void forget() override
    {
        built_ = false;
        double_precision_ = false;
    }

private:
    bool can_reuse() const
    {
        return built_ && with_positions_ == (system_.positions != nullptr) && debt_ < build_cost;
    }

    /// The matrix with chains held, for the hierarchy.
    void take_out_chains()
    {
        if (chains_.empty()) return;
        without_chains_ = system_;
        filter_ = system_.filter ? *system_.filter : VertexFilter(matrix_.rows());
        for (int v = 0; v < matrix_.rows(); ++v)
            if (chains_.covers()[std::size_t(v)]) filter_.fix(v);
        without_chains_.filter = &filter_;
        rest_.assemble(without_chains_);
    }
    const FilteredMatrix& grid_matrix() const { return chains_.empty() ? matrix_ : rest_; }

    /// z = B r.
    void precondition()
    {
        grid_->apply(r_, z_);
        if (!chains_.empty()) chains_.apply(r_, z_);
    }

    LinearReport build();
    LinearReport iterate();
    bool strengthen(const LinearReport& report);

    /// Sums over chunks in a fixed order.
    double sum(const std::function<void(std::size_t, std::size_t)>& pass)
    {
        parallel_chunks(std::size_t(matrix_.rows()), grain, pass);
        double total = 0;
        for (const double p : partial_) total += p;
        return total;
    }
    double dot(const VecX& u, const VecX& v)
    {
        auto pass = [&](std::size_t begin, std::size_t end) {
            const auto first = Eigen::Index(3 * begin), n = Eigen::Index(3 * (end - begin));
            partial_[begin / grain] = u.segment(first, n).dot(v.segment(first, n));
        };
        return sum(std::ref(pass)); // std::ref: a std::function of it would allocate
    }

    LinearSystem system_;
    LinearSettings settings_;
    FilteredMatrix matrix_;
    ChainSolver chains_;
    LinearSystem without_chains_;
    VertexFilter filter_; ///< of it
    FilteredMatrix rest_;
    std::unique_ptr<Multigrid> grid_;
    bool ready_ = false;
    bool with_positions_ = false, grid_in_doubles_ = false; ///< what grid_ is made of
    bool double_precision_ = false; ///< what it has to be made of from here on
    bool built_ = false;            ///< grid_ may be reused
    bool stale_ = false;            ///< grid_ was built for another matrix
    double debt_ = 0;               ///< iterations lost to reuse since it was built
    double fresh_ = 0;              ///< decades per iteration when it was new; 0: not known yet
    VecX y_, r_, z_, p_, q_;
    std::vector<double> partial_; ///< one sum per chunk
};

LinearReport MultigridSolver::build()
{
    const bool positions = system_.positions != nullptr;
    for (;; double_precision_ = true) {
        if (!grid_ || with_positions_ != positions || double_precision_ != grid_in_doubles_) {
            MultigridOptions options;
            options.rotations = with_positions_ = positions;
            options.double_precision = grid_in_doubles_ = double_precision_;
            grid_ = make_multigrid(options);
        }
        built_ = grid_->build(grid_matrix(), chains_.empty() ? system_ : without_chains_);
        if (built_ || double_precision_) break;
    }
    stale_ = false;
    debt_ = fresh_ = 0;
    if (built_) return {};
    return linear_failure(LinearStatus::indefinite, "a coarse matrix is not positive definite");
}

/// After a failure: a hierarchy of this very matrix, or one in doubles. False where both have been
/// tried, or nothing has failed.
bool MultigridSolver::strengthen(const LinearReport& report)
{
    if (report.ok()) return false;
    if (!stale_) {
        if (double_precision_) return false;
        double_precision_ = true;
    }
    return build().ok();
}

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
    if (!std::isfinite(dot(r_, r_)))
        return fail(LinearStatus::failed, "the right-hand side has infinite or NaN entries");
    precondition();
    double rz = dot(r_, z_);
    const double start = rz;
    if (start == 0) return report;
    if (!(start > 0)) return fail(LinearStatus::indefinite, "the hierarchy is not positive");
    p_ = z_;
    report.residual = 1;
    double milestone = 1; // half of it must be reached in time
    int last_milestone = 0;
    while (report.residual > settings_.tolerance) {
        if (report.iterations == settings_.max_iterations)
            return fail(LinearStatus::not_converged, "the iteration cap was reached");
        const double curvature = sum(std::ref(multiply));
        if (std::isnan(curvature))
            return fail(LinearStatus::failed, "the iteration broke down in NaN");
        if (!(curvature > 0))
            return fail(LinearStatus::indefinite, "a search direction has no positive curvature");
        alpha = rz / curvature;
        parallel_chunks(std::size_t(matrix_.rows()), grain, std::ref(advance));
        precondition();
        const double rz_new = dot(r_, z_);
        beta = -alpha * dot(z_, q_) / rz;
        rz = rz_new;
        ++report.iterations;
        if (std::isnan(rz)) return fail(LinearStatus::failed, "the iteration broke down in NaN");
        if (rz < 0) return fail(LinearStatus::indefinite, "the hierarchy is not positive");
        report.residual = std::sqrt(rz / start);
        if (report.residual < 0.5 * milestone) {
            milestone = report.residual;
            last_milestone = report.iterations;
        } else if (report.iterations - last_milestone > patience) {
            return fail(LinearStatus::not_converged, "the iteration stagnates");
        }
        parallel_chunks(std::size_t(matrix_.rows()), grain, std::ref(turn));
        if (!stale_) continue;
        // Lost so far: iterations beyond those that a new hierarchy would have taken.
        const double lost =
            fresh_ > 0 ? report.iterations + std::log10(report.residual) / fresh_ : 0;
        if (debt_ + lost > 2 * build_cost)
            return fail(LinearStatus::not_converged, "the hierarchy is outdated");
    }
    const double decades = -std::log10(std::max(report.residual, 1e-300));
    if (!stale_)
        fresh_ = decades / std::max(report.iterations, 1);
    else if (fresh_ > 0)
        debt_ += std::max(0.0, report.iterations - std::ceil(decades / fresh_));
    return report;
}

} // namespace

std::unique_ptr<LinearSolver> make_multigrid_solver()
{
    return std::make_unique<MultigridSolver>();
}

} // namespace selvage
