#pragma once

#include "core/contact/contact_mesh.h"
#include "core/model/scene.h"

namespace selvage
{

/// The surfaces of a scene as contact sees them: cloths, solids, colliders, in their order.
ContactMesh scene_contact_mesh(const Scene& scene);

/// All colliders' positions, one after the other.
VecX stacked_colliders(const std::vector<VecX>& colliders);

} // namespace selvage
