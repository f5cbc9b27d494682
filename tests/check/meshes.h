#pragma once

#include "core/check/elements.h"

#include <random>

namespace selvage
{

/// Corners of the small meshes.
inline const Vec3 o = Vec3::Zero(), X = Vec3::UnitX(), Y = Vec3::UnitY(), Z = Vec3::UnitZ();

/// A geometry of triangles (or other polygons) over these points, in 64 bits.
Geometry make_geometry(const std::vector<Vec3>& points,
                       const std::vector<std::vector<int>>& polygons, bool closed = true);

/// n × n quads, corner at `origin`, sides `u` and `v`; triangles instead of quads on request.
Geometry make_grid(int n, const Vec3& origin, const Vec3& u, const Vec3& v, bool triangles = true);

/// `count` triangles of about this size with corners in the unit cube; each has its own points.
Geometry make_triangle_soup(int count, double size, unsigned seed);

NamedGeometry named(const std::string& name, const Geometry& geometry);

} // namespace selvage
