#pragma once

#include "core/energy/baraff_witkin_membrane.h"
#include "core/energy/hinge_bending.h"
#include "core/energy/neo_hookean_membrane.h"
#include "core/energy/shape_operator_bending.h"
#include "core/energy/spline_membrane.h"
#include "core/energy/stvk_membrane.h"

#include <array>
#include <cmath>

/// Energies as the books print them, for any scalar type: with Dual2 they give derivatives that
/// share nothing with the kernels.
namespace selvage
{

template <class S> using Plain3 = std::array<S, 3>;

template <class S, std::size_t N> Plain3<S> plain_vertex(const std::array<S, N>& x, std::size_t i)
{
    return {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
}
template <class S> Plain3<S> plain_minus(const Plain3<S>& a, const Plain3<S>& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class S> S plain_dot(const Plain3<S>& a, const Plain3<S>& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class S> Plain3<S> plain_cross(const Plain3<S>& a, const Plain3<S>& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Images of warp and weft.
template <class S>
std::array<Plain3<S>, 2> plain_gradient(const std::array<S, 9>& x, const MembraneTriangle& t)
{
    const Plain3<S> e1 = plain_minus(plain_vertex(x, 1), plain_vertex(x, 0));
    const Plain3<S> e2 = plain_minus(plain_vertex(x, 2), plain_vertex(x, 0));
    std::array<Plain3<S>, 2> F;
    for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t i = 0; i < 3; ++i)
            F[c][i] = e1[i] * t.inverse_rest(0, int(c)) + e2[i] * t.inverse_rest(1, int(c));
    return F;
}

template <class S>
S plain_neo_hookean_membrane(const std::array<S, 9>& x, const MembraneTriangle& t,
                             const NeoHookeanMembrane::Moduli& m)
{
    using std::log;
    const auto F = plain_gradient(x, t);
    const S a = plain_dot(F[0], F[0]), b = plain_dot(F[0], F[1]), c = plain_dot(F[1], F[1]);
    const S log_J = 0.5 * log(a * c - b * b);
    return t.area *
           ((0.5 * m.mu) * (a + c - 2.0) - m.mu * log_J + (0.5 * m.lambda) * log_J * log_J);
}

template <class S>
S plain_baraff_witkin(const std::array<S, 9>& x, const MembraneTriangle& t,
                      const BaraffWitkinModuli& m)
{
    using std::sqrt;
    const auto F = plain_gradient(x, t);
    const S p = sqrt(plain_dot(F[0], F[0])), q = sqrt(plain_dot(F[1], F[1]));
    const S C = plain_dot(F[0], F[1]) / (p * q), u = p - 1.0, v = q - 1.0;
    return (0.5 * t.area) * (m.warp * u * u + m.weft * v * v + m.shear * C * C);
}

/// In natural strains, along warp and weft and between them.
template <class S>
S plain_stvk_membrane(const std::array<S, 9>& x, const MembraneTriangle& t, const MembraneModuli& m)
{
    const auto F = plain_gradient(x, t);
    const S u = 0.5 * (plain_dot(F[0], F[0]) - 1.0), v = 0.5 * (plain_dot(F[1], F[1]) - 1.0);
    const S gamma = plain_dot(F[0], F[1]);
    const double one = 1 - m.poisson * m.poisson * m.young_weft / m.young_warp;
    return t.area * ((0.5 * m.young_warp / one) * u * u + (0.5 * m.young_weft / one) * v * v +
                     (m.poisson * m.young_weft / one) * u * v + (0.5 * m.shear) * gamma * gamma);
}

/// Curves of a fabric and its Poisson ratio, see spline_membrane.h.
struct PlainFabric {
    FabricCurve warp, weft, shear;
    double poisson;
};

/// W(e) with its first two derivatives at e: exact to second order.
template <class S> S plain_integral(const FabricCurve& curve, const S& e)
{
    const MonotoneCurve::Value at = curve(e.value);
    const S d = e - e.value;
    return at.integral + at.y * d + (0.5 * at.slope) * d * d;
}

/// For S with a member `value`.
template <class S>
S plain_spline_membrane(const std::array<S, 9>& x, const MembraneTriangle& t, const PlainFabric& f)
{
    const auto F = plain_gradient(x, t);
    const S e_u = 0.5 * (plain_dot(F[0], F[0]) - 1.0), e_v = 0.5 * (plain_dot(F[1], F[1]) - 1.0);
    const S gamma = plain_dot(F[0], F[1]);
    const double Y_u = f.warp.modulus(), Y_v = f.weft.modulus(), nu = f.poisson;
    const double back = nu * Y_v / Y_u, one = 1 - nu * back, a = nu * Y_v / one;
    const S W_u = e_u.value < 0 ? (0.5 * Y_u / one) * e_u * e_u
                                : plain_integral(f.warp, e_u) + (0.5 * a * nu) * e_u * e_u;
    const S W_v = e_v.value < 0 ? (0.5 * Y_v / one) * e_v * e_v
                                : plain_integral(f.weft, e_v) + (0.5 * a * back) * e_v * e_v;
    const S W_s = plain_integral(f.shear, gamma.value < 0 ? -1.0 * gamma : gamma);
    return t.area * (W_u + W_v + a * e_u * e_v + W_s);
}

/// The sum of the singular values of F is √(tr C + 2√det C).
template <class S>
S plain_arap_membrane(const std::array<S, 9>& x, const MembraneTriangle& t, double stiffness)
{
    using std::sqrt;
    const auto F = plain_gradient(x, t);
    const S a = plain_dot(F[0], F[0]), b = plain_dot(F[0], F[1]), c = plain_dot(F[1], F[1]);
    const S sum = sqrt(a + c + 2.0 * sqrt(a * c - b * b));
    return (0.5 * t.area * stiffness) * (a + c - 2.0 * sum + 2.0);
}

/// Signed angle of a hinge, see hinge_bending.h.
template <class S> S plain_hinge_angle(const std::array<S, 12>& x)
{
    using std::atan2;
    using std::sqrt;
    const Plain3<S> x0 = plain_vertex(x, 0), x1 = plain_vertex(x, 1), x2 = plain_vertex(x, 2),
                    x3 = plain_vertex(x, 3);
    const Plain3<S> e = plain_minus(x2, x1);
    const Plain3<S> n = plain_cross(plain_minus(x1, x0), plain_minus(x2, x0));
    const Plain3<S> m = plain_cross(plain_minus(x2, x3), plain_minus(x1, x3));
    return atan2(plain_dot(plain_cross(n, m), e), sqrt(plain_dot(e, e)) * plain_dot(n, m));
}

template <class S>
S plain_hinge_bending(const std::array<S, 12>& x, const HingeElement& h, BendingForm form)
{
    using std::tan;
    const S theta = plain_hinge_angle(x);
    const S d = form == BendingForm::angle
                    ? theta - h.rest_angle
                    : 2.0 * tan(0.5 * theta) - (2 * std::tan(0.5 * h.rest_angle));
    return h.stiffness * d * d;
}

/// ½ φᵀKφ with the angles of the three edges, see shape_operator_bending.h; all have neighbours and
/// are flat at rest.
template <class S> S plain_shape_operator(const std::array<S, 18>& x, const ShapeTriangle& t)
{
    std::array<S, 3> phi;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t at[4] = {i, (i + 1) % 3, (i + 2) % 3, 3 + i};
        std::array<S, 12> hinge;
        for (std::size_t v = 0; v < 4; ++v)
            for (std::size_t c = 0; c < 3; ++c) hinge[3 * v + c] = x[3 * at[v] + c];
        phi[i] = plain_hinge_angle(hinge);
    }
    const auto& k = t.stiffness;
    return 0.5 * (k[0] * phi[0] * phi[0] + k[3] * phi[1] * phi[1] + k[5] * phi[2] * phi[2]) +
           k[1] * phi[0] * phi[1] + k[2] * phi[0] * phi[2] + k[4] * phi[1] * phi[2];
}

} // namespace selvage
