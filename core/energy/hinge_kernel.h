#pragma once

#include "core/energy/element.h"
#include "core/energy/hinge_bending.h"
#include "core/energy/term.h"
#include "core/math/psd.h"

namespace selvage
{

// The kernel behind hinge_bending.h, where the formulas and letters are explained.

/// Smallest cos(θ/2) that the tangent form divides by: keeps its energy finite, if huge, at ±π.
inline constexpr double least_half_cosine = 1e-9;

/// Altitudes below this share of the rest altitude have no usable derivatives.
inline constexpr double degenerate_altitude = 1e-8;

/// How much rather a clamp stiffens strains than turns, see hinge_bending.h.
inline constexpr double strain_share = 300;

template <class T> struct HingeGeometry {
    Vec3T<T> e, n_a, n_b, r_a, r_b; ///< unit: edge, normals, from the edge to x0 and x3
    T inverse_length;               ///< 1/‖e‖
    T inverse_a, inverse_b;         ///< 1/ρ, 1/ρ̃
    T foot_a, foot_b;               ///< c, c̃
    T cosine, sine;                 ///< of θ
    T half_cosine, half_sine;       ///< of θ/2; half_cosine >= 0
    T inverse_half;                 ///< 1 / (2 max(|half_cosine|, |half_sine|))
    T usable;                       ///< 1, or 0 where degenerate (then the rest is finite but void)
};

template <class T>
SELVAGE_INLINE HingeGeometry<T> hinge_geometry(const Vec3T<T> (&x)[4], const T& least_altitude)
{
    HingeGeometry<T> g;
    const Vec3T<T> e = x[2] - x[1], a = x[0] - x[1], b = x[3] - x[1];
    const Vec3T<T> area_a = cross(e, a), area_b = cross(b, e);
    const T one(1.0), half(0.5), least = least_altitude * least_altitude;
    T l2 = dot(e, e), a2 = dot(area_a, area_a), b2 = dot(area_b, area_b);
    const auto bad = (l2 < least) || (a2 < least * l2) || (b2 < least * l2) || (l2 == T(0.0)) ||
                     (a2 == T(0.0)) || (b2 == T(0.0));
    g.usable = select(bad, T(0.0), one);
    l2 = select(bad, one, l2), a2 = select(bad, one, a2), b2 = select(bad, one, b2);

    const T length = square_root(l2);
    const T unit_a = one / square_root(a2), unit_b = one / square_root(b2);
    const T inverse_l2 = one / l2;
    g.inverse_length = length * inverse_l2;
    g.inverse_a = length * unit_a, g.inverse_b = length * unit_b;
    g.e = g.inverse_length * e, g.n_a = unit_a * area_a, g.n_b = unit_b * area_b;
    g.r_a = cross(g.n_a, g.e), g.r_b = cross(g.e, g.n_b);
    g.foot_a = dot(a, e) * inverse_l2, g.foot_b = dot(b, e) * inverse_l2;

    // Half angles without cancellation: the larger by a root, the smaller by a quotient.
    g.cosine = dot(g.n_a, g.n_b), g.sine = dot(cross(g.n_a, g.n_b), g.e);
    const T large = square_root(half * (one + absolute(g.cosine)));
    g.inverse_half = half / large;
    const T small = absolute(g.sine) * g.inverse_half;
    const auto open = g.cosine >= T(0.0);
    g.half_cosine = select(open, large, small);
    const T size = select(open, small, large);
    g.half_sine = select(g.sine < T(0.0), -size, size);
    return g;
}

/// ∇θ.
template <class T>
SELVAGE_INLINE void hinge_angle_gradient(const HingeGeometry<T>& g, Vec3T<T> (&d)[4])
{
    const T one(1.0);
    const Vec3T<T> a = g.inverse_a * g.n_a, b = g.inverse_b * g.n_b;
    d[0] = -a, d[3] = -b;
    d[1] = (one - g.foot_a) * a + (one - g.foot_b) * b;
    d[2] = g.foot_a * a + g.foot_b * b;
}

/// Clamps a form in a turn (first) and a strain (second), both dimensionless, so that what must be
/// added goes to the strain, which the membrane resists anyway.
template <class T> SELVAGE_INLINE Sym2T<T> clamp_by_strain(const Sym2T<T>& q)
{
    const T w(strain_share), one_over(1.0 / strain_share);
    const Sym2T<T> c = clamp_psd(Sym2T<T>{q.aa * w, q.ab, q.bb * one_over});
    return {c.aa * one_over, c.ab, c.bb * w};
}

/// The form q(a, b) in the variables a and b′ = b − t a.
template <class T> SELVAGE_INLINE Sym2T<T> shifted(const Sym2T<T>& q, const T& t)
{
    const T ab = q.ab + t * q.bb;
    return {q.aa + t * (q.ab + ab), ab, q.bb};
}

/// α nnᵀ + β (nrᵀ + rnᵀ) + γ rrᵀ + δ eeᵀ.
template <class T>
SELVAGE_INLINE Mat3T<T> symmetric_form(const Vec3T<T>& n, const Vec3T<T>& r, const Vec3T<T>& e,
                                       const T& alpha, const T& beta, const T& gamma,
                                       const T& delta)
{
    const Vec3T<T> u = alpha * n + beta * r, v = beta * n + gamma * r, w = delta * e;
    const T xy = n.x * u.y + r.x * v.y + e.x * w.y, xz = n.x * u.z + r.x * v.z + e.x * w.z,
            yz = n.y * u.z + r.y * v.z + e.y * w.z;
    return {{n.x * u.x + r.x * v.x + e.x * w.x, xy, xz, xy, n.y * u.y + r.y * v.y + e.y * w.y, yz,
             xz, yz, n.z * u.z + r.z * v.z + e.z * w.z}};
}

/// d2 ∇θ∇θᵀ + d1 Hess θ, or its clamp.
template <class T>
SELVAGE_INLINE void hinge_hessian(const HingeGeometry<T>& g, const T& d1, const T& d2, Psd psd,
                                  ElementResult<T, 4>& out)
{
    const T zero(0.0), half(0.5), one(1.0), two(2.0);
    // The four forms of two variables: (p, S), (s, P), (N·V, Z₊), (R·V, Z₋).
    Sym2T<T> pS{d2, half * d1, zero}, sP{zero, half * d1, zero};
    Sym2T<T> NZ{-d1 * g.sine, d1 * g.half_cosine, zero}, RZ{d1 * g.sine, d1 * g.half_sine, zero};
    if (psd == Psd::clamp) {
        pS = clamp_by_strain(pS);
        sP = clamp_by_strain(sP);
        NZ = shifted(clamp_by_strain(shifted(NZ, two * g.half_sine)), -two * g.half_sine);
        RZ = shifted(clamp_by_strain(shifted(RZ, -two * g.half_cosine)), two * g.half_cosine);
    }

    // Blocks over the variations A, B, V.
    const T a1 = pS.aa + sP.aa, a2 = pS.ab + sP.ab, a3 = pS.bb + sP.bb, a4 = NZ.bb + RZ.bb;
    const Mat3T<T> AA = symmetric_form(g.n_a, g.r_a, g.e, a1, a2, a3, a4);
    const Mat3T<T> BB = symmetric_form(g.n_b, g.r_b, g.e, a1, a2, a3, a4);
    const T b1 = pS.aa - sP.aa, b2 = pS.ab - sP.ab, b3 = pS.bb - sP.bb, b4 = NZ.bb - RZ.bb;
    const Mat3T<T> AB = outer(g.n_a, b1 * g.n_b + b2 * g.r_b) +
                        outer(g.r_a, b2 * g.n_b + b3 * g.r_b) + outer(g.e, b4 * g.e);
    const auto open = g.cosine >= zero;
    const T turn = select(g.sine < zero, -g.inverse_half, g.inverse_half);
    const Vec3T<T> N = select(open, g.inverse_half * (g.n_a + g.n_b), -turn * (g.r_a + g.r_b));
    const Vec3T<T> R = select(open, g.inverse_half * (g.r_a - g.r_b), turn * (g.n_a - g.n_b));
    const Vec3T<T> AV = NZ.ab * N + RZ.ab * R, BV = NZ.ab * N - RZ.ab * R; // AV stands for e ⊗ AV

    // Row of x1, then the others: x0 and x3 by scaling, x2 because rows sum to zero.
    const T wa = (g.foot_a - one) * g.inverse_a, wb = (g.foot_b - one) * g.inverse_b,
            wv = -g.inverse_length;
    const Mat3T<T> A1 = wa * AA + wb * AB + outer(wv * g.e, AV);
    const Mat3T<T> B1 = wa * transposed(AB) + wb * BB + outer(wv * g.e, BV);
    const Mat3T<T> V1 =
        outer(wa * AV + wb * BV, g.e) + outer((wv * NZ.aa) * N, N) + outer((wv * RZ.aa) * R, R);
    const T minus(-1.0);
    const Mat3T<T> H00 = (g.inverse_a * g.inverse_a) * AA, H03 = (g.inverse_a * g.inverse_b) * AB,
                   H33 = (g.inverse_b * g.inverse_b) * BB, H01 = g.inverse_a * A1,
                   H13 = transposed(g.inverse_b * B1), H11 = wa * A1 + wb * B1 + wv * V1;
    const Mat3T<T> H02 = minus * (H00 + H01 + H03), H23 = minus * (H33 + H13 + H03),
                   H12 = minus * (transposed(H01) + H11 + H13);
    assign(out.block(0, 0), H00), assign(out.block(0, 1), H01), assign(out.block(0, 2), H02);
    assign(out.block(0, 3), H03), assign(out.block(1, 1), H11), assign(out.block(1, 2), H12);
    assign(out.block(1, 3), H13), assign(out.block(2, 3), H23), assign(out.block(3, 3), H33);
    assign(out.block(2, 2), minus * (transposed(H02) + transposed(H12) + H23));
}

/// φ, φ′, φ″.
template <class T> struct BendMeasure {
    T value, first, second;
};

template <BendingForm form, class T>
SELVAGE_INLINE BendMeasure<T> bend_measure(const T& half_cosine, const T& half_sine)
{
    if constexpr (form == BendingForm::angle) {
        return {T(2.0) * arc_tangent(half_sine, half_cosine), T(1.0), T(0.0)};
    } else {
        const T t = half_sine / maximum(half_cosine, T(least_half_cosine));
        const T first = T(1.0) + t * t;
        return {T(2.0) * t, first, t * first};
    }
}

/// φ of an angle given as such.
inline double bend_measure_of(BendingForm form, double angle)
{
    return form == BendingForm::angle ? angle : 2 * std::tan(0.5 * angle);
}

template <class T> struct HingeMaterial {
    T stiffness;      ///< k a
    T rest;           ///< φ(θ̄)
    T least_altitude; ///< below: degenerate
    T damping;        ///< b
    T lagged;         ///< φ(θ̂)
};

template <BendingForm form, class T>
SELVAGE_INLINE void hinge_kernel(const Vec3T<T> (&x)[4], const HingeMaterial<T>& m, Want want,
                                 ElementResult<T, 4>& out)
{
    const HingeGeometry<T> g = hinge_geometry(x, m.least_altitude);
    const BendMeasure<T> phi = bend_measure<form>(g.half_cosine, g.half_sine);
    const T K = g.usable * m.stiffness, one(1.0), two(2.0);
    const T elastic = phi.value - m.rest, viscous = phi.value - m.lagged;
    if (want.energy) out.energy = K * (elastic * elastic + m.damping * viscous * viscous);
    const T moment = two * K * (elastic + m.damping * viscous);
    const T d1 = moment * phi.first;
    if (want.gradient) {
        hinge_angle_gradient(g, out.gradient);
        for (Vec3T<T>& d : out.gradient) d = d1 * d;
    }
    if (want.hessian) {
        const T d2 = two * K * (one + m.damping) * phi.first * phi.first + moment * phi.second;
        hinge_hessian(g, d1, d2, want.psd, out);
    }
}

} // namespace selvage
