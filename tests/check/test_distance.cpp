#include "core/check/distance.h"

#include <gtest/gtest.h>

#include <random>

using namespace selvage;

namespace
{

class Random
{
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    Vec3 vector() { return {unit_(engine_), unit_(engine_), unit_(engine_)}; }

private:
    std::mt19937 engine_;
    std::uniform_real_distribution<double> unit_{-1, 1};
};

constexpr int n = 60; // samples along each side

double sampled_point_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    double best = infinity;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; i + j <= n; ++j)
            best = std::min(best, (a + (b - a) * i / n + (c - a) * j / n - p).norm());
    return best;
}

double sampled_segment_segment(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    double best = infinity;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            best = std::min(best, (a + (b - a) * i / n - c - (d - c) * j / n).norm());
    return best;
}

} // namespace

TEST(CheckDistance, PointTriangleAgreesWithSampling)
{
    Random random(21);
    for (int i = 0; i < 300; ++i) {
        const Vec3 p = random.vector(), a = random.vector(), b = random.vector();
        // Every fifth triangle is flat.
        const Vec3 c = i % 5 ? random.vector() : Vec3(a + 0.3 * (b - a));
        const double exact = check_distance::point_triangle(p, a, b, c);
        const double sampled = sampled_point_triangle(p, a, b, c);
        EXPECT_LE(exact, sampled + 1e-12);
        EXPECT_GE(exact, sampled - 3.5 / n); // no sample is farther than this from its cell
        EXPECT_NEAR(exact, check_distance::point_triangle(p, c, a, b), 1e-13);
    }
}

TEST(CheckDistance, SegmentSegmentAgreesWithSampling)
{
    Random random(22);
    for (int i = 0; i < 300; ++i) {
        const Vec3 a = random.vector(), b = random.vector(), c = random.vector();
        // Every fifth pair is parallel.
        const Vec3 d = i % 5 ? random.vector() : Vec3(c + 0.7 * (b - a));
        const double exact = check_distance::segment_segment(a, b, c, d);
        const double sampled = sampled_segment_segment(a, b, c, d);
        EXPECT_LE(exact, sampled + 1e-12);
        EXPECT_GE(exact, sampled - 3.5 / n);
        EXPECT_NEAR(exact, check_distance::segment_segment(d, c, a, b), 1e-13);
    }
}

TEST(CheckDistance, ClosedForms)
{
    const Vec3 a(0, 0, 0), b(4, 0, 0), c(0, 4, 0);
    EXPECT_DOUBLE_EQ(check_distance::point_triangle({1, 1, 3}, a, b, c), 3);
    EXPECT_DOUBLE_EQ(check_distance::point_triangle({1, -3, 4}, a, b, c), 5);
    EXPECT_DOUBLE_EQ(check_distance::point_triangle({7, -4, 0}, a, b, c), 5);
    EXPECT_DOUBLE_EQ(check_distance::point_triangle({4, 4, 0}, a, b, c), std::sqrt(8));
    EXPECT_DOUBLE_EQ(check_distance::point_triangle({3, 4, 0}, a, a, a), 5);
    EXPECT_DOUBLE_EQ(check_distance::segment_segment(a, b, {2, -1, 3}, {2, 1, 3}), 3);
    EXPECT_DOUBLE_EQ(check_distance::segment_segment(a, b, {7, 4, 0}, {7, 9, 0}), 5);
    EXPECT_DOUBLE_EQ(check_distance::segment_segment(a, b, {1, 2, 0}, {3, 2, 0}), 2);
    EXPECT_DOUBLE_EQ(check_distance::segment_segment(a, a, {3, 4, 0}, {3, 4, 0}), 5);
    EXPECT_EQ(check_distance::segment_segment(a, b, {1, -1, 0}, {1, 1, 0}), 0);
}

TEST(CheckDistance, SmallGapsFarFromTheOrigin)
{
    const Vec3 far(100, 200, -300), up(0, 0, 0x1p-30);
    const Vec3 a = far, b = far + Vec3::UnitX(), c = far + Vec3::UnitY();
    const Vec3 p = far + Vec3(0.25, 0.25, 0) + up;
    EXPECT_NEAR(check_distance::point_triangle(p, a, b, c), 0x1p-30, 1e-15);
}
