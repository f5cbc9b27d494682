#pragma once

#include "core/contact/contact_mesh.h"
#include "core/model/scene.h"

namespace selvage
{

/// The surfaces of a scene as contact sees them: cloths, solids, colliders, hairs, in their order.
/// strand_points: strands come with their points against edges as well, which barriers need where
/// edges are parallel; numbers of bodies, vertices and elements are the same either way.
ContactMesh scene_contact_mesh(const Scene& scene, bool strand_points = false);

/// All colliders' positions, one after the other.
VecX stacked_colliders(const std::vector<VecX>& colliders);

} // namespace selvage
