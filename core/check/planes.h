#pragma once

#include "core/check/elements.h"

namespace selvage
{

/// A half-space: points with normal · x < offset are inside what is solid.
struct CheckPlane {
    Vec3 normal = Vec3::UnitY(); ///< of any length but zero
    double offset = 0;           ///< in units of the normal's length
};

/// "a,b,c,d": the plane a x + b y + c z = d, solid on the side of smaller values. Throws
/// InputError.
CheckPlane parse_plane(const std::string& text);

struct PointAtPlane {
    ElementId point;
    std::int32_t plane = -1; ///< into the list of planes
    double height = 0;       ///< [m], negative behind it
};

/// All points lower than `least` [m] over a plane (below 0: at 0 they touch), and those that the
/// solver released where they are not allowed to be; lowest first.
std::vector<PointAtPlane> points_below(const Elements& e, const std::vector<CheckPlane>& planes,
                                       double least, bool allow_released);

} // namespace selvage
