#include "core/check/wide_integer.h"

#include <cassert>
#include <cmath>

namespace selvage
{
namespace
{

using Limbs = std::vector<std::uint32_t>;

int compare(const Limbs& a, const Limbs& b)
{
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    for (std::size_t i = a.size(); i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

Limbs add(const Limbs& a, const Limbs& b)
{
    Limbs sum;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < a.size() || i < b.size() || carry; ++i) {
        carry += i < a.size() ? a[i] : 0;
        carry += i < b.size() ? b[i] : 0;
        sum.push_back(std::uint32_t(carry));
        carry >>= 32;
    }
    return sum;
}

/// a − b for a ≥ b.
Limbs subtract(Limbs a, const Limbs& b)
{
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::int64_t digit = std::int64_t(a[i]) - (i < b.size() ? b[i] : 0) - borrow;
        borrow = digit < 0;
        if (borrow) digit += std::int64_t(1) << 32;
        a[i] = std::uint32_t(digit);
    }
    return a;
}

} // namespace

WideInteger::WideInteger(std::int64_t value) : negative_(value < 0)
{
    const std::uint64_t magnitude = negative_ ? 0 - std::uint64_t(value) : std::uint64_t(value);
    limbs_ = {std::uint32_t(magnitude), std::uint32_t(magnitude >> 32)};
    trim();
}

WideInteger WideInteger::from_double(double x)
{
    assert(std::isfinite(x));
    if (x == 0) return {};
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent); // x = mantissa 2^exponent, |mantissa| < 1
    // A subnormal has fewer digits than 53: the lowest one still stands for 2^-1074.
    const int digits = std::min(53, exponent + 1074), shift = exponent - digits + 1074;
    WideInteger integer(std::int64_t(std::ldexp(mantissa, digits)));
    WideInteger power;
    power.limbs_.assign(std::size_t(shift / 32) + 1, 0);
    power.limbs_.back() = std::uint32_t(1) << (shift % 32);
    return integer * power;
}

void WideInteger::trim()
{
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    if (limbs_.empty()) negative_ = false;
}

WideInteger operator-(WideInteger a)
{
    a.negative_ = !a.negative_ && !a.limbs_.empty();
    return a;
}

WideInteger operator+(const WideInteger& a, const WideInteger& b)
{
    WideInteger sum;
    if (a.negative_ == b.negative_) {
        sum.limbs_ = add(a.limbs_, b.limbs_);
        sum.negative_ = a.negative_;
    } else {
        const bool a_larger = compare(a.limbs_, b.limbs_) >= 0;
        sum.limbs_ = a_larger ? subtract(a.limbs_, b.limbs_) : subtract(b.limbs_, a.limbs_);
        sum.negative_ = a_larger ? a.negative_ : b.negative_;
    }
    sum.trim();
    return sum;
}

WideInteger operator-(const WideInteger& a, const WideInteger& b) { return a + (-b); }

WideInteger operator*(const WideInteger& a, const WideInteger& b)
{
    WideInteger product;
    product.limbs_.assign(a.limbs_.size() + b.limbs_.size(), 0);
    for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
        std::uint64_t carry = 0;
        for (std::size_t j = 0; j < b.limbs_.size(); ++j) {
            carry += std::uint64_t(a.limbs_[i]) * b.limbs_[j] + product.limbs_[i + j];
            product.limbs_[i + j] = std::uint32_t(carry);
            carry >>= 32;
        }
        product.limbs_[i + b.limbs_.size()] = std::uint32_t(carry);
    }
    product.negative_ = a.negative_ != b.negative_;
    product.trim();
    return product;
}

} // namespace selvage
