#include "core/energy/wind_field.h"

#include <cmath>
#include <cstdint>

namespace selvage
{
namespace
{

constexpr int octaves = 4, waves_per_octave = 10;
constexpr double two_pi = 6.283185307179586;

/// Uniform in [0, 1), the same everywhere (SplitMix64).
class Uniform
{
public:
    explicit Uniform(std::uint64_t seed) : state_(seed) {}
    double operator()()
    {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return double((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
    }
    Vec3 direction()
    {
        const double z = 2 * (*this)() - 1, phi = two_pi * (*this)(), r = std::sqrt(1 - z * z);
        return {r * std::cos(phi), r * std::sin(phi), z};
    }

private:
    std::uint64_t state_;
};

} // namespace

bool Turbulence::operator==(const Turbulence& o) const
{
    return amplitude == o.amplitude && scale == o.scale && swirl == o.swirl && gust == o.gust &&
           gust_frequency == o.gust_frequency && seed == o.seed && drift == o.drift;
}

WindField::WindField(const Vec3& mean, const Turbulence& turbulence)
    : mean_(mean), turbulence_(turbulence)
{
    Uniform random(std::uint64_t(std::int64_t(turbulence.seed)));
    for (double& phase : gust_phase_) phase = two_pi * random();
    if (!(turbulence.amplitude > 0)) return;
    double power = 0; // Σ |a|²: each wave has a mean square of half of it
    for (int o = 0; o < octaves; ++o)
        for (int m = 0; m < waves_per_octave; ++m) {
            const double ratio = std::exp2(o + random()); // |k| / k_0
            const Vec3 direction = random.direction();
            // A vector across k, in a random direction of that plane.
            const Vec3 other = random.direction();
            const Vec3 across = (other - other.dot(direction) * direction).normalized();
            Wave w;
            w.k = two_pi / turbulence.scale * ratio * direction;
            w.a = std::cbrt(1 / ratio) * across;
            w.omega = two_pi * turbulence.swirl * std::cbrt(ratio * ratio) * (2 * random() - 1);
            w.phase = two_pi * random();
            power += w.a.squaredNorm();
            waves_.push_back(w);
        }
    const double factor = turbulence.amplitude / std::sqrt(power / 2);
    for (Wave& w : waves_) w.a *= factor;
}

Vec3 WindField::at(const Vec3& x, double t) const
{
    // Three incommensurate sines: irregular, with a root mean square of one half.
    const double f = two_pi * turbulence_.gust_frequency * t;
    const double s = (std::sin(f + gust_phase_[0]) + std::sin(1.618 * f + gust_phase_[1]) +
                      std::sin(2.414 * f + gust_phase_[2])) /
                     std::sqrt(6.0);
    Vec3 u = (1 + turbulence_.gust * s) * mean_;
    const Vec3 y = x - turbulence_.drift;
    for (const Wave& w : waves_) u += std::cos(w.k.dot(y) + w.omega * t + w.phase) * w.a;
    return u;
}

} // namespace selvage
