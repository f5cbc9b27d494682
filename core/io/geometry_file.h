#pragma once

#include "core/geometry/geometry.h"

#include <string>

namespace selvage
{

/// Reads .geo, .bgeo, .bgeo.sc (also .geo.sc), .obj or .vdb by the name's extension; Houdini's
/// encodings are told apart by content, so a misnamed one is read all the same. Errors name the
/// file: a FileError where it cannot be opened, an InputError where its content is bad.
Geometry read_geometry(const std::string& path);

/// Writes atomically (see AtomicFile), creating missing folders.
void write_geometry(const std::string& path, const Geometry& geometry);

/// Whether the extension is one of the above.
bool is_geometry_path(const std::string& path);

} // namespace selvage
