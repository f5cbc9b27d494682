#pragma once

#include "core/geometry/geometry.h"

#include <string>

namespace selvage
{

enum class GeoEncoding { text, binary }; ///< .geo, .bgeo

/// Houdini geometry as a file's bytes. Everything in Geometry is written and comes back the same
/// from read_geo; as text, NaNs lose sign and payload.
///
/// Where the format leaves a choice, the plainest form is taken: no tokens and no seek index;
/// values as tuples (text) or whole pages without packing and constant flags (binary); groups as
/// run lengths. Polygons, open curves and tetrahedra whose vertices follow each other are written
/// as runs under the names Houdini itself uses in that encoding ("Polygon_run" in text, "p_r" in
/// binary), others one by one.
std::string write_geo(const Geometry& geometry, GeoEncoding encoding);

} // namespace selvage
