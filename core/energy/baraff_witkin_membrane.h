#pragma once

#include "core/energy/membrane_term.h"
#include "core/math/frame3.h"
#include "core/math/jacobi.h"
#include "core/math/psd.h"

namespace selvage
{

/// Baraff–Witkin cloth in finite-element form [Kim & Eberle 2022, ch. 10; Kim 2020]. With the
/// columns of F, w_u along the warp and w_v along the weft,
///   ψ = k_u/2 (|w_u| − 1)² + k_v/2 (|w_v| − 1)² + ψ_shear   [J/m²]
///   cosine shear:   ψ_shear = G/2 (ŵ_u·ŵ_v)²     (blind to stretch; the default)
///   product shear:  ψ_shear = G/2 (w_u·w_v)²     (the form of 1998)
/// k_u, k_v, G [N/m]: G is the engineering shear modulus × thickness at small strain. The area
/// multiplies the energy, not the strain, so stiffness does not depend on resolution.
///
/// Psd::clamp clamps stretch along warp, stretch along weft and shear each by its exact
/// eigenvalues. Stretch has k and twice k(1 − 1/|w|). Product shear is closed: G/2 (Q ± √(Q² + 12
/// I²)) and ±G I twice, Q = ‖F‖², I = w_u·w_v. Cosine shear splits into two directions out of the
/// plane (2×2, closed) and four in it: with φ the angle between the threads, p = |w_u|, q = |w_v|
/// and coordinates (r_u, τ_u, r_v, τ_v) along the threads and across them, each τ closing the
/// angle,
///   H = g″ ∇φ∇φᵀ + g′ ∇²φ,   ∇φ = (0, −1/p, 0, −1/q),   ∂²φ/∂r_u∂τ_u = 1/p², likewise v,
/// of which no closed form exists unless p = q; small Jacobi sweeps do it.
/// Threads shorter than 1e-6 of their rest length count as that long in quotients.
struct BaraffWitkinModuli {
    double warp = 0, weft = 0, shear = 0; ///< k_u, k_v, G [N/m]
};

namespace baraff_witkin
{

inline constexpr double shortest = 1e-6;

/// Adds k/2 (|w| − 1)² of one thread direction.
template <class T>
SELVAGE_INLINE void stretch(const Vec3T<T>& w, const T& k, Want want, T& psi, Vec3T<T>& P,
                            Mat3T<T>& H)
{
    const T length = square_root(dot(w, w)), inverse = T(1.0) / maximum(length, T(shortest));
    const T C = length - T(1.0);
    const Vec3T<T> along = inverse * w;
    if (want.energy) psi = psi + T(0.5) * k * C * C;
    if (want.gradient) P = P + (k * C) * along;
    if (!want.hessian) return;
    T across = k * C * inverse;
    if (want.psd == Psd::clamp) across = maximum(across, T(0.0));
    Mat3T<T> h = (k - across) * outer(along, along);
    h.m[0] = h.m[0] + across, h.m[4] = h.m[4] + across, h.m[8] = h.m[8] + across;
    assign(H, H + h);
}

/// M ← QMQ, Q = [1 1; 1 −1]/√2 in blocks of two: its own inverse.
template <class T> SELVAGE_INLINE void exchange_sum_and_difference(T (&M)[4][4])
{
    const T half(0.5);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            const T a = M[i][j], b = M[i][2 + j], c = M[2 + i][j], d = M[2 + i][2 + j];
            M[i][j] = half * ((a + d) + (b + c)), M[i][2 + j] = half * ((a - d) - (b - c));
            M[2 + i][j] = half * ((a - d) + (b - c)), M[2 + i][2 + j] = half * ((a + d) - (b + c));
        }
}

template <class T>
SELVAGE_INLINE void cosine_shear(const Vec3T<T> (&F)[2], const T& G, Want want,
                                 MembraneResponse<T>& out)
{
    const T p = maximum(square_root(dot(F[0], F[0])), T(shortest));
    const T q = maximum(square_root(dot(F[1], F[1])), T(shortest));
    const T ip = T(1.0) / p, iq = T(1.0) / q;
    const Vec3T<T> u = ip * F[0], v = iq * F[1];
    const T C = dot(u, v);
    if (want.energy) out.psi = out.psi + T(0.5) * G * C * C;
    if (want.gradient) {
        out.P[0] = out.P[0] + (G * C * ip) * (v - C * u);
        out.P[1] = out.P[1] + (G * C * iq) * (u - C * v);
    }
    if (!want.hessian) return;

    const Vec3T<T> n = frame_from(u, v).z;
    const T S = dot(cross(u, v), n); // sin φ
    const Vec3T<T> e[4] = {u, cross(n, u), v, cross(v, n)};
    const T zero(0.0), g1 = -G * C * S, g2 = G * (S * S - C * C);
    T M[4][4] = {{zero, g1 * ip * ip, zero, zero},
                 {g1 * ip * ip, g2 * ip * ip, zero, g2 * ip * iq},
                 {zero, zero, zero, g1 * iq * iq},
                 {zero, g2 * ip * iq, g1 * iq * iq, g2 * iq * iq}};
    Sym2T<T> N = {-G * C * C * ip * ip, G * C * ip * iq, -G * C * C * iq * iq};
    if (want.psd == Psd::clamp) {
        // In sums and differences of the threads little couples while p ≈ q: few sweeps.
        exchange_sum_and_difference(M);
        clamp_psd<T, 4>(M);
        exchange_sum_and_difference(M);
        N = clamp_psd(N);
    }
    const Mat3T<T> nn = outer(n, n);
    const auto block = [&](int i, int j, const T& across) __attribute__((always_inline))
    {
        const Vec3T<T> x = M[i][j] * e[j] + M[i][j + 1] * e[j + 1];
        const Vec3T<T> y = M[i + 1][j] * e[j] + M[i + 1][j + 1] * e[j + 1];
        return outer(e[i], x) + outer(e[i + 1], y) + across * nn;
    };
    assign(out.H00, out.H00 + block(0, 0, N.aa));
    assign(out.H01, out.H01 + block(0, 2, N.ab));
    assign(out.H11, out.H11 + block(2, 2, N.bb));
}

template <class T>
SELVAGE_INLINE void product_shear(const Vec3T<T> (&F)[2], const T& G, Want want,
                                  MembraneResponse<T>& out)
{
    const T I = dot(F[0], F[1]);
    if (want.energy) out.psi = out.psi + T(0.5) * G * I * I;
    if (want.gradient) {
        out.P[0] = out.P[0] + (G * I) * F[1];
        out.P[1] = out.P[1] + (G * I) * F[0];
    }
    if (!want.hessian) return;
    const auto add_diagonal = [](Mat3T<T> & H, const T& a) __attribute__((always_inline))
    {
        H.m[0] = H.m[0] + a, H.m[4] = H.m[4] + a, H.m[8] = H.m[8] + a;
    };
    if (want.psd == Psd::exact) {
        // G (s sᵀ + I K), s = (w_v; w_u), K exchanges the columns.
        assign(out.H00, out.H00 + G * outer(F[1], F[1]));
        assign(out.H01, out.H01 + G * outer(F[1], F[0]));
        assign(out.H11, out.H11 + G * outer(F[0], F[0]));
        add_diagonal(out.H01, G * I);
        return;
    }
    // G/2 [l q qᵀ + 2|I| (P − p pᵀ)], P the projector on columns equal (I > 0) or opposite.
    const T zero(0.0), half(0.5), tiny(1e-100);
    const T Q = dot(F[0], F[0]) + dot(F[1], F[1]);
    const T l = Q + square_root(Q * Q + T(12.0) * I * I);
    Vec3T<T> a = l * F[1] + (T(2.0) * I) * F[0], b = l * F[0] + (T(2.0) * I) * F[1];
    const T scale = half * G * l / maximum(dot(a, a) + dot(b, b), tiny);
    const T sign = select(I < zero, T(-1.0), T(1.0));
    const Vec3T<T> c = F[1] + sign * F[0]; // columns c, sign · c
    const T weight = half * G * absolute(I);
    const Mat3T<T> rest = (weight / maximum(dot(c, c), tiny)) * outer(c, c);
    // P − p pᵀ in blocks: ½ (1 − ĉĉᵀ) and sign times that.
    Mat3T<T> same = T(-1.0) * rest;
    add_diagonal(same, weight);
    assign(out.H00, out.H00 + scale * outer(a, a) + same);
    assign(out.H01, out.H01 + scale * outer(a, b) + sign * same);
    assign(out.H11, out.H11 + scale * outer(b, b) + same);
}

template <class T> SELVAGE_INLINE void set_zero(MembraneResponse<T>& r)
{
    const T zero(0.0);
    r.psi = zero;
    for (Vec3T<T>& p : r.P) p = {zero, zero, zero};
    for (Mat3T<T>* H : {&r.H00, &r.H01, &r.H11})
        for (T& h : H->m) h = zero;
}

} // namespace baraff_witkin

/// With cosine shear.
struct BaraffWitkinMembrane {
    using Moduli = BaraffWitkinModuli;
    static constexpr std::string_view name = "membrane";
    static constexpr int numbers = 3;
    std::array<double, 3> pack(const Moduli& m) const { return {m.warp, m.weft, m.shear}; }

    template <class T>
    SELVAGE_INLINE void respond(const Vec3T<T> (&F)[2], const T* m, Want want,
                                MembraneResponse<T>& out) const
    {
        baraff_witkin::set_zero(out);
        baraff_witkin::stretch(F[0], m[0], want, out.psi, out.P[0], out.H00);
        baraff_witkin::stretch(F[1], m[1], want, out.psi, out.P[1], out.H11);
        baraff_witkin::cosine_shear(F, m[2], want, out);
    }
};

/// With product shear.
struct BaraffWitkin1998Membrane {
    using Moduli = BaraffWitkinModuli;
    static constexpr std::string_view name = "membrane";
    static constexpr int numbers = 3;
    std::array<double, 3> pack(const Moduli& m) const { return {m.warp, m.weft, m.shear}; }

    template <class T>
    SELVAGE_INLINE void respond(const Vec3T<T> (&F)[2], const T* m, Want want,
                                MembraneResponse<T>& out) const
    {
        baraff_witkin::set_zero(out);
        baraff_witkin::stretch(F[0], m[0], want, out.psi, out.P[0], out.H00);
        baraff_witkin::stretch(F[1], m[1], want, out.psi, out.P[1], out.H11);
        baraff_witkin::product_shear(F, m[2], want, out);
    }
};

extern template class MembraneTerm<BaraffWitkinMembrane>;
extern template class MembraneTerm<BaraffWitkin1998Membrane>;

} // namespace selvage
