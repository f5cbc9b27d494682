#pragma once

#include "core/bench/plain_formulas.h"
#include "core/energy/fiber_solid.h"
#include "core/energy/fixed_corotational.h"
#include "core/energy/solid_viscosity.h"
#include "core/energy/stable_arruda_boyce.h"
#include "core/energy/stable_fung.h"
#include "core/energy/stable_mooney_rivlin.h"
#include "core/energy/stvk_solid.h"

/// Energies of tetrahedra as the books print them, for any scalar type (plain_formulas.h).
namespace selvage
{

/// Columns of the deformation gradient of a tetrahedron.
template <class S>
std::array<Plain3<S>, 3> plain_gradient(const std::array<S, 12>& x, const TetRest& t)
{
    std::array<Plain3<S>, 3> F;
    for (std::size_t i = 0; i < 3; ++i) {
        const S e0 = x[3 + i] - x[i], e1 = x[6 + i] - x[i], e2 = x[9 + i] - x[i];
        for (std::size_t c = 0; c < 3; ++c) {
            const auto b = t.inverse_rest.col(Eigen::Index(c));
            F[c][i] = e0 * b[0] + e1 * b[1] + e2 * b[2];
        }
    }
    return F;
}

template <class S> S plain_squared_norm(const std::array<Plain3<S>, 3>& F)
{
    return plain_dot(F[0], F[0]) + plain_dot(F[1], F[1]) + plain_dot(F[2], F[2]);
}
template <class S> S plain_determinant(const std::array<Plain3<S>, 3>& F)
{
    return plain_dot(F[0], plain_cross(F[1], F[2]));
}
/// ‖FᵀF‖²
template <class S> S plain_second_invariant(const std::array<Plain3<S>, 3>& F)
{
    const S a = plain_dot(F[0], F[0]), b = plain_dot(F[1], F[1]), c = plain_dot(F[2], F[2]);
    const S d = plain_dot(F[0], F[1]), e = plain_dot(F[1], F[2]), f = plain_dot(F[2], F[0]);
    return a * a + b * b + c * c + 2.0 * (d * d + e * e + f * f);
}

template <class S>
S plain_stable_neo_hookean(const std::array<S, 12>& x, const TetRest& t, double lambda, double mu)
{
    const auto F = plain_gradient(x, t);
    const S J = plain_determinant(F) - 1.0;
    return t.volume *
           ((0.5 * mu) * (plain_squared_norm(F) - 3.0) - mu * J + (0.5 * lambda) * J * J);
}

template <class S>
S plain_neo_hookean(const std::array<S, 12>& x, const TetRest& t, double lambda, double mu)
{
    using std::log;
    const auto F = plain_gradient(x, t);
    const S log_J = log(plain_determinant(F));
    return t.volume * ((0.5 * mu) * (plain_squared_norm(F) - 3.0) - mu * log_J +
                       (0.5 * lambda) * log_J * log_J);
}

/// Green strain: 00 01 02 11 12 22.
template <class S> std::array<S, 6> plain_green_strain(const std::array<S, 12>& x, const TetRest& t)
{
    const auto F = plain_gradient(x, t);
    return {0.5 * (plain_dot(F[0], F[0]) - 1.0), 0.5 * plain_dot(F[0], F[1]),
            0.5 * plain_dot(F[0], F[2]),         0.5 * (plain_dot(F[1], F[1]) - 1.0),
            0.5 * plain_dot(F[1], F[2]),         0.5 * (plain_dot(F[2], F[2]) - 1.0)};
}

/// μ ‖E‖² + λ/2 tr² E
template <class S> S plain_quadratic(const std::array<S, 6>& E, double lambda, double mu)
{
    const S trace = E[0] + E[3] + E[5];
    return mu * (E[0] * E[0] + E[3] * E[3] + E[5] * E[5] +
                 2.0 * (E[1] * E[1] + E[2] * E[2] + E[4] * E[4])) +
           (0.5 * lambda) * trace * trace;
}

template <class S>
S plain_stvk_solid(const std::array<S, 12>& x, const TetRest& t, const StvkSolid::Moduli& m)
{
    return t.volume * plain_quadratic(plain_green_strain(x, t), m.lambda, m.mu);
}

template <class S>
S plain_solid_viscosity(const std::array<S, 12>& x, const TetRest& t, const SolidViscosities& k,
                        const SolidLag& lag)
{
    std::array<S, 6> E = plain_green_strain(x, t);
    std::size_t n = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j, ++n) E[n] = E[n] - lag.strain(i, j);
    return (t.volume * lag.rate) * plain_quadratic(E, k.lambda, k.mu);
}

/// Sum s of the singular values, by its quartic (s² − ‖F‖²)² = 4 ‖cof F‖² + 8 J s: the largest
/// root, to which Newton's method falls from √3 ‖F‖. Two more steps in S carry first and second
/// derivatives along. For S with a member `value`.
template <class S> S plain_stretch_sum(const std::array<Plain3<S>, 3>& F)
{
    const S I2 = plain_squared_norm(F), J = plain_determinant(F);
    const S I4 = 0.5 * (I2 * I2 - plain_second_invariant(F));
    double root = std::sqrt(3 * I2.value);
    for (int i = 0; i < 50; ++i) {
        const double q = 0.5 * (root * root - I2.value);
        const double step = (q * q - I4.value - 2 * J.value * root) / (2 * (root * q - J.value));
        root -= step;
        if (std::abs(step) < 1e-16 * root) break;
    }
    const S q = 0.5 * (root * root + -1.0 * I2);
    const S s = root + -1.0 * ((q * q - I4 - (2 * root) * J) / (2.0 * (root * q - J)));
    const S p = 0.5 * (s * s - I2);
    return s - (p * p - I4 - 2.0 * (J * s)) / (2.0 * (s * p - J));
}

template <class S> S plain_arap_solid(const std::array<S, 12>& x, const TetRest& t, double mu)
{
    const auto F = plain_gradient(x, t);
    return (0.5 * mu * t.volume) * (plain_squared_norm(F) - 2.0 * plain_stretch_sum(F) + 3.0);
}

template <class S>
S plain_fixed_corotational(const std::array<S, 12>& x, const TetRest& t,
                           const FixedCorotational::Moduli& m)
{
    const auto F = plain_gradient(x, t);
    const S J = plain_determinant(F) - 1.0;
    return t.volume * (m.mu * (plain_squared_norm(F) - 2.0 * plain_stretch_sum(F) + 3.0) +
                       (0.5 * m.lambda) * J * J);
}

template <class S>
S plain_mooney_rivlin(const std::array<S, 12>& x, const TetRest& t,
                      const StableMooneyRivlin::Moduli& m)
{
    const auto F = plain_gradient(x, t);
    const S I2 = plain_squared_norm(F), J = plain_determinant(F) - 1.0;
    return t.volume *
           (m.mu0 * (I2 - 3.0) + (0.5 * m.mu1) * (I2 * I2 - plain_second_invariant(F) - 6.0) +
            (0.5 * m.lambda) * J * J - (2 * m.mu0 + 4 * m.mu1) * J);
}

template <class S>
S plain_arruda_boyce(const std::array<S, 12>& x, const TetRest& t,
                     const StableArrudaBoyce::Moduli& m)
{
    const auto F = plain_gradient(x, t);
    const S I2 = plain_squared_norm(F), J = plain_determinant(F) - 1.0, squared = I2 * I2;
    return t.volume * ((0.5 * m.mu) * (I2 - 3.0) + (0.25 * m.mu * m.b1) * (squared - 9.0) +
                       (m.mu * m.b2 / 6) * (squared * I2 - 27.0) + (0.5 * m.lambda) * J * J -
                       (m.mu * (1 + 3 * m.b1 + 9 * m.b2)) * J);
}

template <class S>
S plain_fung(const std::array<S, 12>& x, const TetRest& t, const StableFung::Moduli& m)
{
    using std::exp;
    const auto F = plain_gradient(x, t);
    const S stretch = plain_squared_norm(F) - 3.0, J = plain_determinant(F) - 1.0;
    return t.volume *
           ((0.5 * m.mu0) * stretch + (0.5 * m.gamma) * (exp((0.5 * m.mu1) * stretch) - 1.0) +
            (0.5 * m.lambda) * J * J - (m.mu0 + 0.5 * m.gamma * m.mu1) * J);
}

/// `sign`: −1 where the fibre is inverted and comes back.
template <class S>
S plain_fiber(const std::array<S, 12>& x, const TetRest& t, const FiberModuli& m, double sign = 1)
{
    using std::sqrt;
    const auto F = plain_gradient(x, t);
    const Vec3 a = m.direction.normalized();
    Plain3<S> d;
    for (std::size_t i = 0; i < 3; ++i) d[i] = a[0] * F[0][i] + a[1] * F[1][i] + a[2] * F[2][i];
    const S C = sqrt(plain_dot(d, d)) - sign;
    return (0.5 * m.stiffness * t.volume) * C * C;
}

} // namespace selvage
