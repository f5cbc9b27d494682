#pragma once

#include "core/base/types.h"
#include "core/math/simd.h"

namespace selvage
{

/// What clamping does to a pair of eigenvalues m ± r (r >= 0): new mean and new r over old r.
template <class T> struct ClampedPair {
    T mean, ratio;
};
template <class T> SELVAGE_INLINE ClampedPair<T> clamp_pair(const T& mean, const T& radius)
{
    const T high = maximum(mean + radius, T(0.0)), low = maximum(mean - radius, T(0.0));
    // A radius of zero multiplies nothing: any finite ratio will do.
    const T safe = maximum(radius, T(1e-300));
    return {T(0.5) * (high + low), T(0.5) * (high - low) / safe};
}

/// The symmetric matrix [aa ab; ab bb].
template <class T> struct Sym2T {
    T aa, ab, bb;
};

template <class T> SELVAGE_INLINE Sym2T<T> clamp_psd(const Sym2T<T>& q)
{
    const T mean = T(0.5) * (q.aa + q.bb), half = T(0.5) * (q.aa - q.bb);
    const ClampedPair<T> c = clamp_pair(mean, square_root(half * half + q.ab * q.ab));
    return {c.mean + c.ratio * half, c.ratio * q.ab, c.mean - c.ratio * half};
}

/// Clamps the quadratic form q in two linear forms f, g whose Gram matrix is `gram` (positive
/// definite), as if in the coordinates of the full space: the pull-back of the result equals the
/// eigenvalue clamp of the pull-back of q.
///   f = l11 u,  g = l21 u + l22 v  with u, v orthonormal; clamp in (u, v), transform back.
template <class T> SELVAGE_INLINE Sym2T<T> clamp_psd(const Sym2T<T>& q, const Sym2T<T>& gram)
{
    const T l11 = square_root(gram.aa), l21 = gram.ab / l11;
    const T l22 = square_root(maximum(gram.bb - l21 * l21, T(1e-14) * gram.bb));
    const T k = q.ab * l11 + q.bb * l21;
    const Sym2T<T> p =
        clamp_psd(Sym2T<T>{q.aa * l11 * l11 + (q.ab * l11 + k) * l21, k * l22, q.bb * l22 * l22});
    const T i11 = T(1.0) / l11, i22 = T(1.0) / l22, i21 = -l21 * i11 * i22;
    const T bb = p.bb * i22, mixed = p.ab * i11 + p.bb * i21;
    return {p.aa * i11 * i11 + i21 * (p.ab * i11 + mixed), mixed * i22, bb * i22};
}

/// Clamps the three edge weights r of a triangle's graph Laplacian Σ r_i L_i (L_i couples the two
/// vertices of the edge opposite vertex i). Its eigenvalues are 0 and m ± ρ with
///   m = r0 + r1 + r2,   ρ² = 3/2 Σ (r_i − m/3)²,
/// and its clamp is again a Laplacian, with weights m⁺/3 + (ρ⁺/ρ)(r_i − m/3).
template <class T> SELVAGE_INLINE Vec3T<T> clamp_triangle_laplacian(const Vec3T<T>& r)
{
    const T m = r.x + r.y + r.z, third = T(1.0 / 3.0) * m;
    const Vec3T<T> d = {r.x - third, r.y - third, r.z - third};
    const ClampedPair<T> c = clamp_pair(m, square_root(T(1.5) * dot(d, d)));
    const T base = T(1.0 / 3.0) * c.mean;
    return {base + c.ratio * d.x, base + c.ratio * d.y, base + c.ratio * d.z};
}

} // namespace selvage
