#pragma once

#include "core/base/types.h"

#include <cmath>
#include <cstdint>
#include <experimental/simd>

/// Kernels are long chains of tiny functions on registers; one call that is not inlined sends all
/// its arguments through memory, and GCC's size limits would choose such calls.
#define SELVAGE_INLINE [[gnu::always_inline]] inline

namespace selvage
{

/// Four doubles evaluated at once: one AVX register under x86-64-v3, two SSE registers below.
/// The ABI tag is deduced rather than fixed_size<4>: the latter passes through memory at every
/// function that is not inlined.
using Real4 = std::experimental::simd<double, std::experimental::simd_abi::deduce_t<double, 4>>;
using Mask4 = Real4::mask_type;
static_assert(Real4::size() == 4);

// One vocabulary for double and Real4, so that a kernel is written once as a template over T.
// Comparisons of Real4 give masks; `select` is the only way to branch on them.

SELVAGE_INLINE double select(bool condition, double yes, double no) { return condition ? yes : no; }
SELVAGE_INLINE Real4 select(const Mask4& condition, const Real4& yes, Real4 no)
{
    where(condition, no) = yes;
    return no;
}

SELVAGE_INLINE double square_root(double a) { return std::sqrt(a); }
SELVAGE_INLINE Real4 square_root(const Real4& a) { return std::experimental::sqrt(a); }
SELVAGE_INLINE double absolute(double a) { return std::abs(a); }
SELVAGE_INLINE Real4 absolute(const Real4& a) { return std::experimental::abs(a); }
SELVAGE_INLINE double maximum(double a, double b) { return a < b ? b : a; }
SELVAGE_INLINE Real4 maximum(const Real4& a, const Real4& b)
{
    return std::experimental::max(a, b);
}
SELVAGE_INLINE double minimum(double a, double b) { return b < a ? b : a; }
SELVAGE_INLINE Real4 minimum(const Real4& a, const Real4& b)
{
    return std::experimental::min(a, b);
}

/// atan2(y, x) for x >= 0. Lane by lane, about 20 ns per element: only where an angle is asked.
SELVAGE_INLINE double arc_tangent(double y, double x) { return std::atan2(y, x); }
SELVAGE_INLINE Real4 arc_tangent(const Real4& y, const Real4& x)
{
    return Real4([&](auto lane) { return std::atan2(double(y[lane]), double(x[lane])); });
}

/// Lane by lane, as above.
SELVAGE_INLINE double logarithm(double a) { return std::log(a); }
SELVAGE_INLINE Real4 logarithm(const Real4& a)
{
    return Real4([&](auto lane) { return std::log(double(a[lane])); });
}
SELVAGE_INLINE double exponential(double a) { return std::exp(a); }
SELVAGE_INLINE Real4 exponential(const Real4& a)
{
    return Real4([&](auto lane) { return std::exp(double(a[lane])); });
}

/// True where the condition holds in every lane.
SELVAGE_INLINE bool all_lanes(bool condition) { return condition; }
SELVAGE_INLINE bool all_lanes(const Mask4& condition)
{
    return std::experimental::all_of(condition);
}

SELVAGE_INLINE Real4 load4(const double* p) { return Real4(p, std::experimental::element_aligned); }
SELVAGE_INLINE void store4(double* p, const Real4& a)
{
    a.copy_to(p, std::experimental::element_aligned);
}

/// Swaps x and y in the lanes whose integer is negative. By bits: selecting twice takes half as
/// many operations again.
SELVAGE_INLINE void swap_negative_lanes(const std::int32_t* p, Real4& x, Real4& y)
{
#ifdef __AVX2__
    const __m128i signs = _mm_srai_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)), 31);
    const __m256d all = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(signs));
    const __m256d a = static_cast<__m256d>(x), b = static_cast<__m256d>(y);
    const __m256d change = _mm256_and_pd(_mm256_xor_pd(a, b), all);
    x = Real4(_mm256_xor_pd(a, change)), y = Real4(_mm256_xor_pd(b, change));
#else
    const Mask4 negative = Real4([p](auto lane) { return double(p[lane]); }) < 0.0;
    const Real4 a = x;
    x = select(negative, y, x), y = select(negative, a, y);
#endif
}

/// Rows become columns: on return r_i holds what was in lane i of r0 … r3.
SELVAGE_INLINE void transpose4(Real4& r0, Real4& r1, Real4& r2, Real4& r3)
{
#ifdef __AVX__
    const __m256d a = static_cast<__m256d>(r0), b = static_cast<__m256d>(r1);
    const __m256d c = static_cast<__m256d>(r2), d = static_cast<__m256d>(r3);
    const __m256d ab_lo = _mm256_unpacklo_pd(a, b), ab_hi = _mm256_unpackhi_pd(a, b);
    const __m256d cd_lo = _mm256_unpacklo_pd(c, d), cd_hi = _mm256_unpackhi_pd(c, d);
    r0 = Real4(_mm256_insertf128_pd(ab_lo, _mm256_castpd256_pd128(cd_lo), 1));
    r1 = Real4(_mm256_insertf128_pd(ab_hi, _mm256_castpd256_pd128(cd_hi), 1));
    r2 = Real4(_mm256_permute2f128_pd(ab_lo, cd_lo, 0x31));
    r3 = Real4(_mm256_permute2f128_pd(ab_hi, cd_hi, 0x31));
#else
    const Real4 a = r0, b = r1, c = r2, d = r3;
    const auto column = [&](int i) {
        return Real4([&](auto lane) {
            return double(lane == 0 ? a[i] : lane == 1 ? b[i] : lane == 2 ? c[i] : d[i]);
        });
    };
    r0 = column(0), r1 = column(1), r2 = column(2), r3 = column(3);
#endif
}

/// The same for four rows in memory: their halves meet while they are loaded, which leaves half of
/// the shuffles.
SELVAGE_INLINE void load_transposed4(const Real4* row, Real4 (&column)[4])
{
#ifdef __AVX__
    const double* p = reinterpret_cast<const double*>(row);
    const auto halves = [p](int low, int high) {
        return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(p + low)),
                                    _mm_load_pd(p + high), 1);
    };
    const __m256d even_01 = halves(0, 8), odd_01 = halves(4, 12);
    const __m256d even_23 = halves(2, 10), odd_23 = halves(6, 14);
    column[0] = Real4(_mm256_unpacklo_pd(even_01, odd_01));
    column[1] = Real4(_mm256_unpackhi_pd(even_01, odd_01));
    column[2] = Real4(_mm256_unpacklo_pd(even_23, odd_23));
    column[3] = Real4(_mm256_unpackhi_pd(even_23, odd_23));
#else
    for (int i = 0; i < 4; ++i) column[i] = row[i];
    transpose4(column[0], column[1], column[2], column[3]);
#endif
}

/// A 3-vector of doubles or of batches.
template <class T> struct Vec3T {
    T x, y, z;
};

template <class T> SELVAGE_INLINE Vec3T<T> operator+(const Vec3T<T>& a, const Vec3T<T>& b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T> SELVAGE_INLINE Vec3T<T> operator-(const Vec3T<T>& a, const Vec3T<T>& b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T> SELVAGE_INLINE Vec3T<T> operator-(const Vec3T<T>& a)
{
    return {-a.x, -a.y, -a.z};
}
template <class T> SELVAGE_INLINE Vec3T<T> operator*(const T& s, const Vec3T<T>& a)
{
    return {s * a.x, s * a.y, s * a.z};
}
template <class T> SELVAGE_INLINE T dot(const Vec3T<T>& a, const Vec3T<T>& b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T> SELVAGE_INLINE Vec3T<T> cross(const Vec3T<T>& a, const Vec3T<T>& b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class M, class T>
Vec3T<T> select(const M& condition, const Vec3T<T>& a, const Vec3T<T>& b)
{
    return {select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.z, b.z)};
}

/// A 3×3 matrix, row-major.
template <class T> struct Mat3T {
    T m[9];
};

/// Entry by entry: GCC copies a whole Mat3T<Real4> with the slow string instructions.
template <class T> SELVAGE_INLINE void assign(Mat3T<T>& to, const Mat3T<T>& from)
{
#pragma GCC unroll 9
    for (int i = 0; i < 9; ++i) to.m[i] = from.m[i];
}

template <class T> SELVAGE_INLINE Mat3T<T> outer(const Vec3T<T>& a, const Vec3T<T>& b)
{
    return {{a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y,
             a.z * b.z}};
}
template <class T> SELVAGE_INLINE Mat3T<T> transposed(const Mat3T<T>& a)
{
    return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}
template <class T> SELVAGE_INLINE Mat3T<T> operator+(const Mat3T<T>& a, const Mat3T<T>& b)
{
    Mat3T<T> c;
#pragma GCC unroll 9
    for (int i = 0; i < 9; ++i) c.m[i] = a.m[i] + b.m[i];
    return c;
}
template <class T> SELVAGE_INLINE Mat3T<T> operator-(const Mat3T<T>& a, const Mat3T<T>& b)
{
    Mat3T<T> c;
#pragma GCC unroll 9
    for (int i = 0; i < 9; ++i) c.m[i] = a.m[i] - b.m[i];
    return c;
}
template <class T> SELVAGE_INLINE Mat3T<T> operator*(const T& s, const Mat3T<T>& a)
{
    Mat3T<T> c;
#pragma GCC unroll 9
    for (int i = 0; i < 9; ++i) c.m[i] = s * a.m[i];
    return c;
}

} // namespace selvage
