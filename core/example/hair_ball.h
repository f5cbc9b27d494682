#pragma once

#include "core/geometry/geometry.h"

namespace selvage
{

/// Curls that stand off the upper half of a ball of 18 cm about the origin: helices of two turns
/// and 15 cm, `points` each, roots spread evenly.
Geometry hair_ball_curls(int strands, int points);

/// The ball, a little smaller than where the roots are, so that they do not lie in its facets.
Geometry hair_ball_surface();

/// Three turns of 90°, about x, y and z, each within 0.12 s and followed by a rest: 0.5 s in all.
Mat3 hair_ball_rotation(double seconds);

} // namespace selvage
