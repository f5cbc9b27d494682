#include "core/math/monotone_curve.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{
const std::vector<Vec2> points = {{0, 0}, {0.1, 0.2}, {0.3, 0.25}, {0.4, 2}, {1, 2}, {1.2, 5}};
}

TEST(MonotoneCurve, InterpolatesWithoutOvershoot)
{
    const MonotoneCurve curve(points);
    for (const Vec2& p : points) EXPECT_NEAR(curve(p[0]).y, p[1], 1e-14);
    double last = 0;
    for (int i = 1; i <= 1500; ++i) {
        const MonotoneCurve::Value v = curve(1e-3 * i);
        EXPECT_GE(v.y, last - 1e-14);
        EXPECT_GE(v.slope, -1e-12);
        last = v.y;
    }
}

TEST(MonotoneCurve, IntegralAndSlopeBelongToTheValue)
{
    const MonotoneCurve curve(points);
    const double h = 1e-5;
    for (double x = -0.303; x < 1.5; x += 0.0717) {
        const auto a = curve(x - h), b = curve(x), c = curve(x + h);
        EXPECT_NEAR((c.integral - a.integral) / (2 * h), b.y, 1e-7);
        EXPECT_NEAR((c.y - a.y) / (2 * h), b.slope, 1e-6);
    }
}

TEST(MonotoneCurve, LinesStayLines)
{
    const MonotoneCurve curve({{-1, -3}, {0, 0}, {0.2, 0.6}, {2, 6}}), line(3);
    for (double x = -2; x < 3; x += 0.19) {
        EXPECT_NEAR(curve(x).y, 3 * x, 1e-14);
        EXPECT_NEAR(curve(x).slope, 3, 1e-13);
        EXPECT_NEAR(line(x).y, 3 * x, 1e-14);
        EXPECT_NEAR(line(x).integral, 1.5 * x * x, 1e-14);
    }
}

TEST(MonotoneCurve, RefusesUnsortedPoints)
{
    EXPECT_THROW(MonotoneCurve({{0, 0}, {0, 1}}), InputError);
    EXPECT_THROW(MonotoneCurve(std::vector<Vec2>{{0, 0}}), InputError);
}
