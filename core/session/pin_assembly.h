#pragma once

#include "core/base/log.h"
#include "core/model/scene.h"
#include "core/session/session_setup.h"

#include <vector>

namespace selvage
{

/// What pins need to know of a cloth or a solid.
struct PinnedObject {
    std::string who; ///< "Cloth 'cape'"
    int first_vertex;
    const VecX& x_rest;
    const std::vector<Vec2i>& edges; ///< along which a falloff is measured, in its own points
    std::vector<int> loose;          ///< points of no element
};

/// Points that attributes pin: bit 0 of `stopped`, or zero `mass`.
bool pinned_by_attribute(const Geometry& geometry, int point);

/// Its pins: exactly those of `stopped`, of zero mass and of no element; those of the group exactly
/// or softly, fading out along the edges where there is a falloff.
std::vector<Pin> pins_of(const ParameterSet& pins, const PinnedObject& object,
                         const Geometry& geometry, LogSink& log);

} // namespace selvage
