#include "core/base/parallel.h"
#include "core/check/report.h"
#include "core/example/cloth_grid.h"
#include "core/example/sphere.h"
#include "core/session/session.h"
#include "tests/support/animated_source.h"
#include "tests/support/meshes.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

Geometry moved(Geometry g, const Mat3& R, const Vec3& by)
{
    g.set_positions(test::moved(g.positions(), R, by));
    return g;
}

/// A sphere drawn out along x by `length` on both sides.
Geometry capsule(double radius, double length)
{
    Geometry g = sphere(radius, 2, Vec3::Zero());
    VecX x = g.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        if (std::abs(x[i]) > 1e-6) x[i] += x[i] > 0 ? length : -length;
    g.set_positions(x);
    return g;
}

/// All points of a geometry, or none.
Group point_group(const std::string& name, const Geometry& g, std::uint8_t member)
{
    Group group;
    group.name = name;
    group.member.assign(g.point_count(), member);
    return group;
}

ClothSetup sheet(const std::string& name, int cells, double size, const Vec3& at)
{
    ClothSetup c;
    c.cloth.set("name", name);
    c.geometry = std::make_shared<StaticSource>(
        moved(cloth_grid(cells, cells, size, size, GridCells::alternating_triangles),
              Mat3::Identity(), at));
    return c;
}

ColliderSetup collider(const std::string& name, std::function<Geometry(double)> shape)
{
    ColliderSetup c;
    c.collider.set("name", name);
    c.geometry = std::make_shared<FunctionSource>(std::move(shape));
    return c;
}

/// 0 at frame 2, 1 from frame 6 to 8, 0 from frame 12 on.
double closing(double frame)
{
    return std::clamp(std::min((frame - 2) / 4, (12 - frame) / 4), 0.0, 1.0);
}

SessionSetup pinch_setup(int last)
{
    SessionSetup s;
    s.shot.set("frames", Vec3(1, last, 0));
    s.shot.set("substeps", 1.0);
    s.collision.set("gap", 2e-3);
    return s;
}

/// Two balls that close on a sheet between them until they overlap, and open again.
SessionSetup closing_balls()
{
    SessionSetup s = pinch_setup(18);
    s.shot.set("gravity", Vec3(0, 0, 0));
    s.cloths.push_back(sheet("sheet", 10, 0.3, {0, 0, 0}));
    for (const double side : {1.0, -1.0})
        s.colliders.push_back(collider(side > 0 ? "upper" : "lower", [side](double frame) {
            return sphere(0.06, 2, {0.003, side * (0.075 - 0.04 * closing(frame)), 0.002});
        }));
    return s;
}

/// V27: a sleeve over two capsules that fold into each other at the elbow.
SessionSetup elbow()
{
    SessionSetup s = pinch_setup(18);
    s.cloths.push_back(sheet("sleeve", 12, 0.3, {0, 0.07, 0}));
    s.colliders.push_back(collider("upper_arm", [](double) {
        return moved(capsule(0.05, 0.1), Mat3::Identity(), {-0.13, 0, 0});
    }));
    s.colliders.push_back(collider("forearm", [](double frame) {
        const Mat3 R = Eigen::AngleAxisd(2.6 * closing(frame), Vec3::UnitZ()).toRotationMatrix();
        return moved(capsule(0.05, 0.1), R, R * Vec3(0.13, 0, 0));
    }));
    return s;
}

/// An arm that swings down onto cloth that hangs between it and the chest.
SessionSetup armpit()
{
    SessionSetup s = pinch_setup(18);
    ClothSetup c = sheet("shirt", 12, 0.3, {0, 0, 0});
    const Geometry flat = *c.geometry->at(1);
    const Mat3 up = Eigen::AngleAxisd(1.5707963, Vec3::UnitX()).toRotationMatrix();
    c.geometry = std::make_shared<StaticSource>(moved(flat, up, {0, -0.1, 0.055}));
    s.cloths.push_back(std::move(c));
    s.colliders.push_back(collider("chest", [](double) {
        return sphere(0.05, 2, {0.002, -0.1, 0});
    }));
    s.colliders.push_back(collider("arm", [](double frame) {
        return sphere(0.05, 2, {0.001, -0.09, 0.115 - 0.08 * closing(frame)});
    }));
    return s;
}

struct Outcome {
    State end;
    double fastest = 0;      ///< [m/s]
    int most_released = 0;   ///< vertices
    double most_held_up = 0; ///< [m]
    int released_at_end = 0, ignored_at_end = 0;
    std::string log;
};

/// Every frame must come, and be free of intersections but for released points.
Outcome run_judged(const SessionSetup& setup)
{
    Outcome out;
    MessageLog log;
    Session session(setup, log);
    for (int frame = 1; frame <= setup.last_frame(); ++frame) {
        const FrameResult r = session.cook(frame, NeverCancel());
        EXPECT_TRUE(r.ok()) << frame << ": " << r.report.message;
        if (!r.ok()) break;
        const State& state = session.frame(frame)->state;
        std::vector<NamedGeometry> objects;
        for (const NamedResult& o : r.objects)
            objects.push_back({o.name, o.geometry, std::nullopt});
        Eigen::Index first = 0;
        for (std::size_t i = 0; i < setup.colliders.size(); ++i) {
            Geometry g = *setup.colliders[i].geometry->at(frame);
            const Eigen::Index size = 3 * Eigen::Index(g.point_count());
            if (state.colliders.size() > 0) g.set_positions(state.colliders.segment(first, size));
            first += size;
            objects.push_back({setup.colliders[i].name(), g, std::nullopt});
        }
        CheckOptions options;
        options.allow_released = true;
        options.measure_gap = false;
        // Colliders may pass through each other, and sheets may start on each other.
        const CheckReport judged = check_geometry(objects, options);
        std::size_t bad = 0;
        for (const IntersectionPair& p : judged.intersections.crossing)
            bad += std::min(p.edge.object, p.triangle.object) < int(setup.cloths.size());
        EXPECT_EQ(bad, 0u) << "frame " << frame << ": " << report_text(judged);
        EXPECT_TRUE(state.x.allFinite());
        out.fastest = std::max(out.fastest, state.v.lpNorm<Eigen::Infinity>());
        out.most_released = std::max(out.most_released, r.report.released);
        out.most_held_up = std::max(out.most_held_up, r.report.held_up);
        out.released_at_end = r.report.released;
        out.ignored_at_end = r.report.ignored_pairs;
        out.end = state;
    }
    out.log = log.all;
    return out;
}

} // namespace

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
        setup.collision.set("on_pinch", std::string(policy));
        const Outcome out = run_judged(setup);
        EXPECT_LT(out.fastest, 12) << policy; // falls, and is thrown by the forearm
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
