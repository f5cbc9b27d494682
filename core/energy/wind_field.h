#pragma once

#include "core/base/types.h"

#include <vector>

namespace selvage
{

/// Gusts and eddies on top of the mean wind.
struct Turbulence {
    double amplitude = 0;        ///< root mean square of the eddies' speed [m/s]
    double scale = 1;            ///< size of the largest eddies [m]
    double swirl = 0.5;          ///< how often an eddy of that size turns over [1/s]
    double gust = 0;             ///< how far the mean wind swells and drops, as a part of it
    double gust_frequency = 0.3; ///< [1/s]
    int seed = 0;
    Vec3 drift = Vec3::Zero(); ///< [m] how far the mean wind has carried the eddies by now

    bool operator==(const Turbulence& o) const;
};

/// A turbulent velocity field as a sum of random waves, after the kinematic simulation of
/// turbulence [Kraichnan 1970; Fung et al. 1992]:
///   u(x, t) = W (1 + g s(t)) + Σ_m a_m cos(k_m·(x − drift) + ω_m t + φ_m),   a_m ⟂ k_m.
/// Each wave is the curl of a vector potential, so the field is divergence-free as it stands. Four
/// octaves of waves have |k| = 2π/scale × 1 … 16, speeds |a| ∝ k^(−1/3) (Kolmogorov's 5/3 law) and
/// turn-over rates ω ∝ k^(2/3). Directions and phases come from the seed alone: the same numbers on
/// every machine, for any time, in any order.
class WindField
{
public:
    explicit WindField(const Vec3& mean = Vec3::Zero(), const Turbulence& turbulence = {});

    /// [m/s]
    Vec3 at(const Vec3& x, double t) const;
    /// The same everywhere.
    bool uniform() const { return waves_.empty(); }

private:
    struct Wave {
        Vec3 k, a; // [1/m], [m/s]
        double omega, phase;
    };
    Vec3 mean_;
    Turbulence turbulence_;
    double gust_phase_[3] = {0, 0, 0};
    std::vector<Wave> waves_;
};

} // namespace selvage
