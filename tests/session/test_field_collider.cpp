// Colliders given by signed distances, judged frame by frame on the written positions.
#include "core/base/parallel.h"
#include "core/check/report.h"
#include "core/example/cloth_grid.h"
#include "core/example/sphere.h"
#include "core/session/session.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"
#include "tests/support/volumes.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr double radius = 0.15;

/// A sheet of 40 cm just above a ball.
SessionSetup sheet_over_ball(int frames, std::shared_ptr<GeometrySource> ball, int cells = 12)
{
    SessionSetup s;
    s.shot.set("frames", Vec3(1, frames, 0));
    ClothSetup c;
    c.cloth.set("name", std::string("sheet"));
    c.cloth.set("friction", 0.5);
    c.cloth.set("thickness", 0.001);
    Geometry g = cloth_grid(cells, cells, 0.4, 0.4, GridCells::alternating_triangles);
    VecX x = g.positions();
    for (Eigen::Index i = 1; i < x.size(); i += 3) x[i] += radius + 0.004;
    g.set_positions(x);
    c.geometry = std::make_shared<StaticSource>(g);
    s.cloths.push_back(std::move(c));
    ColliderSetup collider;
    collider.collider.set("name", std::string("ball"));
    collider.collider.set("thickness", 0.001);
    collider.collider.set("friction", 0.5);
    collider.geometry = std::move(ball);
    s.colliders.push_back(std::move(collider));
    return s;
}

std::shared_ptr<GeometrySource> still_ball()
{
    return std::make_shared<StaticSource>(volume_geometry(ball_field(radius, Vec3::Zero())));
}

/// Rises by 2 cm per frame, made anew on the same lattice.
std::shared_ptr<GeometrySource> rising_ball()
{
    return std::make_shared<FunctionSource>([](double frame) {
        return volume_geometry(ball_field(radius, Vec3(0.003, 0.02, 0.001) * (frame - 1)));
    });
}

/// Cooks all frames: no place of the sheet may be inside.
VecX run_judged(const SessionSetup& setup)
{
    NullLog log;
    Session session(setup, log);
    VecX x;
    for (int frame = 1; frame <= setup.last_frame(); ++frame) {
        const FrameResult r = session.cook(frame, NeverCancel());
        EXPECT_TRUE(r.ok()) << frame;
        EXPECT_EQ(r.report.released, 0) << frame;
        const CheckReport judged =
            check_geometry({{"sheet", r.objects[0].geometry, *setup.cloths[0].geometry->at(1)},
                            {"ball", *setup.colliders[0].geometry->at(frame), std::nullopt}});
        EXPECT_TRUE(judged.ok) << "frame " << frame << ": " << report_text(judged);
        x = r.objects[0].geometry.positions();
    }
    return x;
}

std::string start_message(const SessionSetup& setup)
{
    return message_of([&] {
        NullLog log;
        Session session(setup, log);
    });
}

} // namespace

TEST(FieldCollider, ClothDrapesAsOverPolygons)
{
    const VecX field = run_judged(sheet_over_ball(10, still_ball()));
    const VecX polygons =
        run_judged(sheet_over_ball(10, std::make_shared<StaticSource>(sphere(radius, 5))));
    EXPECT_LT(field.reshaped(3, field.size() / 3).row(1).minCoeff(), radius - 0.06); // it drapes
    const VecX apart = (field - polygons).reshaped(3, field.size() / 3).colwise().norm();
    EXPECT_LT(apart.mean(), 0.005); // of 0.4 m, in cells of 33 mm, while it swings
    for (Eigen::Index i = 0; i < apart.size(); ++i)
        if (polygons.segment<3>(3 * i).norm() < radius + 0.005) {
            EXPECT_LT(apart[i], 0.005) << i;
        }
}

TEST(FieldCollider, AMovingFieldPushesAndNeverLetsIn)
{
    const VecX x = run_judged(sheet_over_ball(8, rising_ball()));
    EXPECT_GT(x.reshaped(3, x.size() / 3).row(1).maxCoeff(), radius + 0.14);
}

TEST(FieldCollider, CoarseClothIsPushedFarInOneStep)
{
    // Hung by its upper edge, in cells of 8 cm, and pushed by 20 to 40 times the gap per step: it
    // is no pinch, however few places touch.
    for (const auto& [r, way] : {std::pair(radius, 0.02), {0.02, 0.02}, {0.04, 0.04}}) {
        SCOPED_TRACE(r);
        const auto ball_at = [r = r, way = way](double frame) {
            const Vec3 centre(0.53, 0.48, -r - 0.01 + way * (frame - 1));
            return volume_geometry(ball_field(r, centre, 0.01, 0.06));
        };
        SessionSetup setup = sheet_over_ball(8, std::make_shared<FunctionSource>(ball_at));
        setup.cloths[0].pins.set("group", std::string("top"));
        setup.cloths[0].geometry = std::make_shared<StaticSource>(sheet_geometry(12));
        const VecX x = run_judged(setup);
        // As far as the ball has come, and not thrown off.
        EXPECT_GT(x.reshaped(3, x.size() / 3).row(2).maxCoeff(), 7 * way - 0.02);
    }
}

TEST(FieldCollider, SameBitsForOneAndTwoThreadsAndAfterResuming)
{
    SessionSetup setup = sheet_over_ball(5, rising_ball());
    setup.solver.set("linear", std::string("ldlt"));
    NullLog log;
    State middle;
    const auto run = [&](int threads, bool resume) {
        const ThreadLimit limit(threads);
        Session session(setup, log);
        if (resume) session.restore(3, middle);
        session.cook(5, NeverCancel());
        if (!resume) middle = session.frame(3)->state;
        return session.frame(5)->state.x;
    };
    const VecX one = run(1, false);
    EXPECT_EQ(one, run(2, false));
    EXPECT_EQ(one, run(2, true));
}

TEST(FieldCollider, HeldUpItWaitsAndCatchesUp)
{
    // Pressed against a ceiling: with `hold` the ball stops, and goes on once that gives way.
    SessionSetup setup =
        sheet_over_ball(6, std::make_shared<FunctionSource>([](double frame) {
                            return volume_geometry(
                                ball_field(radius, Vec3(0, 0.01 * (std::min(frame, 4.0) - 1), 0)));
                        }));
    setup.collision.set("on_pinch", std::string("hold"));
    setup.solver.set("retries", 0.0);
    ColliderSetup ceiling;
    ceiling.collider.set("name", std::string("ceiling"));
    const Vec3 low(0, radius + 0.015, 0);
    ceiling.plane.set("point", AnimatedValue{{{4, low}, {5, low + Vec3(0, 0.1, 0)}}});
    ceiling.plane.set("normal", Vec3(0, -1, 0));
    setup.colliders.push_back(std::move(ceiling));
    NullLog log;
    Session session(setup, log);
    double most = 0, last = 0;
    for (int frame = 1; frame <= 6; ++frame) {
        const FrameResult r = session.cook(frame, NeverCancel());
        EXPECT_TRUE(r.ok());
        most = std::max(most, r.report.held_up);
        last = r.report.held_up;
        const State& state = session.frame(frame)->state;
        if (state.colliders.size() == 0) continue;
        const double time = state.colliders[0], before = std::floor(time);
        const auto field_at = [&](double f) {
            return setup.colliders[0].geometry->at(f)->volumes[0].field;
        };
        const MovingField reached({{before, field_at(before)}, {before + 1, field_at(before + 1)}});
        for (Eigen::Index i = 0; i < state.x.size(); i += 3)
            EXPECT_GT(reached.value(state.x.segment<3>(i), time), 0.001);
    }
    EXPECT_GT(most, 0.005);
    EXPECT_LT(most, 0.05);
    EXPECT_EQ(last, 0);
}

TEST(FieldCollider, WhatStartsInsideComesOut)
{
    SessionSetup setup = sheet_over_ball(12, still_ball());
    Geometry g = cloth_grid(6, 6, 0.12, 0.12, GridCells::alternating_triangles);
    VecX x = g.positions();
    for (Eigen::Index i = 1; i < x.size(); i += 3) x[i] += radius - 0.01; // into the ball
    g.set_positions(x);
    setup.cloths[0].geometry = std::make_shared<StaticSource>(g);
    MessageLog log;
    Session session(setup, log);
    expect_says(log.all, {"inside 'ball'", "will not collide until they are apart"});
    EXPECT_GT(session.cook(1, NeverCancel()).report.released, 0);
    const FrameResult end = session.cook(12, NeverCancel());
    EXPECT_EQ(end.report.released, 0);
    const CheckReport judged =
        check_geometry({{"sheet", end.objects[0].geometry, std::nullopt},
                        {"ball", *setup.colliders[0].geometry->at(1), std::nullopt}});
    EXPECT_TRUE(judged.ok) << report_text(judged);
    setup.collision.set("on_intersection", std::string("error"));
    expect_says(start_message(setup), {"'sheet' point", "inside 'ball'"});
}

TEST(FieldCollider, FrictionHoldsTheSheetOnASlope)
{
    // The top of a tilted block: it stays at tan 0.3 < 0.5, and slides without friction.
    const Vec3 n = Vec3(0.3, 1, 0).normalized();
    const Mat3 R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), n).toRotationMatrix();
    const auto block = [&](const Vec3& x) {
        const Vec3 q = (R.transpose() * (x + 0.1 * n)).cwiseAbs() - Vec3(0.5, 0.1, 0.3);
        return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0);
    };
    const auto slope = std::make_shared<DistanceField>(
        sample_distance(block, {-0.6, -0.5, -0.4}, {0.6, 0.3, 0.4}, 0.02, 0.06));
    const auto slid = [&](double friction) {
        SessionSetup s =
            sheet_over_ball(10, std::make_shared<StaticSource>(volume_geometry(slope)));
        Geometry g = cloth_grid(5, 5, 0.2, 0.2, GridCells::alternating_triangles);
        VecX x = g.positions();
        for (Eigen::Index i = 0; i < x.size(); i += 3)
            x.segment<3>(i) = R * x.segment<3>(i) + 0.0018 * n;
        g.set_positions(x);
        s.cloths[0].geometry = std::make_shared<StaticSource>(g);
        s.cloths[0].cloth.set("friction", friction);
        s.colliders[0].collider.set("friction", friction);
        NullLog log;
        Session session(s, log);
        const VecX end = session.cook(10, NeverCancel()).objects[0].geometry.positions();
        return (end - x).reshaped(3, x.size() / 3).rowwise().mean().eval();
    };
    EXPECT_LT(slid(0.5).norm(), 2e-3);
    // g sin θ cos θ … along the slope, for nine frames.
    const double t = 9 / 24.0, along = 0.5 * 9.81 * t * t * 0.3 / std::sqrt(1.09);
    EXPECT_NEAR(slid(0).norm(), along, 0.15 * along);
}

TEST(FieldCollider, WrongVolumesAreNamed)
{
    const auto with = [](Geometry g, const std::string& grid = "") {
        SessionSetup s =
            sheet_over_ball(3, std::make_shared<StaticSource>(std::move(g), "body.vdb"));
        if (!grid.empty()) s.colliders[0].collider.set("grid", grid);
        return start_message(s);
    };
    Geometry fog;
    fog.volumes.push_back({"density", Volume::Kind::fog, nullptr});
    expect_says(with(fog),
                {"Collider 'ball'", "body.vdb", "'density'", "fog volume", "Convert VDB"});
    Geometry other;
    other.volumes.push_back({"vel", Volume::Kind::other, nullptr});
    expect_says(with(other), {"'vel'", "no level set"});
    Geometry two = volume_geometry(ball_field(radius, Vec3::Zero()), "a");
    two.volumes.push_back({"b", Volume::Kind::signed_distance, ball_field(0.1, Vec3::Zero())});
    expect_says(with(two), {"several", "'a', 'b'", "grid"});
    EXPECT_EQ(with(two, "b"), "");
    expect_says(with(two, "c"), {"no grid 'c'", "'a', 'b'"});
    expect_says(with(volume_geometry(ball_field(0.02, Vec3::Zero(), 0.001, 0.0015))),
                {"Collider 'ball'", "narrow band", "0.002"});
}

TEST(FieldCollider, SaysWhereItIsTooFastForItsBand)
{
    MessageLog log;
    Session session(sheet_over_ball(2, std::make_shared<FunctionSource>([](double frame) {
                                        return volume_geometry(
                                            ball_field(radius, Vec3(0, -0.1 * frame, 0)));
                                    })),
                    log);
    session.cook(2, NeverCancel());
    expect_says(log.all, {"'ball' moves farther than its narrow band of 0.03 m", "frames 1 and 2"});
}
