#include "core/base/parallel.h"
#include "core/example/sphere.h"
#include "tests/solver/tangles.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

TEST(Pinches, BallsThatCloseAndOpenLetTheSheetGoAndTakeItUpAgain)
{
    const Outcome out = run_judged(closing_balls());
    EXPECT_GT(out.most_released, 0);
    EXPECT_EQ(out.most_held_up, 0);
    EXPECT_EQ(out.released_at_end, 0);
    EXPECT_LT(out.fastest, 2);
    expect_says(out.log, {"'sheet' from '", "points", "collides again"});
}

TEST(Pinches, HeldBallsWaitAndCatchUp)
{
    SessionSetup setup = closing_balls();
    setup.collision.set("on_pinch", std::string("hold"));
    const Outcome out = run_judged(setup);
    EXPECT_EQ(out.most_released, 0);
    EXPECT_GT(out.most_held_up, 0.01);
    EXPECT_LT(out.fastest, 2);
    expect_says(out.log, {"held up"});
}

TEST(Pinches, AnElbowCompletesUnderBothPolicies)
{
    for (const char* policy : {"release", "hold"}) {
        SessionSetup setup = elbow();
        setup.shot.set("frames", Vec3(1, 30, 0));
        setup.collision.set("on_pinch", std::string(policy));
        const Outcome out = run_judged(setup);
        EXPECT_LT(out.fastest, 12) << policy; // falls, and is thrown by the forearm
        // The arm is straight again from frame 12 on.
        EXPECT_EQ(out.released_at_end, 0) << policy;
        EXPECT_EQ(out.ignored_at_end, 0) << policy;
        EXPECT_EQ(out.held_up_at_end, 0) << policy;
    }
}

TEST(Pinches, AnArmpitCompletes)
{
    const Outcome out = run_judged(armpit());
    EXPECT_GT(out.most_released, 0);
    EXPECT_LT(out.fastest, 6);
}

TEST(Pinches, TheSameBitsOnOneAndTwoThreads)
{
    const auto end = [](int threads) {
        const ThreadLimit limit(threads);
        NullLog log;
        SessionSetup setup = closing_balls();
        setup.solver.set("linear", std::string("ldlt"));
        Session session(setup, log);
        session.cook(10, NeverCancel());
        return session.frame(10)->state;
    };
    const State one = end(1), two = end(2);
    EXPECT_EQ(one.x, two.x);
    EXPECT_EQ(one.released, two.released);
    EXPECT_FALSE(one.released.empty());
}

TEST(Pinches, AResumedRunHasTheSameBits)
{
    NullLog log;
    Session whole(closing_balls(), log), resumed(closing_balls(), log);
    whole.cook(10, NeverCancel());
    resumed.restore(7, whole.frame(7)->state);
    resumed.cook(10, NeverCancel());
    EXPECT_FALSE(whole.frame(7)->state.released.empty());
    EXPECT_EQ(whole.frame(10)->state.x, resumed.frame(10)->state.x);
    EXPECT_EQ(whole.frame(10)->state.released, resumed.frame(10)->state.released);
}

TEST(Pinches, PinsDrivenThroughAColliderDoNotStall)
{
    SessionSetup setup = pinch_setup(14);
    ClothSetup c = sheet("strap", 8, 0.2, {0, 0.05, 0});
    const Geometry start = *c.geometry->at(1);
    Group pins = point_group("pins", start, 0);
    for (int p : {30, 31, 39, 40, 41, 49}) pins.member[std::size_t(p)] = 1;
    Geometry with_group = start;
    with_group.set_group(pins);
    c.geometry = std::make_shared<StaticSource>(with_group);
    c.pins.set("group", std::string("pins"));
    c.pin_target = std::make_shared<FunctionSource>([with_group](double frame) {
        return moved(with_group, Mat3::Identity(), {0, -0.06 * closing(frame), 0});
    });
    setup.cloths.push_back(std::move(c));
    setup.colliders.push_back(collider("shoulder", [](double) {
        return sphere(0.06, 2, {0.002, -0.03, 0.001});
    }));
    const Outcome out = run_judged(setup);
    EXPECT_GT(out.most_released, 0);
    EXPECT_EQ(out.most_held_up, 0);
    EXPECT_EQ(out.released_at_end, 0);
    EXPECT_LT(out.fastest, 6);
}

// Contact is not what holds these pins up, so nothing is let through the ball on their account.
TEST(Pinches, PinsThatTheirClothCannotReachWait)
{
    SessionSetup setup = pinch_setup(14);
    ClothSetup c = sheet("strap", 8, 0.2, {0, 0.011, 0});
    Geometry start = *c.geometry->at(1);
    Group pins = point_group("pins", start, 0), moving = pins;
    for (std::size_t p = 0; p < start.point_count(); ++p) {
        const double x = start.positions()[3 * Eigen::Index(p)];
        pins.member[p] = std::abs(x) > 0.099;
        moving.member[p] = x > 0.099;
    }
    start.set_group(pins);
    c.geometry = std::make_shared<StaticSource>(start);
    c.cloth.set("stretch_limit", 0.02);
    c.pins.set("group", std::string("pins"));
    c.pin_target = std::make_shared<FunctionSource>([start, moving](double frame) {
        Geometry g = start;
        VecX x = g.positions();
        for (std::size_t p = 0; p < moving.member.size(); ++p)
            if (moving.member[p]) x[3 * Eigen::Index(p)] += 0.1 * closing(frame);
        g.set_positions(x);
        return g;
    });
    setup.cloths.push_back(std::move(c));
    setup.colliders.push_back(collider("knee", [](double) {
        return sphere(0.05, 2, {0.002, -0.045, 0.001});
    }));
    const Outcome out = run_judged(setup);
    EXPECT_EQ(out.most_released, 0);
    EXPECT_GT(out.most_held_up, 0.09);
    EXPECT_EQ(out.held_up_at_end, 0);
}

TEST(Pinches, PinnedLayersDrivenThroughEachOtherDoNotStall)
{
    SessionSetup setup = pinch_setup(14);
    for (const double side : {1.0, -1.0}) {
        ClothSetup c = sheet(side > 0 ? "coat" : "shirt", 6, 0.2, {0.004 * side, 0.02 * side, 0});
        Geometry g = *c.geometry->at(1);
        Group pins = point_group("pins", g, 0);
        for (int p = 0; p < 14; ++p) pins.member[std::size_t(p)] = 1;
        g.set_group(pins);
        c.geometry = std::make_shared<StaticSource>(g);
        c.pins.set("group", std::string("pins"));
        c.pin_target = std::make_shared<FunctionSource>([g, side](double frame) {
            return moved(g, Mat3::Identity(), {0, -0.03 * side * closing(frame), 0});
        });
        setup.cloths.push_back(std::move(c));
    }
    const Outcome out = run_judged(setup);
    EXPECT_GT(out.most_released, 0);
    EXPECT_EQ(out.most_held_up, 0);
    EXPECT_LT(out.fastest, 6);
}

TEST(Budgets, ABudgetReturnsAFreeStateAndSaysSo)
{
    SessionSetup setup = closing_balls();
    setup.solver.set("budget_iterations", 2.0);
    MessageLog log;
    Session session(setup, log);
    const FrameResult r = session.cook(5, NeverCancel());
    ASSERT_TRUE(r.ok());
    EXPECT_EQ(r.status, StepStatus::out_of_budget);
    EXPECT_LE(r.report.iterations, 2);
    EXPECT_GT(r.report.min_gap, 0);
    expect_says(log.all, {"budget"});
}

TEST(Budgets, TheClockEndsAStepLikewise)
{
    SessionSetup setup = closing_balls();
    setup.solver.set("budget_seconds", 1e-9);
    setup.solver.set("retries", 0.0);
    MessageLog log;
    Session session(setup, log);
    expect_says(log.all, {"budget_seconds", "machine"});
    for (int frame = 1; frame <= 6; ++frame) {
        const FrameResult r = session.cook(frame, NeverCancel());
        ASSERT_TRUE(r.ok());
        EXPECT_LE(r.report.iterations, 1);
        if (r.report.contacts > 0) {
            EXPECT_GT(r.report.min_gap, 0);
        }
        if (frame > 2) {
            EXPECT_EQ(r.status, StepStatus::out_of_budget) << frame;
        }
    }
}

TEST(Retries, AStepThatDoesNotConvergeIsHalved)
{
    SessionSetup setup = closing_balls();
    setup.shot.set("gravity", Vec3(0, -9.81, 0));
    setup.solver.set("max_iterations", 1.0);
    setup.solver.set("tolerance", 1e-7);
    setup.solver.set("retries", 0.0);
    NullLog log;
    Session without(setup, log);
    EXPECT_EQ(without.cook(4, NeverCancel()).report.retries, 0);
    setup.solver.set("retries", 2.0);
    Session with(setup, log);
    const FrameResult r = with.cook(4, NeverCancel());
    EXPECT_TRUE(r.ok());
    EXPECT_GT(r.report.retries, 0);
    EXPECT_GT(r.report.substeps, 1);
    EXPECT_NEAR(with.frame(4)->state.time, without.frame(4)->state.time, 1e-12);
}
