#pragma once

#include <Eigen/Core>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace selvage
{

/// Repeatable low-discrepancy numbers: a pure function of pixel, purpose and sample index, so that
/// a picture does not depend on which thread draws which tile.

/// Mixes the bits of a number (a bijection on 32 bits).
inline std::uint32_t scramble_bits(std::uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

/// The first `count` (a power of two) points of the Sobol (0,2)-sequence in the unit square, of
/// which each pixel and purpose takes its own scrambled copy. Any aligned run of 2^k of them is
/// stratified in every way of cutting the square into 2^k equal boxes.
class SampleSequence
{
public:
    explicit SampleSequence(std::uint32_t count) : mask_(count - 1)
    {
        for (std::uint32_t i = 0; i < count; ++i) points_.push_back({van_der_corput(i), sobol(i)});
    }

    /// The numbers that tell one pixel and purpose (0 pixel area, 1 key light, 2 sky) from others.
    struct Scramble {
        std::uint32_t order, x, y;
    };
    Scramble scramble(std::uint32_t pixel, std::uint32_t purpose) const
    {
        const std::uint32_t seed = scramble_bits(3 * pixel + purpose + 1);
        // Another order decorrelates one purpose from the other, but runs of 8 stay runs.
        return {seed & 7 & mask_, scramble_bits(seed ^ 0x9e3779b9u),
                scramble_bits(seed ^ 0x85ebca6bu)};
    }
    /// In [0,1)².
    Eigen::Vector2f at(const Scramble& s, std::uint32_t index) const
    {
        const auto& p = points_[(index ^ s.order) & mask_];
        constexpr float unit = 1.0f / 16777216; // 24 bits: exact in float and below 1
        return {float((p[0] ^ s.x) >> 8) * unit, float((p[1] ^ s.y) >> 8) * unit};
    }

private:
    static std::uint32_t van_der_corput(std::uint32_t index)
    {
        std::uint32_t result = 0;
        for (std::uint32_t bit = 1u << 31; index; index >>= 1, bit >>= 1)
            if (index & 1) result |= bit;
        return result;
    }
    static std::uint32_t sobol(std::uint32_t index)
    {
        std::uint32_t result = 0;
        for (std::uint32_t v = 1u << 31; index; index >>= 1, v ^= v >> 1)
            if (index & 1) result ^= v;
        return result;
    }

    std::uint32_t mask_;
    std::vector<std::array<std::uint32_t, 2>> points_;
};

/// Uniform on the unit disk, area-preserving.
inline Eigen::Vector2f disk_point(const Eigen::Vector2f& u)
{
    const float radius = std::sqrt(u.x()), angle = float(2 * M_PI) * u.y();
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// Offset with tent-shaped density on (-1, 1), for a soft pixel filter.
inline float tent_offset(float u)
{
    return u < 0.5f ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u);
}

} // namespace selvage
