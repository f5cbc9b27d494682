#pragma once

#include <Eigen/Core>

#include <cmath>
#include <cstdint>

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

inline std::uint32_t reverse_bits(std::uint32_t x)
{
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
    return (x >> 16) | (x << 16);
}

/// Second coordinate of the Sobol (0,2)-sequence; the first is reverse_bits(index).
inline std::uint32_t sobol_second(std::uint32_t index)
{
    std::uint32_t result = 0;
    for (std::uint32_t direction = 1u << 31; index; index >>= 1, direction ^= direction >> 1)
        if (index & 1) result ^= direction;
    return result;
}

/// Owen's nested scrambling by a hash in which each bit depends on higher bits only
/// (Laine & Karras 2011): keeps the stratification, removes the pattern.
inline std::uint32_t owen_scramble(std::uint32_t x, std::uint32_t seed)
{
    x = reverse_bits(x);
    x += seed;
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    x ^= x * 0x8d22f6e6u;
    return reverse_bits(x);
}

/// Point `index` of the sequence that belongs to a pixel and a purpose (0 pixel area, 1 key light,
/// 2 sky), in [0,1)². Any aligned run of 2^k indices is stratified.
inline Eigen::Vector2f sample_point(std::uint32_t pixel, std::uint32_t purpose, std::uint32_t index)
{
    const std::uint32_t seed = scramble_bits(pixel * 3 + purpose + 1);
    // Shuffling the order within the sequence decorrelates one purpose from the other.
    index = reverse_bits(owen_scramble(reverse_bits(index), seed));
    constexpr float unit = 1.0f / 16777216; // 24 bits: exact in float and below 1
    return {float(owen_scramble(reverse_bits(index), seed ^ 0x9e3779b9u) >> 8) * unit,
            float(owen_scramble(sobol_second(index), seed ^ 0x85ebca6bu) >> 8) * unit};
}

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
