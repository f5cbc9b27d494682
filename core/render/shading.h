#pragma once

#include "core/render/scene_description.h"

namespace selvage
{

/// The lamps as directions and colours in the world.
struct LightRig {
    Eigen::Vector3f key_direction; ///< towards the lamp, unit
    Eigen::Vector3f key_u, key_v;  ///< span of its disk, scaled by the tangent of its radius
    Eigen::Vector3f rim_direction;
    Color key, rim;
    Color zenith, horizon, below; ///< of the dome; below: light from the floor

    LightRig(const Lights& lights, const Camera& camera);

    /// Direction towards a point of the lamp's disk, for a point on the unit disk.
    Eigen::Vector3f towards_key(const Eigen::Vector2f& disk) const;
    Color sky(const Eigen::Vector3f& direction) const;
};

/// A point to be lit; all directions unit, the normal on the viewer's side.
struct SurfacePoint {
    Eigen::Vector3f normal, towards_viewer;
    Eigen::Vector3f tangent; ///< of strands
    Color color;
    RenderRole role = RenderRole::cloth;
    bool is_strand = false;
};

/// What one sample found out about the light there.
struct Incident {
    Eigen::Vector3f key_direction;
    float key_visible = 0; ///< 0 or 1
    Color sky;             ///< radiance from one cosine-distributed direction
    float sky_visible = 0; ///< 0: that direction is blocked
};

/// Light towards the viewer: Lambert plus velvet sheen (cloth), faint gloss (collider) or
/// Kajiya–Kay with two lobes (strands); before tone mapping.
Color shade(const SurfacePoint& point, const Incident& light, const LightRig& rig);

/// The colour of cloth's back: a little darker and greyer.
Color back_color(const Color& front);

/// Behind everything: a soft vertical gradient; y from -1 (bottom) to 1 (top), x likewise.
Color backdrop(float x, float y);

} // namespace selvage
