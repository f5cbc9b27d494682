#include "core/session/session.h"
#include "tests/support/animated_source.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

SessionSetup windy()
{
    SessionSetup s = hanging_setup();
    s.shot.set("wind", Vec3(0, 0, -3));
    return s;
}

VecX blown(const SessionSetup& s, int frame = 8)
{
    NullLog log;
    Session session(s, log);
    return session.cook(frame, NeverCancel()).objects.at(0).geometry.positions();
}

} // namespace

TEST(Turbulence, WithoutAmplitudeTheWindIsSteady)
{
    SessionSetup s = windy();
    const VecX steady = blown(s);
    s.turbulence.set("scale", 0.3);
    s.turbulence.set("seed", 5.0);
    EXPECT_EQ(blown(s), steady);
}

TEST(Turbulence, EddiesBendTheSheetAcrossTheWindTheSameWayEachTime)
{
    SessionSetup s = windy();
    s.turbulence.set("amplitude", 3.0);
    s.turbulence.set("scale", 0.5);
    const VecX once = blown(s);
    EXPECT_EQ(blown(s), once);
    // A steady wind along z leaves the sheet symmetric about its middle.
    const auto asymmetry = [](const VecX& x) {
        double largest = 0;
        for (int j = 0; j <= 8; ++j)
            largest = std::max(largest, std::abs(x[3 * (9 * j) + 2] - x[3 * (9 * j + 8) + 2]));
        return largest;
    };
    EXPECT_GT(asymmetry(once), 10 * asymmetry(blown(windy())) + 1e-3);
    s.turbulence.set("seed", 1.0);
    EXPECT_GT((blown(s) - once).norm(), 1e-3);
}

TEST(Turbulence, GustsAndLiftChangeTheMotion)
{
    SessionSetup s = windy();
    const VecX steady = blown(s);
    s.turbulence.set("gust", 0.8);
    s.turbulence.set("gust_frequency", 2.0);
    EXPECT_GT((blown(s) - steady).norm(), 1e-3);
    SessionSetup lifted = windy();
    lifted.cloths[0].cloth.set("lift", 1.0);
    const VecX up = blown(lifted);
    EXPECT_GT((up - steady).norm(), 1e-4);
}
