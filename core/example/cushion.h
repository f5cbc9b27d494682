#pragma once

#include "core/geometry/geometry.h"

namespace selvage
{

/// Two upright square panels, face to face and a little apart, to be sewn and blown up into a
/// cushion: `cells` × `cells` quads each, in planes of constant z, wound outwards.
///
/// Point groups: `front_edge` and `back_edge` (the borders), `loops` (the upper corners).
Geometry cushion_panels(int cells = 28, double size = 0.4);

/// The bar that the cushion hangs from, just above its upper edge; it swings from side to side once
/// in two seconds.
Geometry cushion_bar(double seconds, double size = 0.4);

} // namespace selvage
