#include "core/solver/direction_solver.h"

#include "core/base/error.h"

namespace selvage
{
namespace
{

/// Below this many vertices a sparse factorisation of cloth beats conjugate gradients.
constexpr int direct_limit = 40000;

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
                                      const VecX& b, const StepSettings& settings, VecX& p)
{
    LinearSolver& solver = solver_for(name);
    name_ = name;
    LinearReport report =
        solver.prepare(system, {settings.linear_tolerance, settings.linear_max_iterations});
    if (report.ok()) report = solver.solve(b, nullptr, p);
    if (report.ok() && !p.allFinite()) {
        report.status = LinearStatus::failed;
        report.message = "the solution is not finite";
    }
    return report;
}

LinearReport DirectionSolver::solve(BlockMatrix& H, const VertexFilter& filter, const VecX& g,
                                    const StepSettings& settings, VecX& p)
{
    const int vertices = H.pattern->rows();
    std::string name =
        settings.linear == "auto" ? automatic_linear_solver(vertices) : settings.linear;
    const LinearSystem system{&H, nullptr, &filter};
    const VecX b = -g;

    LinearReport report = attempt(name, system, b, settings, p);
    if (report.ok() || !g.allFinite()) return report;
    if (is_iterative(name)) {
        name = available_linear_solvers().front();
        report = attempt(name, system, b, settings, p);
    }

    // Clamped element Hessians plus mass cannot be indefinite but for rounding: shift a little.
    double largest = 0;
    for (int r = 0; r < vertices; ++r)
        largest = std::max(largest,
                           H.block(H.pattern->row_begin()[std::size_t(r)]).diagonal().maxCoeff());
    for (double shift = 1e-9 * largest; !report.ok() && shift < largest; shift *= 10) {
        H.add_diagonal(VecX::Constant(vertices, shift));
        report = attempt(name, system, b, settings, p);
    }
    return report;
}

} // namespace selvage
