#pragma once

#include "core/math/simd.h"

namespace selvage
{

/// a, or `otherwise` (a unit vector) where a is too short to have a direction.
template <class T>
SELVAGE_INLINE Vec3T<T> direction(const Vec3T<T>& a, const T& shortest, const Vec3T<T>& otherwise)
{
    const T length = square_root(dot(a, a));
    const auto has_one = length > shortest;
    return select(has_one, (T(1.0) / select(has_one, length, T(1.0))) * a, otherwise);
}

/// Some unit vector orthogonal to the unit vector a.
template <class T> SELVAGE_INLINE Vec3T<T> any_orthogonal(const Vec3T<T>& a)
{
    const T zero(0.0);
    const auto in_xy = absolute(a.x) > absolute(a.z);
    const Vec3T<T> b = {select(in_xy, -a.y, zero), select(in_xy, a.x, -a.z),
                        select(in_xy, zero, a.y)};
    return (T(1.0) / square_root(dot(b, b))) * b;
}

/// A right-handed orthonormal frame.
template <class T> struct Frame3T {
    Vec3T<T> x, y, z;
};

/// x along a, y in the plane of a and b, on b's side: an orthonormal frame to rounding, whatever a
/// and b. Where a vanishes or b is parallel to it (to 1e-14 of the longer), some frame that
/// continues.
template <class T> SELVAGE_INLINE Frame3T<T> frame_from(const Vec3T<T>& a, const Vec3T<T>& b)
{
    const T zero(0.0), one(1.0);
    const Vec3T<T> x = direction(a, T(1e-150), Vec3T<T>{one, zero, zero});
    const Vec3T<T> other = any_orthogonal(x);
    const T shortest = T(1e-14) * square_root(maximum(dot(a, a), dot(b, b))) + T(1e-150);
    const Vec3T<T> rough = direction(b - dot(b, x) * x, shortest, other);
    // A second pass: the first leaves eps ‖b‖ along x, which is much where b is nearly parallel.
    const Vec3T<T> y = direction(rough - dot(rough, x) * x, T(1e-150), other);
    // Constants, not members of one frame in turn: GCC 12 at -O3 forms the cross product of those
    // from the rough y.
    return {x, y, cross(x, y)};
}

} // namespace selvage
