#include "core/solver/direction_solver.h"

#include "core/base/error.h"

namespace selvage
{
namespace
{

// Measured by `selvage bench linear`, see docs/linear_solvers.md.

/// Up to here a factorisation is as fast as loosely solved conjugate gradients, and exact.
constexpr int direct_limit = 1500;
/// From here on a hierarchy pays even for loose solves.
constexpr int multigrid_limit = 3000;
/// Up to here few iterations of block-Jacobi may be cheaper than building one, and cheap to try.
constexpr int on_demand_limit = 20000;
/// Between the first two, conjugate gradients that take longer than building a hierarchy give way
/// to it for the rest of the step.
constexpr int patience = 50;

bool is_iterative(const std::string& name) { return name == "pcg" || name == "multigrid"; }

/// What is left of a system when those that the filter holds altogether are taken out.
int free_vertices(const VertexFilter& filter)
{
    int count = 0;
    for (int v = 0; v < filter.size(); ++v) count += filter.kind(v) != VertexFilter::Kind::fixed;
    return count;
}

} // namespace

std::string automatic_linear_solver(int free_vertices, bool in_contact, int on_chains)
{
    if (free_vertices <= direct_limit) return available_linear_solvers().front();
    if (on_chains > 0) return free_vertices - on_chains > multigrid_limit ? "multigrid" : "pcg";
    return free_vertices > multigrid_limit || in_contact ? "multigrid" : "pcg";
}

void DirectionSolver::begin_step()
{
    escalated_ = false;
    for (const auto& s : solvers_) s->forget();
}

LinearSolver& DirectionSolver::solver_for(const std::string& name)
{
    for (const auto& s : solvers_)
        if (s->name() == name) return *s;
    auto made = make_linear_solver(name);
    if (!made)
        throw InputError("This build has no linear solver '" + name +
                         "'. Use \"linear\": \"auto\".");
    solvers_.push_back(std::move(made));
    return *solvers_.back();
}

LinearReport DirectionSolver::attempt(const std::string& name, const LinearSystem& system,
                                      const VecX& b, const VecX* z, const LinearSettings& settings,
                                      VecX& p)
{
    LinearSolver& solver = solver_for(name);
    name_ = name;
    LinearReport report = solver.prepare(system);
    if (report.ok()) report = solver.solve(b, z, p, settings);
    if (report.ok() && !p.allFinite()) {
        report.status = LinearStatus::failed;
        report.message = "the solution is not finite";
    }
    return report;
}

LinearReport DirectionSolver::solve(BlockMatrix& H, const BlockMatrix* contact,
                                    const VertexFilter& filter, const VecX& x, const VecX& g,
                                    const StepSettings& settings, double loose, VecX& p,
                                    const VecX* z, const Cancel* cancel)
{
    low_rank_ = {};
    const int vertices = H.pattern->rows();
    const bool automatic = settings.linear == "auto";
    const int moving = automatic ? free_vertices(filter) : 0;
    const bool in_contact = contact && contact->pattern->block_count() > vertices;
    std::size_t on_chains = 0; // four unknowns to a point, three to a vertex
    for (std::size_t c = 0; chains_ && c < chains_->size(); ++c) on_chains += (*chains_)[c].size();
    std::string name = automatic
                           ? automatic_linear_solver(moving, in_contact, int((on_chains + 2) / 3))
                           : settings.linear;
    if (automatic && escalated_ && name == "pcg") name = "multigrid";
    const LinearSystem system{&H, contact, &filter, &x, chains_};
    LinearSettings linear{std::max(loose, settings.linear_tolerance),
                          settings.linear_max_iterations};
    linear.hierarchy_on_demand = automatic && !chains_ && moving <= on_demand_limit;
    linear.cancel = cancel;
    const VecX b = -g;
    exact_ = !is_iterative(name) || linear.tolerance == settings.linear_tolerance;

    LinearReport report;
    int spent = 0;
    const auto try_solver = [&](const LinearSettings& how) {
        report = attempt(name, system, b, z, how, p);
        spent += report.iterations;
        report.iterations = spent;
        return report.ok() || report.status == LinearStatus::cancelled;
    };
    if (automatic && name == "pcg" && !chains_) {
        LinearSettings brief = linear;
        brief.max_iterations = std::min(patience, linear.max_iterations);
        if (try_solver(brief) || !g.allFinite()) return report;
        escalated_ = true;
        name = "multigrid";
    }
    if (try_solver(linear) || !g.allFinite()) return report;
    exact_ = true;
    if (is_iterative(name)) {
        name = available_linear_solvers().front();
        try_solver(linear);
    }

    // Clamped element Hessians plus mass cannot be indefinite but for rounding: shift a little.
    double largest = 0;
    for (int r = 0; r < vertices; ++r)
        largest = std::max(largest,
                           H.block(H.pattern->row_begin()[std::size_t(r)]).diagonal().maxCoeff());
    for (double shift = 1e-9 * largest; !report.ok() && shift < largest; shift *= 10) {
        H.add_diagonal(VecX::Constant(vertices, shift));
        try_solver(linear);
    }
    return report;
}

int DirectionSolver::add_rank_one(const std::vector<RankOne>& parts, const StepSettings& settings,
                                  VecX& p)
{
    int iterations = 0;
    for (const RankOne& part : parts) {
        VecX z;
        const LinearReport report = solver_for(name_).solve(
            part.vector, nullptr, z, {settings.linear_tolerance, settings.linear_max_iterations});
        iterations += report.iterations;
        // Without a part the direction is too long, not wrong: the line search shortens it.
        if (z.size() == p.size() && z.allFinite())
            low_rank_.add(part.scale, part.vector, std::move(z));
    }
    low_rank_.apply(p);
    return iterations;
}

LinearReport DirectionSolver::refine(const VecX& g, const StepSettings& settings, VecX& p,
                                     const Cancel* cancel)
{
    exact_ = true;
    VecX better;
    LinearSettings linear{settings.linear_tolerance, settings.linear_max_iterations};
    linear.cancel = cancel;
    const LinearReport report = solver_for(name_).solve(VecX(-g), nullptr, better, linear);
    if (report.ok() && better.allFinite()) {
        low_rank_.apply(better);
        p = std::move(better);
    }
    return report;
}

} // namespace selvage
