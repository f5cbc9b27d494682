#pragma once

#include "core/base/types.h"

#include <optional>

namespace selvage
{

/// Weights of the corners of a triangle or quad at Houdini's parametric coordinates of primitives
/// (what primuv and skinprimuv mean):
///   triangle  (1 − u − v, u, v, 0)
///   quad      ((1 − u)(1 − v), (1 − u) v, u v, u (1 − v)): bilinear, also where it is not flat.
/// None outside of the polygon by more than `slack`, which rounding may leave; inside of that the
/// weights are those of the nearest (u, v) of the polygon.
std::optional<Vec4> polygon_weights(int corners, double u, double v, double slack = 1e-4);

} // namespace selvage
