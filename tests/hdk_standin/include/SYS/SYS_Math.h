#pragma once
#include <SYS/SYS_Types.h>

#include <algorithm>
#include <cmath>

#define SYS_FTOLERANCE 0.00001f
#define SYS_FTOLERANCE_D 0.00001
#define SYS_FTOLERANCE_R 0.00001

template <class T> T SYSsin(T x) { return std::sin(x); }
template <class T> T SYScos(T x) { return std::cos(x); }
template <class T> T SYStan(T x) { return std::tan(x); }
template <class T> T SYSacos(T x) { return std::acos(x); }
template <class T> T SYSatan2(T y, T x) { return std::atan2(y, x); }
template <class T> T SYSsqrt(T x) { return std::sqrt(x); }
template <class T> T SYSabs(T x) { return x < 0 ? -x : x; }
template <class T> T SYSfloor(T x) { return std::floor(x); }
template <class T> T SYSceil(T x) { return std::ceil(x); }
template <class T> T SYSrint(T x) { return std::rint(x); }
template <class T> T SYSpow(T x, T y) { return std::pow(x, y); }
template <class T> T SYSmin(T a, T b) { return b < a ? b : a; }
template <class T> T SYSmax(T a, T b) { return a < b ? b : a; }
template <class T> T SYSclamp(T x, T low, T high) { return SYSmin(SYSmax(x, low), high); }
template <class T> T SYSlerp(T a, T b, T s) { return a + (b - a) * s; }
template <class T> T SYSdegToRad(T x) { return x * T(M_PI / 180); }
template <class T> T SYSradToDeg(T x) { return x * T(180 / M_PI); }
template <class T> bool SYSisNan(T x) { return std::isnan(x); }
template <class T> bool SYSisFinite(T x) { return std::isfinite(x); }
template <class T> bool SYSisEqual(T a, T b, T tolerance = T(SYS_FTOLERANCE))
{
    return SYSabs(a - b) <= tolerance;
}
template <class T> bool SYSalmostEqual(T a, T b, int /*ulps*/ = 50) { return SYSisEqual(a, b); }
template <class T> bool SYSequalZero(T x, T tolerance = T(SYS_FTOLERANCE))
{
    return SYSabs(x) <= tolerance;
}
template <class T> T SYSfit(T x, T from_low, T from_high, T to_low, T to_high)
{
    const T s = SYSclamp((x - from_low) / (from_high - from_low), T(0), T(1));
    return to_low + (to_high - to_low) * s;
}
template <class T> T SYSexp(T x) { return std::exp(x); }
template <class T> T SYSlog(T x) { return std::log(x); }
template <class T> T SYSasin(T x) { return std::asin(x); }
template <class T> T SYSatan(T x) { return std::atan(x); }
template <class T> T SYSfmod(T x, T y) { return std::fmod(x, y); }
template <class T> T SYSmin(T a, T b, T c) { return SYSmin(SYSmin(a, b), c); }
template <class T> T SYSmax(T a, T b, T c) { return SYSmax(SYSmax(a, b), c); }

/// The next number in [0, 1); the seed goes on.
inline fpreal32 SYSrandom(uint& seed)
{
    seed = seed * 1664525u + 1013904223u;
    return fpreal32(seed >> 8) / fpreal32(1u << 24);
}
inline fpreal32 SYSfastRandom(uint& seed) { return SYSrandom(seed); }
inline fpreal32 SYSrandomZero(uint& seed) { return SYSrandom(seed) - 0.5f; }
