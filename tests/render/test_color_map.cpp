#include "core/render/color_map.h"

#include <gtest/gtest.h>

using namespace selvage;

TEST(ColorMap, SequentialGetsLighterAllTheWay)
{
    const ColorMap map;
    for (int i = 0; i < 256; ++i)
        EXPECT_LT(luminance(map(float(i) / 256)), luminance(map(float(i + 1) / 256))) << i;
}

TEST(ColorMap, SequentialRunsFromDarkBlueToYellow)
{
    const ColorMap map;
    EXPECT_GT(map(0).z(), 2 * map(0).y());
    EXPECT_LT(luminance(map(0)), 0.05f);
    EXPECT_GT(map(1).x(), 0.7f);
    EXPECT_GT(map(1).y(), 0.7f);
    EXPECT_LT(map(1).z(), 0.3f);
}

TEST(ColorMap, DivergingIsLightestInTheMiddleAndBalanced)
{
    const ColorMap map(ColorMapKind::diverging);
    for (int i = 0; i < 128; ++i) {
        const float t = float(i) / 256;
        EXPECT_LT(luminance(map(t)), luminance(map(t + 1.0f / 256)));
        EXPECT_NEAR(luminance(map(t)), luminance(map(1 - t)), 0.06f);
    }
    EXPECT_GT(map(0).z(), 3 * map(0).x());
    EXPECT_GT(map(1).x(), 3 * map(1).z());
    EXPECT_LT(map(0.5f).maxCoeff() - map(0.5f).minCoeff(), 0.05f);
}

TEST(ColorMap, HasNoJumps)
{
    for (const auto kind : {ColorMapKind::sequential, ColorMapKind::diverging}) {
        const ColorMap map(kind);
        for (int i = 0; i < 512; ++i)
            for (int c = 0; c < 3; ++c)
                EXPECT_NEAR(srgb_from_linear(map(float(i) / 512)[c]),
                            srgb_from_linear(map(float(i + 1) / 512)[c]), 0.015f)
                    << i;
    }
}

TEST(ColorMap, ClampsAndMarksNotANumber)
{
    const ColorMap map;
    EXPECT_EQ(map(-3), map(0));
    EXPECT_EQ(map(7), map(1));
    const Color grey = map(std::nanf(""));
    EXPECT_EQ(grey.x(), grey.y());
    EXPECT_EQ(grey.x(), grey.z());
}

TEST(ColorMap, ObjectColorsDifferAndStayInGamut)
{
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_GE(object_color(i).minCoeff(), 0);
        EXPECT_LE(object_color(i).maxCoeff(), 1);
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_GT((object_color(i) - object_color(j)).norm(), 0.05f) << i << " " << j;
    }
    EXPECT_EQ(object_color(8), object_color(0));
}
