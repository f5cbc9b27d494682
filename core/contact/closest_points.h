#pragma once

#include "core/energy/element.h"
#include "core/math/simd.h"

namespace selvage
{

/// Closest points of the affine hulls of a stencil's two sides, and what all derivatives of their
/// distance follow from. The difference of the closest points is
///   r = Σ w_i x_i,   w = w⁰ + Σ_k β_k W_k,
/// with the M free parameters β at their optimum, so r is orthogonal to A_k = ∂r/∂β_k. By the
/// envelope theorem, with G = AᵀA,
///   d² = ‖r‖²,   ∂d²/∂x_i = 2 w_i r,
///   ∂²d²/∂x_i∂x_j = 2 [ w_i w_j I − Σ_kl (w_i A_k + W_ki r) G⁻¹_kl (w_j A_l + W_lj r)ᵀ ].
/// One formula for points, edges and triangles; checked against finite differences.
template <class T, int N, int M> struct ClosestPoints {
    T w[N];
    Vec3T<T> r;
    Vec3T<T> A[M > 0 ? M : 1];
};

/// Stencils: number of vertices N, of free parameters M, and the constant directions W_k.
struct PointPoint { ///< x = [p q]
    static constexpr int N = 2, M = 0;
    static constexpr double W[1][2] = {{0, 0}};
};
struct PointEdge { ///< x = [p e0 e1]
    static constexpr int N = 3, M = 1;
    static constexpr double W[1][3] = {{0, 1, -1}};
};
struct PointTriangle { ///< x = [p t0 t1 t2]
    static constexpr int N = 4, M = 2;
    static constexpr double W[2][4] = {{0, 1, -1, 0}, {0, 1, 0, -1}};
};
struct EdgeEdge { ///< x = [a0 a1 b0 b1], not parallel
    static constexpr int N = 4, M = 2;
    static constexpr double W[2][4] = {{-1, 1, 0, 0}, {0, 0, 1, -1}};
};

template <class T>
SELVAGE_INLINE ClosestPoints<T, 2, 0> closest_points(PointPoint, const Vec3T<T> (&x)[2])
{
    return {{T(1.0), T(-1.0)}, x[0] - x[1], {}};
}

template <class T>
SELVAGE_INLINE ClosestPoints<T, 3, 1> closest_points(PointEdge, const Vec3T<T> (&x)[3])
{
    const Vec3T<T> d = x[0] - x[1], e = x[2] - x[1];
    const T b = dot(d, e) / dot(e, e);
    return {{T(1.0), b - T(1.0), -b}, d - b * e, {-e}};
}

template <class T>
SELVAGE_INLINE ClosestPoints<T, 4, 2> closest_points(PointTriangle, const Vec3T<T> (&x)[4])
{
    const Vec3T<T> d = x[0] - x[1], e1 = x[2] - x[1], e2 = x[3] - x[1], n = cross(e1, e2);
    const T s = T(1.0) / dot(n, n);
    const T b1 = s * dot(cross(d, e2), n), b2 = s * dot(cross(e1, d), n);
    return {{T(1.0), b1 + b2 - T(1.0), -b1, -b2}, d - b1 * e1 - b2 * e2, {-e1, -e2}};
}

template <class T>
SELVAGE_INLINE ClosestPoints<T, 4, 2> closest_points(EdgeEdge, const Vec3T<T> (&x)[4])
{
    const Vec3T<T> d = x[2] - x[0], u = x[1] - x[0], v = x[3] - x[2], n = cross(u, v);
    const T s = T(1.0) / dot(n, n);
    const T a = s * dot(cross(d, v), n), b = s * dot(cross(d, u), n);
    return {{T(1.0) - a, a, b - T(1.0), -b}, a * u - b * v - d, {u, -v}};
}

/// Thin QR of A: orthonormal tangents t and the upper triangular R with A = t R; M = 1, 2.
template <class T, int M> struct TangentFrame {
    Vec3T<T> t[M > 0 ? M : 1];
    T r00, r01, r11;
};
template <class T, int N, int M>
SELVAGE_INLINE TangentFrame<T, M> tangent_frame(const ClosestPoints<T, N, M>& c)
{
    TangentFrame<T, M> f{};
    if constexpr (M > 0) {
        f.r00 = square_root(dot(c.A[0], c.A[0]));
        f.t[0] = (T(1.0) / f.r00) * c.A[0];
    }
    if constexpr (M > 1) {
        f.r01 = dot(f.t[0], c.A[1]);
        const Vec3T<T> rest = c.A[1] - f.r01 * f.t[0];
        f.r11 = square_root(dot(rest, rest));
        f.t[1] = (T(1.0) / f.r11) * rest;
    }
    return f;
}

/// ∇²d², blocks (i, j), i <= j, as in ElementResult. With A = t R the sum over k, l becomes
/// Σ_k (w_i t_k + c_ki r)(w_j t_k + c_kj r)ᵀ, c = R⁻ᵀ W.
template <class Stencil, class T>
SELVAGE_INLINE void distance_hessian(const ClosestPoints<T, Stencil::N, Stencil::M>& c,
                                     Mat3T<T> (&hessian)[pair_count(Stencil::N)])
{
    constexpr int N = Stencil::N, M = Stencil::M;
    const TangentFrame<T, M> f = tangent_frame(c);
    Vec3T<T> row[M > 0 ? M : 1][N];
    for (int i = 0; i < N; ++i) {
        T c0(0.0);
        if constexpr (M > 0) {
            c0 = T(Stencil::W[0][i]) / f.r00;
            row[0][i] = c.w[i] * f.t[0] + c0 * c.r;
        }
        if constexpr (M > 1)
            row[1][i] = c.w[i] * f.t[1] + ((T(Stencil::W[1][i]) - f.r01 * c0) / f.r11) * c.r;
    }
    for (int i = 0; i < N; ++i)
        for (int j = i; j < N; ++j) {
            const T s = T(2.0) * c.w[i] * c.w[j], o(0.0);
            Mat3T<T> B = {{s, o, o, o, s, o, o, o, s}};
            for (int k = 0; k < M; ++k) B = B - outer(T(2.0) * row[k][i], row[k][j]);
            assign(hessian[pair_index(N, i, j)], B);
        }
}

} // namespace selvage
