#include "core/render/sampling.h"

#include <gtest/gtest.h>

#include <set>

using namespace selvage;

TEST(Sampling, EveryElementaryBoxHasOnePoint)
{
    const SampleSequence sequence(64);
    for (std::uint32_t pixel = 0; pixel < 5; ++pixel)
        for (std::uint32_t purpose = 0; purpose < 3; ++purpose) {
            const auto scramble = sequence.scramble(pixel, purpose);
            for (const int rows : {1, 2, 4, 8, 16}) {
                std::set<std::pair<int, int>> boxes;
                for (std::uint32_t i = 0; i < 16; ++i) {
                    const auto u = sequence.at(scramble, i);
                    boxes.insert({int(u.x() * float(16 / rows)), int(u.y() * float(rows))});
                }
                EXPECT_EQ(boxes.size(), 16u) << rows;
            }
        }
}

TEST(Sampling, StaysInsideTheUnitSquare)
{
    const SampleSequence sequence(16);
    for (std::uint32_t pixel = 0; pixel < 500; ++pixel)
        for (std::uint32_t i = 0; i < 16; ++i) {
            const auto u = sequence.at(sequence.scramble(pixel, 1), i);
            EXPECT_TRUE(u.minCoeff() >= 0 && u.maxCoeff() < 1);
        }
}

TEST(Sampling, PixelsAreUncorrelated)
{
    // The mean over pixels of the first sample is that of independent numbers: ½ ± a few σ.
    const SampleSequence sequence(16);
    Eigen::Vector2d mean = Eigen::Vector2d::Zero();
    const int n = 10000;
    for (int pixel = 0; pixel < n; ++pixel)
        mean += sequence.at(sequence.scramble(std::uint32_t(pixel), 2), 0).cast<double>() / n;
    EXPECT_NEAR(mean.x(), 0.5, 4 * 0.289 / 100);
    EXPECT_NEAR(mean.y(), 0.5, 4 * 0.289 / 100);
}
