#pragma once

#include "core/energy/tet_term.h"
#include "core/math/jacobi.h"
#include "core/math/svd3.h"

namespace selvage
{

/// Invariants of F in its signed singular values (Smith's, and the squared cofactor):
///   I1 = σ_0 + σ_1 + σ_2,  I2 = ‖F‖²,  I3 = det F,  I4 = ‖cof F‖² = ½(‖F‖⁴ − ‖FᵀF‖²).
/// I1 needs the singular values and is 0 for laws that do not use it.
template <class T> struct SolidInvariants {
    T I1, I2, I3, I4;
};

/// ψ and its derivatives in the invariants; I4 may enter linearly only.
template <class T> struct InvariantDerivatives {
    T psi = T(0.0), p1 = T(0.0), p2 = T(0.0), p3 = T(0.0), p4 = T(0.0);
    T p11 = T(0.0), p22 = T(0.0), p33 = T(0.0), p12 = T(0.0), p13 = T(0.0), p23 = T(0.0);
};

/// ψ, P, and ∂²ψ/∂F² in the frames U, V of the singular values [Kim & Eberle 2022, ch. 7]:
///   span of u_i v_iᵀ            A_ij = ∂²ψ/∂σ_i∂σ_j
///   (u_a v_bᵀ − u_b v_aᵀ)/√2    twist_c = 2p1/(σ_a + σ_b) + 2p2 + σ_c p3 + 2p4 (σ_aσ_b + σ_c²)
///   (u_a v_bᵀ + u_b v_aᵀ)/√2    flip_c  = 2p2 − σ_c p3 + 2p4 (σ_c² − σ_aσ_b)
/// each keyed by the axis c across its plane ab.
template <class T> struct IsotropicResponse {
    T psi;
    Vec3T<T> P[3];
    Svd3T<T> svd;
    T A[3][3];
    T same[3], across[3]; ///< (flip ± twist)/2

    /// Σ_jl g_j h_l ∂²ψ/∂F_j∂F_l = U K Uᵀ.
    SELVAGE_INLINE Mat3T<T> block(const Vec3T<T>& g, const Vec3T<T>& h) const
    {
        const T a[3] = {dot(g, svd.v[0]), dot(g, svd.v[1]), dot(g, svd.v[2])};
        const T b[3] = {dot(h, svd.v[0]), dot(h, svd.v[1]), dot(h, svd.v[2])};
        T K[3][3];
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            K[i][i] = A[i][i] * a[i] * b[i] + same[k] * a[j] * b[j] + same[j] * a[k] * b[k];
            K[i][j] = A[i][j] * a[i] * b[j] + across[k] * a[j] * b[i];
            K[i][k] = A[i][k] * a[i] * b[k] + across[j] * a[k] * b[i];
        }
        Mat3T<T> sum =
            outer(svd.u[0], K[0][0] * svd.u[0] + K[0][1] * svd.u[1] + K[0][2] * svd.u[2]);
        for (int i = 1; i < 3; ++i)
            assign(sum, sum + outer(svd.u[i],
                                    K[i][0] * svd.u[0] + K[i][1] * svd.u[1] + K[i][2] * svd.u[2]));
        return sum;
    }
};

/// Fills A, same and across from σ and the derivatives.
template <class T>
SELVAGE_INLINE void isotropic_eigensystem(const SolidInvariants<T>& inv,
                                          const InvariantDerivatives<T>& d, Psd psd,
                                          IsotropicResponse<T>& out)
{
    const T two(2.0), four(4.0), zero(0.0), half(0.5);
    const T* s = out.svd.sigma;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const T sij = s[i] * s[j], sjk = s[j] * s[k], sii = s[i] * s[i], sjj = s[j] * s[j],
                skk = s[k] * s[k];
        out.A[i][i] = two * d.p2 + d.p11 + four * sii * d.p22 + sjk * sjk * d.p33 +
                      four * s[i] * d.p12 + four * inv.I3 * d.p23 + two * sjk * d.p13 +
                      two * (sjj + skk) * d.p4;
        out.A[i][j] = out.A[j][i] = s[k] * d.p3 + d.p11 + four * sij * d.p22 +
                                    s[k] * inv.I3 * d.p33 + two * s[k] * (sii + sjj) * d.p23 +
                                    (s[i] + s[j]) * (s[k] * d.p13 + two * d.p12) +
                                    four * sij * d.p4;
        // A perfect reflection has σ_a + σ_b = 0; its direction is noise below 1e-8.
        T twist = two * d.p1 / maximum(s[i] + s[j], T(1e-8)) + two * d.p2 + s[k] * d.p3 +
                  two * (sij + skk) * d.p4;
        T flip = two * d.p2 - s[k] * d.p3 + two * (skk - sij) * d.p4;
        if (psd == Psd::clamp) twist = maximum(twist, zero), flip = maximum(flip, zero);
        out.same[k] = half * (flip + twist), out.across[k] = half * (flip - twist);
    }
    if (psd == Psd::clamp) clamp_psd<T, 3>(out.A);
}

/// Base of isotropic laws. Law gives Moduli, numbers, pack, name, injective, and
///   static constexpr bool uses_stretch;   // I1: needs singular values for energy and stress
///   template <class T> static InvariantDerivatives<T> density(const SolidInvariants<T>&,
///                                                             const T* numbers);
/// Psd::clamp equals eigenvalue clamping of ∂²ψ/∂F².
template <class Law> struct IsotropicSolid {
    template <class T> using Response = IsotropicResponse<T>;

    template <class T>
    SELVAGE_INLINE static void respond(const Vec3T<T> (&F)[3], const T* numbers, Want want,
                                       Response<T>& out)
    {
        const Vec3T<T> cofactor[3] = {cross(F[1], F[2]), cross(F[2], F[0]), cross(F[0], F[1])};
        SolidInvariants<T> inv;
        inv.I1 = T(0.0);
        inv.I2 = dot(F[0], F[0]) + dot(F[1], F[1]) + dot(F[2], F[2]);
        inv.I3 = dot(F[0], cofactor[0]);
        inv.I4 = dot(cofactor[0], cofactor[0]) + dot(cofactor[1], cofactor[1]) +
                 dot(cofactor[2], cofactor[2]);
        if (Law::uses_stretch || want.hessian) out.svd = svd3(F);
        if (Law::uses_stretch) inv.I1 = out.svd.sigma[0] + out.svd.sigma[1] + out.svd.sigma[2];
        const InvariantDerivatives<T> d = Law::density(inv, numbers);
        out.psi = d.psi;
        if (want.gradient) {
            const T two(2.0);
            for (int j = 0; j < 3; ++j) {
                // ∂I4/∂F = 2 (I2 F − F FᵀF)
                const Vec3T<T> FC =
                    dot(F[0], F[j]) * F[0] + dot(F[1], F[j]) * F[1] + dot(F[2], F[j]) * F[2];
                out.P[j] =
                    (two * (d.p2 + d.p4 * inv.I2)) * F[j] + d.p3 * cofactor[j] - (two * d.p4) * FC;
            }
            if (Law::uses_stretch)
                for (int k = 0; k < 3; ++k) {
                    out.P[0] = out.P[0] + (d.p1 * out.svd.v[k].x) * out.svd.u[k];
                    out.P[1] = out.P[1] + (d.p1 * out.svd.v[k].y) * out.svd.u[k];
                    out.P[2] = out.P[2] + (d.p1 * out.svd.v[k].z) * out.svd.u[k];
                }
        }
        if (want.hessian) isotropic_eigensystem(inv, d, want.psd, out);
    }
};

} // namespace selvage
