#include "core/solver/projected_newton.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace selvage
{
namespace
{

/// Adds the time until it goes out of scope; figures for reports only, nothing is decided by them.
class Stopwatch
{
public:
    explicit Stopwatch(double& sum) : sum_(sum), start_(std::chrono::steady_clock::now()) {}
    ~Stopwatch()
    {
        sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    double& sum_;
    std::chrono::steady_clock::time_point start_;
};

/// How exactly the next direction is needed [Eisenstat and Walker 1996, choice 2]: loosely while
/// the gradient shrinks slowly, ever more tightly once Newton converges quadratically.
constexpr double loosest_forcing = 0.1;
double forcing_term(double gradient, double gradient_before)
{
    if (gradient_before == 0) return loosest_forcing;
    const double ratio = gradient / gradient_before;
    return std::min(loosest_forcing, 0.9 * ratio * ratio);
}

double largest_speed(const VecX& p, double h) { return p.lpNorm<Eigen::Infinity>() / h; }

} // namespace

double newton_direction(IncrementalPotential& f, const VertexFilter& filter, const VecX& x,
                        const StepSettings& settings, double loose, NewtonScratch& s,
                        StepReport& report)
{
    if (s.hessian.pattern != f.pattern()) s.hessian = BlockMatrix(f.pattern());
    double value;
    {
        Stopwatch time(report.seconds.assembly);
        value = f.assemble(x, s.gradient, s.hessian, s.contact, Psd::clamp);
        filter.apply(s.gradient);
    }
    Stopwatch time(report.seconds.linear);
    const LinearReport solved = s.linear.solve(s.hessian, s.contact.pattern ? &s.contact : nullptr,
                                               filter, x, s.gradient, settings, loose, s.direction);
    report.linear_solver = s.linear.name();
    report.linear_iterations += solved.iterations;
    ++report.iterations;
    if (!solved.ok()) {
        report.status = StepStatus::linear_solve_failed;
        report.message =
            fmt::format("the linear solve ({}) failed: {}", s.linear.name(), solved.message);
    }
    return value;
}

double line_search(IncrementalPotential& f, VecX& x, double f_0, NewtonScratch& s,
                   StepReport& report)
{
    Stopwatch time(report.seconds.line_search);
    const double slope = s.gradient.dot(s.direction), noise = 1e-12 * std::abs(f_0);
    for (double a = f.max_step(x, s.direction); a > 1e-12; a *= 0.5) {
        s.trial = x + a * s.direction;
        const double f_a = f.value(s.trial);
        if (f_a <= f_0 || (a * std::abs(slope) <= noise && f_a <= f_0 + noise)) {
            x.swap(s.trial);
            return a;
        }
        ++report.backtracks;
    }
    return 0;
}

StepReport minimise(IncrementalPotential& f, const VertexFilter& filter, VecX& x, double h,
                    double tolerance, const StepSettings& settings, NewtonScratch& s,
                    const Cancel& cancel)
{
    StepReport report;
    report.tolerance = tolerance;
    Stopwatch total(report.seconds.total);

    double g_before = 0, loose = loosest_forcing;
    for (int i = 0; i < settings.max_iterations; ++i) {
        if (cancel.requested()) {
            report.status = StepStatus::cancelled;
            return report;
        }
        const double f_0 = newton_direction(f, filter, x, settings, loose, s, report);
        if (report.status == StepStatus::linear_solve_failed) return report;
        report.residual = largest_speed(s.direction, h);
        if (report.residual <= tolerance && !s.linear.exact()) {
            // A loose direction may be short for that reason alone: look again.
            Stopwatch time(report.seconds.linear);
            report.linear_iterations +=
                s.linear.refine(s.gradient, settings, s.direction).iterations;
            report.residual = largest_speed(s.direction, h);
        }
        const double g_norm = s.gradient.norm();
        loose = forcing_term(g_norm, g_before);
        g_before = g_norm;

        const double a = line_search(f, x, f_0, s, report);
        if (report.residual <= tolerance) return report;
        if (a == 0) {
            report.status = StepStatus::not_converged;
            report.message = fmt::format(
                "no step along the search direction lowers the energy (correction {:.2g} m/s, "
                "tolerance {:.2g} m/s). More substeps help.",
                report.residual, tolerance);
            return report;
        }
        f.adapt_contact();
    }
    report.status = StepStatus::not_converged;
    report.message = fmt::format(
        "{} Newton iterations were not enough (correction {:.2g} m/s, tolerance {:.2g} m/s). "
        "Raise solver.max_iterations or substeps.",
        settings.max_iterations, report.residual, tolerance);
    return report;
}

} // namespace selvage
