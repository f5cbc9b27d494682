#pragma once

#include "core/energy/membrane_element.h"
#include "core/math/psd.h"
#include "core/math/svd3.h"

namespace selvage
{

/// An isotropic density of a 3×2 F in its singular values, ψ(σ_0, σ_1), with the eigenvalues of
/// ∂²ψ/∂F² [Li 2020, §2.5 with F 3×2; Kim & Eberle 2022, ch. 7]:
///   in the span of u_i v_iᵀ                 the matrix A = ∂²ψ/∂σ_i∂σ_j,
///   on (u_1 v_0ᵀ + u_0 v_1ᵀ)/√2             flip   = (ψ_0 − ψ_1)/(σ_0 − σ_1),
///   on (u_1 v_0ᵀ − u_0 v_1ᵀ)/√2             twist  = (ψ_0 + ψ_1)/(σ_0 + σ_1),
///   on n v_iᵀ                               normal = ψ_i/σ_i (buckling: negative in compression).
/// Laws give the quotients in a form without 0/0.
template <class T> struct PrincipalMembrane {
    T psi, d[2];
    Sym2T<T> A;
    T flip, twist, normal[2];
};

template <class T>
SELVAGE_INLINE void isotropic_response(const Svd32T<T>& s, PrincipalMembrane<T>& p, Want want,
                                       MembraneResponse<T>& out)
{
    out.psi = p.psi;
    if (want.gradient)
        for (int j = 0; j < 2; ++j)
            out.P[j] = (p.d[0] * s.v[0][j]) * s.u[0] + (p.d[1] * s.v[1][j]) * s.u[1];
    if (!want.hessian) return;
    if (want.psd == Psd::clamp) {
        const T zero(0.0);
        p.A = clamp_psd(p.A);
        p.flip = maximum(p.flip, zero), p.twist = maximum(p.twist, zero);
        for (T& n : p.normal) n = maximum(n, zero);
    }
    // In the frame of the v_i; mean and difference of flip and twist act within and across.
    const T same = T(0.5) * (p.flip + p.twist), cross_over = T(0.5) * (p.flip - p.twist);
    const Mat3T<T> nn = outer(s.n, s.n), uu0 = outer(s.u[0], s.u[0]), uu1 = outer(s.u[1], s.u[1]);
    const Mat3T<T> G00 = p.A.aa * uu0 + same * uu1 + p.normal[0] * nn;
    const Mat3T<T> G11 = p.A.bb * uu1 + same * uu0 + p.normal[1] * nn;
    const Mat3T<T> u01 = outer(s.u[0], s.u[1]), u10 = transposed(u01);
    const Mat3T<T> G01 = p.A.ab * u01 + cross_over * u10;
    const Mat3T<T> G10 = p.A.ab * u10 + cross_over * u01;
    // Back to the columns of F.
    const T a = s.v[0][0], b = s.v[0][1], c = s.v[1][0], d = s.v[1][1];
    const Mat3T<T> both = G01 + G10;
    assign(out.H00, (a * a) * G00 + (a * c) * both + (c * c) * G11);
    assign(out.H01, (a * b) * G00 + (a * d) * G01 + (c * b) * G10 + (c * d) * G11);
    assign(out.H11, (b * b) * G00 + (b * d) * both + (d * d) * G11);
}

} // namespace selvage
