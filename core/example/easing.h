#pragma once

#include <algorithm>

namespace selvage
{

/// 0 to 1 over x in [0, 1] with zero first and second derivatives at both ends.
inline double ease(double x)
{
    x = std::clamp(x, 0.0, 1.0);
    return x * x * x * (10 + x * (6 * x - 15));
}

} // namespace selvage
