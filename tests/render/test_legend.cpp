#include "core/render/legend.h"

#include <gtest/gtest.h>

using namespace selvage;

TEST(Legend, TicksAreRoundNumbersInside)
{
    EXPECT_EQ(nice_ticks(0, 1, 5).size(), 6u);
    const auto ticks = nice_ticks(-0.13, 9.7, 5);
    EXPECT_EQ(ticks, (std::vector<double>{0, 2, 4, 6, 8}));
    EXPECT_TRUE(nice_ticks(1, 1, 5).empty());
    EXPECT_TRUE(nice_ticks(0, infinity, 5).empty());
}

TEST(Legend, LabelsHaveTheDigitsThatMatter)
{
    EXPECT_EQ(tick_label(2, 1), "2");
    EXPECT_EQ(tick_label(0.30000000000000004, 0.1), "0.3");
    EXPECT_EQ(tick_label(1.25, 0.05), "1.25");
    EXPECT_EQ(tick_label(2e-6, 1e-6), "2e-06");
}

TEST(Legend, BarShowsTheMapFromBottomToTop)
{
    Image image(480, 270, Color::Ones());
    Coloring c;
    c.map = ColorMapKind::sequential;
    c.low = 0;
    c.high = 0.1;
    draw_legend(image, c, "sv_strain");
    // Pixels of exactly the map's ends are there, the low one below the high one.
    const ColorMap map;
    int low_y = -1, high_y = -1;
    for (int y = 0; y < 270; ++y)
        for (int x = 240; x < 480; ++x) {
            if ((image.at(x, y) - map(0)).norm() < 0.03f) low_y = y;
            if (high_y < 0 && (image.at(x, y) - map(1)).norm() < 0.03f) high_y = y;
        }
    ASSERT_GE(low_y, 0);
    ASSERT_GE(high_y, 0);
    EXPECT_NEAR(low_y - high_y, 0.46 * 270, 6);
}

TEST(Legend, CaptionInksTheLowerLeftCornerOnly)
{
    Image image(320, 180, Color::Ones());
    draw_caption(image, "frame 12\nsecond line");
    bool inked = false;
    for (int y = 0; y < 180; ++y)
        for (int x = 0; x < 320; ++x)
            if (image.at(x, y) != Color(Color::Ones())) {
                inked = true;
                EXPECT_GT(y, 140);
                EXPECT_LT(x, 160);
            }
    EXPECT_TRUE(inked);
}
