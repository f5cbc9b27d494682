#pragma once

#include "core/math/frame3.h"
#include "core/math/jacobi.h"

namespace selvage
{

/// Rotation-variant singular value decomposition of a 3×3 matrix given by its columns,
///   F = Σ_k sigma_k u_k v_kᵀ,   det U = det V = +1,   sigma_0 >= sigma_1 >= |sigma_2|,
/// sigma_2 carrying the sign of det F (a reflection belongs to the smallest singular value). The
/// rotation of the polar decomposition is U Vᵀ, its stretch V Σ Vᵀ.
template <class T> struct Svd3T {
    Vec3T<T> u[3], v[3];
    T sigma[3];
};

/// One-sided Jacobi: columns of F are rotated until they are orthogonal. No FᵀF is formed, so small
/// singular values keep digits; equal ones need no care. F is reproduced to a few ulp of ‖F‖.
template <class T> SELVAGE_INLINE Svd3T<T> svd3(const Vec3T<T> (&F)[3])
{
    const T zero(0.0), one(1.0);
    Vec3T<T> b[3] = {F[0], F[1], F[2]};
    Vec3T<T> v[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
    const T norm = dot(b[0], b[0]) + dot(b[1], b[1]) + dot(b[2], b[2]);

    constexpr int most_sweeps = 12; // four to six are usual
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        bool done = true;
        for (int k = 0; k < 3; ++k) {
            const int p = k == 2 ? 1 : 0, q = k == 0 ? 1 : 2;
            const T bp = dot(b[p], b[p]), bq = dot(b[q], b[q]), r = dot(b[p], b[q]);
            if (all_lanes(r * r <= T(1e-32) * norm * maximum(bp, bq))) continue;
            done = false;
            const JacobiRotationT<T> g = jacobi_rotation(bp, bq, r);
            const Vec3T<T> x = b[p], y = b[q], s = v[p], t = v[q];
            b[p] = g.c * x - g.s * y, b[q] = g.s * x + g.c * y;
            v[p] = g.c * s - g.s * t, v[q] = g.s * s + g.c * t;
        }
        if (done) break;
    }

    // Longest first; the sign of one partner keeps V a rotation.
    for (int k = 0; k < 3; ++k) {
        const int p = k == 1 ? 1 : 0, q = p + 1;
        const auto swap = dot(b[p], b[p]) < dot(b[q], b[q]);
        const Vec3T<T> x = b[p], s = v[p];
        b[p] = select(swap, b[q], x), b[q] = select(swap, -x, b[q]);
        v[p] = select(swap, v[q], s), v[q] = select(swap, -s, v[q]);
    }
    const Frame3T<T> frame = frame_from(b[0], b[1]);
    return {{frame.x, frame.y, frame.z},
            {v[0], v[1], v[2]},
            {dot(frame.x, b[0]), dot(frame.y, b[1]), dot(frame.z, b[2])}};
}

/// The thin decomposition of a 3×2 matrix: F = Σ_k sigma_k u_k v_kᵀ, sigma_0 >= sigma_1 >= 0,
/// v_0 = (v[0][0], v[0][1]), and the normal n = u_0 × u_1.
template <class T> struct Svd32T {
    Vec3T<T> u[2], n;
    T v[2][2], sigma[2];
};

template <class T> SELVAGE_INLINE Svd32T<T> svd32(const Vec3T<T> (&F)[2])
{
    // Two columns are orthogonal after one rotation.
    const JacobiRotationT<T> g = jacobi_rotation(dot(F[0], F[0]), dot(F[1], F[1]), dot(F[0], F[1]));
    const Vec3T<T> x = g.c * F[0] - g.s * F[1], y = g.s * F[0] + g.c * F[1];
    const auto swap = dot(x, x) < dot(y, y);
    const Vec3T<T> b0 = select(swap, y, x), b1 = select(swap, -x, y);
    const Frame3T<T> frame = frame_from(b0, b1);
    return {{frame.x, frame.y},
            frame.z,
            {{select(swap, g.s, g.c), select(swap, g.c, -g.s)},
             {select(swap, -g.c, g.s), select(swap, g.s, g.c)}},
            {dot(frame.x, b0), dot(frame.y, b1)}};
}

} // namespace selvage
