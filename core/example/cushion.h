#pragma once

#include "core/geometry/geometry.h"

namespace selvage
{

/// Two square panels that hang by a corner, face to face and a little apart, to be sewn and blown
/// up into a cushion: `cells` × `cells` quads each, in planes of constant z, wound outwards.
///
/// Point groups: `front_edge` and `back_edge` (the borders), `loop` (the upper corners).
Geometry cushion_panels(int cells = 28, double size = 0.4);

/// The hook that the cushion hangs on, a small plate at its upper corner that swings from side to
/// side once in two seconds.
Geometry cushion_hook(double seconds, double size = 0.4);

} // namespace selvage
