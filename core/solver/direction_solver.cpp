#include "core/solver/direction_solver.h"

#include "core/base/error.h"

namespace selvage
{
namespace
{

/// Up to here a factorisation is as fast as loosely solved conjugate gradients, and exact.
constexpr int direct_limit = 1500;

bool is_iterative(const std::string& name) { return name == "pcg"; }

} // namespace

std::string automatic_linear_solver(int vertex_count)
{
    return vertex_count > direct_limit ? "pcg" : available_linear_solvers().front();
}

LinearSolver& DirectionSolver::solver_for(const std::string& name)
{
    if (solver_ && solver_->name() == name) return *solver_;
    if (fallback_ && fallback_->name() == name) return *fallback_;
    std::unique_ptr<LinearSolver>& slot = solver_ ? fallback_ : solver_;
    slot = make_linear_solver(name);
    if (!slot)
        throw InputError("This build has no linear solver '" + name +
                         "'. Use \"linear\": \"auto\".");
    return *slot;
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
                                    const VertexFilter& filter, const VecX& g,
                                    const StepSettings& settings, double loose, VecX& p,
                                    const VecX* z)
{
    low_rank_ = {};
    const int vertices = H.pattern->rows();
    std::string name =
        settings.linear == "auto" ? automatic_linear_solver(vertices) : settings.linear;
    const LinearSystem system{&H, contact, &filter};
    const LinearSettings linear{std::max(loose, settings.linear_tolerance),
                                settings.linear_max_iterations};
    const VecX b = -g;
    exact_ = !is_iterative(name) || linear.tolerance == settings.linear_tolerance;

    LinearReport report = attempt(name, system, b, z, linear, p);
    if (report.ok() || !g.allFinite()) return report;
    exact_ = true;
    if (is_iterative(name)) {
        name = available_linear_solvers().front();
        report = attempt(name, system, b, z, linear, p);
    }

    // Clamped element Hessians plus mass cannot be indefinite but for rounding: shift a little.
    double largest = 0;
    for (int r = 0; r < vertices; ++r)
        largest = std::max(largest,
                           H.block(H.pattern->row_begin()[std::size_t(r)]).diagonal().maxCoeff());
    for (double shift = 1e-9 * largest; !report.ok() && shift < largest; shift *= 10) {
        H.add_diagonal(VecX::Constant(vertices, shift));
        report = attempt(name, system, b, z, linear, p);
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

LinearReport DirectionSolver::refine(const VecX& g, const StepSettings& settings, VecX& p)
{
    exact_ = true;
    VecX better;
    const LinearReport report = solver_for(name_).solve(
        VecX(-g), nullptr, better, {settings.linear_tolerance, settings.linear_max_iterations});
    if (report.ok() && better.allFinite()) {
        low_rank_.apply(better);
        p = std::move(better);
    }
    return report;
}

} // namespace selvage
