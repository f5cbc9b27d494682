#pragma once

#include "core/geometry/geometry.h"

#include <memory>
#include <string>
#include <vector>

namespace selvage::houdini
{

/// The open curves of a geometry alone, with their points, attributes and point groups: what is
/// simulated as hair beside the polygons.
struct CurvePart {
    std::shared_ptr<const Geometry> geometry;
    std::vector<std::int32_t> points; ///< numbers in the whole geometry
};

/// Throws InputError naming a point that a curve shares with another primitive; the message starts
/// with `who`.
CurvePart curves_of(const Geometry& whole, const std::string& who);

bool is_curve(const Primitive& p);

} // namespace selvage::houdini
