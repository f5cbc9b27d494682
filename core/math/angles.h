#pragma once

#include "core/math/simd.h"

namespace selvage
{

/// Lane by lane, as arc_tangent: only where an angle is asked.
SELVAGE_INLINE double cosine(double a) { return std::cos(a); }
SELVAGE_INLINE Real4 cosine(const Real4& a)
{
    return Real4([&](auto lane) { return std::cos(double(a[lane])); });
}
SELVAGE_INLINE double sine(double a) { return std::sin(a); }
SELVAGE_INLINE Real4 sine(const Real4& a)
{
    return Real4([&](auto lane) { return std::sin(double(a[lane])); });
}

/// The nearest integer.
SELVAGE_INLINE double rounded(double a) { return std::nearbyint(a); }
SELVAGE_INLINE Real4 rounded(const Real4& a) { return std::experimental::nearbyint(a); }

} // namespace selvage
