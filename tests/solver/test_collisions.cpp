// Whole scenes with contact, judged on the written 32-bit positions by the independent checker.
#include "core/bench/scene_parts.h"
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
    setup.collision.set("on_intersection", std::string("error"));
    expect_says(message_of([&] { Session session(setup, log); }),
                {"frame 1", "'sheet'", "'ball'", "passes through", "on_intersection"});
    setup.collision.set("on_intersection", std::string("ignore_pairs"));
    Session session(setup, log);
    EXPECT_NE(log.all.find("will not collide"), std::string::npos);
    EXPECT_TRUE(session.cook(4, NeverCancel()).ok());
}

TEST(Collisions, ACarriedSheetDoesNotPassThroughWhatStands)
{
    // The moving frame jumps through a ball that stands in the way.
    SessionSetup setup = drop_setup(0.125);
    const Geometry sheet = *setup.cloths[0].geometry->at(1);
    setup.cloths[0].frame_of_reference = std::make_shared<FunctionSource>([sheet](double frame) {
        return moved(sheet, {0, -0.1 * std::max(0.0, frame - 3), 0});
    });
    setup.shot.set("frames", Vec3(1, 7, 0));
    run_judged(setup);
}

TEST(Collisions, GapsBelowRoundingAreWrittenIn64Bits)
{
    // Far from the origin a float's last place is coarser than the gap.
    SessionSetup setup = drop_setup(0.125);
    const Vec3 far(2e4, 0, 0);
    setup.cloths[0].geometry =
        std::make_shared<StaticSource>(moved(*setup.cloths[0].geometry->at(1), far));
    setup.colliders[0].geometry =
        std::make_shared<StaticSource>(moved(*setup.colliders[0].geometry->at(1), far));
    NullLog log;
    Session session(setup, log);
    const auto storage = [&](int frame) {
        return session.cook(frame, NeverCancel())
            .objects[0]
            .geometry.find(Owner::point, "P")
            ->storage;
    };
    EXPECT_EQ(storage(1), Storage::real32); // as given: nothing is near
    EXPECT_EQ(storage(8), Storage::real64);
    Session near(drop_setup(0.125), log);
    EXPECT_EQ(near.cook(8, NeverCancel()).objects[0].geometry.find(Owner::point, "P")->storage,
              Storage::real32);
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

namespace
{
/// Speed down a slope of tangent 0.5 of a small sheet, after 1.25 s and after 2.5 s.
Vec2 speed_on_a_slope(double friction, double sliding_friction = -1)
{
    const Mat3 tilt = Eigen::AngleAxisd(std::atan(0.5), Vec3::UnitZ()).toRotationMatrix();
    const auto tilted = [&](Geometry g, double above) {
        g.set_positions(test::moved(g.positions(), tilt, tilt * Vec3(0, above, 0)));
        return g;
    };
    SessionSetup s;
    s.shot.set("frames", Vec3(1, 101, 0));
    s.shot.set("fps", 40.0);
    s.shot.set("substeps", 1.0);
    s.shot.set("air_density", 0.0);
    const Vec3 across = -9.81 * std::cos(std::atan(0.5)) * tilt.col(1); // it lands, then may slide
    s.shot.set("gravity", AnimatedValue{{{10, across}, {11, Vec3(0, -9.81, 0)}}});
    s.solver.set("tolerance", 1e-5); // below the speed at which things stick
    s.collision.set("stick_speed", 1e-5);
    s.collision.set("friction_iterations", 20.0);
    ClothSetup c;
    c.cloth.set("name", std::string("block"));
    c.cloth.set("friction", friction);
    c.cloth.set("thickness", 0.0);
    c.geometry = std::make_shared<StaticSource>(
        tilted(cloth_grid(3, 3, 0.1, 0.1, GridCells::alternating_triangles), 9.5e-4)); // no bounce
    s.cloths.push_back(std::move(c));
    ColliderSetup slope;
    slope.collider.set("name", std::string("slope"));
    slope.collider.set("friction", friction);
    slope.collider.set("thickness", 0.0);
    slope.geometry = std::make_shared<StaticSource>(
        tilted(cloth_grid(1, 1, 20, 20, GridCells::regular_triangles), 0));
    s.colliders.push_back(std::move(slope));
    if (sliding_friction >= 0) {
        s.pairs.emplace_back();
        s.pairs[0].pair.set("a", std::string("block"));
        s.pairs[0].pair.set("b", std::string("slope"));
        s.pairs[0].pair.set("friction", friction);
        s.pairs[0].pair.set("dynamic_friction", sliding_friction);
    }
    NullLog log;
    Session session(s, log);
    session.cook(101, NeverCancel());
    const auto speed = [&](int frame) {
        const VecX& v = session.frame(frame)->state.v;
        const Vec3 mean = v.reshaped(3, v.size() / 3).rowwise().mean();
        return -(tilt.transpose() * mean)[0];
    };
    return {speed(51), speed(101)};
}
} // namespace

TEST(Collisions, FrictionOnASlope)
{
    // tan θ = 0.5: above it rests (and creeps by no more than the stick speed), below it gathers
    // speed at g cos θ (0.5 − μ).
    EXPECT_LT(speed_on_a_slope(0.52).lpNorm<Eigen::Infinity>(), 1e-5);
    const Vec2 v = speed_on_a_slope(0.49);
    EXPECT_NEAR((v[1] - v[0]) / 1.25, 0.08774, 0.005 * 0.08774);
}

TEST(Collisions, StartsToSlideOnlyBeyondTheRestingFriction)
{
    // Little friction once it slides does not start it; past the resting friction it slides with
    // what is left, g cos θ (0.5 − 0.3).
    EXPECT_LT(speed_on_a_slope(0.52, 0.1).lpNorm<Eigen::Infinity>(), 1e-5);
    const Vec2 v = speed_on_a_slope(0.49, 0.3);
    EXPECT_NEAR((v[1] - v[0]) / 1.25, 1.7549, 0.005 * 1.7549);
}

TEST(Collisions, AMeshFinerThanItsThicknessCollidesAllTheSame)
{
    // Edges of 5 mm, 12 mm thick: a mat that falls on a ball.
    SessionSetup setup;
    setup.shot.set("frames", Vec3(1, 16, 0));
    setup.collision.set("gap", 2e-3);
    setup.collision.set("on_intersection", std::string("error")); // nothing is nearer than allowed
    ClothSetup c;
    c.cloth.set("name", std::string("mat"));
    c.cloth.set("thickness", 0.012);
    const Geometry flat = cloth_grid(12, 24, 0.06, 0.12, GridCells::alternating_triangles);
    c.geometry = std::make_shared<StaticSource>(flat);
    setup.cloths.push_back(c);
    {
        // Nothing pushes: it falls as it is.
        NullLog log;
        Session session(setup, log);
        const FrameResult r = session.cook(3, NeverCancel());
        ASSERT_TRUE(r.ok()) << r.report.message;
        EXPECT_EQ(r.report.contacts, 0);
        EXPECT_LT(r.report.max_strain, 1e-4);
    }
    ColliderSetup ball;
    ball.collider.set("name", std::string("ball"));
    ball.collider.set("thickness", 0.0);
    ball.geometry = std::make_shared<StaticSource>(sphere(0.012, 2, {0.001, -0.03, 0.002}));
    setup.colliders.push_back(ball);
    NullLog log;
    Session session(setup, log);
    for (int frame = 1; frame <= 16; ++frame) {
        const FrameResult r = session.cook(frame, NeverCancel());
        ASSERT_TRUE(r.ok()) << frame << ": " << r.report.message;
        EXPECT_EQ(r.status, StepStatus::converged) << frame << ": " << r.report.message;
        EXPECT_EQ(r.report.ignored_pairs, 0);
        CheckOptions options;
        options.measure_gap = false;
        EXPECT_TRUE(check_geometry({{"mat", r.objects[0].geometry, std::nullopt},
                                    {"ball", *ball.geometry->at(1), std::nullopt}},
                                   options)
                        .ok)
            << frame;
    }
    // It lies on the ball, half its thickness away.
    const VecX& x = session.frame(16)->state.x;
    double nearest = infinity;
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        nearest = std::min(nearest, (x.segment<3>(i) - Vec3(0.001, -0.03, 0.002)).norm());
    EXPECT_GT(nearest, 0.012 * 0.95 + 0.006);
    EXPECT_LT(nearest, 0.012 + 0.006 + 2e-3);
}
