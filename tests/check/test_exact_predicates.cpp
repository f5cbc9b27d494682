#include "core/check/exact_predicates.h"
#include "core/check/wide_integer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace selvage;

namespace
{

__extension__ using Int128 = __int128;

int sign(Int128 v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }

/// For whole coordinates below 2^40.
int truth_3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    Int128 m[3][3];
    const Vec3* rows[] = {&a, &b, &c};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) m[i][k] = std::int64_t((*rows[i])[k]) - std::int64_t(d[k]);
    return sign(m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
                m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
                m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]));
}

class Random
{
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double whole(double bound)
    {
        return std::floor(std::uniform_real_distribution<double>(-bound, bound)(engine_));
    }
    Vec3 whole_vector(double bound) { return {whole(bound), whole(bound), whole(bound)}; }
    double real(int low_exponent, int high_exponent)
    {
        const int e = std::uniform_int_distribution<int>(low_exponent, high_exponent)(engine_);
        return std::ldexp(std::uniform_real_distribution<double>(-1, 1)(engine_), e);
    }
    Vec3 real_vector(int low, int high)
    {
        return {real(low, high), real(low, high), real(low, high)};
    }

private:
    std::mt19937_64 engine_;
};

} // namespace

TEST(ExactPredicates, SignConvention)
{
    const Vec3 o = Vec3::Zero(), x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
    EXPECT_EQ(orient3d(x, y, z, o), 1);
    EXPECT_EQ(orient3d(o, x, y, z), -1);
    EXPECT_EQ(orient3d(o, x, y, x + y), 0);
    EXPECT_EQ(orient2d({0, 0}, {1, 0}, {0, 1}), 1);
    EXPECT_EQ(orient2d({0, 0}, {1, 0}, {0, -1}), -1);
    EXPECT_EQ(orient2d({0, 0}, {1, 1}, {3, 3}), 0);
}

TEST(ExactPredicates, WholeCoordinatesAgreeWithIntegers)
{
    Random random(1);
    for (int i = 0; i < 20000; ++i) {
        const double bound = i % 2 ? 3 : 0x1p39;
        const Vec3 a = random.whole_vector(bound), b = random.whole_vector(bound);
        const Vec3 c = random.whole_vector(bound), d = random.whole_vector(bound);
        ASSERT_EQ(orient3d(a, b, c, d), truth_3d(a, b, c, d));
    }
}

/// d = a + i(b − a) + j(c − a), then at most one unit off: the determinant is tiny against its
/// terms, and plain doubles get many of the signs wrong.
TEST(ExactPredicates, NearlyCoplanarWholeCoordinates)
{
    Random random(2);
    int zeros = 0, wrong_in_doubles = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3 a = random.whole_vector(0x1p34), b = random.whole_vector(0x1p34);
        const Vec3 c = random.whole_vector(0x1p34);
        Vec3 d = a + random.whole(8) * (b - a) + random.whole(8) * (c - a);
        d[i % 3] += random.whole(2);
        const int truth = truth_3d(a, b, c, d);
        zeros += truth == 0;
        const double rough = (a - d).dot((b - d).cross(c - d));
        wrong_in_doubles += (rough > 0) - (rough < 0) != truth;
        ASSERT_EQ(orient3d(a, b, c, d), truth) << i;
        ASSERT_EQ(predicate_stage::orient3d_expansion(a, b, c, d), truth) << i;
        ASSERT_EQ(predicate_stage::orient3d_integer(a, b, c, d), truth) << i;
    }
    EXPECT_GT(zeros, 1000);
    EXPECT_GT(wrong_in_doubles, 500);
}

/// Differences that do not fit a double, products with many components: expansions and integers
/// are independent of each other and must agree.
TEST(ExactPredicates, StagesAgreeOnMixedExponents)
{
    Random random(3);
    int decided[3] = {};
    for (int i = 0; i < 4000; ++i) {
        const int range = i % 2 ? 40 : 250;
        const Vec3 a = random.real_vector(-range, range), b = random.real_vector(-range, range);
        const Vec3 c = random.real_vector(-range, range);
        Vec3 d = random.real_vector(-range, range);
        if (i % 4 == 0) d = 0.5 * a + 0.5 * b; // rounded: nearly or exactly in the plane
        const int s = predicate_stage::orient3d_integer(a, b, c, d);
        ++decided[s + 1];
        ASSERT_EQ(predicate_stage::orient3d_expansion(a, b, c, d), s) << i;
        ASSERT_EQ(orient3d(a, b, c, d), s) << i;
        const Vec2 p = a.head<2>(), q = b.head<2>(), r = d.head<2>();
        ASSERT_EQ(predicate_stage::orient2d_expansion(p, q, r),
                  predicate_stage::orient2d_integer(p, q, r));
        ASSERT_EQ(orient2d(p, q, r), predicate_stage::orient2d_integer(p, q, r));
    }
    EXPECT_GT(decided[0], 1000);
    EXPECT_GT(decided[2], 1000);
}

TEST(ExactPredicates, OneUnitInTheLastPlaceIsSeen)
{
    Random random(4);
    for (int i = 0; i < 5000; ++i) {
        // In the plane x = y exactly, off by the smallest possible step.
        const auto in_plane = [&] {
            const double s = random.real(-3, 3);
            return Vec3(s, s, random.real(-3, 3));
        };
        const Vec3 a = in_plane(), b = in_plane(), c = in_plane();
        Vec3 d = in_plane();
        ASSERT_EQ(orient3d(a, b, c, d), 0);
        d.x() = std::nextafter(d.x(), infinity);
        const int above = orient3d(a, b, c, d);
        d.x() = std::nextafter(std::nextafter(d.x(), -infinity), -infinity);
        ASSERT_EQ(above * orient3d(a, b, c, d), -1);
    }
}

TEST(ExactPredicates, SwapsAndTranslationsByPowersKeepTheirSign)
{
    Random random(5);
    for (int i = 0; i < 2000; ++i) {
        const Vec3 a = random.whole_vector(100), b = random.whole_vector(100);
        const Vec3 c = random.whole_vector(100), d = random.whole_vector(100);
        const int s = orient3d(a, b, c, d);
        EXPECT_EQ(orient3d(b, a, c, d), -s);
        EXPECT_EQ(orient3d(b, c, a, d), s);
        EXPECT_EQ(orient3d(d, b, c, a), -s);
        // Far outside the filter's and the expansions' range, down to subnormals.
        for (const double scale : {0x1p-1060, 0x1p-400, 0x1p-120, 0x1p120, 0x1p1000})
            ASSERT_EQ(orient3d(scale * a, scale * b, scale * c, scale * d), s) << scale;
    }
}

TEST(ExactPredicates, ExtremesOfTheDoubleRange)
{
    const double huge = std::numeric_limits<double>::max();
    const double tiny = std::numeric_limits<double>::denorm_min();
    // Differences overflow; the smallest number there is decides.
    const Vec3 a(-huge, -huge, 0), b(huge, -huge, 0), c(0, huge, 0);
    EXPECT_EQ(orient3d(a, b, c, Vec3(0, 0, 0)), 0);
    EXPECT_EQ(orient3d(a, b, c, Vec3(0, 0, tiny)), -1);
    EXPECT_EQ(orient3d(a, b, c, Vec3(0, 0, -tiny)), 1);
    EXPECT_EQ(orient2d({-huge, 0}, {huge, 0}, {tiny, tiny}), 1);
    EXPECT_EQ(orient2d({-huge, -huge}, {huge, huge}, {tiny, tiny}), 0);
    EXPECT_EQ(orient2d({-huge, -huge}, {huge, huge}, {tiny, 0}), -1);
}

TEST(WideInteger, Arithmetic)
{
    Random random(6);
    for (int i = 0; i < 5000; ++i) {
        const auto a = std::int64_t(random.whole(i % 2 ? 5 : 0x1p60));
        const auto b = std::int64_t(random.whole(i % 2 ? 5 : 0x1p60));
        const WideInteger A(a), B(b);
        ASSERT_EQ((A + B).sign(), sign(Int128(a) + b));
        ASSERT_EQ((A - B).sign(), sign(Int128(a) - b));
        ASSERT_EQ((A * B - B * A).sign(), 0);
        // (a + b)(a − b) = a² − b², and one more is one more.
        ASSERT_EQ(((A + B) * (A - B) - (A * A - B * B)).sign(), 0);
        ASSERT_EQ(((A + B) * (A - B) - (A * A - B * B) + WideInteger(1)).sign(), 1);
    }
}

TEST(WideInteger, DoublesKeepTheirOrderAndSums)
{
    const double tiny = std::numeric_limits<double>::denorm_min();
    const double values[] = {0, tiny, 3 * tiny, 0x1p-1022, 1e-300, 0.1, 1, 3, 1e300};
    for (const double x : values)
        for (const double y : values) {
            const WideInteger X = WideInteger::from_double(x), Y = WideInteger::from_double(y);
            EXPECT_EQ((X - Y).sign(), (x > y) - (x < y));
        }
    const WideInteger one = WideInteger::from_double(tiny);
    EXPECT_EQ((one - WideInteger(1)).sign(), 0);
    EXPECT_EQ((WideInteger::from_double(-0.5) + WideInteger::from_double(0.5)).sign(), 0);
}
