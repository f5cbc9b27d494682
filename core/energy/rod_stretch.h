#pragma once

#include "core/base/types.h"
#include "core/math/simd.h"

namespace selvage
{

/// Stretching of one rod segment [Bergou et al. 2008].
///   E = ½ k L (l/L − 1)²,   l = ‖x1 − x0‖   [J]
/// k [N] axial stiffness (Young's modulus × section area), L [m] rest length.
/// x = [x0 x1]. Undefined at l = 0.
double rod_stretch_energy(const Vec6& x, double k, double rest_length);
Vec6 rod_stretch_gradient(const Vec6& x, double k, double rest_length);
/// Clamping equals eigenvalue clamping: the stiffness across the segment is k (1/L − 1/l),
/// negative in compression, that along it k/L.
Mat6 rod_stretch_hessian(const Vec6& x, double k, double rest_length, Psd psd);

/// The same by the edge vector x1 − x0 = l t: tension k (l/L − 1), and the two stiffnesses.
template <class T> struct RodStretch {
    T energy, tension, along, across;
};
template <class T>
SELVAGE_INLINE RodStretch<T> rod_stretch(const T& length, const T& k, const T& rest_length)
{
    const T strain = length / rest_length - T(1.0), tension = k * strain;
    return {T(0.5) * tension * strain * rest_length, tension, k / rest_length, tension / length};
}

/// along t tᵀ + across (I − t tᵀ)
template <class T>
SELVAGE_INLINE Mat3T<T> along_and_across(const Vec3T<T>& t, const T& along, const T& across)
{
    Mat3T<T> K = (along - across) * outer(t, t);
    K.m[0] = K.m[0] + across, K.m[4] = K.m[4] + across, K.m[8] = K.m[8] + across;
    return K;
}

} // namespace selvage
