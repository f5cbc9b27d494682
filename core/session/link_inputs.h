#pragma once

#include "core/base/log.h"
#include "core/model/scene.h"
#include "core/session/session_setup.h"

#include <memory>
#include <string>
#include <vector>

namespace selvage
{

/// What link sets are made from: the scene's cloths, colliders and collisions, at positions x.
struct LinkInputs {
    const SessionSetup& setup;
    const std::vector<std::shared_ptr<const Geometry>>& geometry; ///< of the cloths
    const VecX& x;
    Scene& scene;
    LogSink& log;
};

/// Number of the collider of that name; throws InputError naming the nearest one.
std::size_t named_collider(const LinkInputs& in, const std::string& name, const std::string& who);
std::size_t named_cloth(const LinkInputs& in, const std::string& name, const std::string& who);

/// The scene's vertices that the points of constraint geometry stand for: by point attribute `id`
/// where it and the cloths have it, by number where there are as many points, else the nearest.
std::vector<int> scene_vertices(const LinkInputs& in, const Geometry& constraints);

/// Points of a primitive of constraint geometry as vertices of the scene.
std::vector<int> primitive_vertices(const Geometry& constraints, std::size_t primitive,
                                    const std::vector<int>& vertex_of_point);

/// A limit that is optional: ∞ where it is not set.
double limit_of(const ParameterSet& p, const char* name);

/// [m] What contact keeps free between layers of cloth, and between cloth and a collider: rest
/// lengths never go below it.
double room_between_layers(const Scene& scene);
double room_above_collider(const Scene& scene, int collider);

} // namespace selvage
