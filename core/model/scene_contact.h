#pragma once

#include "core/contact/strand_cohesion.h"
#include "core/model/scene.h"

#include <memory>

namespace selvage
{

/// The surfaces of a scene as contact sees them: cloths, solids, colliders, hairs, in their order.
/// strand_points: strands come with their points against edges as well, which barriers need where
/// edges are parallel; numbers of bodies, vertices and elements are the same either way.
ContactMesh scene_contact_mesh(const Scene& scene, bool strand_points = false);

/// What draws strands of the scene together, over its vertices; null where no hair has cohesion.
std::unique_ptr<StrandCohesion> scene_cohesion(const Scene& scene);

/// Its number there of a collider.
int collider_body(const Scene& scene, std::size_t collider);

/// Calls set(body, field) for each signed distance of a drive.
template <class Set>
void use_fields(const Scene& scene, const std::vector<std::shared_ptr<const MovingField>>& fields,
                Set&& set)
{
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i]) set(collider_body(scene, i), fields[i]);
}

/// All colliders' positions, one after the other.
VecX stacked_colliders(const std::vector<VecX>& colliders);

} // namespace selvage
