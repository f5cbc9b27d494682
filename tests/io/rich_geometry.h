#pragma once

#include "core/geometry/geometry.h"

namespace selvage::test
{

/// A small geometry with one of everything that files have to keep.
Geometry rich_geometry();

/// Polygons and open curves with uv, N and primitive groups: what OBJ can hold.
Geometry plain_geometry();

/// A grid of n x n points in quads with v, uv, id and pscale.
Geometry grid_geometry(int n);

} // namespace selvage::test
