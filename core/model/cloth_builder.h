#pragma once

#include "core/base/log.h"
#include "core/geometry/geometry.h"
#include "core/model/scene.h"

#include <string>

namespace selvage
{

/// Where the rest shape comes from.
enum class RestFrom {
    automatic, ///< x_rest where it is given, else point attribute `rest`, else P
    geometry,  ///< P
    attribute, ///< point attribute `rest`
    pattern,   ///< vertex or point `materialuv`, else `uv`, as a flat pattern
};

struct RestChoice {
    RestFrom from = RestFrom::automatic;
    double pattern_scale = 1; ///< [m] per unit of the pattern
};

/// Turns polygons into a cloth: triangles, hinges, rest shape, warp directions. Reads the point
/// attributes `rest`, `rest_blend`, `rest_scale`, those of ClothMaps, and vertex or point
/// `materialuv`, `uv`.
/// Throws InputError on empty meshes, NaN positions and zero-area triangles; warns about unfused
/// seams, non-manifold edges and suspicious sizes.
Cloth make_cloth(const std::string& name, const Geometry& geometry, const VecX* x_rest,
                 const ClothMaterial& material, LogSink& log, const RestChoice& choice = {});

/// [kg] per point: a third of each triangle's own rest area (before any rest_scale) times density,
/// or point attribute `mass`.
VecX cloth_mass(const Cloth& cloth, const Geometry& geometry);

/// Replaces masses by those of point attribute `mass` that are positive; 0 pins the point, which
/// keeps its own.
void use_point_masses(const std::string& who, const Geometry& geometry, VecX& mass);

/// Points that no triangle uses; they cannot be simulated and follow the input.
std::vector<int> loose_points(const Cloth& cloth);

/// Throws InputError naming object, point and frame when a position is not finite.
void require_finite(const VecX& x, const std::string& what);

} // namespace selvage
