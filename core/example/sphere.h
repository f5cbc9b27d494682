#pragma once

#include "core/geometry/geometry.h"

namespace selvage
{

/// A sphere of nearly even triangles, counter-clockwise seen from outside: an icosahedron whose
/// faces are quartered `subdivisions` times (20·4ⁿ triangles, 10·4ⁿ + 2 points, all at `radius`).
Geometry sphere(double radius, int subdivisions = 3, const Vec3& centre = Vec3::Zero());

} // namespace selvage
