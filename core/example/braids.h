#pragma once

#include "core/geometry/geometry.h"

namespace selvage
{

/// Two clusters of rods side by side, 15 cm long and 0.3 mm apart, at a time [s]: the upper ends
/// have turned one way by 270°/s about the axis between the clusters, the lower ends the other, all
/// else in between, which is where a braid would be if strands could pass each other. Bending is a
/// hundredth of the material's.
Geometry braided_rods(int per_cluster, int segments, double time);

} // namespace selvage
