#pragma once

#include "core/geometry/geometry.h"

#include <string>
#include <string_view>

namespace selvage
{

/// Wavefront OBJ. Read: v (extra numbers ignored), vt, vn, f with any number of corners and
/// negative indices, l (open curves); the names of g, o and usemtl become primitive groups; other
/// lines are skipped, "\" joins lines. vt becomes the vertex attribute uv (three components, as in
/// Houdini), vn the vertex attribute N; corners without one get zeros. The order of corners is kept
/// as it is: OBJ runs counter-clockwise seen from the front, Houdini clockwise.
/// Memory: see ReadBudget. Only InputError is thrown, with the line number.
Geometry read_obj(std::string_view text);

/// Polygons, soups (one face for each polygon) and open curves; uv and N of vertices or points;
/// primitive groups as g lines. Other attributes and groups have no place in OBJ and are left out;
/// tetrahedra are an InputError. 32-bit reals read back to the same bits.
std::string write_obj(const Geometry& geometry);

} // namespace selvage
