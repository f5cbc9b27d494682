#pragma once

#include "core/geometry/geometry.h"

#include <vector>

namespace selvage
{

/// Geometry of closed polygons with `per_face` corners each; `corners` holds their points one
/// polygon after the other. Built in one go, unlike Geometry::add_polygon per face.
Geometry polygon_geometry(std::size_t points, const std::vector<int>& corners, int per_face);

/// A group of the given points.
void add_group(Geometry& g, const char* name, const std::vector<int>& points);

} // namespace selvage
