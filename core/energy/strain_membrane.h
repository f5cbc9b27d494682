#pragma once

#include "core/energy/membrane_element.h"
#include "core/math/frame3.h"
#include "core/math/jacobi.h"
#include "core/math/psd.h"

namespace selvage
{

/// A density given in Green strains along warp (e_0), weft (e_1) and in shear (γ = 2 E_01 =
/// w_u·w_v): first derivatives (the second Piola–Kirchhoff stresses S_00, S_11, S_01) and second
/// ones.
template <class T> struct StrainDerivatives {
    T psi;
    T s0, s1, s01;          ///< ∂ψ/∂e_0, ∂ψ/∂e_1, ∂ψ/∂γ
    T d00, d01, d11, shear; ///< second derivatives; shear is uncoupled
};

/// P = F S;  ∂²ψ/∂F² = Σ d_ab q_a q_bᵀ + S ⊗ 1₃ with q = ∂e/∂F. Out of the plane of F this is S
/// itself (2×2), in the plane a 4×4 matrix: each is clamped by its eigenvalues, which equals
/// clamping the whole.
template <class T>
SELVAGE_INLINE void strain_response(const Vec3T<T> (&F)[2], const StrainDerivatives<T>& k,
                                    Want want, MembraneResponse<T>& out)
{
    out.psi = k.psi;
    if (want.gradient) {
        out.P[0] = k.s0 * F[0] + k.s01 * F[1];
        out.P[1] = k.s01 * F[0] + k.s1 * F[1];
    }
    if (!want.hessian) return;
    const Frame3T<T> frame = frame_from(F[0], F[1]);
    const Vec3T<T> t[2] = {frame.x, frame.y};
    const T zero(0.0);
    const T f[2][2] = {{dot(F[0], t[0]), dot(F[0], t[1])}, {dot(F[1], t[0]), dot(F[1], t[1])}};
    // Index 2 · column + component.
    const T q0[4] = {f[0][0], f[0][1], zero, zero}, q1[4] = {zero, zero, f[1][0], f[1][1]};
    const T q2[4] = {f[1][0], f[1][1], f[0][0], f[0][1]};
    T M[4][4];
    for (int i = 0; i < 4; ++i)
        for (int j = i; j < 4; ++j)
            M[i][j] = M[j][i] = k.d00 * q0[i] * q0[j] + k.d01 * (q0[i] * q1[j] + q1[i] * q0[j]) +
                                k.d11 * q1[i] * q1[j] + k.shear * q2[i] * q2[j];
    for (int c = 0; c < 2; ++c) {
        M[c][c] = M[c][c] + k.s0, M[2 + c][2 + c] = M[2 + c][2 + c] + k.s1;
        M[c][2 + c] = M[2 + c][c] = M[c][2 + c] + k.s01;
    }
    Sym2T<T> N = {k.s0, k.s01, k.s1};
    if (want.psd == Psd::clamp) {
        // A taut fabric needs nothing: S and the material part are positive semi-definite.
        const T least = minimum(minimum(minimum(k.s0, k.s0 * k.s1 - k.s01 * k.s01), k.shear),
                                minimum(k.d00, k.d00 * k.d11 - k.d01 * k.d01));
        if (!all_lanes(least >= zero)) {
            clamp_psd<T, 4>(M);
            N = clamp_psd(N);
        }
    }
    const Mat3T<T> nn = outer(frame.z, frame.z);
    const auto block = [&](int i, int j, const T& across) __attribute__((always_inline))
    {
        return outer(t[0], M[i][j] * t[0] + M[i][j + 1] * t[1]) +
               outer(t[1], M[i + 1][j] * t[0] + M[i + 1][j + 1] * t[1]) + across * nn;
    };
    assign(out.H00, block(0, 0, N.aa));
    assign(out.H01, block(0, 2, N.ab));
    assign(out.H11, block(2, 2, N.bb));
}

} // namespace selvage
