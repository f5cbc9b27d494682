#include "core/contact/coulomb_contact.h"

#include "core/math/jacobi.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

/// Sliding, in the axes where S is diagonal.
struct Slide {
    double s[2], c[2], w[2]; ///< eigenvalues of S; c and the column w of W in its eigenvectors
    double b_n, W_nn, friction;

    double tangential(double rho, int i) const { return -c[i] / (s[i] + rho); }
    double normal(double rho) const
    {
        return -(b_n + w[0] * tangential(rho, 0) + w[1] * tangential(rho, 1)) / W_nn;
    }
    /// μ λ_n/‖λ_t‖ − 1: negative at ρ = 0, and nearly linear in ρ.
    double excess(double rho) const
    {
        return friction * normal(rho) / std::hypot(tangential(rho, 0), tangential(rho, 1)) - 1;
    }
};

/// The root of an increasing sign change by the secant rule, halving where it creeps.
double sliding_root(const Slide& p)
{
    double low = 0, high = std::max(p.s[0], p.s[1]);
    double f_low = p.excess(low), f_high = p.excess(high);
    for (int k = 0; k < 1000 && !(f_high > 0); ++k)
        low = high, f_low = f_high, high *= 4, f_high = p.excess(high);
    for (int k = 0; k < 200; ++k) {
        double rho = low + (high - low) * f_low / (f_low - f_high);
        if (k % 3 == 2 || !(rho > low && rho < high)) rho = 0.5 * (low + high);
        if (!(rho > low && rho < high)) break;
        const double f = p.excess(rho);
        if (std::abs(f) < 1e-15) return rho;
        (f > 0 ? high : low) = rho;
        (f > 0 ? f_high : f_low) = f;
    }
    return std::abs(f_low) < std::abs(f_high) ? low : high;
}

} // namespace

CoulombSolution solve_coulomb(const CoulombProblem& problem)
{
    const Mat3& W = problem.W;
    const Vec3& b = problem.b;
    const double mu = problem.friction;
    if (!(b[0] < 0)) return {};
    if (!(mu > 0)) return {CoulombCase::slide, Vec3(-b[0] / W(0, 0), 0, 0)};

    // The Schur complement of the normal direction.
    const Vec2 w(W(1, 0), W(2, 0));
    const Eigen::Matrix2d S = W.bottomRightCorner<2, 2>() - w * w.transpose() / W(0, 0);
    const Vec2 c = b.tail<2>() - w * (b[0] / W(0, 0));
    const auto turn = jacobi_rotation(S(0, 0), S(1, 1), S(0, 1));
    const Vec2 a0(turn.c, -turn.s), a1(turn.s, turn.c); // eigenvectors
    const double least = 1e-15 * W.trace();
    const Slide p = {{std::max(a0.dot(S * a0), least), std::max(a1.dot(S * a1), least)},
                     {a0.dot(c), a1.dot(c)},
                     {a0.dot(w), a1.dot(w)},
                     b[0],
                     W(0, 0),
                     mu};
    const auto force = [&](double rho) {
        const Vec2 t = p.tangential(rho, 0) * a0 + p.tangential(rho, 1) * a1;
        return Vec3(p.normal(rho), t[0], t[1]);
    };
    const Vec3 sticking = force(0);
    if (sticking.tail<2>().norm() <= mu * sticking[0]) return {CoulombCase::stick, sticking};
    return {CoulombCase::slide, force(sliding_root(p))};
}

double coulomb_residual(const CoulombProblem& problem, const Vec3& force)
{
    const Vec3 u = problem.W * force + problem.b;
    const double unit = problem.W(0, 0), mu = problem.friction;
    const double scaled = unit * force[0]; // λ_n as a displacement
    double r = std::abs(std::min(u[0], scaled));
    // Tangentially: λ_t is where a push against u_t leads within the disc of radius μ λ_n.
    const Vec2 t = unit * force.tail<2>();
    Vec2 pushed = t - u.tail<2>();
    const double limit = mu * std::max(scaled, 0.0), length = pushed.norm();
    if (length > limit) pushed *= length > 0 ? limit / length : 0;
    return std::max(r, (t - pushed).norm());
}

} // namespace selvage
