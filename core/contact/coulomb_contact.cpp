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
    /// μ λ_n/‖λ_t‖ − 1 and its slope: negative at ρ = 0, and nearly linear in ρ.
    struct Excess {
        double value, slope;
    };
    Excess excess(double rho) const
    {
        const double t[2] = {tangential(rho, 0), tangential(rho, 1)};
        const double d[2] = {-t[0] / (s[0] + rho), -t[1] / (s[1] + rho)};
        const double size = std::sqrt(t[0] * t[0] + t[1] * t[1]);
        const double n = -(b_n + w[0] * t[0] + w[1] * t[1]) / W_nn;
        const double n_slope = -(w[0] * d[0] + w[1] * d[1]) / W_nn;
        const double size_slope = (t[0] * d[0] + t[1] * d[1]) / size;
        const double ratio = friction / size;
        return {ratio * n - 1, ratio * (n_slope - n * size_slope / size)};
    }
};

/// The root of an increasing sign change by Newton's method, halving or doubling where that leaves
/// the bracket.
double sliding_root(const Slide& p)
{
    double low = 0, high = infinity, rho = 0;
    for (int k = 0; k < 1000; ++k) {
        const Slide::Excess f = p.excess(rho);
        if (std::abs(f.value) < 1e-14) break;
        (f.value > 0 ? high : low) = rho;
        double next = rho - f.value / f.slope;
        if (!(next > low && next < high))
            next =
                high < infinity ? 0.5 * (low + high) : std::max(4 * rho, std::max(p.s[0], p.s[1]));
        if (next == rho || !(next > low && next < high)) break;
        rho = next;
    }
    return rho;
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
