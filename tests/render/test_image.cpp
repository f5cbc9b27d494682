#include "core/base/error.h"
#include "core/render/image.h"

#include <gtest/gtest.h>

using namespace selvage;

TEST(Image, TransferCurveGoesThereAndBack)
{
    for (int i = 0; i <= 255; ++i) {
        const float signal = float(i) / 255;
        EXPECT_NEAR(srgb_from_linear(linear_from_srgb(signal)), signal, 1e-5f);
    }
    EXPECT_NEAR(linear_from_srgb(0.5f), 0.21404f, 1e-4f); // the standard's own example
}

TEST(Image, EightBitsRoundToTheNearestStep)
{
    Image image(256, 1);
    for (int i = 0; i < 256; ++i)
        image.at(i, 0) = Color::Constant(linear_from_srgb(float(i) / 255));
    const Image8 out = to_8_bit(image, Dither::none);
    for (int i = 0; i < 256; ++i) EXPECT_EQ(int(out.rgb[std::size_t(3 * i)]), i);
}

TEST(Image, ValuesOutsideTheRangeAreClamped)
{
    Image image(3, 1);
    image.at(0, 0) = Color(-1, 7, std::nanf(""));
    image.at(1, 0) = Color(1, 1, 1);
    const Image8 out = to_8_bit(image);
    EXPECT_EQ(out.rgb, (std::vector<std::uint8_t>{0, 255, 0, 255, 255, 255, 0, 0, 0}));
}

TEST(Image, DitherKeepsTheMeanBetweenTwoSteps)
{
    const float between = linear_from_srgb(100.3f / 255);
    const Image8 out = to_8_bit(Image(64, 64, Color::Constant(between)));
    double sum = 0;
    for (const auto v : out.rgb) {
        EXPECT_TRUE(v == 100 || v == 101);
        sum += v;
    }
    EXPECT_NEAR(sum / double(out.rgb.size()), 100.3, 0.03);
}

TEST(Image, DownsampleKeepsTheMean)
{
    Image image(7, 5);
    double mean = 0;
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 7; ++x) {
            image.at(x, y) = Color::Constant(float((x * 13 + y * 29) % 17));
            mean += image.at(x, y).x() / 35;
        }
    const Image small = downsample(image, 3, 2);
    double small_mean = 0;
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 3; ++x) small_mean += small.at(x, y).x() / 6;
    EXPECT_NEAR(small_mean, mean, 1e-5);
}

TEST(Image, SamplesBilinearlyBetweenPixelCentres)
{
    Image image(2, 1);
    image.at(1, 0) = Color::Ones();
    EXPECT_FLOAT_EQ(image.sample(1.0f, 0.5f).x(), 0.5f);
    EXPECT_FLOAT_EQ(image.sample(0.75f, 0.5f).x(), 0.25f);
    EXPECT_FLOAT_EQ(image.sample(9, 9).x(), 1);
}

TEST(Image, ToneMapIsIdentityInTheDarkAndNeverReachesWhite)
{
    EXPECT_EQ(tone_map(Color(0.1f, 0.5f, 0.7f)), Color(0.1f, 0.5f, 0.7f));
    EXPECT_LT(tone_map(Color::Constant(2)).x(), 1);
    EXPECT_GT(tone_map(Color::Constant(2)).x(), tone_map(Color::Constant(1.5f)).x());
}

TEST(Image, ImpossibleSizeIsRefused) { EXPECT_THROW(Image(0, 5), InputError); }
