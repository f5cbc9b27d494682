#include "core/solver/rod_newton.h"

#include "core/energy/rod_stretch.h"

namespace selvage
{
namespace
{

using V = Vec3T<Real4>;

SELVAGE_INLINE V position_part(const RodVector& g, int point)
{
    const Real4* at = g.data() + 4 * point;
    return {at[0], at[1], at[2]};
}

SELVAGE_INLINE V times(const Sym3R& A, const V& v)
{
    return {A.xx * v.x + A.xy * v.y + A.xz * v.z, A.xy * v.x + A.yy * v.y + A.yz * v.z,
            A.xz * v.x + A.yz * v.y + A.zz * v.z};
}

Real4 add_loads(const RodProblem& problem, const RodChainShape& shape,
                const std::vector<Real4>& turn, Want want, RodScratch& s)
{
    Real4 energy(0.0);
    const Real4 half(0.5);
    for (int i = 0; i < problem.points(); ++i) {
        const std::size_t at = std::size_t(i);
        const Sym3R& A = problem.weight[at];
        const V d = shape.x[at] - problem.center[at], pulled = times(A, d);
        const V pull = pulled - problem.load[at];
        const Real4 J = problem.spin_weight[at], lag = turn[at] - problem.spin_target[at];
        energy = energy + half * (dot(d, pulled) + J * lag * lag) - dot(d, problem.load[at]);
        if (want.gradient) {
            Real4* g = s.gradient.data() + 4 * i;
            g[0] = g[0] + pull.x, g[1] = g[1] + pull.y, g[2] = g[2] + pull.z;
            g[3] = g[3] + J * lag;
        }
        if (!want.hessian) continue;
        const Real4 lower[4][3] = {{A.xx, A.xy, A.xz}, {A.yy, A.yz}, {A.zz}, {J}};
        const int rows[4] = {3, 2, 1, 1};
        for (int j = 0; j < 4; ++j) {
            Real4* column = s.hessian.column(4 * i + j);
            for (int k = 0; k < rows[j]; ++k) column[k] = column[k] + lower[j][k];
        }
    }
    return energy;
}

/// Along edges the stretch stiffness; across them what turning does to the tension, or to the loads
/// beyond the edge (all but stretch are in the gradient by now).
void add_edges(const RodProblem& problem, const RodChainShape& shape, const Mask4& clamp,
               RodScratch& s)
{
    const Real4 zero(0.0), one(1.0);
    V beyond = {zero, zero, zero};
    for (int i = problem.points() - 2; i >= 0; --i) {
        const std::size_t at = std::size_t(i);
        beyond = beyond + position_part(s.gradient, i + 1);
        const RodStretch<Real4> stretch =
            rod_stretch(shape.length[at], problem.laws.axial[at], problem.laws.rest_length[at]);
        const Real4 load = -dot(beyond, shape.tangent[at]) / shape.length[at];
        Real4 across = problem.across.empty()
                           ? problem.hangs * load + (one - problem.hangs) * stretch.across
                           : problem.across[at];
        across = select(clamp, maximum(across, zero), across);
        add_edge_stiffness(shape.tangent[at], stretch.along, across, i, s.hessian);
    }
}

void hold(const RodProblem& problem, Want want, RodScratch& s)
{
    const int size = 4 * problem.points();
    for (int c = 0; c < size; ++c) {
        const Real4 free = problem.free[std::size_t(c)];
        if (want.gradient) s.gradient[std::size_t(c)] = free * s.gradient[std::size_t(c)];
        if (!want.hessian) continue;
        Real4* column = s.hessian.column(c);
        column[0] = free * column[0] + (Real4(1.0) - free);
        const int rows = std::min(rod_band, size - 1 - c);
        for (int k = 1; k <= rows; ++k)
            column[k] = free * problem.free[std::size_t(c + k)] * column[k];
    }
}

struct Largest {
    Real4 move, slope; ///< [m] largest component; gᵀp
};
Largest measure(const RodChainShape& shape, const RodVector& gradient, const RodVector& direction)
{
    Largest out{0.0, 0.0};
    for (int i = 0; i < shape.points(); ++i) {
        const std::size_t at = std::size_t(i);
        for (std::size_t k = 0; k < 4; ++k) {
            const Real4 p = direction[4 * at + k];
            out.slope = out.slope + gradient[4 * at + k] * p;
            const Real4 size = absolute(p);
            out.move = maximum(out.move, k < 3 ? size : size * shape.length[at]);
        }
    }
    return out;
}

/// Steps along s.direction that decrease f enough, lane by lane: halved from 1 until they do, and
/// doubled while f goes on decreasing in the lanes that may `grow`. 0: none. The shape there is in
/// s.trial, the turns in s.trial_turn.
Real4 line_search(const RodProblem& problem, const RodChainShape& shape,
                  const std::vector<Real4>& turn, const Real4& f, const Real4& slope,
                  const Mask4& active, const Mask4& may_grow, RodScratch& s, RodNewtonOutcome& out)
{
    constexpr int most_halvings = 20, most_doublings = 4;
    constexpr double armijo = 1e-4, rounding = 1e-13;
    const Real4 zero(0.0), half(0.5), two(2.0), slack = Real4(rounding) * absolute(f);
    const auto value_at = [&](const Real4& step) {
        retract(problem, shape, step, s.direction, s);
        for (std::size_t i = 0; i < turn.size(); ++i)
            s.trial_turn[i] = turn[i] + step * s.direction[4 * i + 3];
        return rod_objective(problem, s.trial, s.trial_turn, {true, false, false}, zero > zero, s);
    };
    Real4 step = select(active, Real4(1.0), zero), value = value_at(step);
    Mask4 failed = active && !(value <= f + Real4(armijo) * step * slope + slack);
    Mask4 grow = may_grow && !failed;
    for (int k = 0; k < most_halvings && !all_lanes(!failed); ++k) {
        ++out.backtracks;
        step = select(failed, k + 1 < most_halvings ? half * step : zero, step);
        value = value_at(step);
        failed = failed && !(value <= f + Real4(armijo) * step * slope + slack);
    }
    bool at_step = true;
    for (int k = 0; k < most_doublings && !all_lanes(!grow); ++k) {
        const Real4 longer = select(grow, two * step, step), next = value_at(longer);
        grow = grow && (next < value);
        step = select(grow, longer, step), value = select(grow, next, value);
        at_step = all_lanes(longer == step);
    }
    if (!at_step) value_at(step);
    return step;
}

} // namespace

RodProblem::RodProblem(int points)
    : weight(std::size_t(points)),
      center(std::size_t(points)),
      load(std::size_t(points), V{0.0, 0.0, 0.0}),
      spin_weight(std::size_t(points), Real4(0.0)),
      spin_target(std::size_t(points), Real4(0.0)),
      free(4 * std::size_t(points), Real4(1.0)),
      beyond(std::size_t(points), Real4(0.0))
{
    const std::size_t n = std::size_t(points);
    laws.axial.resize(n), laws.rest_length.resize(n), laws.bend.resize(n), laws.twist.resize(n);
}

void retract(const RodProblem& problem, const RodChainShape& from, const Real4& step,
             const RodVector& direction, RodScratch& s)
{
    const Real4 one(1.0), zero(0.0);
    const int n = problem.points();
    RodChainShape& to = s.trial;
    const Mask4 hangs = problem.hangs > zero;
    to.x[0] = from.x[0] + step * position_part(direction, 0);
    for (int i = 0; i + 1 < n; ++i) {
        const std::size_t at = std::size_t(i);
        const V d = step * (position_part(direction, i + 1) - position_part(direction, i));
        const V t = from.tangent[at], straight = from.length[at] * t + d;
        const Real4 wanted = maximum(from.length[at] + dot(d, t), Real4(0.2) * from.length[at]);
        const V turned_edge =
            (wanted / square_root(maximum(dot(straight, straight), Real4(1e-300)))) * straight;
        const V plain = from.x[at + 1] + step * position_part(direction, i + 1);
        const V chained = select(hangs, to.x[at] + turned_edge, plain);
        const V next = select(problem.free[4 * at + 4] > zero, chained, from.x[at + 1]);
        const V carried = to.x[at] + from.length[at] * t;
        to.x[at + 1] = select(problem.beyond[at + 1] > zero, carried, next);
    }
    to.tangent = from.tangent, to.director = from.director, to.twist = from.twist;
    to.follow_points();
    for (int i = 0; i + 1 < n; ++i) {
        const std::size_t at = std::size_t(i);
        const Real4 angle = step * direction[4 * at + 3];
        to.director[at] = turned(to.director[at], to.tangent[at], cosine(angle), sine(angle));
        s.turn_change[at] = i > 0 ? angle - step * direction[4 * at - 1] : angle;
    }
    to.measure_twist(s.turn_change);
}

void set_inertia(const RodProblem& problem, RodScratch& s)
{
    const std::size_t n = std::size_t(problem.points());
    s.gradient.assign(4 * n + rod_band, Real4(0.0));
    s.hessian.set_zero(int(4 * n));
    RodChainShape here;
    here.x = problem.center;
    add_loads(problem, here, problem.spin_target, {true, true, true}, s);
    hold(problem, {true, true, true}, s);
}

Real4 rod_objective(const RodProblem& problem, const RodChainShape& shape,
                    const std::vector<Real4>& turn, Want want, const Mask4& clamp, RodScratch& s)
{
    const std::size_t size = 4 * std::size_t(problem.points());
    want.gradient = want.gradient || want.hessian;
    if (want.gradient) s.gradient.assign(size + rod_band, Real4(0.0));
    if (want.hessian) s.hessian.set_zero(int(size));
    Real4 f = add_bend_and_twist(problem.laws, shape, want, clamp, &s.gradient, &s.hessian);
    f = f + add_loads(problem, shape, turn, want, s);
    if (want.hessian) add_edges(problem, shape, clamp, s);
    f = f + stretch_energy(problem.laws, shape, want.gradient ? &s.gradient : nullptr);
    if (want.gradient) hold(problem, want, s);
    return f;
}

RodNewtonOutcome minimise(const RodProblem& problem, RodChainShape& shape, std::vector<Real4>& turn,
                          const RodNewtonSettings& settings, RodScratch& s)
{
    constexpr double least_pivot = 1e-13;
    const Real4 zero(0.0), one(1.0);
    const std::size_t n = std::size_t(problem.points());
    s.trial = shape;
    s.turn_change.assign(n, zero);
    s.trial_turn.assign(n, zero);

    RodNewtonOutcome out;
    Mask4 retry = zero > one, active = zero < one;
    for (int iteration = 0; iteration < settings.max_iterations; ++iteration) {
        Real4 f = rod_objective(problem, shape, turn, {true, true, true}, retry, s);
        const BandPivots<Real4> pivots = factor(s.hessian);
        const Mask4 clamp = active && (retry || !(pivots.least > Real4(least_pivot)));
        if (!all_lanes(clamp == retry)) {
            f = rod_objective(problem, shape, turn, {true, true, true}, clamp, s);
            factor(s.hessian);
        }
        if (!all_lanes(!clamp)) ++out.clamped;
        s.direction.resize(s.gradient.size());
        for (std::size_t k = 0; k < s.gradient.size(); ++k)
            s.direction[k] = select(active, -s.gradient[k], zero);
        solve(s.hessian, s.direction.data());
        const Largest size = measure(shape, s.gradient, s.direction);
        out.residual = select(active, size.move, out.residual);
        out.iterations = out.iterations + select(active, one, zero);

        const Real4 step = line_search(problem, shape, turn, f, size.slope, active, clamp, s, out);
        std::swap(shape, s.trial);
        turn.swap(s.trial_turn);

        const Mask4 done = active && (size.move < Real4(settings.tolerance));
        out.converged = select(done, one, out.converged);
        // Where the exact Hessian's direction leads nowhere, the clamped one's may.
        const Mask4 stuck = active && !done && (step == zero);
        active = active && !done && !(stuck && clamp);
        retry = stuck && active;
        if (all_lanes(!active)) break;
    }
    return out;
}

} // namespace selvage
