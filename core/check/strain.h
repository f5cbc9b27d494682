#pragma once

#include "core/base/types.h"
#include "core/geometry/geometry.h"

#include <cstdint>
#include <string>
#include <vector>

namespace selvage
{

/// Largest and smallest principal stretch of the linear map between two triangles: the singular
/// values of F = [x1−x0 x2−x0] [X1−X0 X2−X0]^-1, X the rest triangle laid into its plane.
/// 1 is unstretched. x and x_rest hold the three corners.
struct Stretches {
    double largest = 1, smallest = 1;
};
Stretches triangle_stretches(const Vec9& x, const Vec9& x_rest);

struct StretchAt {
    double stretch = 1;
    std::int32_t primitive = -1; ///< −1: there was nothing to measure
};

struct StrainReport {
    StretchAt largest, smallest;           ///< over triangles and curve segments
    std::vector<std::int32_t> above_limit; ///< primitives stretched beyond the limit, ascending
    std::vector<std::int32_t>
        no_rest; ///< primitives with a part of no rest area or length (skipped)
};

/// Principal stretches of all triangles (triangulated in the rest pose) and length ratios of all
/// curve segments of `geometry` against `rest`. Parts with a point that is not finite are skipped.
/// A primitive is above the limit where stretch − 1 > strain_limit.
/// Throws InputError naming `object` where the topologies differ.
StrainReport measure_strain(const std::string& object, const Geometry& geometry,
                            const Geometry& rest, double strain_limit = infinity);

} // namespace selvage
