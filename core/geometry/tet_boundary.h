#pragma once

#include "core/base/types.h"

#include <vector>

namespace selvage
{

/// The faces that only one tetrahedron has, counter-clockwise seen from outside, in order of
/// appearance. Tetrahedra with det [x1 − x0, x2 − x0, x3 − x0] > 0.
std::vector<Vec3i> tet_boundary(const std::vector<Vec4i>& tets);

} // namespace selvage
