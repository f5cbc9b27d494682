#pragma once

#include "core/base/types.h"

namespace selvage::check_distance
{

/// Distances of closed sets, written for the judge alone: no code in common with the solver's.
/// Each is the length between two points that lie on the sets, so never too small but for rounding
/// (about 1e-16 times the coordinates' size). Triangles and segments may be degenerate.

double point_segment(const Vec3& p, const Vec3& a, const Vec3& b);
double point_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);
double segment_segment(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

} // namespace selvage::check_distance
