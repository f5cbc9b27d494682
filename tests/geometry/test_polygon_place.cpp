#include "core/geometry/polygon_place.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

Vec4 weights(int corners, double u, double v)
{
    const auto w = polygon_weights(corners, u, v);
    EXPECT_TRUE(w) << u << " " << v;
    return w.value_or(Vec4::Zero());
}

} // namespace

TEST(PolygonPlace, CornersAreWhereHoudiniHasThem)
{
    EXPECT_EQ(weights(3, 0, 0), Vec4(1, 0, 0, 0));
    EXPECT_EQ(weights(3, 1, 0), Vec4(0, 1, 0, 0));
    EXPECT_EQ(weights(3, 0, 1), Vec4(0, 0, 1, 0));
    EXPECT_EQ(weights(4, 0, 0), Vec4(1, 0, 0, 0));
    EXPECT_EQ(weights(4, 0, 1), Vec4(0, 1, 0, 0));
    EXPECT_EQ(weights(4, 1, 1), Vec4(0, 0, 1, 0));
    EXPECT_EQ(weights(4, 1, 0), Vec4(0, 0, 0, 1));
    EXPECT_EQ(weights(4, 0.5, 0.5), Vec4::Constant(0.25));
}

TEST(PolygonPlace, WeightsAddUpAndAreNeverNegative)
{
    for (const int corners : {3, 4})
        for (double u = -5e-5; u <= 1.0001; u += 0.0625)
            for (double v = -5e-5; v <= (corners == 3 ? 1 - u : 1) + 1e-4; v += 0.0625) {
                const Vec4 w = weights(corners, u, v);
                EXPECT_NEAR(w.sum(), 1, 1e-15);
                EXPECT_GE(w.minCoeff(), -1e-15);
            }
}

TEST(PolygonPlace, OutsideIsNowhere)
{
    EXPECT_FALSE(polygon_weights(3, 0.7, 0.4));
    EXPECT_FALSE(polygon_weights(4, 1.01, 0.4));
    EXPECT_FALSE(polygon_weights(4, 0.4, -0.01));
    EXPECT_FALSE(polygon_weights(3, std::nan(""), 0.1));
}
