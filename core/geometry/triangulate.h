#pragma once

#include "core/base/types.h"
#include "core/geometry/geometry.h"

#include <array>
#include <cstdint>
#include <vector>

namespace selvage
{

/// Triangles that stand for a geometry's closed polygons; no point is moved, added or dropped.
struct Triangulation {
    std::vector<Vec3i> triangles;        ///< point numbers
    std::vector<std::int32_t> primitive; ///< which primitive each triangle is a part of
    std::vector<Vec3i> vertices;         ///< vertex numbers, corner by corner as in triangles
};

/// Corner triples of one outline, by the rules below.
std::vector<std::array<int, 3>> triangulate_outline(const std::vector<Vec3>& outline);

/// Triangulates closed polygons and polygon soups; open curves, tetrahedra and polygons of fewer
/// than three vertices are skipped. A polygon of n vertices gives exactly n − 2 triangles with its
/// own orientation, in the order of primitives:
///
/// - triangles stay as they are;
/// - quads are cut along the shorter diagonal, unless that one gives an inverted or flat triangle
///   and the other does not; diagonals within 1e-4 of each other count as equal (32-bit rounding
///   must not choose) and then the cut runs from the first to the third vertex;
/// - larger polygons lose one ear after the other, roundest first, in the plane of their Newell
///   normal. Concave polygons, collinear points, repeated points and polygons without area are all
///   taken; where no proper ear is left (self-overlapping outlines) the least bad one goes.
///
/// A triangulation belongs to a topology: make it once from the rest pose and keep it.
Triangulation triangulate(const Geometry& geometry);

/// As above, judged on these positions (3 per point) instead of the geometry's P.
Triangulation triangulate(const Geometry& geometry, const VecX& positions);

} // namespace selvage
