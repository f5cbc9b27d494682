#pragma once

#include "core/energy/rod_element.h"
#include "core/energy/term.h"

namespace selvage
{

/// Twist at a point of a rod, with natural twist [Bergou et al. 2010]:
///   E = ½ C (m − m̄)² / l̄   [J]
/// m [rad] is the angle about f from m1_e, carried over to f by parallel transport, to m1_f. It is
/// known up to full turns; which one is told by a value it lies near (the twist a moment ago, plus
/// θ_f − θ_e). C [N·m²] is the torsional stiffness, shear modulus × J, J = π a³ b³/(a² + b²) for an
/// ellipse of half axes a, b; l̄ as for bending.
///   ∂m/∂e = κb/(2‖e‖),  ∂m/∂f = κb/(2‖f‖),  ∂m/∂θ_f = 1 = −∂m/∂θ_e

template <class T> struct RodTwistLaw {
    T stiffness;  ///< C/l̄ [N·m]
    T twist_rest; ///< m̄ [rad]
};

/// m [rad], on the turn nearest to `near`.
template <class T> SELVAGE_INLINE T rod_twist_angle(const RodVertex<T>& v, const T& near)
{
    const Vec3T<T> carried = transport(v.t_e, v.t_f, v.m1_e);
    const T x = dot(v.m1_f, carried), y = T(-1.0) * dot(v.m2_f, carried);
    const T angle = T(2.0) * arc_tangent(y, x + square_root(x * x + y * y));
    const T turn(2 * M_PI);
    return angle + turn * rounded((near - angle) / turn);
}

template <class T> SELVAGE_INLINE RodGradient<T> rod_twist_gradient(const RodVertex<T>& v)
{
    const Vec3T<T> half = T(0.5) * v.binormal;
    return {v.inverse_e * half, v.inverse_f * half, T(-1.0), T(1.0)};
}

/// Adds w ∂²m.
template <class T>
SELVAGE_INLINE void add_twist_hessian(const RodVertex<T>& v, const T& w, RodHessian<T>& h)
{
    const T quarter(0.25), half(0.5);
    const auto same = [&](const Vec3T<T>& t, const T& inverse) {
        const Mat3T<T> product = outer((quarter * w * inverse * inverse) * v.binormal, t + v.tilde);
        return product + transposed(product);
    };
    h.ee = h.ee - same(v.t_e, v.inverse_e);
    h.ff = h.ff - same(v.t_f, v.inverse_f);
    const Vec3T<T> t = v.inverse_chi * v.t_e;
    Mat3T<T> mixed = outer(-(half * v.binormal), v.tilde);
    mixed.m[1] = mixed.m[1] - t.z, mixed.m[2] = mixed.m[2] + t.y, mixed.m[5] = mixed.m[5] - t.x;
    mixed.m[3] = mixed.m[3] + t.z, mixed.m[6] = mixed.m[6] - t.y, mixed.m[7] = mixed.m[7] + t.x;
    h.ef = h.ef + (w * v.inverse_e * v.inverse_f) * mixed;
}

/// Adds energy, and gradient and exact Hessian as wanted.
template <class T>
SELVAGE_INLINE void add_rod_twist(const RodVertex<T>& v, const T& twist, const RodTwistLaw<T>& law,
                                  Want want, RodResult<T>& r)
{
    const T s = twist - law.twist_rest, w = law.stiffness * s;
    r.energy = r.energy + T(0.5) * w * s;
    if (!want.gradient && !want.hessian) return;
    const RodGradient<T> g = rod_twist_gradient(v);
    add_scaled(r.gradient, w, g);
    if (!want.hessian) return;
    const T k = law.stiffness;
    add_product(r.hessian, g, RodGradient<T>{k * g.e, k * g.f, k * g.a, k * g.b});
    add_twist_hessian(v, w, r.hessian);
}

} // namespace selvage
