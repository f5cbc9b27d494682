#pragma once

#include "core/energy/rod_element.h"
#include "core/energy/term.h"
#include "core/math/psd.h"

namespace selvage
{

/// Bending at a point of a rod, anisotropic, with natural curvature [Bergou et al. 2010]:
///   E = ½ (κ − κ̄)ᵀ B (κ − κ̄) / l̄   [J]
///   κ1 = ½ (m2_e + m2_f)·κb,   κ2 = −½ (m1_e + m1_f)·κb,   κb = 2 t_e × t_f / (1 + t_e·t_f)
/// κ is the turning angle at the point, as 2 tan(φ/2), in the axes of the section; κ̄ its rest
/// value. B [N·m²] is symmetric: Young's modulus × second moments of area, diag(E π a³ b/4,
/// E π a b³/4) for an ellipse of half axes a along m1 and b along m2 (κ1 bends about m2). l̄ [m] is
/// the length of rod that bends here, half of each adjacent edge.
/// Second derivatives, with w = B(κ − κ̄)/l̄ and Greek letters as in RodVertex, follow from
/// differentiating ∂κ1/∂e = (−κ1 t̃ + t_f × m̃2)/‖e‖ and its kin along transported frames.

template <class T> struct RodBendLaw {
    Sym2T<T> stiffness; ///< B/l̄ [N·m]
    T curvature_1_rest; ///< κ̄1
    T curvature_2_rest; ///< κ̄2
};

template <class T> SELVAGE_INLINE void rod_curvature(const RodVertex<T>& v, T& k1, T& k2)
{
    k1 = T(0.5) * dot(v.binormal, v.m2_e + v.m2_f);
    k2 = T(-0.5) * dot(v.binormal, v.m1_e + v.m1_f);
}

/// Derivatives of ½ κb·(d_e + d_f), where d_e, d_f belong to the frames and turn into c_e, c_f.
template <class T>
SELVAGE_INLINE RodGradient<T> rod_curvature_gradient(const RodVertex<T>& v, const T& k,
                                                     const Vec3T<T>& d_e, const Vec3T<T>& d_f,
                                                     const Vec3T<T>& c_e, const Vec3T<T>& c_f)
{
    const Vec3T<T> D = v.inverse_chi * (d_e + d_f);
    return {v.inverse_e * (cross(v.t_f, D) - k * v.tilde),
            v.inverse_f * (-cross(v.t_e, D) - k * v.tilde), T(0.5) * dot(v.binormal, c_e),
            T(0.5) * dot(v.binormal, c_f)};
}

/// Adds Σ w_a ∂²κ_a: with d = w1 m2 − w2 m1 on each edge it is that of k = ½ κb·(d_e + d_f).
template <class T>
SELVAGE_INLINE void add_curvature_hessian(const RodVertex<T>& v, const T& w1, const T& w2,
                                          RodHessian<T>& h)
{
    const T half(0.5), quarter(0.25), two(2.0);
    const Vec3T<T> d_e = w1 * v.m2_e - w2 * v.m1_e, d_f = w1 * v.m2_f - w2 * v.m1_f;
    const Vec3T<T> c_e = -(w1 * v.m1_e + w2 * v.m2_e), c_f = -(w1 * v.m1_f + w2 * v.m2_f);
    const T k = half * dot(v.binormal, d_e + d_f);
    const Vec3T<T> D = v.inverse_chi * (d_e + d_f);
    const Vec3T<T> A = cross(v.t_f, D), B = cross(v.t_e, D), t = v.tilde;
    const T ee = v.inverse_e * v.inverse_e, ff = v.inverse_f * v.inverse_f,
            ef = v.inverse_e * v.inverse_f, kx = k * v.inverse_chi;

    // k t̃t̃ᵀ − A t̃ᵀ + ¼ κb dᵀ plus its transpose, and −k/χ (I − t tᵀ).
    const auto same = [&](const Vec3T<T>& across, const Vec3T<T>& d, const Vec3T<T>& tangent) {
        const Mat3T<T> half_sum = outer(k * t - across, t) + outer(quarter * v.binormal, d) +
                                  outer((half * kx) * tangent, tangent);
        Mat3T<T> sum = half_sum + transposed(half_sum);
        sum.m[0] = sum.m[0] - kx, sum.m[4] = sum.m[4] - kx, sum.m[8] = sum.m[8] - kx;
        return sum;
    };
    h.ee = h.ee + ee * same(A, d_e, v.t_e);
    h.ff = h.ff + ff * same(-B, d_f, v.t_f);
    Mat3T<T> mixed = outer(two * k * t - A, t) + outer(t, B) - outer(kx * v.t_e, v.t_f);
    mixed.m[0] = mixed.m[0] - kx, mixed.m[4] = mixed.m[4] - kx, mixed.m[8] = mixed.m[8] - kx;
    mixed.m[1] = mixed.m[1] + D.z, mixed.m[2] = mixed.m[2] - D.y, mixed.m[5] = mixed.m[5] + D.x;
    mixed.m[3] = mixed.m[3] - D.z, mixed.m[6] = mixed.m[6] + D.y, mixed.m[7] = mixed.m[7] - D.x;
    h.ef = h.ef + ef * mixed;

    const T ka = half * dot(v.binormal, c_e), kb = half * dot(v.binormal, c_f);
    h.ea = h.ea + v.inverse_e * (v.inverse_chi * cross(v.t_f, c_e) - ka * t);
    h.eb = h.eb + v.inverse_e * (v.inverse_chi * cross(v.t_f, c_f) - kb * t);
    h.fa = h.fa - v.inverse_f * (v.inverse_chi * cross(v.t_e, c_e) + ka * t);
    h.fb = h.fb - v.inverse_f * (v.inverse_chi * cross(v.t_e, c_f) + kb * t);
    h.aa = h.aa - half * dot(v.binormal, d_e);
    h.bb = h.bb - half * dot(v.binormal, d_f);
}

/// Adds energy, and gradient and exact Hessian as wanted.
template <class T>
SELVAGE_INLINE void add_rod_bend(const RodVertex<T>& v, const RodBendLaw<T>& law, Want want,
                                 RodResult<T>& r)
{
    T k1, k2;
    rod_curvature(v, k1, k2);
    const T s1 = k1 - law.curvature_1_rest, s2 = k2 - law.curvature_2_rest;
    const Sym2T<T>& B = law.stiffness;
    const T w1 = B.aa * s1 + B.ab * s2, w2 = B.ab * s1 + B.bb * s2;
    r.energy = r.energy + T(0.5) * (w1 * s1 + w2 * s2);
    if (!want.gradient && !want.hessian) return;
    const RodGradient<T> g1 = rod_curvature_gradient(v, k1, v.m2_e, v.m2_f, -v.m1_e, -v.m1_f);
    const RodGradient<T> g2 = rod_curvature_gradient(v, k2, -v.m1_e, -v.m1_f, -v.m2_e, -v.m2_f);
    add_scaled(r.gradient, w1, g1);
    add_scaled(r.gradient, w2, g2);
    if (!want.hessian) return;
    RodGradient<T> b1{}, b2{};
    b1 = {B.aa * g1.e + B.ab * g2.e, B.aa * g1.f + B.ab * g2.f, B.aa * g1.a + B.ab * g2.a,
          B.aa * g1.b + B.ab * g2.b};
    b2 = {B.ab * g1.e + B.bb * g2.e, B.ab * g1.f + B.bb * g2.f, B.ab * g1.a + B.bb * g2.a,
          B.ab * g1.b + B.bb * g2.b};
    add_product(r.hessian, g1, b1);
    add_product(r.hessian, g2, b2);
    add_curvature_hessian(v, w1, w2, r.hessian);
}

} // namespace selvage
