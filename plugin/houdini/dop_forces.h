#pragma once

#include "core/base/types.h"

#include <SIM/SIM_Object.h>

#include <optional>

namespace selvage::houdini
{

/// What the forces on a DOP object ask for. Gravity is the sum of its gravity forces. Any force
/// that depends on velocity pulls towards the velocity at which it vanishes: that is the wind.
struct DopForces {
    std::optional<Vec3> gravity; ///< [m/s²]
    std::optional<Vec3> wind;    ///< [m/s]
    int others = 0;              ///< forces that are neither
};

DopForces forces_on(const SIM_Object& object);

} // namespace selvage::houdini
