#pragma once

#include "core/math/simd.h"

namespace selvage
{

/// Additive continuous collision detection with thickness [Li et al. 2021, §5], strengthened.
///
/// All vertices move on straight lines, x(t) = x + t p, t in [0, t_max]. Let gap = distance −
/// thickness. The search creeps forward by steps that provably keep at least a tenth of the present
/// gap, and stops before the gap falls below `slack` times the first one. Two bounds give the step,
/// and the longer one is taken:
///   speed:     gap / (largest speed of one side + largest speed of the other), the mean motion
///              removed;
///   direction: along the unit vector n between the closest points the sets lie in two half-spaces,
///              so distance(t) >= min over vertex pairs of (x_i − x_j + t (p_i − p_j))·n.
/// The second, our addition, holds for any n and makes grazing and sliding motion cheap, where the
/// first needs some 1.1 p/gap steps.
struct CcdSettings {
    double thickness = 0; ///< [m] the distance below which the pair counts as colliding
    double slack = 0.1;   ///< in (0, 1): fraction of the first gap that is always left
    double t_max = 1;
    int max_iterations = 10000; ///< beyond it the time reached is returned as a hit: still safe
};

struct CcdResult {
    bool hit = false;   ///< whether t < t_max limits the step
    double t = 1;       ///< the motion up to t is free of collision, its end has a gap > 0
    int iterations = 0; ///< distances evaluated after the first
    bool capped = false;
};

/// Pairs at or below the thickness at t = 0, or with a NaN, give a hit at t = 0 whatever their
/// motion: they must be resolved, or filtered, by whoever let them come to that. A pair without
/// relative motion gives no hit.
CcdResult point_point_ccd(const Vec3T<double> (&x)[2], const Vec3T<double> (&p)[2],
                          const CcdSettings& settings = {});
CcdResult point_edge_ccd(const Vec3T<double> (&x)[3], const Vec3T<double> (&p)[3],
                         const CcdSettings& settings = {});
CcdResult point_triangle_ccd(const Vec3T<double> (&x)[4], const Vec3T<double> (&p)[4],
                             const CcdSettings& settings = {});
CcdResult edge_edge_ccd(const Vec3T<double> (&x)[4], const Vec3T<double> (&p)[4],
                        const CcdSettings& settings = {});

} // namespace selvage
