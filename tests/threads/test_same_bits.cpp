// A simulation is the same to the last bit on any number of threads, and beside another one.
#include "core/base/parallel.h"
#include "core/example/cloth_grid.h"
#include "core/example/sphere.h"
#include "core/model/hair_material.h"
#include "core/session/session.h"
#include "core/solver/stepper.h"
#include "tests/support/animated_source.h"
#include "tests/support/cloth_scene.h"
#include "tests/support/hair_scene.h"

#include <gtest/gtest.h>

#include <thread>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// A sheet that falls on a rough ball, which rises and turns.
SessionSetup sheet_on_ball(const std::string& linear)
{
    SessionSetup s;
    s.shot.set("frames", Vec3(1, 4, 0));
    s.solver.set("linear", linear);
    ClothSetup c;
    c.cloth.set("name", std::string("sheet"));
    c.geometry = std::make_shared<StaticSource>(
        cloth_grid(24, 24, 0.4, 0.4, GridCells::alternating_triangles));
    s.cloths.push_back(std::move(c));
    ColliderSetup ball;
    ball.collider.set("name", std::string("ball"));
    ball.geometry = std::make_shared<FunctionSource>([](double frame) {
        return sphere(0.1, 2, {0.003 * frame, -0.11 + 0.01 * frame, 0});
    });
    s.colliders.push_back(std::move(ball));
    return s;
}

struct End {
    VecX x;
    int contacts = 0;
};

End last_frame(const SessionSetup& setup)
{
    NullLog log;
    Session session(setup, log);
    End end;
    session.on_frame = [&](const FrameReport& r) { end.contacts = r.contacts; };
    session.cook(setup.last_frame(), NeverCancel());
    end.x = session.frame(setup.last_frame())->state.x;
    return end;
}

class SameBits : public testing::TestWithParam<const char*>
{
};

} // namespace

TEST_P(SameBits, HangingSheet)
{
    SheetScene s;
    s.columns = s.rows = 40;
    s.material = plain_material(0.2, 300, 0.3, 1e-5);
    VecX results[2];
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        const auto stepper = make_stepper("barrier", s.scene());
        State state = s.start();
        StepSettings settings;
        settings.linear = GetParam();
        for (int i = 0; i < 5; ++i)
            stepper->step(s.still({0.5, -9.81, 3}), state, 1.0 / 24, settings, NeverCancel());
        results[threads - 1] = state.x;
    }
    EXPECT_EQ(results[0], results[1]);
}

TEST_P(SameBits, SheetOnAMovingBall)
{
    End ends[2];
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        ends[threads - 1] = last_frame(sheet_on_ball(GetParam()));
    }
    EXPECT_EQ(ends[0].x, ends[1].x);
    EXPECT_GT(ends[0].contacts, 0);
}

INSTANTIATE_TEST_SUITE_P(LinearSolvers, SameBits, testing::Values("ldlt", "pcg", "multigrid"),
                         [](const auto& test) { return std::string(test.param); });

TEST(SameBitsOfHair, LocksInTheWind)
{
    std::vector<std::vector<Vec3>> strands;
    for (int i = 0; i < 70; ++i)
        strands.push_back(
            clamped_line(Vec3(0.01 * i, 0, 0), Vec3(0.01 * i + 0.02, 0, 0.1), 8 + i % 5));
    VecX x[2], directors[2];
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        HairScene hair(strands, hair_preset("hair_curly").material, HairRoots::first_point);
        hair.drive.wind = Vec3(3, 0, 1);
        hair.drive.air_density = 1.2;
        hair.run(6, 1.0 / 24, {});
        x[threads - 1] = hair.state.x, directors[threads - 1] = hair.state.rod_directors;
    }
    EXPECT_EQ(x[0], x[1]);
    EXPECT_EQ(directors[0], directors[1]);
}

TEST(TwoSessionsAtOnce, DoNotDisturbEachOther)
{
    const End alone = last_frame(sheet_on_ball("multigrid"));
    End together[2];
    std::thread other([&] { together[1] = last_frame(sheet_on_ball("multigrid")); });
    together[0] = last_frame(sheet_on_ball("multigrid"));
    other.join();
    for (const End& end : together) EXPECT_EQ(end.x, alone.x);
}
