#pragma once

#include "core/base/types.h"

#include <vector>

namespace selvage
{

/// Half-dimensions of a limb's cross-section at distance t along its axis [m].
struct ProfileRow {
    double t;         ///< along the axis, ascending
    double side;      ///< half-width to either side
    double front;     ///< depth to the front
    double back;      ///< depth to the back
    double shift = 0; ///< the centre's offset to the front
};

/// A limb or trunk as an implicit surface: elliptic cross-sections, interpolated smoothly along a
/// straight axis, closed by ellipsoidal caps at both ends.
///
/// With ρ = ‖(u/a, v/b, w/c)‖ (u, v across, w beyond an end) the surface is ρ = 1, and
///   distance ≈ ρ (ρ − 1) / ‖(u/a², v/b², w/c²)‖,
/// exact to first order at the surface, negative inside.
class ProfileTube
{
public:
    /// `front` need not be perpendicular to the axis. `cap_start`, `cap_end` [m] are the heights
    /// of the end caps.
    ProfileTube(const Vec3& origin, const Vec3& axis, const Vec3& front,
                std::vector<ProfileRow> rows, double cap_start, double cap_end);

    double distance(const Vec3& p) const;

private:
    ProfileRow row_at(double t) const;

    Vec3 origin_, axis_, side_, front_;
    std::vector<ProfileRow> rows_, slopes_;
    double cap_start_, cap_end_;
    Vec3 centre_; ///< of a ball that holds the tube
    double radius_;
};

/// First-order distance to an ellipsoid with half-axes r [m] along the world's axes.
double ellipsoid_distance(const Vec3& p, const Vec3& centre, const Vec3& r);

/// Distance to a capsule whose radius runs from r0 at a to r1 at b (linear in between).
double tapered_capsule_distance(const Vec3& p, const Vec3& a, double r0, const Vec3& b, double r1);

/// Union of two distances, rounded (twice differentiable) where they differ by less than k [m].
double smooth_union(double a, double b, double k);

} // namespace selvage
