#pragma once

#include "core/contact/barrier.h"
#include "core/contact/closest_points.h"
#include "core/contact/jacobi_clamp.h"
#include "core/energy/term.h"

namespace selvage
{

/// Barrier of one stencil (T = double) or of four (T = Real4):
///   E = s b(‖r‖² − ξ², D̂),   s = κ × multiplicity
///   ∇E = s b′ ∇d²,   ∇²E = s (b″ ∇d² ∇d²ᵀ + b′ ∇²d²)
///
/// The clamped Hessian is exact, and cheap because the Hessian lives in a space of 2M + 1
/// dimensions (1, 3, 5 for point–point, point–edge, the others). In coordinates along r̂ = r/d and
/// the tangents t_k (A = t R, c = R⁻ᵀW as in distance_hessian) a displacement u has
///   H(u, u) = α s_r² + γ Σ_k (2 s_k q_k + q_k²) − γ s_n²,
///   α = 4 b″ d² + 2 b′,  γ = −2 b′ >= 0,
///   s = Σ_i w_i u_i with parts s_r, s_k (and s_n, point–edge only) along r̂, t_k (and the third
///   direction),   q_k = d Σ_i c_ki u_i·r̂.
/// The part −γ s_n² is orthogonal to the rest and clamped away. The rest is a matrix on orthonormal
/// coordinates, span{w, W_k} ⊗ r̂ and w ⊗ t_k, whose eigenvalues are clamped by jacobi_clamp.
/// Dropping −γ s_k² instead, a bound from above without an eigen-solve, would give sliding pairs a
/// stiffness γ, edge length over distance times too much.
template <class Stencil, class T>
inline void barrier_kernel(const Vec3T<T> (&x)[Stencil::N], const T& thickness_squared,
                           const T& D_hat, const T& scale, Want want,
                           ElementResult<T, Stencil::N>& out)
{
    constexpr int N = Stencil::N, M = Stencil::M, S = 2 * M + 1;
    const ClosestPoints<T, N, M> closest = closest_points(Stencil{}, x);
    const T d2 = dot(closest.r, closest.r);
    const BarrierValue<T> b = barrier(d2 - thickness_squared, D_hat);
    if (want.energy) out.energy = scale * b.value;
    if (want.gradient)
        for (int i = 0; i < N; ++i)
            out.gradient[i] = (T(2.0) * scale * b.first * closest.w[i]) * closest.r;
    if (!want.hessian) return;

    if (want.psd == Psd::exact) {
        distance_hessian<Stencil>(closest, out.hessian);
        for (int i = 0; i < N; ++i)
            for (int j = i; j < N; ++j) {
                Mat3T<T>& B = out.block(i, j);
                const T f = T(4.0) * scale * b.second * closest.w[i] * closest.w[j];
                assign(B, (scale * b.first) * B + outer(f * closest.r, closest.r));
            }
        return;
    }

    // Orthonormal coordinates of span{w, W_k}, the first along w.
    const T d = square_root(d2);
    const Vec3T<T> n = (T(1.0) / d) * closest.r;
    const TangentFrame<T, M> frame = tangent_frame(closest);
    T c[M > 0 ? M : 1][N], o[M + 1][N], length2(0.0);
    for (int i = 0; i < N; ++i) length2 = length2 + closest.w[i] * closest.w[i];
    const T length = square_root(length2);
    for (int i = 0; i < N; ++i) {
        o[0][i] = closest.w[i] / length;
        if constexpr (M > 0) c[0][i] = T(Stencil::W[0][i]) / frame.r00;
        if constexpr (M > 1) c[1][i] = (T(Stencil::W[1][i]) - frame.r01 * c[0][i]) / frame.r11;
    }
    for (int k = 0; k < M; ++k) {
        for (int i = 0; i < N; ++i) o[k + 1][i] = T(Stencil::W[k][i]);
        for (int a = 0; a <= k; ++a) {
            T along(0.0);
            for (int i = 0; i < N; ++i) along = along + o[a][i] * o[k + 1][i];
            for (int i = 0; i < N; ++i) o[k + 1][i] = o[k + 1][i] - along * o[a][i];
        }
        T norm2(0.0);
        for (int i = 0; i < N; ++i) norm2 = norm2 + o[k + 1][i] * o[k + 1][i];
        const T inverse = T(1.0) / square_root(norm2);
        for (int i = 0; i < N; ++i) o[k + 1][i] = inverse * o[k + 1][i];
    }

    // The matrix in these coordinates: M + 1 along r̂, then M along the tangents.
    const T alpha = scale * (T(4.0) * b.second * d2 + T(2.0) * b.first);
    const T gamma = T(-2.0) * scale * b.first;
    T K[S][S];
    for (int i = 0; i < S; ++i)
        for (int j = 0; j < S; ++j) K[i][j] = T(0.0);
    K[0][0] = alpha * length2;
    for (int k = 0; k < M; ++k) {
        T q[M + 1];
        for (int a = 0; a <= M; ++a) {
            q[a] = T(0.0);
            for (int i = 0; i < N; ++i) q[a] = q[a] + o[a][i] * c[k][i];
            q[a] = d * q[a];
            K[a][M + 1 + k] = K[M + 1 + k][a] = gamma * length * q[a];
        }
        for (int a = 0; a <= M; ++a)
            for (int e = 0; e <= M; ++e) K[a][e] = K[a][e] + gamma * q[a] * q[e];
    }
    jacobi_clamp<S>(K);

    // Back to the vertices: u_i has the coordinates o_ai (u_i·n) and o_0i (u_i·t_k).
    Vec3T<T> half[S][N]; // Σ_b K_ab × (direction of coordinate b at vertex i)
    for (int a = 0; a < S; ++a)
        for (int i = 0; i < N; ++i) {
            T along(0.0);
            for (int e = 0; e <= M; ++e) along = along + K[a][e] * o[e][i];
            half[a][i] = along * n;
            for (int k = 0; k < M; ++k)
                half[a][i] = half[a][i] + (K[a][M + 1 + k] * o[0][i]) * frame.t[k];
        }
    for (int i = 0; i < N; ++i) {
        Vec3T<T> normal_part, tangent_part;
        for (int j = i; j < N; ++j) {
            normal_part = o[0][i] * half[0][j];
            for (int a = 1; a <= M; ++a) normal_part = normal_part + o[a][i] * half[a][j];
            Mat3T<T> B = outer(n, normal_part);
            for (int k = 0; k < M; ++k) {
                tangent_part = o[0][i] * half[M + 1 + k][j];
                B = B + outer(frame.t[k], tangent_part);
            }
            assign(out.block(i, j), B);
        }
    }
}

} // namespace selvage
