#pragma once

#include "core/base/types.h"

#include <functional>
#include <vector>

namespace selvage
{

/// A place on a triangle.
struct SurfacePlace {
    int triangle = -1; ///< −1: there is none
    Vec3 weights = Vec3::Zero();
    double distance = infinity; ///< [m]
};

/// The point of the triangle (a, b, c) nearest to p, as weights of its corners.
Vec3 nearest_in_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// The place nearest to p among the triangles that `accept` (if given) takes; the first of equals.
/// Looks at every triangle: for the start of a shot, not for every step.
SurfacePlace nearest_surface(const Vec3& p, const std::vector<Vec3i>& triangles, const VecX& x,
                             const std::function<bool(int)>& accept = {});

/// Σ weights × corners.
Vec3 place_at(const Vec3i& triangle, const Vec3& weights, const VecX& x);

/// Right-handed axes of a triangle: along its first edge, in its plane, along its normal.
Mat3 triangle_frame(const Vec3i& triangle, const VecX& x);

} // namespace selvage
