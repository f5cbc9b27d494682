#pragma once

#include "core/contact/ccd.h"

namespace selvage
{

/// A point and a half-space, x = [p a b c]: the plane goes through a, b, c with the normal
/// (b − a) × (c − a), and what lies behind it is solid. In contact it is the point–triangle stencil
/// without the triangle's rim, so barrier, friction and the pull of a moving plane are those of
/// triangles; a, b, c need not be near p.

/// [m] of p over the plane; negative behind it.
double height_over_plane(const Vec3T<double> (&x)[4]);

/// [m] A bound from below of that height along x + t p, t in [0, 1]: the height itself where the
/// plane does not turn. Only its sign counts where it is negative.
double lowest_height(const Vec3T<double> (&x)[4], const Vec3T<double> (&p)[4]);

/// How many times farther than a, b, c the plane below the point can move, in the same motion.
double plane_leverage(const Vec3T<double> (&x)[4], const Vec3T<double> (&p)[4]);

/// As the others of ccd.h, for motions that may turn the plane: exact where it keeps its normal.
/// With n = (b − a) × (c − a) the height is n·(p − a)/|n|, a cubic of t over the norm of a
/// quadratic. In Bernstein's form |n| is at most the polynomial of its coefficients' norms, so that
///   g(t) = n·(p − a) − c Σ B_i(t) |n_i|,   c = thickness + slack × first gap
/// bounds what is left from below; its first zero is sought by clipping the hull of its
/// coefficients, which never oversteps.
CcdResult point_plane_ccd(const Vec3T<double> (&x)[4], const Vec3T<double> (&p)[4],
                          const CcdSettings& settings = {});

} // namespace selvage
