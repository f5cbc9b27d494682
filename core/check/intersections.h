#pragma once

#include "core/check/edge_triangle.h"
#include "core/check/elements.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace selvage
{

struct IntersectionOptions {
    std::size_t max_listed = 100; ///< pairs listed of each kind; all are counted
    /// Leave out the first segment of each curve: hair grows out of the skin it is held against.
    bool skip_curve_roots = false;
    /// Count crossings of elements with a released point apart.
    bool allow_released = false;
    /// Objects from this number on may cross themselves and each other.
    std::int32_t judged_objects = std::numeric_limits<std::int32_t>::max();
};

/// An edge or curve segment and the triangle it meets.
struct IntersectionPair {
    ElementId edge;
    ElementId triangle;
};

struct IntersectionReport {
    std::vector<IntersectionPair> crossing; ///< listed pairs, by edge then triangle
    std::vector<IntersectionPair> touching; ///< meeting only at coinciding points (unfused seams)
    std::size_t crossing_count = 0;
    std::size_t touching_count = 0;
    std::size_t released_count = 0; ///< crossings that were allowed
};

/// Every edge of the triangulated polygons and every curve segment against every triangle, within
/// and between the objects, each pair decided exactly (see edge_triangle.h for what counts). Two
/// triangles intersect only if an edge of one meets the other, so nothing is missed, except among
/// pairs that share a point number: neighbours meet by construction and are left out.
IntersectionReport find_intersections(const Elements& elements,
                                      const IntersectionOptions& options = {});

/// Two triangles at exactly the same place.
struct CoincidentTriangles {
    ElementId a, b;
};

/// Triangles whose corners coincide one by one although their point numbers differ: a doubled
/// sheet or a flap folded exactly onto its neighbour. Their edges are merely `touching` above.
std::vector<CoincidentTriangles> find_coincident_triangles(const Elements& elements);

} // namespace selvage
