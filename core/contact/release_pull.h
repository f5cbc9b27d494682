#pragma once

#include "core/contact/releases.h"

namespace selvage
{

/// Where a vertex is softly drawn during a step.
struct Pull {
    std::int32_t vertex;
    Vec3 target; ///< [m]
};

/// Draws released vertices out of the colliders they are released from: along with the nearest
/// place of the surface, and outwards from it by at most `reach` [m]. All positions are of the
/// step's start (all contact vertices), but for `prescribed_target`. Vertices on the wrong side of
/// a sheet are left alone, unless it is one-sided: there is no short way out.
std::vector<Pull> release_pulls(const ContactMesh& mesh, const Releases& releases, const VecX& x,
                                const VecX& prescribed_target, double reach, double d_hat);

} // namespace selvage
