#include "core/energy/strain_limit.h"

#include "core/energy/membrane_evaluate.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

/// Of the power of two within which the step ends.
constexpr int bisections = 8;
constexpr double shortest_step = 1e-15;

/// Largest singular value of a 3×2 matrix.
double largest_stretch(const Mat32& F)
{
    const double a = F.col(0).squaredNorm(), b = F.col(1).squaredNorm(), c = F.col(0).dot(F.col(1));
    return std::sqrt(0.5 * (a + b) + std::hypot(0.5 * (a - b), c));
}

} // namespace

double StrainLimitLaw::longest_step(const Mat32& F, const Mat32& way, const Moduli& moduli)
{
    const double now = std::max(1.0, largest_stretch(F));
    const double allowed = now + most_of_limit * (moduli.limit - now);
    // The largest stretch is convex along the way: what holds at both ends holds between.
    if (largest_stretch(F + way) <= allowed) return 1;
    double lower = 0.5, upper = 1;
    // However long the way is: a step of zero would end Newton's iteration.
    while (lower > shortest_step && largest_stretch(F + lower * way) > allowed) {
        upper = lower;
        lower *= 0.5;
    }
    if (lower <= shortest_step) return 0;
    for (int i = 0; i < bisections; ++i) {
        const double middle = 0.5 * (lower + upper);
        (largest_stretch(F + middle * way) <= allowed ? lower : upper) = middle;
    }
    return lower;
}

bool StrainLimitLaw::widen(const Mat32& F, Moduli& moduli)
{
    const double now = largest_stretch(F);
    if (now < moduli.limit) return false;
    moduli.limit = 1 + beyond_limit * (now - 1);
    return true;
}

SELVAGE_INSTANTIATE_MEMBRANE(StrainLimitLaw)

} // namespace selvage
