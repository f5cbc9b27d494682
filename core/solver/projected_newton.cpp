#include "core/solver/projected_newton.h"

#include "core/base/stopwatch.h"

#include <fmt/format.h>

#include <cmath>

namespace selvage
{
namespace
{

/// How exactly the next direction is needed [Eisenstat and Walker 1996, choice 2]: loosely while
/// the gradient shrinks slowly, ever more tightly once Newton converges quadratically.
constexpr double loosest_forcing = 0.03;
double forcing_term(double gradient, double gradient_before)
{
    if (gradient_before == 0) return loosest_forcing;
    const double ratio = gradient / gradient_before;
    return std::min(loosest_forcing, 0.9 * ratio * ratio);
}

double largest_speed(const VecX& p, double h) { return p.lpNorm<Eigen::Infinity>() / h; }

/// The vertex with the largest entry, or the first one that is not finite.
int worst_vertex(const VecX& p)
{
    Eigen::Index worst = 0;
    for (Eigen::Index i = 0; i < p.size(); ++i) {
        if (!std::isfinite(p[i])) return int(i / 3);
        if (std::abs(p[i]) > std::abs(p[worst])) worst = i;
    }
    return int(worst / 3);
}

/// The smallest gap, relative to the one at which contacts begin to push, with which colliders go
/// on; below it, cloth moves aside first.
constexpr double least_room = 0.02;
/// Steps of colliders and pins that may be taken before they stop short.
constexpr int most_follows = 200;
/// Colliders and pins that get on by less than this part of their way, and of d̂, after everything
/// has moved aside are held up.
constexpr double least_progress = 0.1;
/// So often in a step before they give up: the next attempt starts from elsewhere.
constexpr int most_stuck = 3;
/// Halvings spent on a tame energy while colliders move: they must get on in the end.
constexpr int follow_halvings = 3;

/// Newton's iteration over one step.
class Minimisation
{
public:
    Minimisation(IncrementalPotential& f, const HeldVertices& held, VecX& x,
                 const StepSettings& settings, NewtonScratch& scratch, StepReport& report,
                 const Cancel& cancel)
        : f_(f),
          held_(held),
          x_(x),
          settings_(settings),
          s_(scratch),
          report_(report),
          cancel_(cancel)
    {
    }

    /// Assembles f at x and solves for the direction, iteratively only to `loose`; `follow`: with
    /// the rest of the prescribed way as given. Returns f(x).
    double find_direction(double loose, bool follow)
    {
        if (s_.hessian.pattern != f_.pattern()) s_.hessian = BlockMatrix(f_.pattern());
        double value;
        {
            const Section time(*this, report_.seconds.assembly);
            value = f_.assemble(x_, s_.gradient, s_.hessian, s_.contact, Psd::clamp,
                                follow ? &s_.pull : nullptr);
        }
        Stopwatch time(report_.seconds.linear);
        if (follow) {
            s_.gradient += s_.pull;
            s_.way = held_.target - x_;
            s_.trial = s_.way;
            held_.filter.apply(s_.trial);
            s_.way -= s_.trial;
        }
        held_.filter.apply(s_.gradient);
        const LinearReport solved = s_.linear.solve(
            s_.hessian, s_.contact.pattern ? &s_.contact : nullptr, held_.filter, x_, s_.gradient,
            settings_, loose, s_.direction, follow ? &s_.way : nullptr, &cancel_);
        report_.linear_solver = s_.linear.name();
        report_.linear_iterations += solved.iterations;
        if (solved.ok() && !f_.rank_one().empty())
            report_.linear_iterations +=
                s_.linear.add_rank_one(f_.rank_one(), settings_, s_.direction);
        ++report_.iterations;
        if (!solved.ok()) {
            report_.status = StepStatus::linear_solve_failed;
            report_.worst_vertex = worst_vertex(s_.gradient);
            report_.message =
                fmt::format("the linear solve ({}) failed: {}", s_.linear.name(), solved.message);
        }
        return value;
    }

    /// A loose direction may be short for that reason alone: look again.
    void refine_direction()
    {
        Stopwatch time(report_.seconds.linear);
        report_.linear_iterations +=
            s_.linear.refine(s_.gradient, settings_, s_.direction, &cancel_).iterations;
    }

    /// Moves x along the direction, no farther than is feasible, halving until f falls below f_0 =
    /// f(x); returns the accepted length, 0 where none helps.
    double descend(double f_0)
    {
        const Section time(*this, report_.seconds.line_search);
        const double slope = s_.gradient.dot(s_.direction);
        for (double a = first_step(false); a > 1e-12; a *= 0.5) {
            if (!(a = place_trial(a, false))) break;
            const double f_a = f_.value(s_.trial);
            if (f_a <= f_0 || levels_off(f_0, f_a, slope)) {
                x_.swap(s_.trial);
                return a;
            }
            ++report_.backtracks;
        }
        return 0;
    }

    /// Moves x, colliders and held vertices together. They do work on the cloth, so f may rise, but
    /// not wildly.
    double follow(double f_0)
    {
        const Section time(*this, report_.seconds.line_search);
        s_.follow_direction = s_.direction;
        const double reached = f_.reached();
        const double allowed = f_0 + std::abs(f_0) + f_.weight(s_.direction);
        double a = first_step(true);
        for (int i = 0; a > 1e-12; ++i, a *= 0.5) {
            if (f_.bends_ways()) f_.set_reached(reached); // where the step starts from
            if (!(a = place_trial(a, true))) break;
            f_.set_reached(a == 1 ? 1 : reached + a * (1 - reached));
            const double f_a = f_.value(s_.trial);
            if (f_a <= allowed || (i >= follow_halvings && f_a < infinity)) {
                x_.swap(s_.trial);
                return a;
            }
            ++report_.backtracks;
        }
        f_.set_reached(reached);
        return 0;
    }

    /// Whether a follow by `a` of the way, so long for colliders [m], got anywhere.
    bool progressed(double a, double collider_way) const
    {
        const double way = std::max(collider_way, s_.way.lpNorm<Eigen::Infinity>());
        return a >= least_progress || (a > 0 && a * way >= least_progress * f_.activation());
    }

private:
    /// The longest step to try. Ways that bend are looked at one by one.
    double first_step(bool follow)
    {
        return f_.bends_ways() ? 1 : f_.max_step(x_, s_.direction, follow);
    }

    /// Puts the trial at step a along the direction; returns a. Where ways bend, nothing may be in
    /// the way of the straight line to their end: else a shorter step, at last a part of that line.
    double place_trial(double a, bool follow)
    {
        constexpr int attempts = 3;
        f_.displace(x_, s_.direction, a, s_.trial);
        if (!f_.bends_ways()) return a;
        for (int k = 0;; ++k) {
            s_.way_there = (s_.trial - x_) / a;
            const double safe = f_.max_step(x_, s_.way_there, follow);
            if (safe >= a) return a;
            if (safe <= 0 || k == attempts) {
                s_.trial = x_ + safe * s_.way_there;
                return safe;
            }
            a = safe;
            f_.displace(x_, s_.direction, a, s_.trial);
        }
    }

    /// Near the minimum, differences of f drown in the rounding of its parts, which may be far
    /// larger than f: whether the trial is nearer to it is then seen by the slope along the
    /// direction [Hager and Zhang 2005, §2].
    bool levels_off(double f_0, double f_a, double slope)
    {
        if (!(f_a - f_0 <= 1e-6 * std::abs(f_0))) return false;
        if (std::max(std::abs(slope), f_a - f_0) <= 1e-12 * std::abs(f_0)) return true;
        f_.gradient(s_.trial, s_.trial_gradient);
        return std::abs(s_.trial_gradient.dot(s_.direction)) <= 0.9 * std::abs(slope);
    }

    /// Times a part of the step, without what broad phase and collision detection take in it: they
    /// are counted by themselves.
    class Section
    {
    public:
        Section(const Minimisation& m, double& sum)
            : sum_(sum), contact_(m.f_.contact_seconds()), before_(total()), watch_(sum)
        {
        }
        ~Section() { sum_ -= total() - before_; }

    private:
        double total() const { return contact_ ? contact_->broad_phase + contact_->ccd : 0; }

        double& sum_;
        const ContactSeconds* contact_;
        double before_;
        Stopwatch watch_;
    };

    IncrementalPotential& f_;
    const HeldVertices& held_;
    VecX& x_;
    const StepSettings& settings_;
    NewtonScratch& s_;
    StepReport& report_;
    const Cancel& cancel_;
};

} // namespace

StepReport minimise(IncrementalPotential& f, const HeldVertices& held, VecX& x, double h,
                    double tolerance, const StepSettings& settings, NewtonScratch& s,
                    Budget& budget, const Cancel& cancel)
{
    StepReport report;
    report.tolerance = tolerance;
    Minimisation newton(f, held, x, settings, s, report, cancel);

    double g_before = 0, loose = loosest_forcing;
    bool settled = false; // nothing more to relax before colliders go on
    bool blocked = false; // they did not get on: relax as far as possible before the next attempt
    int follows = 0, stuck = 0;
    const auto cancelled = [&] {
        report.status = StepStatus::cancelled;
        report.message.clear();
        return report;
    };
    for (int i = 0; i < settings.max_iterations;) {
        if (cancel.requested()) return cancelled();
        if (budget.spent()) {
            report.status = StepStatus::out_of_budget;
            report.message =
                fmt::format("stopped by the budget after {} iterations", budget.used());
            return report;
        }
        budget.count_iteration();
        const bool following = f.reached() < 1 && follows < most_follows &&
                               (settled || (!blocked && f.room() >= least_room));
        const double f_0 = newton.find_direction(loose, following);
        if (cancel.requested()) return cancelled(); // the direction may be half solved
        if (report.status == StepStatus::linear_solve_failed) return report;
        if (following) {
            ++follows;
            const double way_before = f.rest_of_way();
            const double a = newton.follow(f_0);
            blocked = f.reached() < 1 && !newton.progressed(a, way_before);
            if (settled && blocked && ++stuck >= most_stuck) return report; // held up
            settled = false;
            f.adapt_contact();
            continue;
        }
        ++i;
        report.residual = largest_speed(s.direction, h);
        if (report.residual <= tolerance && !s.linear.exact()) {
            newton.refine_direction();
            report.residual = largest_speed(s.direction, h);
        }
        const double g_norm = s.gradient.norm();
        loose = forcing_term(g_norm, g_before);
        g_before = g_norm;

        const double a = newton.descend(f_0);
        settled = report.residual <= tolerance || a == 0;
        if (settled && (f.reached() == 1 || follows >= most_follows)) {
            if (a == 0 && report.residual > tolerance) {
                report.status = StepStatus::not_converged;
                report.worst_vertex = worst_vertex(s.direction);
                report.message = fmt::format(
                    "no step along the search direction lowers the energy (correction {:.2g} m/s, "
                    "tolerance {:.2g} m/s). More substeps help.",
                    report.residual, tolerance);
            }
            return report;
        }
        f.adapt_contact();
    }
    report.status = StepStatus::not_converged;
    report.worst_vertex = worst_vertex(s.direction);
    report.message = fmt::format(
        "{} Newton iterations were not enough (correction {:.2g} m/s, tolerance {:.2g} m/s). "
        "Raise solver.max_iterations or substeps.",
        settings.max_iterations, report.residual, tolerance);
    return report;
}

} // namespace selvage
