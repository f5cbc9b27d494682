#include "core/contact/barrier.h"

#include <algorithm>

namespace selvage
{

StiffnessRange barrier_stiffness_range(double diagonal, double mean_mass, double thickness,
                                       double d_hat)
{
    const double gap = 1e-8 * diagonal, d = thickness + gap;
    const double D = gap * (2 * thickness + gap); // d² − ξ² without cancellation
    const double curvature = 4 * d * d * barrier(D, activation_distance(thickness, d_hat)).second;
    // A scene so large that the probe lies outside the barrier gets its stiffest sensible value.
    const double minimum = 1e11 * mean_mass / std::max(curvature, 1e-300);
    return {minimum, 1e4 * minimum};
}

double initial_barrier_stiffness(const VecX& barrier_gradient, const VecX& other_gradient,
                                 double thickness, double d_hat, const StiffnessRange& range)
{
    constexpr double wanted = 0.2; // gap of the most pressed vertex, in terms of d̂
    double pressure = 0;
    for (Eigen::Index i = 0; i < barrier_gradient.size(); i += 3) {
        const double size = barrier_gradient.segment<3>(i).norm();
        if (!(size > 0)) continue;
        const double push = -barrier_gradient.segment<3>(i).dot(other_gradient.segment<3>(i));
        pressure = std::max(pressure, push / size);
    }
    const double gap = wanted * d_hat, d = thickness + gap;
    const double slope =
        -2 * d * barrier(gap * (2 * thickness + gap), activation_distance(thickness, d_hat)).first;
    const double stiffness = pressure / slope;
    return std::isfinite(stiffness) ? std::clamp(stiffness, range.minimum, range.maximum)
                                    : range.minimum;
}

double adapted_barrier_stiffness(double kappa, double previous_gap, double gap, double d_hat,
                                 const StiffnessRange& range)
{
    const double tiny = 0.01 * d_hat;
    const bool pressed = previous_gap < tiny && gap < tiny && gap < previous_gap;
    return pressed ? std::min(4 * kappa, range.maximum) : kappa;
}

} // namespace selvage
