#pragma once

#include <cstdint>
#include <vector>

namespace selvage
{

/// Signed integer of any length: what is left when floating-point expansions would leave the range
/// of doubles. Slow and short; coordinates in metres never need it.
class WideInteger
{
public:
    WideInteger() = default;
    explicit WideInteger(std::int64_t value);
    /// x · 2^1074, a whole number for every finite double.
    static WideInteger from_double(double x);

    int sign() const { return limbs_.empty() ? 0 : negative_ ? -1 : 1; }
    friend WideInteger operator-(WideInteger a);
    friend WideInteger operator+(const WideInteger& a, const WideInteger& b);
    friend WideInteger operator-(const WideInteger& a, const WideInteger& b);
    friend WideInteger operator*(const WideInteger& a, const WideInteger& b);

private:
    void trim();

    std::vector<std::uint32_t> limbs_; // magnitude, lowest first, no leading zeros
    bool negative_ = false;
};

} // namespace selvage
