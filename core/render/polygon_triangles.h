#pragma once

#include "core/base/types.h"

#include <array>
#include <vector>

namespace selvage
{

/// Cuts a polygon into corner triples by ear clipping in the plane of its area vector, keeping its
/// orientation. Concave outlines are covered exactly; for crossing outlines, where that is
/// impossible, the rest is cut as a fan. A polygon of n corners gives n − 2 triangles.
std::vector<std::array<int, 3>> triangulate_polygon(const std::vector<Vec3>& corners);

} // namespace selvage
