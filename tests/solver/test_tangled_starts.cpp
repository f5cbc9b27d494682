#include "core/base/parallel.h"
#include "core/example/sphere.h"
#include "tests/solver/tangles.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

TEST(TangledStarts, ASheetHalfInsideABodyIsDrawnOut)
{
    SessionSetup setup = pinch_setup(40);
    setup.shot.set("gravity", Vec3(0, 0, 0));
    setup.cloths.push_back(sheet("sheet", 10, 0.3, {0, 0.03, 0}));
    setup.colliders.push_back(collider("ball", [](double) {
        return sphere(0.06, 2, {0.003, 0, 0.002});
    }));
    const Outcome out = run_judged(setup);
    EXPECT_GT(out.most_released, 0);
    EXPECT_EQ(out.released_at_end, 0);
    EXPECT_EQ(out.ignored_at_end, 0);
    EXPECT_LT(out.fastest, 1);
    expect_says(out.log, {"'sheet' edge", "passes through 'ball' triangle",
                          "points start inside colliders", "'sheet' from 'ball'"});
    for (Eigen::Index i = 0; i < out.end.x.size(); i += 3)
        EXPECT_GT((out.end.x.segment<3>(i) - Vec3(0.003, 0, 0.002)).norm(), 0.055);
}

TEST(TangledStarts, ClothThroughClothCompletes)
{
    SessionSetup setup = pinch_setup(12);
    setup.cloths.push_back(sheet("a", 8, 0.2, {0, 0, 0}));
    ClothSetup b = sheet("b", 8, 0.2, {0, 0, 0});
    const Geometry flat = *b.geometry->at(1);
    const Mat3 up = Eigen::AngleAxisd(1.3, Vec3::UnitX()).toRotationMatrix();
    b.geometry = std::make_shared<StaticSource>(moved(flat, up, {0.003, 0.01, 0.004}));
    setup.cloths.push_back(std::move(b));
    const Outcome out = run_judged(setup);
    EXPECT_LT(out.fastest, 8);
    expect_says(out.log, {"'a' edge", "passes through 'b' triangle"});
    setup.collision.set("on_intersection", std::string("error"));
    NullLog log;
    expect_says(message_of([&] { Session session(setup, log); }), {"'a'", "'b'", "frame 1"});
}

TEST(TangledStarts, CoincidentSheetsAreLeftAloneOrRefused)
{
    SessionSetup setup = pinch_setup(6);
    for (const char* name : {"a", "b"}) setup.cloths.push_back(sheet(name, 6, 0.2, {0, 0, 0}));
    // They fall side by side, as one.
    const Outcome out = run_judged(setup);
    EXPECT_GT(out.ignored_at_end, 0);
    EXPECT_LT(out.fastest, 1.1 * 9.81 * 5 / 24);
    expect_says(out.log, {"'a'", "'b'", "frame 1"});
    setup.collision.set("on_intersection", std::string("error"));
    NullLog log;
    expect_says(message_of([&] { Session session(setup, log); }), {"'a'", "'b'", "frame 1"});
}

TEST(TangledStarts, PairsBelowTheThicknessCollideAgainOnceApart)
{
    // Two layers, nearer than their thickness; the upper one is lifted and comes back.
    SessionSetup setup = pinch_setup(14);
    setup.shot.set("gravity", Vec3(0, 0, 0));
    for (const char* name : {"lower", "upper"}) {
        ClothSetup c = sheet(name, 5, 0.1, {0, std::string(name) == "upper" ? 5e-4 : 0, 0});
        c.cloth.set("thickness", 1e-3);
        setup.cloths.push_back(std::move(c));
    }
    Geometry g = *setup.cloths[1].geometry->at(1);
    Group all = point_group("all", g, 1);
    g.set_group(all);
    setup.cloths[1].geometry = std::make_shared<StaticSource>(g);
    setup.cloths[1].pins.set("group", std::string("all"));
    setup.cloths[1].pin_target = std::make_shared<FunctionSource>([g](double frame) {
        const double y = 0.02 * closing(frame) - (frame > 12 ? 0.01 * (frame - 12) : 0);
        return moved(g, Mat3::Identity(), {0, y, 0});
    });
    const Outcome out = run_judged(setup);
    EXPECT_EQ(out.ignored_at_end, 0);
    // Pushed down, not passed through.
    const Eigen::Index n = 3 * 36;
    for (Eigen::Index i = 1; i < n; i += 3) EXPECT_LT(out.end.x[i], out.end.x[n + 1]);
    expect_says(out.log, {"thickness asks for more", "collides again"});
}

namespace
{

/// An upright sheet through a lying one: its lower part is the smaller one.
SessionSetup cloth_through_cloth(int frames)
{
    SessionSetup setup = pinch_setup(frames);
    setup.shot.set("gravity", Vec3(0, 0, 0));
    setup.cloths.push_back(sheet("a", 8, 0.2, {0, 0, 0}));
    ClothSetup b = sheet("b", 8, 0.12, {0, 0, 0});
    const Mat3 up = Eigen::AngleAxisd(1.3, Vec3::UnitX()).toRotationMatrix();
    b.geometry =
        std::make_shared<StaticSource>(moved(*b.geometry->at(1), up, {0.003, 0.03, 0.004}));
    setup.cloths.push_back(std::move(b));
    setup.collision.set("on_intersection", std::string("relax"));
    return setup;
}

/// Nothing may be left, and the first frame has full contact.
void expect_relaxed(const SessionSetup& setup)
{
    MessageLog log;
    Session session(setup, log);
    const FrameResult first = session.cook(setup.first_frame(), NeverCancel());
    ASSERT_TRUE(first.ok());
    EXPECT_TRUE(session.frame(setup.first_frame())->state.released.empty()) << log.all;
    EXPECT_EQ(first.report.released + first.report.ignored_pairs, 0);
    expect_says(log.all, {"drawn apart before the first frame", "came apart"});
    const Outcome out = run_judged(setup);
    EXPECT_EQ(out.most_released, 0);
    EXPECT_LT(out.fastest, 1);
}

} // namespace

TEST(RelaxedStarts, ClothComesOutOfClothBeforeTheFirstFrame)
{
    expect_relaxed(cloth_through_cloth(4));
}

TEST(RelaxedStarts, ClothComesOutOfAColliderBeforeTheFirstFrame)
{
    SessionSetup setup = pinch_setup(4);
    setup.shot.set("gravity", Vec3(0, 0, 0));
    setup.collision.set("on_intersection", std::string("relax"));
    setup.cloths.push_back(sheet("sheet", 10, 0.3, {0, 0.03, 0}));
    setup.colliders.push_back(collider("ball", [](double) {
        return sphere(0.06, 2, {0.003, 0, 0.002});
    }));
    expect_relaxed(setup);
}

TEST(RelaxedStarts, CoincidentSheetsPartInTheOrderOfTheirLayers)
{
    for (const bool upper_first : {false, true}) {
        SessionSetup setup = pinch_setup(4);
        setup.shot.set("gravity", Vec3(0, 0, 0));
        setup.collision.set("on_intersection", std::string("relax"));
        setup.cloths.push_back(sheet("a", 6, 0.2, {0, 0, 0}));
        setup.cloths.push_back(sheet("b", 6, 0.2, {0, 0, 0}));
        setup.cloths[upper_first ? 0 : 1].cloth.set("layer", 1.0);
        expect_relaxed(setup);
        NullLog log;
        Session session(setup, log);
        session.cook(1, NeverCancel());
        const VecX& x = session.frame(1)->state.x;
        const Eigen::Index n = x.size() / 2;
        const Vec3 mean = (x.head(n) - x.tail(n)).reshaped(3, n / 3).rowwise().mean();
        // cloth_grid has its normals upwards.
        EXPECT_GT(upper_first ? mean[1] : -mean[1], 0.5e-3);
        // The lower layer stays.
        const VecX start = setup.cloths[0].geometry->at(1)->positions();
        EXPECT_LT((x.segment(upper_first ? n : 0, n) - start).lpNorm<Eigen::Infinity>(), 1e-3);
    }
}

TEST(RelaxedStarts, HigherLayersComeOutWhicheverPartIsSmaller)
{
    // A sheet that dips through a lying one with its larger part: the layer decides, not the size.
    SessionSetup setup = cloth_through_cloth(4);
    setup.cloths[1].cloth.set("layer", 1.0);
    Geometry b = *setup.cloths[1].geometry->at(1);
    b = moved(b, Mat3::Identity(), {0, -0.045, 0});
    setup.cloths[1].geometry = std::make_shared<StaticSource>(b);
    const VecX x = b.positions();
    int below = 0;
    for (Eigen::Index i = 1; i < x.size(); i += 3) below += x[i] < 0;
    ASSERT_GT(below, int(x.size()) / 6);
    expect_relaxed(setup);
    NullLog log;
    Session session(setup, log);
    session.cook(1, NeverCancel());
    const State& s = session.frame(1)->state;
    const Eigen::Index first = 3 * session.scene().cloths[1].first_vertex;
    const VecX end = s.x.segment(first, x.size());
    EXPECT_GT(end.reshaped(3, x.size() / 3).row(1).mean(), 0.02);
}

TEST(RelaxedStarts, WhatCannotBeDrawnApartIsListedAndIgnored)
{
    // Two layers that are held where they cross.
    SessionSetup setup = cloth_through_cloth(3);
    for (ClothSetup& c : setup.cloths) {
        Geometry g = *c.geometry->at(1);
        g.set_group(point_group("all", g, 1));
        c.geometry = std::make_shared<StaticSource>(g);
        c.pins.set("group", std::string("all"));
    }
    const Outcome out = run_judged(setup);
    EXPECT_GT(out.ignored_at_end, 0);
    EXPECT_LT(out.fastest, 1e-6);
    expect_says(out.log, {"could not be drawn apart", "'a' edge", "passes through 'b' triangle"});
}

TEST(RelaxedStarts, TheElbowCompletesUnderEachPolicy)
{
    // The sleeve starts inside the arm, which then pinches it.
    for (const char* policy : {"ignore_pairs", "relax"}) {
        SessionSetup setup = elbow();
        Geometry g = *setup.cloths[0].geometry->at(1);
        setup.cloths[0].geometry =
            std::make_shared<StaticSource>(moved(g, Mat3::Identity(), {0, -0.05, 0}));
        setup.collision.set("on_intersection", std::string(policy));
        const Outcome out = run_judged(setup);
        const bool relax = std::string(policy) == "relax";
        EXPECT_EQ(out.most_released > 0, !relax) << policy;
        EXPECT_LT(out.fastest, 12) << policy;
        expect_says(out.log, {"'sleeve' edge", "passes through", "'sleeve' from",
                              relax ? "came apart" : "drawn out"});
    }
    SessionSetup setup = elbow();
    Geometry g = *setup.cloths[0].geometry->at(1);
    setup.cloths[0].geometry =
        std::make_shared<StaticSource>(moved(g, Mat3::Identity(), {0, -0.05, 0}));
    setup.collision.set("on_intersection", std::string("error"));
    NullLog log;
    expect_says(message_of([&] { Session session(setup, log); }), {"'sleeve'", "frame 1"});
}

TEST(RelaxedStarts, AResumedRunHasTheSameBitsWithReleasesLive)
{
    SessionSetup setup = cloth_through_cloth(6);
    setup.collision.set("on_intersection", std::string("ignore_pairs"));
    setup.cloths[1].cloth.set("layer", 1.0);
    NullLog log;
    Session whole(setup, log), resumed(setup, log);
    whole.cook(6, NeverCancel());
    ASSERT_FALSE(whole.frame(3)->state.released.empty());
    resumed.restore(3, whole.frame(3)->state);
    resumed.cook(6, NeverCancel());
    EXPECT_EQ(whole.frame(6)->state.x, resumed.frame(6)->state.x);
    EXPECT_EQ(whole.frame(6)->state.released, resumed.frame(6)->state.released);
}

TEST(RelaxedStarts, SameBitsOnOneAndTwoThreads)
{
    const auto end = [](int threads) {
        const ThreadLimit limit(threads);
        NullLog log;
        SessionSetup setup = cloth_through_cloth(2);
        setup.solver.set("linear", std::string("ldlt"));
        Session session(setup, log);
        session.cook(2, NeverCancel());
        return session.frame(2)->state.x;
    };
    EXPECT_EQ(end(1), end(2));
}
