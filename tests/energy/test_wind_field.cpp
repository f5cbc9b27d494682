#include "core/energy/wind_field.h"

#include "core/energy/air_drag.h"
#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

Turbulence lively(int seed)
{
    Turbulence t;
    t.amplitude = 3;
    t.scale = 2;
    t.seed = seed;
    return t;
}

} // namespace

TEST(WindField, IsFreeOfDivergence)
{
    const WindField wind({1, 2, 3}, lively(1));
    Random random(1);
    for (int i = 0; i < 20; ++i) {
        const VecX x = 10 * random.vector(3);
        const double t = 5 * random();
        const MatX J = fd_jacobian([&](const VecX& y) { return VecX(wind.at(y, t)); }, x, 1e-3);
        EXPECT_LT(std::abs(J.trace()), 1e-7 * J.norm());
        EXPECT_GT(J.norm(), 0.1);
    }
}

TEST(WindField, HasTheAmplitudeItWasGiven)
{
    const WindField wind(Vec3::Zero(), lively(7));
    Random random(2);
    double sum = 0;
    Vec3 mean = Vec3::Zero();
    const int samples = 20000;
    for (int i = 0; i < samples; ++i) {
        const Vec3 u = wind.at(100 * random.vector(3), 10 * random());
        sum += u.squaredNorm();
        mean += u / samples;
    }
    EXPECT_NEAR(std::sqrt(sum / samples), 3, 0.1);
    EXPECT_LT(mean.norm(), 0.1);
}

TEST(WindField, SeedsDifferAndRepeat)
{
    const Vec3 x(0.3, 0.4, 0.5);
    EXPECT_EQ(WindField(Vec3::Zero(), lively(3)).at(x, 2),
              WindField(Vec3::Zero(), lively(3)).at(x, 2));
    EXPECT_GT(
        (WindField(Vec3::Zero(), lively(3)).at(x, 2) - WindField(Vec3::Zero(), lively(4)).at(x, 2))
            .norm(),
        0.1);
}

TEST(WindField, EddiesDriftAndSwirl)
{
    Turbulence t = lively(5);
    t.swirl = 0;
    const Vec3 x(1, 2, 3), blown(0.7, 0, -0.2);
    const Vec3 before = WindField(Vec3::Zero(), t).at(x, 0);
    EXPECT_LT((WindField(Vec3::Zero(), t).at(x, 9) - before).norm(), 1e-12); // frozen
    t.drift = blown;
    EXPECT_LT((WindField(Vec3::Zero(), t).at(x + blown, 0) - before).norm(), 1e-9);
    t.drift = Vec3::Zero();
    t.swirl = 1;
    EXPECT_GT((WindField(Vec3::Zero(), t).at(x, 1) - before).norm(), 0.1);
}

TEST(WindField, GustsSwellTheMeanWind)
{
    Turbulence t;
    t.gust = 0.4;
    t.gust_frequency = 1;
    const WindField wind({10, 0, 0}, t);
    EXPECT_TRUE(wind.uniform());
    double sum = 0, square = 0;
    const int samples = 4000;
    for (int i = 0; i < samples; ++i) {
        const double u = wind.at(Vec3::Zero(), 0.05 * i)[0] / 10 - 1;
        sum += u / samples;
        square += u * u / samples;
    }
    EXPECT_NEAR(sum, 0, 0.01);
    EXPECT_NEAR(std::sqrt(square), 0.2, 0.01);
}

TEST(AirLift, IsAcrossTheFlowAndLargestAtFortyFiveDegrees)
{
    Vec9 p;
    p << 0, 0, 0, 0, 0, 2, 1, 0, 0; // area 1, normal ±y
    AirProperties air;
    air.lift = 0.5;
    const auto lift = [&](double angle) {
        return air_lift(p, 4 * Vec3(std::cos(angle), std::sin(angle), 0), air);
    };
    for (const double angle : {0.2, 0.8, 1.3}) {
        const Vec3 flow(std::cos(angle), std::sin(angle), 0);
        EXPECT_LT(std::abs(lift(angle).dot(flow)), 1e-12);
        EXPECT_NEAR(lift(angle).norm(), 0.5 * 1.225 * 0.5 * 16 * std::sin(2 * angle) / 2, 1e-12);
    }
    EXPECT_LT(lift(M_PI / 4)[1], 0); // moving up and forward: pushed down, as by its drag
    EXPECT_LT(lift(0).norm() + lift(M_PI / 2).norm(), 1e-12);
}
