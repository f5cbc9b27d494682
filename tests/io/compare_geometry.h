#pragma once

#include "core/geometry/geometry.h"

#include <string>

namespace selvage::test
{

enum class Compare {
    everything, ///< bit for bit, also what is only carried along
    content,    ///< topology, attribute values and groups: what two encodings of a file share
};

/// What differs first between two geometries; "" where nothing does. The order of attributes and
/// groups counts within one owner only, since files keep owners apart.
std::string difference(const Geometry& a, const Geometry& b, Compare how = Compare::everything);

} // namespace selvage::test
