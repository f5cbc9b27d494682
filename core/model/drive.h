#pragma once

#include "core/base/types.h"

#include <vector>

namespace selvage
{

/// Everything animated over one step, sampled at its start (_0) and end (_1).
struct Drive {
    VecX pin_target_0; ///< [m] three per entry of Scene::pins
    VecX pin_target_1;
    Vec3 gravity = {0, -9.81, 0}; ///< [m/s²]
    Vec3 wind = Vec3::Zero();     ///< [m/s] velocity of the air
    double air_density = 1.225;   ///< [kg/m³]

    /// Colliders as one stack of positions per collider, in the order of Scene::colliders.
    std::vector<VecX> collider_0;
    std::vector<VecX> collider_1;
};

} // namespace selvage
