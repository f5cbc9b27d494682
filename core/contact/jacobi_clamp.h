#pragma once

#include "core/math/simd.h"

namespace selvage
{

SELVAGE_INLINE bool any_lane(bool b) { return b; }
SELVAGE_INLINE bool any_lane(const Mask4& m) { return any_of(m); }

/// The nearest positive semi-definite matrix of a small symmetric one (full storage), by cyclic
/// Jacobi rotations without branches on lanes, so that four matrices are clamped at once. Converges
/// quadratically; to rounding in about five sweeps for S = 5.
template <int S, class T> inline void jacobi_clamp(T (&A)[S][S])
{
    constexpr int max_sweeps = 12;
    T V[S][S];
    for (int i = 0; i < S; ++i)
        for (int j = 0; j < S; ++j) V[i][j] = T(i == j ? 1.0 : 0.0);
    for (int sweep = 0; sweep < max_sweeps; ++sweep) {
        T off(0.0), diagonal(0.0);
        for (int i = 0; i < S; ++i) {
            diagonal = diagonal + A[i][i] * A[i][i];
            for (int j = i + 1; j < S; ++j) off = off + A[i][j] * A[i][j];
        }
        if (!any_lane(off > T(1e-30) * diagonal)) break;
        for (int p = 0; p < S; ++p)
            for (int q = p + 1; q < S; ++q) {
                // tan of the rotation that makes A_pq vanish, the smaller of the two.
                const T a = A[p][q], half = T(0.5) * (A[q][q] - A[p][p]);
                const T root = square_root(half * half + a * a);
                const T below = absolute(half) + root;
                const T t = select(below > T(0.0), select(half < T(0.0), -a, a) / below, T(0.0));
                const T c = T(1.0) / square_root(T(1.0) + t * t), s = t * c;
                A[p][p] = A[p][p] - t * a;
                A[q][q] = A[q][q] + t * a;
                A[p][q] = A[q][p] = T(0.0);
                for (int k = 0; k < S; ++k) {
                    if (k != p && k != q) {
                        const T kp = A[k][p], kq = A[k][q];
                        A[k][p] = A[p][k] = c * kp - s * kq;
                        A[k][q] = A[q][k] = s * kp + c * kq;
                    }
                    const T vp = V[k][p], vq = V[k][q];
                    V[k][p] = c * vp - s * vq;
                    V[k][q] = s * vp + c * vq;
                }
            }
    }
    T value[S];
    for (int k = 0; k < S; ++k) value[k] = maximum(A[k][k], T(0.0));
    for (int i = 0; i < S; ++i)
        for (int j = i; j < S; ++j) {
            T sum(0.0);
            for (int k = 0; k < S; ++k) sum = sum + V[i][k] * value[k] * V[j][k];
            A[i][j] = A[j][i] = sum;
        }
}

} // namespace selvage
