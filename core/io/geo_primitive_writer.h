#pragma once

#include "core/geometry/geometry.h"
#include "core/io/json_writer.h"

namespace selvage
{

/// Writes the "primitives" section: runs where vertices follow each other, single primitives
/// elsewhere (see write_geo).
void write_geo_primitives(const Geometry& geometry, JsonWriter& out);

} // namespace selvage
