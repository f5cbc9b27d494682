#pragma once

#include "core/base/types.h"

#include <vector>

namespace selvage
{

/// Where a loose garment hung around a vertical axis may pass without touching a body.
///
/// For each azimuth φ (0 is the back, -Z; +π/2 the left, +X) the garment's profile in the
/// half-plane (r, y) is the convex outline of the body's points near that azimuth, kept `clearance`
/// away, like a string pulled over them: from the collar over the shoulder, then down and outward
/// by `flare`. Outlines are support functions H(φ, a) = max (r cos a + y sin a), which may be
/// averaged over φ and remain outlines: that makes the surface smooth around the body.
class DrapeEnvelope
{
public:
    /// `points` [x0 y0 z0 ...] of the body below the collar; `axis_z` [m] of the vertical axis
    /// through x = 0.
    DrapeEnvelope(const VecX& points, double axis_z, double clearance, double flare);

    /// Profile at φ from radius `collar_radius` to height `hem_height`, as (r, y), evenly spaced.
    std::vector<Vec2> profile(double azimuth, double collar_radius, double hem_height) const;

    /// World position of (r, y) at φ.
    Vec3 position(double azimuth, const Vec2& ry) const;

private:
    double axis_z_, flare_;
    MatX support_; ///< H: azimuth samples × normal angles
};

} // namespace selvage
