#pragma once

#include "core/base/types.h"
#include "core/math/simd.h"

#include <cmath>

namespace selvage
{

/// The smoothly clamped log barrier [Li et al. 2020, eq. 6] and its derivatives:
///   b(d, d̂) = −(d − d̂)² ln(d/d̂)  for 0 < d < d̂,  0 beyond,  +∞ at and below 0
/// C² at d̂. Contact puts in squared distances with thickness: d = D = distance² − ξ² and
/// d̂ = D̂ = activation_distance(ξ, d̂), so that a pair is active where distance < ξ + d̂ and is never
/// nearer than ξ. b has then the unit m⁴.
template <class T> struct BarrierValue {
    T value, first, second;
};

SELVAGE_INLINE double natural_logarithm(double a) { return std::log(a); }
SELVAGE_INLINE Real4 natural_logarithm(const Real4& a)
{
    return Real4([&](auto lane) { return std::log(double(a[lane])); });
}

template <class T> SELVAGE_INLINE BarrierValue<T> barrier(const T& d, const T& d_hat)
{
    const auto active = d<d_hat, feasible = d> T(0.0);
    const T safe = select(feasible, minimum(d, d_hat), d_hat); // no logarithm of nothing
    const T log = natural_logarithm(safe / d_hat), gap = d_hat - safe, o(0.0);
    const T value = -gap * gap * log;
    const T first = gap * (T(2.0) * log - d_hat / safe + T(1.0));
    const T second = T(-2.0) * log + gap * (d_hat + T(3.0) * safe) / (safe * safe);
    return {select(feasible, select(active, value, o), T(infinity)), select(active, first, o),
            select(active, second, o)};
}

/// D̂ [m²] for thickness ξ [m] and activation gap d̂ [m].
inline double activation_distance(double thickness, double d_hat)
{
    return (2 * thickness + d_hat) * d_hat;
}

/// Limits of the barrier stiffness κ [kg/m²] (§ "adaptive κ" of the paper's supplement):
///   κ_min = 1e11 m̄ / (4·10⁻¹⁶ l² b″(10⁻¹⁶ l²)),   κ_max = 10⁴ κ_min,
/// with gaps of 1e-8 l measured from the thickness. l [m] is the diagonal of the simulated objects'
/// box, m̄ [kg] their mean vertex mass. Larger κ keeps pairs farther apart at rest; smaller κ lets
/// them come nearer before they push. Both extremes spoil the condition number.
struct StiffnessRange {
    double minimum, maximum;
};
StiffnessRange barrier_stiffness_range(double diagonal, double mean_mass, double thickness,
                                       double d_hat);
/// Start of a step: κ with which a single contact holds the most heavily pressed vertex at a fifth
/// of the gap d̂. g_c is the gradient of the barrier at κ = 1, g_e that of all else, three per
/// vertex; a vertex v is pressed by −g_e·g_c/‖g_c‖. The lower end where nothing is in contact.
double initial_barrier_stiffness(const VecX& barrier_gradient, const VecX& other_gradient,
                                 double thickness, double d_hat, const StiffnessRange& range);
/// After an iteration: four times as much (up to the maximum) where the smallest gap was and is
/// below a hundredth of d̂ and shrank: an impact that the start of the step did not show. Any change
/// of κ changes the energy: compare only energies of the same κ.
double adapted_barrier_stiffness(double kappa, double previous_gap, double gap, double d_hat,
                                 const StiffnessRange& range);

} // namespace selvage
