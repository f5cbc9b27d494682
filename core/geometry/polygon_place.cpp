#include "core/geometry/polygon_place.h"

#include <algorithm>
#include <cassert>

namespace selvage
{

std::optional<Vec4> polygon_weights(int corners, double u, double v, double slack)
{
    assert(corners == 3 || corners == 4);
    if (!(u >= -slack && v >= -slack && u <= 1 + slack && v <= 1 + slack)) return std::nullopt;
    u = std::clamp(u, 0.0, 1.0);
    v = std::clamp(v, 0.0, 1.0);
    if (corners == 4) return Vec4((1 - u) * (1 - v), (1 - u) * v, u * v, u * (1 - v));
    const double over = u + v - 1;
    if (over > 2 * slack) return std::nullopt;
    if (over > 0) {
        u = std::max(u - over / 2, 0.0);
        v = 1 - u;
    }
    return Vec4(1 - u - v, u, v, 0);
}

} // namespace selvage
