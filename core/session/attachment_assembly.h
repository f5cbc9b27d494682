#pragma once

#include "core/base/log.h"
#include "core/model/scene.h"
#include "core/session/session_setup.h"

#include <memory>
#include <vector>

namespace selvage
{

/// Places on an animated surface that the links of a set hang on, one per link.
struct LinkPlaces {
    int collider = -1;                      ///< number of the collider, or…
    std::shared_ptr<GeometrySource> source; ///< …another input; neither: the set has no such places
    std::size_t points = 0;                 ///< of that source
    std::vector<Vec3i> triangles;
    std::vector<Vec3> weights;
    std::vector<Vec3> offsets; ///< [m] in the triangle's frame; empty: on the surface itself

    bool animated() const { return !triangles.empty(); }
    /// Three per link, from the positions of the surface.
    VecX at(const VecX& surface) const;
};

/// Attachments, then seams, as link sets of the scene; `places` has an entry for each. The scene's
/// cloths, colliders and collisions are there already, at positions x. Throws InputError naming the
/// attachment and what it lacks; warns where nothing is in reach.
void assemble_links(const SessionSetup& setup,
                    const std::vector<std::shared_ptr<const Geometry>>& cloth_geometry,
                    const VecX& x, Scene& scene, std::vector<LinkPlaces>& places, LogSink& log);

} // namespace selvage
