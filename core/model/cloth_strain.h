#pragma once

#include "core/model/scene.h"

namespace selvage
{

/// Largest principal stretch of each triangle against a rest shape (1: unstretched); x holds the
/// scene's vertices.
VecX triangle_stretch(const Cloth& cloth, const RestShape& rest, const VecX& x);

/// Per point: largest principal stretch − 1 over its triangles.
VecX point_strain(const Cloth& cloth, const RestShape& rest, const VecX& x);

/// Largest strain in the scene against the cloths' own rest shapes.
double max_strain(const Scene& scene, const VecX& x);

} // namespace selvage
