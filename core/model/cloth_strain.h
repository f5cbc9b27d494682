#pragma once

#include "core/model/scene.h"

namespace selvage
{

/// Largest principal stretch of each triangle against its rest shape (1: unstretched); x holds the
/// scene's vertices.
VecX triangle_stretch(const Cloth& cloth, const VecX& x);

/// Per point: largest principal stretch − 1 over its triangles.
VecX point_strain(const Cloth& cloth, const VecX& x);

/// Largest strain in the scene.
double max_strain(const Scene& scene, const VecX& x);

} // namespace selvage
