#pragma once

#include "core/math/simd.h"

namespace selvage
{

/// Cosine and sine of the rotation by at most 45° that makes the symmetric [p r; r q] diagonal:
///   p' = c²p − 2cs r + s²q,   columns x' = c x − s y,  y' = s x + c y.
template <class T> struct JacobiRotationT {
    T c, s;
};
template <class T>
SELVAGE_INLINE JacobiRotationT<T> jacobi_rotation(const T& p, const T& q, const T& r)
{
    const T d = q - p, two_r = T(2.0) * r;
    const T divisor = absolute(d) + square_root(d * d + two_r * two_r);
    const T t = select(d < T(0.0), -two_r, two_r) / maximum(divisor, T(1e-300));
    const T c = T(1.0) / square_root(T(1.0) + t * t);
    return {c, t * c};
}

/// Eigenvalues of a small symmetric matrix, on the diagonal of A on return, and its eigenvectors,
/// the columns of V. Cyclic Jacobi: accurate to rounding of ‖A‖ for coinciding eigenvalues too,
/// where closed forms lose half the digits. Lanes of a batch run until the last has converged.
template <class T, int N> SELVAGE_INLINE void symmetric_eigen(T (&A)[N][N], T (&V)[N][N])
{
    T norm(0.0);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            V[i][j] = T(i == j ? 1.0 : 0.0);
            norm = norm + A[i][j] * A[i][j];
        }
    const auto rotate = [&](int p, int q) {
        const JacobiRotationT<T> g = jacobi_rotation(A[p][p], A[q][q], A[p][q]);
        const auto turn = [&](T& x, T& y) {
            const T a = x, b = y;
            x = g.c * a - g.s * b, y = g.s * a + g.c * b;
        };
        for (int k = 0; k < N; ++k) turn(A[k][p], A[k][q]);
        for (int k = 0; k < N; ++k) turn(A[p][k], A[q][k]);
        for (int k = 0; k < N; ++k) turn(V[k][p], V[k][q]);
    };
    constexpr int most_sweeps = 12; // five are usual
    // Pairs that share no row follow each other; unrolled, since the matrix then lives in
    // registers.
    constexpr int order[6][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}};
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        T off(0.0);
        for (int p = 0; p < N; ++p)
            for (int q = p + 1; q < N; ++q) off = off + A[p][q] * A[p][q];
        if (all_lanes(off <= T(1e-33) * norm)) break;
        if constexpr (N <= 4) {
#pragma GCC unroll 6
            for (int pair = 0; pair < 6; ++pair)
                if (order[pair][1] < N) rotate(order[pair][0], order[pair][1]);
        } else {
            for (int p = 0; p < N; ++p)
                for (int q = p + 1; q < N; ++q) rotate(p, q);
        }
    }
}

/// Negative eigenvalues become zero.
template <class T, int N> SELVAGE_INLINE void clamp_psd(T (&A)[N][N])
{
    T V[N][N];
    symmetric_eigen<T, N>(A, V);
    T positive[N];
    for (int k = 0; k < N; ++k) positive[k] = maximum(A[k][k], T(0.0));
    for (int i = 0; i < N; ++i)
        for (int j = i; j < N; ++j) {
            T sum(0.0);
            for (int k = 0; k < N; ++k) sum = sum + positive[k] * V[i][k] * V[j][k];
            A[i][j] = A[j][i] = sum;
        }
}

} // namespace selvage
