#pragma once

#include "core/bench/plain_formulas.h"
#include "core/energy/air_drag.h"
#include "core/energy/directional_limit.h"
#include "core/energy/link_spring.h"
#include "core/energy/strain_limit.h"

/// Limits and forces as their headers print them, for any scalar type (plain_formulas.h).
namespace selvage
{

/// −y² ln(1 − y), and nothing in compression. For S with a member `value`.
template <class S> S plain_limit_barrier(const S& y)
{
    using std::log;
    return y.value > 0 ? -1.0 * (y * y * log(-1.0 * y + 1.0)) : 0.0 * y;
}

/// The principal stretches are half the sum and difference of √(tr C ± 2 √det C).
template <class S>
S plain_strain_limit(const std::array<S, 9>& x, const MembraneTriangle& t,
                     const StrainLimitLaw::Moduli& m)
{
    using std::sqrt;
    const auto F = plain_gradient(x, t);
    const S a = plain_dot(F[0], F[0]), b = plain_dot(F[0], F[1]), c = plain_dot(F[1], F[1]);
    const S J = sqrt(a * c - b * b), sum = sqrt(a + c + 2.0 * J), apart = sqrt(a + c - 2.0 * J);
    const double range = 1 / (m.limit - 1);
    return (t.area * m.stiffness) * (plain_limit_barrier(range * (0.5 * (sum + apart) - 1.0)) +
                                     plain_limit_barrier(range * (0.5 * (sum - apart) - 1.0)));
}

/// η(z; m) − z
template <class S> S plain_excess(const S& z, double m)
{
    using std::log;
    return -m * log((-1 / m) * z + 1.0) - z;
}

template <class S>
S plain_directional_limit(const std::array<S, 9>& x, const MembraneTriangle& t,
                          const DirectionalLimitLaw::Moduli& m)
{
    const auto F = plain_gradient(x, t);
    const S u = 0.5 * (plain_dot(F[0], F[0]) - 1.0), v = 0.5 * (plain_dot(F[1], F[1]) - 1.0);
    const S gamma = plain_dot(F[0], F[1]);
    return t.area * ((0.5 * m.warp_stiffness) * plain_excess(u * u, m.warp * m.warp) +
                     (0.5 * m.weft_stiffness) * plain_excess(v * v, m.weft * m.weft) +
                     m.mixed_stiffness * plain_excess(u * v, m.warp * m.weft) +
                     (0.5 * m.shear) * plain_excess(gamma * gamma, m.gamma * m.gamma));
}

/// Between two points. For S with a member `value`.
template <class S> S plain_link(const std::array<S, 6>& x, const LinkLaw& law)
{
    using std::sqrt;
    const Plain3<S> d = plain_minus(plain_vertex(x, 0), plain_vertex(x, 1));
    const S C = sqrt(plain_dot(d, d)) - law.rest_length;
    return (0.5 * (C.value > 0 ? law.stretch : law.compression)) * C * C;
}

/// Drag for a lagged D; lift is a constant force.
template <class S>
S plain_air_drag(const std::array<S, 9>& x, const Vec9& x_star, double h, const Mat3& D,
                 const Vec3& wind)
{
    Plain3<S> u;
    for (std::size_t i = 0; i < 3; ++i) {
        const Eigen::Index k = Eigen::Index(i);
        const double star = (x_star[k] + x_star[3 + k] + x_star[6 + k]) / 3;
        u[i] = (1 / h) * ((1.0 / 3) * (x[i] + x[3 + i] + x[6 + i]) - star) - wind[k];
    }
    Plain3<S> Du;
    for (std::size_t i = 0; i < 3; ++i) {
        const Eigen::Index k = Eigen::Index(i);
        Du[i] = D(k, 0) * u[0] + D(k, 1) * u[1] + D(k, 2) * u[2];
    }
    return (0.5 * h) * plain_dot(u, Du);
}

/// −p times what a triangle adds to the volume of its chamber.
template <class S> S plain_pressure(const std::array<S, 9>& x, double pressure)
{
    return (-pressure / 6) *
           plain_dot(plain_vertex(x, 0), plain_cross(plain_vertex(x, 1), plain_vertex(x, 2)));
}

} // namespace selvage
