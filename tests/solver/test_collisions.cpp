// Whole scenes with contact, judged on the written 32-bit positions by the independent checker.
#include "core/check/report.h"
#include "core/example/cloth_grid.h"
#include "core/example/sphere.h"
#include "core/session/session.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

Geometry moved(Geometry g, const Vec3& by)
{
    VecX x = g.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) x.segment<3>(i) += by;
    g.set_positions(x);
    return g;
}

/// A sheet of 40 cm that falls onto a ball of 12 cm radius.
SessionSetup drop_setup(double height)
{
    SessionSetup s;
    s.shot.set("frames", Vec3(1, 12, 0));
    s.shot.set("substeps", 2.0);
    s.collision.set("enabled", 1.0);
    ClothSetup c;
    c.cloth.set("name", std::string("sheet"));
    c.geometry = std::make_shared<StaticSource>(
        moved(cloth_grid(14, 14, 0.4, 0.4, GridCells::alternating_triangles), {0, height, 0}));
    s.cloths.push_back(std::move(c));
    ColliderSetup ball;
    ball.collider.set("name", std::string("ball"));
    ball.geometry = std::make_shared<StaticSource>(sphere(0.12, 2, {0.003, 0, 0.002}));
    s.colliders.push_back(std::move(ball));
    return s;
}

/// Cooks all frames; every one must be free of intersections with the ball as animated.
State run_judged(const SessionSetup& setup)
{
    NullLog log;
    Session session(setup, log);
    for (int frame = 1; frame <= setup.last_frame(); ++frame) {
        const FrameResult r = session.cook(frame, NeverCancel());
        EXPECT_TRUE(r.ok()) << frame;
        if (!r.ok()) break;
        const CheckReport judged =
            check_geometry({{"sheet", r.objects[0].geometry, std::nullopt},
                            {"ball", *setup.colliders[0].geometry->at(frame), std::nullopt}});
        EXPECT_TRUE(judged.ok) << "frame " << frame << ": " << report_text(judged);
    }
    return session.frame(setup.last_frame())->state;
}

/// The same sheet with a ball that moves by `way` per frame from frame 4 on.
SessionSetup moving_ball_setup(double height, const Vec3& way, int frames)
{
    SessionSetup s = drop_setup(height);
    s.shot.set("frames", Vec3(1, frames, 0));
    s.colliders[0].geometry = std::make_shared<FunctionSource>([way](double frame) {
        return sphere(0.12, 2, Vec3(0.003, 0, 0.002) + std::max(0.0, frame - 4) * way);
    });
    return s;
}

double height_above_the_ball(const State& s, double ball_top)
{
    double lowest = infinity;
    for (Eigen::Index i = 0; i < s.x.size(); i += 3)
        if (std::hypot(s.x[i], s.x[i + 2]) < 0.02) lowest = std::min(lowest, s.x[i + 1] - ball_top);
    return lowest;
}

} // namespace

TEST(Collisions, ASheetComesToRestOnABall)
{
    const State s = run_judged(drop_setup(0.13));
    EXPECT_GT(height_above_the_ball(s, 0.12), 0);
    EXPECT_LT(height_above_the_ball(s, 0.12), 0.01);
}

TEST(Collisions, ReportsCountContactsAndGaps)
{
    NullLog log;
    Session session(drop_setup(0.125), log);
    const FrameReport r = session.cook(6, NeverCancel()).report;
    EXPECT_GT(r.contacts, 0);
    EXPECT_GT(r.min_gap, 0);
    EXPECT_LT(r.min_gap, 1e-3);
}

TEST(Collisions, ATangledStartIsNamedAndCanBeIgnored)
{
    SessionSetup setup = drop_setup(0.05); // through the ball
    MessageLog log;
    expect_says(message_of([&] { Session session(setup, log); }),
                {"frame 1", "'sheet'", "'ball'", "passes through", "on_intersection"});
    setup.collision.set("on_intersection", std::string("ignore_pairs"));
    Session session(setup, log);
    EXPECT_NE(log.all.find("will not collide"), std::string::npos);
    EXPECT_TRUE(session.cook(4, NeverCancel()).ok());
}

TEST(Collisions, ARisingBallLiftsTheSheet)
{
    const State s = run_judged(moving_ball_setup(0.125, {0, 0.01, 0}, 14));
    EXPECT_GT(height_above_the_ball(s, 0.22), 0);
    EXPECT_LT(height_above_the_ball(s, 0.22), 0.01);
}

TEST(Collisions, AFastBallDoesNotTunnel)
{
    // 24 m/s, a metre per frame: it carries the sheet along or throws it off.
    run_judged(moving_ball_setup(0.14, {0, 1, 0}, 7));
    run_judged(moving_ball_setup(0.125, {0.3, 0.1, 0}, 8));
}
