#pragma once

#include "core/base/types.h"

#include <Eigen/Geometry>

#include <functional>
#include <vector>

namespace selvage
{

struct TriangleMesh {
    std::vector<Vec3> points;
    std::vector<Vec3i> triangles; ///< counter-clockwise seen from outside
};

/// About the signed distance to a surface, negative inside. Called from several threads.
using DistanceFunction = std::function<double(const Vec3&)>;

/// The zero set of `field` as a closed mesh of well-shaped triangles with edges of about `cell`
/// [m].
///
/// Surface nets on a grid, then alternately: even out the points along the surface, pull them back
/// onto it by Newton steps, and flip edges towards a Delaunay triangulation.
/// Throws InputError where the grid is too coarse for the shape (the mesh would not be manifold).
TriangleMesh extract_surface(const DistanceFunction& field, const Eigen::AlignedBox3d& bounds,
                             double cell);

/// True when each edge has exactly two triangles, oriented alike, and the triangles around each
/// point form one fan.
bool is_closed_manifold(const TriangleMesh& mesh);

} // namespace selvage
