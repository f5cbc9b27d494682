#pragma once

#include "core/check/elements.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace selvage
{

/// Two elements and how far apart they are: point and triangle, or edge and edge.
struct GapPair {
    double distance = infinity; ///< [m]
    ElementId a;                ///< a point or an edge
    ElementId b;                ///< a triangle or an edge
};

struct GapOptions {
    /// Hair grows out of the skin: leave a curve's first point out against triangles and its first
    /// segment out against their edges. Curves against curves stay in.
    bool skip_curve_roots = false;
    /// Objects from this number on may lie on themselves and each other.
    std::int32_t judged_objects = std::numeric_limits<std::int32_t>::max();
};

/// Smallest distance between elements that are not neighbours: points and triangles, edges and
/// edges (curve segments included), within and between the objects. Neighbours share a point, or
/// have points at exactly the same position (seams that were not fused).
///
/// Among elements that do not intersect this is the smallest distance of the surfaces and curves;
/// where an edge pierces a triangle it is not zero: ask find_intersections first.
/// Looks no further than `bound`; nothing if all gaps are at least that.
std::optional<GapPair> smallest_gap(const Elements& elements, double bound = infinity,
                                    const GapOptions& options = {});

struct GapReport {
    std::vector<GapPair> closest; ///< by distance
    std::size_t count = 0;        ///< pairs below the thickness
};

/// All pairs nearer than `thickness`, at most `max_listed` of them listed.
GapReport gaps_below(const Elements& elements, double thickness, std::size_t max_listed,
                     const GapOptions& options = {});

} // namespace selvage
