#pragma once

#include "core/base/types.h"
#include "core/math/simd.h"

namespace selvage
{

// Vectors of single strands in and out of the lanes of a group.

inline void set_lane(Vec3T<Real4>& v, std::size_t lane, const Vec3& a)
{
    v.x[lane] = a[0], v.y[lane] = a[1], v.z[lane] = a[2];
}

inline Vec3 get_lane(const Vec3T<Real4>& v, std::size_t lane)
{
    return {v.x[lane], v.y[lane], v.z[lane]};
}

/// As the kernels take it for one strand alone.
inline Vec3T<double> packed(const Vec3& a) { return {a[0], a[1], a[2]}; }

} // namespace selvage
