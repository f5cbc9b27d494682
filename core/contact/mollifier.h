#pragma once

#include "core/base/types.h"

namespace selvage
{

/// Fades the contact of two edges out as they become parallel, where their distance is not smooth.
///   c = ‖u × v‖²,  u = x1 − x0,  v = x3 − x2
///   e(c) = (2 − c/ε) c/ε for c < ε, else 1;   ε = 1e-3 ‖ū‖² ‖v̄‖² of the rest edges (sine 0.032)
/// Where e → 0 a point–triangle pair is at least as near (for wires: a point–edge pair).
inline constexpr double mollifier_threshold = 1e-3;

/// c [m⁴] with gradient and Hessian, x = [x0 x1 x2 x3] stacked.
struct EdgeCross {
    double value;
    Vec12 gradient;
    Mat12 hessian;
};
double edge_cross_squared(const Vec12& x);
EdgeCross edge_cross(const Vec12& x);

/// e, e′, e″ with respect to c.
struct Mollifier {
    double value, first, second;
};
Mollifier mollifier(double cross_squared, double epsilon);

} // namespace selvage
