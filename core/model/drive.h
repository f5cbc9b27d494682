#pragma once

#include "core/base/types.h"
#include "core/energy/chamber_pressure.h"
#include "core/energy/wind_field.h"
#include "core/geometry/moving_field.h"
#include "core/model/link.h"

#include <memory>
#include <vector>

namespace selvage
{

/// What drives the rest shape of a cloth at the end of a step; as it stands: nothing.
struct RestDrive {
    VecX x;           ///< [m] positions whose lengths and angles are blended in; may be empty
    double blend = 0; ///< 0: the cloth's own shape, 1: that of x; times Cloth::rest_blend
    double scale = 1; ///< of all lengths, after blending; times Cloth::rest_scale

    bool operator==(const RestDrive& o) const
    {
        return blend == o.blend && scale == o.scale && x.size() == o.x.size() && x == o.x;
    }
};

/// A rest shape as strands know it: no positions. By rod point, see Hair.
struct RodRest {
    VecX length;    ///< [m] of edges; empty: the hair's own rest shape
    VecX curvature; ///< two each
    VecX twist;     ///< [rad]
};

/// What drives a hair at the end of a step.
struct HairDrive {
    VecX x;            ///< [m] the animated groom, three per point: held points are there
    VecX directors;    ///< m1 of the roots' held edges, three per strand; empty: carried along
    RodRest rest = {}; ///< empty: the hair's own
};

/// Everything animated over one step, sampled at its start (_0) and end (_1).
struct Drive {
    /// [m] Where the vertices really are at the start, where that is not State::x: a cloth that was
    /// carried along with a moving frame must get there without passing through anything. Empty
    /// otherwise.
    VecX x_start;
    VecX pin_target_0; ///< [m] three per entry of Scene::pins
    VecX pin_target_1;
    VecX pin_strength;            ///< one per pin: multiplies the stiffness of soft ones; empty: 1
    Vec3 gravity = {0, -9.81, 0}; ///< [m/s²]
    Vec3 wind = Vec3::Zero();     ///< [m/s] velocity of the air
    double air_density = 1.225;   ///< [kg/m³]

    Turbulence turbulence;

    std::vector<HairDrive> hair;  ///< one per hair
    std::vector<RestDrive> rest;  ///< one per cloth, or none at all
    std::vector<LinkDrive> links; ///< one per entry of Scene::links, or none at all
    std::vector<GasLaw> gas;      ///< one per entry of Scene::chambers, or none at all

    /// Whether pairs that do not collide for now are drawn apart; else only those of two layers
    /// are.
    bool draw_apart = false;

    /// Colliders as one stack of positions per collider, in the order of Scene::colliders.
    std::vector<VecX> collider_0;
    std::vector<VecX> collider_1;
    /// Signed distances over the step, and over what colliders that were held up have to catch up
    /// with; one per collider, null for other kinds. None at all: as in the scene.
    std::vector<std::shared_ptr<const MovingField>> fields;
};

} // namespace selvage
