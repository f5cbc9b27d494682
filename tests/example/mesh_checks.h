#pragma once

#include "core/geometry/geometry.h"

#include <vector>

namespace selvage
{

/// A polygon geometry as triangles (polygons are fanned), for judging it.
struct Triangles {
    VecX x;
    std::vector<Vec3i> faces;

    Vec3 point(int i) const { return x.segment<3>(3 * i); }
};
Triangles triangles_of(const Geometry& geometry);

/// Edges that do not have exactly two faces running along them in opposite directions.
int open_or_bad_edges(const Geometry& geometry);
/// As above, but edges with one face only (a border) are fine.
int bad_edges(const Geometry& geometry);
int component_count(const Geometry& geometry);
/// points − edges + faces.
int euler_characteristic(const Geometry& geometry);

double enclosed_volume(const Triangles& mesh);
/// Smallest angle of any triangle [rad].
double smallest_angle(const Triangles& mesh);

/// Pairs of triangles that cross without sharing a point; of one mesh, or of two.
int self_intersections(const Triangles& mesh);
int intersections(const Triangles& a, const Triangles& b);

/// Least distance of any of `points` [x0 y0 z0 ...] to the mesh, looked for up to `reach` [m].
double least_distance(const VecX& points, const Triangles& mesh, double reach);

} // namespace selvage
