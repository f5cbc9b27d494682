#pragma once

#include "core/geometry/geometry.h"

#include <string_view>

namespace selvage
{

/// Reads Houdini geometry (Houdini 12 and later): .geo text or .bgeo binary, told apart by content.
///
/// Read: attributes of all storages and owners (fixed-size, array, string, dictionary), whether
/// stored as tuples, component arrays or pages; polygons and open curves (single, "run",
/// Polygon_run/p_r, PolygonCurve_run/c_r), polygon soups, tetrahedra (single, Tetrahedron_run/t_r);
/// point, vertex, primitive and edge groups. Positions with four components (before Houdini 14)
/// become P with three, and Pw where a weight is not 1.
///
/// Not representable: other primitives are an InputError that names type, number and the node to
/// add in Houdini. Attributes of other kinds (blobs, index pairs such as boneCapture) are kept
/// as they are and written back (Geometry::opaque_attributes). Unknown top-level entries and the
/// seek index are skipped.
///
/// Every length is checked against the bytes that are there; memory stays below ReadBudget's limit
/// (64 times the size of the file plus 16 MiB). Only InputError is thrown.
Geometry read_geo(std::string_view bytes);

} // namespace selvage
