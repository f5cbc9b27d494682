#pragma once

#include "core/model/hair.h"
#include "core/session/parameter_set.h"

namespace selvage
{

class Geometry;

/// What varies from strand to strand and along them: radius, stiffness and the pull to the groom
/// are multiplied by a ramp from root to tip (`radius_ramp`, `stiffness_ramp`, `target_ramp`) and
/// by attributes of curves and points (`radius_scale`, `stiffness_scale`, `target_scale`). Points'
/// `stiffness_scale` is in the hair already. Throws InputError.
void apply_hair_maps(const ParameterSet& parameters, const Geometry& geometry, Hair& hair);

} // namespace selvage
