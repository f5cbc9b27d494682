#pragma once

#include "core/math/angles.h"

namespace selvage
{

/// v turned by the smallest rotation that takes the unit vector a to the unit vector b: parallel
/// transport along the great circle between them. Undefined, but finite, at b = −a.
template <class T>
SELVAGE_INLINE Vec3T<T> transport(const Vec3T<T>& a, const Vec3T<T>& b, const Vec3T<T>& v)
{
    const Vec3T<T> axis = cross(a, b);
    const T cosine = dot(a, b);
    const T along = dot(axis, v) / maximum(T(1.0) + cosine, T(1e-12));
    return cosine * v + cross(axis, v) + along * axis;
}

/// v turned about the unit vector t, to which it is orthogonal, by the angle with this cosine and
/// sine.
template <class T>
SELVAGE_INLINE Vec3T<T> turned(const Vec3T<T>& v, const Vec3T<T>& t, const T& cosine, const T& sine)
{
    return cosine * v + sine * cross(t, v);
}

/// The part of v orthogonal to the unit vector t, of unit length.
template <class T> SELVAGE_INLINE Vec3T<T> unit_across(const Vec3T<T>& v, const Vec3T<T>& t)
{
    const Vec3T<T> across = v - dot(v, t) * t;
    return (T(1.0) / square_root(maximum(dot(across, across), T(1e-300)))) * across;
}

} // namespace selvage
