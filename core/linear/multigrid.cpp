// Conjugate gradients preconditioned by one cycle of smoothed aggregation [Tamstorf et al.
// 2015]. The iteration is in doubles, the hierarchy in floats; β is taken in the flexible form,
// which forgives the preconditioner its rounding.
//
// A hierarchy outlives the matrix it was built for: later matrices renew its finest level only,
// until the iterations that this has cost add up to what building anew costs. Counts decide, never
// a clock, and `forget` ends all reuse.
//
// Where it is asked for (hierarchy_on_demand), solves without a hierarchy start with block-Jacobi.
// What that gains in its first iterations tells whether it will get there before a hierarchy would:
// residuals fall fast at first, and slowly afterwards, where the mass of a short step outweighs all
// but the stiffest forces, and hardly at all where only coarse levels can help.
//
// Unknowns that couple along chains are no part of the hierarchy: exact solves along the chains
// stand beside the cycle of all others, and the iteration deals with what couples the two.
#include "core/linear/backends.h"
#include "core/linear/conjugate_gradients.h"
#include "core/linear/multigrid_hierarchy.h"

#include <cmath>

namespace selvage
{

namespace
{

/// Building a hierarchy takes as long as this many iterations (measured from 10k to 361k vertices).
constexpr double build_cost = 6;
/// Building a hierarchy and solving with it takes as long as this many iterations of block-Jacobi,
/// and so many more for each decade of the residual (measured at 10k vertices).
constexpr double jacobi_base = 110, jacobi_per_decade = 8;
/// Up to this iteration block-Jacobi has to gain twice as much as it would at an even pace.
constexpr int jacobi_head_start = 30;
/// An iteration that has not halved its residual in so many rounds will not come to an end.
constexpr int patience = 60;

class MultigridSolver final : public ConjugateGradients
{
public:
    std::string_view name() const override { return "multigrid"; }

    void forget() override
    {
        built_ = false;
        double_precision_ = false;
        jacobi_was_slow_ = false;
        attempts_ = begun_ = 0; // of a solve that was cancelled
    }

private:
    LinearReport build_preconditioner(bool new_pattern) override;
    LinearReport before_solve() override;
    double precondition() override;
    double advance(double alpha) override;
    double last_direction(double alpha, double rz, double rz_next) override;
    const char* give_up(const LinearReport& so_far) override;
    bool retry(const LinearReport& report) override;

    bool can_reuse() const
    {
        return built_ && with_positions_ == (system_.positions != nullptr) && debt_ < build_cost;
    }
    /// The matrix with chains held, for the hierarchy.
    void take_out_chains();
    const FilteredMatrix& grid_matrix() const { return chains_.empty() ? matrix_ : rest_; }
    LinearReport build();
    double apply_cycle();
    void jacobi_rows(std::size_t begin, std::size_t end);
    bool jacobi_is_slow(const LinearReport& so_far) const;
    bool strengthen();
    void settle(const LinearReport& report);

    LinearSystem without_chains_;
    VertexFilter filter_; ///< of it
    FilteredMatrix rest_;
    std::unique_ptr<Multigrid> grid_;
    bool with_positions_ = false, grid_in_doubles_ = false; ///< what grid_ is made of
    bool double_precision_ = false; ///< what it has to be made of from here on
    bool built_ = false;            ///< grid_ may be reused
    bool pending_ = false;          ///< grid_ is still to be built for this matrix
    bool jacobi_ = false;           ///< the solve under way does without it
    bool jacobi_was_slow_ = false;  ///< and gave way to it since `forget`
    bool stale_ = false;            ///< grid_ was built for another matrix
    double debt_ = 0;               ///< iterations lost to reuse since it was built
    double fresh_ = 0;              ///< decades per iteration when it was new; 0: not known yet
    int attempts_ = 0;              ///< at the solve under way
    int begun_ = 0;                 ///< iterations of its earlier attempts
    double milestone_ = 1;          ///< residual of which half must be reached in time…
    int last_milestone_ = 0;        ///< …since this iteration
};

LinearReport MultigridSolver::build_preconditioner(bool new_pattern)
{
    take_out_chains();
    pending_ = new_pattern || !can_reuse() || !grid_->update(grid_matrix());
    stale_ = !pending_;
    if (pending_) built_ = false;
    return {};
}

LinearReport MultigridSolver::before_solve()
{
    jacobi_ = pending_ && settings_.hierarchy_on_demand && !jacobi_was_slow_;
    return pending_ && !jacobi_ ? build() : LinearReport();
}

void MultigridSolver::take_out_chains()
{
    if (chains_.empty()) return;
    without_chains_ = system_;
    filter_ = system_.filter ? *system_.filter : VertexFilter(matrix_.rows());
    for (int v = 0; v < matrix_.rows(); ++v)
        if (chains_.covers()[std::size_t(v)]) filter_.fix(v);
    without_chains_.filter = &filter_;
    rest_.assemble(without_chains_);
}

LinearReport MultigridSolver::build()
{
    pending_ = false;
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

double MultigridSolver::precondition()
{
    milestone_ = 1;
    last_milestone_ = 0;
    if (!jacobi_) return apply_cycle();
    auto pass = [&](std::size_t begin, std::size_t end) { jacobi_rows(begin, end); };
    return sum(std::ref(pass));
}

double MultigridSolver::advance(double alpha)
{
    auto pass = [&](std::size_t begin, std::size_t end) {
        advance_rows(alpha, begin, end);
        if (jacobi_) jacobi_rows(begin, end);
    };
    if (jacobi_) return sum(std::ref(pass));
    for_chunks(std::ref(pass));
    return apply_cycle();
}

double MultigridSolver::apply_cycle()
{
    grid_->apply(r_, z_);
    return dot(r_, z_);
}

void MultigridSolver::jacobi_rows(std::size_t begin, std::size_t end)
{
    partial(begin) = matrix_.precondition_rows(begin, end, r_.data(), z_.data());
}

double MultigridSolver::last_direction(double alpha, double rz, double rz_next)
{
    return jacobi_ ? rz_next / rz : -alpha * dot(z_, q_) / rz;
}

/// Asked every tenth iteration, by the part of the decades wanted that is done.
bool MultigridSolver::jacobi_is_slow(const LinearReport& so_far) const
{
    if (so_far.iterations % 10 != 0) return false;
    const double wanted = -std::log10(settings_.tolerance), done = -std::log10(so_far.residual);
    const double even = so_far.iterations / (jacobi_base + jacobi_per_decade * wanted);
    return done < wanted * even * (so_far.iterations <= jacobi_head_start ? 2 : 1);
}

const char* MultigridSolver::give_up(const LinearReport& so_far)
{
    if (jacobi_) return jacobi_is_slow(so_far) ? "block-Jacobi converges slowly" : nullptr;
    if (so_far.residual < 0.5 * milestone_) {
        milestone_ = so_far.residual;
        last_milestone_ = so_far.iterations;
    } else if (so_far.iterations - last_milestone_ > patience) {
        return "the iteration stagnates";
    }
    if (!stale_ || fresh_ == 0) return nullptr;
    // Lost so far: iterations beyond those that a new hierarchy would have taken.
    const double lost = so_far.iterations + std::log10(so_far.residual) / fresh_;
    return debt_ + lost > 2 * build_cost ? "the hierarchy is outdated" : nullptr;
}

/// At most two more attempts: with a hierarchy of this very matrix, and with one in doubles.
bool MultigridSolver::retry(const LinearReport& report)
{
    if (jacobi_) {
        jacobi_ = false;
        jacobi_was_slow_ = !report.ok();
        begun_ = report.ok() ? 0 : report.iterations;
        return !report.ok() && build().ok();
    }
    const bool again = !report.ok() && attempts_ < 2 && strengthen();
    if (report.ok() && report.iterations > begun_) settle(report);
    attempts_ = again ? attempts_ + 1 : 0;
    begun_ = again ? report.iterations : 0;
    return again;
}

bool MultigridSolver::strengthen()
{
    if (!stale_) {
        if (double_precision_) return false;
        double_precision_ = true;
    }
    return build().ok();
}

/// What a solve has shown of the hierarchy.
void MultigridSolver::settle(const LinearReport& report)
{
    const int iterations = report.iterations - begun_;
    const double decades = -std::log10(std::max(report.residual, 1e-300));
    if (!stale_)
        fresh_ = decades / std::max(iterations, 1);
    else if (fresh_ > 0)
        debt_ += std::max(0.0, iterations - std::ceil(decades / fresh_));
}

} // namespace

std::unique_ptr<LinearSolver> make_multigrid_solver()
{
    return std::make_unique<MultigridSolver>();
}

} // namespace selvage
