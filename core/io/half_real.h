#pragma once

#include <Eigen/Core>

#include <cstdint>

namespace selvage
{

/// 16-bit reals are held as their bits; these convert, rounding to nearest.
inline float half_to_float(std::uint16_t bits)
{
    return float(Eigen::numext::bit_cast<Eigen::half>(bits));
}
inline std::uint16_t float_to_half(float value)
{
    return Eigen::numext::bit_cast<std::uint16_t>(Eigen::half(value));
}

} // namespace selvage
