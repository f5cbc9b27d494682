// Floors and walls without geometry, judged frame by frame on the written positions.
#include "core/base/parallel.h"
#include "core/check/report.h"
#include "core/example/cloth_grid.h"
#include "core/session/plane_source.h"
#include "core/session/session.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// A sheet of 30 cm, 2 mm above the plane y = 0.
SessionSetup sheet_on_floor(int frames)
{
    SessionSetup s;
    s.shot.set("frames", Vec3(1, frames, 0));
    ClothSetup c;
    c.cloth.set("name", std::string("sheet"));
    c.cloth.set("friction", 0.6);
    c.cloth.set("thickness", 0.0);
    Geometry g = cloth_grid(5, 5, 0.3, 0.3, GridCells::alternating_triangles);
    VecX x = g.positions();
    for (Eigen::Index i = 1; i < x.size(); i += 3) x[i] += 0.002;
    g.set_positions(x);
    c.geometry = std::make_shared<StaticSource>(g);
    s.cloths.push_back(std::move(c));
    ColliderSetup floor;
    floor.collider.set("name", std::string("floor"));
    floor.collider.set("thickness", 0.0);
    floor.collider.set("friction", 0.6);
    floor.plane.set("point", Vec3(0, 0, 0));
    s.colliders.push_back(std::move(floor));
    return s;
}

AnimatedValue keys(const Vec3& at_3, const Vec3& at_9) { return {{{3, at_3}, {9, at_9}}}; }

/// Cooks all frames: none may cut the plane.
State run_judged(const SessionSetup& setup)
{
    NullLog log;
    Session session(setup, log);
    PlaneSource plane(setup.colliders[0].plane, "plane");
    for (int frame = 1; frame <= setup.last_frame(); ++frame) {
        const FrameResult r = session.cook(frame, NeverCancel());
        EXPECT_TRUE(r.ok()) << frame;
        const CheckReport judged = check_geometry({{"sheet", r.objects[0].geometry, std::nullopt},
                                                   {"plane", *plane.at(frame), std::nullopt}});
        EXPECT_TRUE(judged.ok) << "frame " << frame << ": " << report_text(judged);
    }
    return session.frame(setup.last_frame())->state;
}

Vec3 mean(const VecX& x) { return x.reshaped(3, x.size() / 3).rowwise().mean(); }

} // namespace

TEST(PlaneCollider, ASheetRestsOnTheFloor)
{
    const State s = run_judged(sheet_on_floor(12));
    EXPECT_GT(mean(s.x)[1], 0);
    EXPECT_LT(mean(s.x)[1], 1e-3); // the gap at which it begins to push
    EXPECT_LT(s.v.lpNorm<Eigen::Infinity>(), 0.02);
}

TEST(PlaneCollider, ARisingAndTiltingFloorLiftsTheSheet)
{
    SessionSetup setup = sheet_on_floor(9);
    setup.colliders[0].plane.set("point", keys({0, 0, 0}, {0, 0.3, 0}));
    setup.colliders[0].plane.set("normal", keys({0, 1, 0}, {0.2, 1, 0}));
    const State s = run_judged(setup);
    const Vec3 n = Vec3(0.2, 1, 0).normalized();
    const double above = n.dot(mean(s.x) - Vec3(0, 0.3, 0));
    EXPECT_GT(above, 0);
    EXPECT_LT(above, 0.01);
}

TEST(PlaneCollider, AConveyorBeltTakesTheSheetAlong)
{
    for (const char* integrator : {"bdf1", "bdf2"}) {
        SCOPED_TRACE(integrator);
        SessionSetup setup = sheet_on_floor(14);
        setup.solver.set("integrator", std::string(integrator));
        setup.colliders[0].plane.set("point", keys({0, 0, 0}, {0.05, 0, 0}));
        const State s = run_judged(setup);
        const double start = mean(setup.cloths[0].geometry->at(1)->positions())[0];
        EXPECT_NEAR(mean(s.x)[0] - start, 0.05, 0.005);
    }
}

TEST(PlaneCollider, SameBitsForOneAndTwoThreads)
{
    const auto run = [](int threads) {
        const ThreadLimit limit(threads);
        SessionSetup setup = sheet_on_floor(6);
        setup.solver.set("linear", std::string("ldlt"));
        NullLog log;
        Session session(setup, log);
        session.cook(6, NeverCancel());
        return session.frame(6)->state.x;
    };
    EXPECT_EQ(run(1), run(2));
}

TEST(PlaneCollider, StaysInMetresWhateverTheUnitOfTheGeometry)
{
    SessionSetup setup = sheet_on_floor(2);
    setup.shot.set("unit", 0.01);
    setup.colliders[0].plane.set("point", Vec3(0, -0.5, 0));
    NullLog log;
    Session session(setup, log);
    EXPECT_NEAR(session.scene().colliders[0].x_start[1], -0.5, 1e-12);
}

TEST(PlaneCollider, WrongPlanesAreNamed)
{
    NullLog log;
    SessionSetup both = sheet_on_floor(2);
    both.colliders[0].geometry = both.cloths[0].geometry;
    expect_says(message_of([&] { Session s(both, log); }),
                {"Collider 'floor'", "geometry", "plane"});
    SessionSetup none = sheet_on_floor(2);
    none.colliders[0].plane = ParameterSet("collider.plane");
    expect_says(message_of([&] { Session s(none, log); }), {"Collider 'floor'", "neither"});
    SessionSetup flat = sheet_on_floor(2);
    flat.colliders[0].plane.set("normal", Vec3(0, 0, 0));
    expect_says(message_of([&] { Session s(flat, log); }),
                {"Collider 'floor'", "normal", "frame 1"});
}

TEST(PlaneCollider, WhatStartsBehindItComesOutToTheFront)
{
    SessionSetup setup = sheet_on_floor(12);
    setup.colliders[0].plane.set("point", Vec3(0, 0.03, 0)); // 28 mm over the sheet
    NullLog log;
    Session session(setup, log);
    for (int frame = 1; frame <= 12; ++frame) {
        EXPECT_TRUE(session.cook(frame, NeverCancel()).ok());
        EXPECT_LT(session.frame(frame)->state.v.lpNorm<Eigen::Infinity>(), 0.5) << frame;
    }
    const State& s = session.frame(12)->state;
    EXPECT_TRUE(s.released.empty());
    for (Eigen::Index i = 1; i < s.x.size(); i += 3) EXPECT_GT(s.x[i], 0.03);
}

TEST(PlaneCollider, ReachesAsFarAsTheClothFlies)
{
    // 3 km beside the plane's point, at 40 m/s.
    SessionSetup setup = sheet_on_floor(4);
    Geometry g = *setup.cloths[0].geometry->at(1);
    VecX x = g.positions(), v = VecX::Zero(x.size());
    for (Eigen::Index i = 0; i < x.size(); i += 3) x[i] += 3000, x[i + 1] += 1, v[i + 1] = -40;
    g.set_positions(x);
    g.set_vectors("v", v, "vector");
    setup.cloths[0].geometry = std::make_shared<StaticSource>(g);
    NullLog log;
    Session session(setup, log);
    for (int frame = 1; frame <= 4; ++frame) EXPECT_TRUE(session.cook(frame, NeverCancel()).ok());
    const VecX end = session.frame(4)->state.x;
    for (Eigen::Index i = 1; i < end.size(); i += 3) EXPECT_GT(end[i], 0);
}
