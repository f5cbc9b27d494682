#pragma once

#include "core/geometry/geometry.h"
#include "core/io/json_reader.h"

#include <vector>

namespace selvage
{

/// The "primitives" section, collected in the form Geometry::set_topology takes.
struct GeoPrimitives {
    std::vector<std::int32_t> vertices; ///< Geometry::primitive_vertices
    std::vector<std::int32_t> soup_polygon_sizes;
    std::vector<Primitive> primitives;
};

/// Reads the whole section. Primitives that Selvage does not know are an InputError that names the
/// type, the number and the node that converts them in Houdini.
GeoPrimitives read_geo_primitives(JsonReader& in, std::size_t vertex_count);

} // namespace selvage
