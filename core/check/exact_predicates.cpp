#include "core/check/exact_predicates.h"

#include "core/check/wide_integer.h"

#include <array>
#include <cmath>
#include <limits>

namespace selvage
{
namespace
{

constexpr double roundoff = std::numeric_limits<double>::epsilon() / 2; // 2^-53
constexpr double largest_safe = 0x1p280;
constexpr double smallest_safe = 0x1p-280;
/// With differences below 2^100, underflow adds less than 18 · 2^-1022 · 2^200 to a determinant,
/// also where a host flushes subnormals to zero: the filter's bound includes that and goes no
/// further.
constexpr double filter_limit = 0x1p100;
constexpr double underflow_bound = 0x1p-700;

/// A sum of doubles without overlapping digits, smallest first, without zeros.
template <int N> struct Expansion {
    std::array<double, N> e;
    int n = 0;

    /// Grow-expansion: exact; at most one component more.
    void add(double b)
    {
        int kept = 0;
        for (int i = 0; i < n; ++i) {
            const double a = e[std::size_t(i)];
            const double sum = a + b; // two-sum: a + b = sum + remainder
            const double b_part = sum - a, a_part = sum - b_part;
            const double remainder = (a - a_part) + (b - b_part);
            if (remainder != 0) e[std::size_t(kept++)] = remainder;
            b = sum;
        }
        if (b != 0) e[std::size_t(kept++)] = b;
        n = kept;
    }

    template <int M> void add(const Expansion<M>& other)
    {
        for (int i = 0; i < other.n; ++i) add(other.e[std::size_t(i)]);
    }

    /// Adds ± a·b for all pairs of components.
    template <int A, int B>
    void add_product(const Expansion<A>& a, const Expansion<B>& b, double plus_or_minus = 1)
    {
        for (int i = 0; i < a.n; ++i)
            for (int j = 0; j < b.n; ++j) {
                const double x = plus_or_minus * a.e[std::size_t(i)], y = b.e[std::size_t(j)];
                const double product = x * y;
                add(std::fma(x, y, -product));
                add(product);
            }
    }

    /// The largest component outweighs the rest.
    int sign() const { return n == 0 ? 0 : e[std::size_t(n - 1)] > 0 ? 1 : -1; }
};

Expansion<2> difference(double a, double b)
{
    Expansion<2> d;
    d.add(a);
    d.add(-b);
    return d;
}

template <class V> bool all_fit(const V& v)
{
    for (int i = 0; i < v.size(); ++i)
        if (!predicate_stage::fits_expansion(v[i])) return false;
    return true;
}

template <class V> std::array<WideInteger, V::SizeAtCompileTime> integers(const V& v)
{
    std::array<WideInteger, V::SizeAtCompileTime> out;
    for (int i = 0; i < v.size(); ++i) out[std::size_t(i)] = WideInteger::from_double(v[i]);
    return out;
}

} // namespace

bool predicate_stage::fits_expansion(double c)
{
    const double magnitude = std::abs(c);
    return c == 0 || (magnitude >= smallest_safe && magnitude <= largest_safe);
}

int predicate_stage::orient2d_expansion(const Vec2& a, const Vec2& b, const Vec2& c)
{
    Expansion<16> det;
    det.add_product(difference(a.x(), c.x()), difference(b.y(), c.y()));
    det.add_product(difference(a.y(), c.y()), difference(b.x(), c.x()), -1);
    return det.sign();
}

int predicate_stage::orient2d_integer(const Vec2& a, const Vec2& b, const Vec2& c)
{
    const auto A = integers(a), B = integers(b), C = integers(c);
    return ((A[0] - C[0]) * (B[1] - C[1]) - (A[1] - C[1]) * (B[0] - C[0])).sign();
}

int predicate_stage::orient3d_expansion(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    std::array<Expansion<2>, 3> A, B, C;
    for (std::size_t k = 0; k < 3; ++k) {
        A[k] = difference(a[Eigen::Index(k)], d[Eigen::Index(k)]);
        B[k] = difference(b[Eigen::Index(k)], d[Eigen::Index(k)]);
        C[k] = difference(c[Eigen::Index(k)], d[Eigen::Index(k)]);
    }
    Expansion<192> det;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
        Expansion<16> minor;
        minor.add_product(B[l], C[m]);
        minor.add_product(B[m], C[l], -1);
        det.add_product(A[k], minor);
    }
    return det.sign();
}

int predicate_stage::orient3d_integer(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    auto A = integers(a), B = integers(b), C = integers(c);
    const auto D = integers(d);
    for (std::size_t k = 0; k < 3; ++k) {
        A[k] = A[k] - D[k];
        B[k] = B[k] - D[k];
        C[k] = C[k] - D[k];
    }
    return (A[0] * (B[1] * C[2] - B[2] * C[1]) + A[1] * (B[2] * C[0] - B[0] * C[2]) +
            A[2] * (B[0] * C[1] - B[1] * C[0]))
        .sign();
}

int orient2d(const Vec2& a, const Vec2& b, const Vec2& c)
{
    const Vec2 A = a - c, B = b - c;
    const double left = A.x() * B.y(), right = A.y() * B.x();
    const double det = left - right;
    // 3u + 16u²: Shewchuk's bound for this order of operations, differences included.
    const double bound =
        (3 + 16 * roundoff) * roundoff * (std::abs(left) + std::abs(right)) + underflow_bound;
    const double largest = A.cwiseAbs().cwiseMax(B.cwiseAbs()).maxCoeff();
    if (std::abs(det) > bound && largest < filter_limit) return det > 0 ? 1 : -1;
    if (all_fit(a) && all_fit(b) && all_fit(c)) return predicate_stage::orient2d_expansion(a, b, c);
    return predicate_stage::orient2d_integer(a, b, c);
}

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const Vec3 A = a - d, B = b - d, C = c - d;
    const double yz = B.y() * C.z(), zy = B.z() * C.y();
    const double zx = B.z() * C.x(), xz = B.x() * C.z();
    const double xy = B.x() * C.y(), yx = B.y() * C.x();
    const double det = A.x() * (yz - zy) + A.y() * (zx - xz) + A.z() * (xy - yx);
    const double permanent = std::abs(A.x()) * (std::abs(yz) + std::abs(zy)) +
                             std::abs(A.y()) * (std::abs(zx) + std::abs(xz)) +
                             std::abs(A.z()) * (std::abs(xy) + std::abs(yx));
    // 7u + 56u²: Shewchuk's bound for this order of operations, differences included.
    const double bound = (7 + 56 * roundoff) * roundoff * permanent + underflow_bound;
    const double largest = A.cwiseAbs().cwiseMax(B.cwiseAbs()).cwiseMax(C.cwiseAbs()).maxCoeff();
    if (std::abs(det) > bound && largest < filter_limit) return det > 0 ? 1 : -1;
    if (all_fit(a) && all_fit(b) && all_fit(c) && all_fit(d))
        return predicate_stage::orient3d_expansion(a, b, c, d);
    return predicate_stage::orient3d_integer(a, b, c, d);
}

} // namespace selvage
