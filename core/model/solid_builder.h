#pragma once

#include "core/base/log.h"
#include "core/geometry/geometry.h"
#include "core/model/scene.h"

#include <string>

namespace selvage
{

/// Turns tetrahedra into a solid: points in the order that makes volumes positive, its surface,
/// rest shape (point attribute `rest`, else P), fibres (point or primitive attribute `fiber`) and
/// what is painted (SolidMaps). Polygons in the geometry are taken for its skin: they move with
/// their points and carry nothing. Throws InputError where there are no tetrahedra, or one has no
/// volume.
Solid make_solid(const std::string& name, const Geometry& geometry, const SolidMaterial& material,
                 LogSink& log);

/// [kg] per point: a quarter of each tetrahedron, or point attribute `mass`.
VecX solid_mass(const Solid& solid, const Geometry& geometry);

/// Points that no tetrahedron uses; they cannot be simulated and follow the input.
std::vector<int> loose_points(const Solid& solid);

/// Throws InputError naming a tetrahedron that is inside out at x (the solid's points), where its
/// law cannot start from that.
void require_positive_volumes(const Solid& solid, const VecX& x);

} // namespace selvage
