#pragma once

#include "core/base/types.h"
#include "core/geometry/geometry.h"

#include <vector>

namespace selvage
{

/// Connectivity of a triangle mesh: what membranes, hinges and contact need of it.
struct MeshTopology {
    std::vector<Vec3i> triangles;
    std::vector<Vec2i> edges; ///< every edge once, smaller point first, in order of appearance

    /// One per manifold interior edge: [x0 x1 x2 x3] with the hinge edge (x1, x2), x0 the far point
    /// of the first triangle (x0 x1 x2) and x3 that of the second. Edges with three or more
    /// triangles get none.
    std::vector<Vec4i> hinges;
    std::vector<Vec2i> hinge_triangles; ///< the two triangles of each hinge

    std::vector<Vec2i> boundary_edges;
    std::vector<Vec2i> nonmanifold_edges; ///< three or more triangles
    std::vector<Vec2i> flipped_edges;     ///< both triangles run through it in the same direction
};

MeshTopology mesh_topology(std::vector<Vec3i> triangles);

/// Open polygons with at least two points, as point numbers from root to tip.
std::vector<std::vector<int>> strands(const Geometry& geometry);

/// Points that look connected but are not: what an artist forgot to fuse.
struct SeamReport {
    std::vector<Vec2i> coincident_points; ///< boundary points at the same place
    std::vector<Vec3i> t_junctions;       ///< (point, edge point, edge point): lies inside the edge
};

/// Compares boundary points and boundary edges closer than `tolerance` [m].
SeamReport find_open_seams(const MeshTopology& mesh, const VecX& x, double tolerance);

} // namespace selvage
