#include "core/render/denoise.h"

#include <gtest/gtest.h>

#include <random>

using namespace selvage;

namespace
{

/// A flat wall, lit evenly but for a step to half the light at x = 16, with noise of deviation
/// 0.05.
struct NoisyWall {
    Image image{32, 32};
    std::vector<PixelFeature> features{32 * 32};

    NoisyWall()
    {
        std::mt19937 random(5);
        std::normal_distribution<float> noise(0, 0.05f);
        for (int y = 0; y < 32; ++y)
            for (int x = 0; x < 32; ++x) {
                PixelFeature& f = features[std::size_t(32 * y + x)];
                f.surface = 0;
                f.position = {float(x), float(y), 0};
                f.normal = Eigen::Vector3f::UnitZ();
                f.color = Color::Constant(0.5f);
                f.pixel_size = 1;
                f.variance = 0.0025f;
                const float level = x < 16 ? 1.0f : 0.5f;
                image.at(x, y) = 0.5f * Color::Constant(level + noise(random));
            }
    }
    double mean(int from, int to) const
    {
        double sum = 0;
        for (int y = 0; y < 32; ++y)
            for (int x = from; x < to; ++x) sum += double(image.at(x, y).x());
        return sum / (32 * (to - from));
    }
    double deviation(int from, int to) const
    {
        const double m = mean(from, to);
        double sum = 0;
        for (int y = 0; y < 32; ++y)
            for (int x = from; x < to; ++x) sum += std::pow(double(image.at(x, y).x()) - m, 2);
        return std::sqrt(sum / (32 * (to - from)));
    }
};

} // namespace

TEST(Denoise, RemovesNoiseAndKeepsShadowEdges)
{
    NoisyWall wall;
    const double before = wall.deviation(0, 16);
    denoise(wall.image, wall.features);
    EXPECT_LT(wall.deviation(0, 16), 0.35 * before);
    EXPECT_NEAR(wall.mean(14, 16), 0.5, 0.015);
    EXPECT_NEAR(wall.mean(16, 18), 0.25, 0.015);
}

TEST(Denoise, LeavesMixedPixelsAlone)
{
    NoisyWall wall;
    for (PixelFeature& f : wall.features) f.surface = PixelFeature::mixed;
    const Image before = wall.image;
    denoise(wall.image, wall.features);
    EXPECT_TRUE(wall.image == before);
}
