#pragma once

#include "core/base/types.h"
#include "core/geometry/mesh_topology.h"

#include <array>
#include <string>
#include <vector>

namespace selvage
{

struct Cloth;
struct HingeElement;
struct RestDrive;
struct ShapeTriangle;

/// A rest shape as a sheet knows it: lengths and angles, no positions. Nothing here depends on
/// where the shape lies in space, so shapes can be blended number by number
/// [Tamstorf 2016, §4.6: blend lengths, never positions].
struct RestShape {
    std::vector<Vec3> lengths;  ///< [m] per triangle: edges opposite its corners 0, 1, 2
    std::vector<double> angles; ///< [rad] per hinge, zero where flat
};

/// The shape of a mesh in space, x three per point.
RestShape rest_shape(const MeshTopology& mesh, const VecX& x);

/// A flat pattern: each triangle by the places (two per corner) of its own corners, so that points
/// on a seam may have several. The two sides of a seam may differ in length; all hinges are flat,
/// those on seams too: sewn cloth is pressed open.
RestShape rest_shape(const MeshTopology& mesh, const std::vector<std::array<Vec2, 3>>& pattern);

/// [m²] from the lengths of the edges; 0 where they do not form a triangle.
double triangle_area(const Vec3& lengths);

/// Triangles that were too flat to be at rest, and were opened.
struct RestRepair {
    int count = 0;
    int triangle = -1; ///< the first one
};

/// The shape at rest for a cloth that is driven towards the shape of other positions:
///   l = s ((1 − w) l_cloth + w l_driven),   θ = (1 − w) θ_cloth + w θ_driven,
/// with w = blend × the mean of `rest_blend`, s = scale × the mean of `rest_scale` over the two
/// points of the edge. w = 0 and s = 1 give the cloth's own shape bit for bit.
///
/// Weights that differ between the edges of a triangle can break the triangle inequality; so can a
/// driven mesh that collapses. A triangle whose area falls below 1e-3 of its longest edge squared
/// (or below a tenth of that ratio in its own shape, where that is less: slivers stay slivers) is
/// repaired: no edge shorter than a thousandth of its own length or a hundredth of the longest, and
/// the longest shorter than the two others together by a thousandth.
RestShape driven_rest(const Cloth& cloth, const RestDrive& drive, RestRepair& repair);

/// The elements of a cloth in a rest shape, with its material and what is painted on it.
std::vector<HingeElement> hinge_rest(const Cloth& cloth, const RestShape& rest);
std::vector<ShapeTriangle> plate_rest(const Cloth& cloth, const RestShape& rest);

/// Scene vertices of the elements of plate_rest: six each, see shape_operator_bending.h.
std::vector<std::int32_t> plate_vertices(const Cloth& cloth);

/// Per triangle and corner: the hinge at the edge opposite to it, −1 at free edges.
std::vector<Vec3i> triangle_hinges(const MeshTopology& mesh);

/// "Cloth 'cape': 3 triangles …, the first in polygon 12."
std::string describe(const RestRepair& repair, const Cloth& cloth);

} // namespace selvage
