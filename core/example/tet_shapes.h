#pragma once

#include "core/geometry/geometry.h"

#include <functional>
#include <vector>

namespace selvage
{

/// Points and tetrahedra with positive volumes.
struct TetShape {
    std::vector<Vec3> points;
    std::vector<Vec4i> tets;
};

/// nx × ny × nz cells of six tetrahedra over [0, nx] × [0, ny] × [0, nz]; `place` says where a grid
/// point lies and must not turn the grid inside out.
struct TetGridOptions {
    bool round = false;    ///< x is an angle: the last cells meet the first ones
    bool mirrored = false; ///< diagonals run outwards from the middle, as a mirror image
};
TetShape tet_grid(const Vec3i& cells, const std::function<Vec3(const Vec3&)>& place,
                  TetGridOptions options = {});

/// A block from corner to corner, mirrored about its middle planes.
TetShape tet_block(const Vec3i& cells, const Vec3& lower, const Vec3& upper);
/// A ball of cells³ cells around the origin, a cube with its surface pushed onto the sphere.
TetShape tet_ball(double radius, int cells);
/// A ring in the plane z = 0 around the origin: `around` cells along it, `across`² in its section,
/// which is round. `stretch` [m] draws it out along y into a link of a chain.
TetShape tet_ring(double radius, double section_radius, int around, int across, double stretch = 0);

/// The tetrahedra and, as polygons, their surface: what is drawn and checked.
Geometry tet_geometry(const TetShape& shape, Storage storage = Storage::real32);

} // namespace selvage
