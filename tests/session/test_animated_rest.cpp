// The rest shape as an animation drives it, from the shot's parameters to the cloth.
#include "core/base/error.h"
#include "core/session/session.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr int n = 8;

/// The sheet's points moved by `place`.
Geometry placed(const std::function<Vec3(const Vec3&)>& place)
{
    Geometry g = sheet_geometry(n);
    VecX x = g.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) x.segment<3>(i) = place(x.segment<3>(i));
    g.set_vectors("P", x, "point", Storage::real64);
    return g;
}

/// Grows to `scale` between frames 1 and 24, and turns while it does: rest shapes have no place.
std::shared_ptr<GeometrySource> growing(double scale)
{
    return std::make_shared<FunctionSource>([=](double frame) {
        const double t = std::min(1.0, (frame - 1) / 23);
        const Eigen::AngleAxisd turn(2 * t, Vec3(1, 2, 3).normalized());
        return placed([&](const Vec3& p) -> Vec3 { return turn * ((1 + t * (scale - 1)) * p); });
    });
}

/// Free in space, without gravity and air, damped.
SessionSetup floating(std::shared_ptr<GeometrySource> rest)
{
    SessionSetup s = hanging_setup(n);
    s.shot.set("frames", Vec3(1, 48, 0));
    s.shot.set("gravity", Vec3(0, 0, 0));
    s.shot.set("air_density", 0.0);
    s.solver.set("tolerance", 1e-6);
    s.cloths[0].pins.set("group", std::string());
    s.cloths[0].cloth.set("mass_damping", 4.0);
    s.cloths[0].rest = std::move(rest);
    return s;
}

VecX cooked(Session& s, double frame)
{
    return s.cook(frame, NeverCancel()).objects.at(0).geometry.positions();
}

/// Largest deviation of an edge's length, relative, from that of the sheet scaled by `scale(edge)`.
double worst_edge(const Session& s, const VecX& x, const std::function<double(int, int)>& scale)
{
    const Cloth& c = s.scene().cloths[0];
    double worst = 0;
    for (const Vec2i& e : c.mesh.edges) {
        const auto length = [&](const VecX& p) {
            return (p.segment<3>(3 * e[1]) - p.segment<3>(3 * e[0])).norm();
        };
        worst = std::max(worst, std::abs(length(x) / (scale(e[0], e[1]) * length(c.x_rest)) - 1));
    }
    return worst;
}

VecX run(const SessionSetup& setup, int frame)
{
    NullLog log;
    Session s(setup, log);
    return cooked(s, frame);
}

} // namespace

TEST(AnimatedRest, ClothGrowsWithItsRestShape)
{
    for (const double scale : {0.5, 1.5}) {
        NullLog log;
        Session s(floating(growing(scale)), log);
        // A frame after growth has ended (at its end points still lag by their inertia, by 0.5 % at
        // most), and at rest.
        for (const int frame : {25, 48}) {
            const double worst = worst_edge(s, cooked(s, frame), [&](int, int) { return scale; });
            EXPECT_LT(worst, 1e-3) << scale << " frame " << frame;
            RecordProperty("scale" + std::to_string(int(10 * scale)) + "_" + std::to_string(frame),
                           std::to_string(worst));
        }
        // The strain that is shown is against the shape at rest now.
        const Geometry g = s.cook(48, NeverCancel()).objects.at(0).geometry;
        EXPECT_LT(g.get(Owner::point, "sv_strain").number(40), 1e-3);
        EXPECT_LT(s.frame(48)->report.max_strain, 0.2);
    }
}

TEST(AnimatedRest, PinnedAtOnePointItGrowsAroundIt)
{
    SessionSetup setup = floating(growing(1.4));
    Geometry g = sheet_geometry(n);
    Attribute mass = make_attribute("mass", Owner::point, Storage::real32, 1, g.point_count());
    for (std::size_t i = 0; i < g.point_count(); ++i) mass.set_number(i, 0, i == 30 ? 0 : 0.002);
    g.set(mass);
    setup.cloths[0].geometry = std::make_shared<StaticSource>(g, "sheet");
    NullLog log;
    Session s(setup, log);
    const VecX x = cooked(s, 48), x0 = sheet_geometry(n).positions();
    EXPECT_LT(worst_edge(s, x, [](int, int) { return 1.4; }), 1e-3);
    EXPECT_LT((x.segment<3>(90) - x0.segment<3>(90)).norm(), 1e-6);
}

TEST(AnimatedRest, BlendZeroIsNoAnimationBitForBit)
{
    SessionSetup still = floating(nullptr), animated = floating(growing(2));
    for (SessionSetup* s : {&still, &animated}) {
        s->shot.set("gravity", Vec3(0, -9.81, 0));
        s->cloths[0].pins.set("group", std::string("top"));
        s->cloths[0].rest_parameters.set("blend", 0.0);
    }
    EXPECT_EQ(run(still, 12), run(animated, 12));
    animated.cloths[0].rest_parameters.set("blend", 0.3);
    EXPECT_NE(run(still, 12), run(animated, 12));
}

TEST(AnimatedRest, BlendOneOnAnIsometricAnimationIsThatShape)
{
    // Rolled up: lengths stay (up to chords for arcs), angles come.
    const double R = 0.3;
    const auto roll = std::make_shared<FunctionSource>([=](double frame) {
        const double t = std::min(1.0, (frame - 1) / 23), r = R / std::max(t, 1e-9);
        return placed([&](const Vec3& p) -> Vec3 {
            return t == 0 ? p : Vec3(r * std::sin(p[0] / r), p[1], r * std::cos(p[0] / r) - r);
        });
    });
    SessionSetup setup = floating(roll);
    setup.cloths[0].cloth.set("bend_warp", 1e-2);
    setup.cloths[0].cloth.set("bend_weft", 1e-2);
    NullLog log;
    Session s(setup, log);
    const VecX x = cooked(s, 96); // swings out
    const RestShape now = rest_shape(s.scene().cloths[0].mesh, x);
    const RestShape goal = rest_shape(s.scene().cloths[0].mesh, roll->at(24)->positions());
    double bent = 0;
    for (std::size_t i = 0; i < now.lengths.size(); ++i)
        EXPECT_LT((now.lengths[i] - goal.lengths[i]).norm(), 1e-3 * goal.lengths[i].norm());
    for (std::size_t i = 0; i < now.angles.size(); ++i) {
        EXPECT_NEAR(now.angles[i], goal.angles[i], 2e-3);
        bent = std::max(bent, std::abs(goal.angles[i]));
    }
    EXPECT_GT(bent, 0.3);
}

TEST(AnimatedRest, KeysOfTheScaleGrowWithoutARestMesh)
{
    SessionSetup setup = floating(nullptr);
    setup.cloths[0].rest_parameters.set_json("scale", R"({"keys": [[1, 1], [24, 0.7]]})");
    NullLog log;
    Session s(setup, log);
    EXPECT_LT(worst_edge(s, cooked(s, 48), [](int, int) { return 0.7; }), 1e-3);
}

TEST(AnimatedRest, SubstepsSeeTheRestShapeInBetween)
{
    // Growth at a steady rate, with the start moving at that rate, is followed without a jerk: in
    // the first substep of many the sheet has grown by its share only.
    SessionSetup setup = floating(growing(2));
    setup.shot.set("substeps", 4.0);
    NullLog log;
    DriveSampler sampler(setup, assemble_scene(setup, log), log);
    const auto rest = [&](double f) { return sampler.rest_shape_at(0, f).lengths[5][0]; };
    EXPECT_NEAR(rest(3.25), 0.75 * rest(3) + 0.25 * rest(4), 2e-3 * rest(3));
    const Drive d = sampler.sample(3, 3.25);
    ASSERT_EQ(d.rest.size(), 1u);
    EXPECT_EQ(d.rest[0].blend, 1);
}

namespace
{

/// The sheet as triangles, its points moved by `place`, its warp along `along` in the sheet as cut,
/// equal masses.
Geometry woven(const std::function<Vec3(const Vec3&)>& place, const Vec3& along)
{
    const Geometry sheet = sheet_geometry(n);
    const VecX cut = sheet.positions();
    Geometry g;
    g.set_point_count(sheet.point_count());
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const int a = j * (n + 1) + i, b = a + n + 1;
            g.add_polygon({a, b, b + 1});
            g.add_polygon({a, b + 1, a + 1});
        }
    VecX x = cut;
    Attribute uv = make_attribute("uv", Owner::point, Storage::real64, 3, g.point_count());
    for (std::size_t i = 0; i < g.point_count(); ++i) {
        const Vec3 p = cut.segment<3>(3 * Eigen::Index(i));
        x.segment<3>(3 * Eigen::Index(i)) = place(p);
        uv.set_number(i, 0, Vec3(along[1], -along[0], 0).dot(p));
        uv.set_number(i, 1, along.dot(p));
    }
    g.set(uv);
    g.set_vectors("P", x, "point", Storage::real64);
    g.set_scalars("mass", VecX::Constant(Eigen::Index(g.point_count()), 0.004));
    for (const Group& group : sheet.groups()) g.set_group(group);
    return g;
}

} // namespace

TEST(AnimatedRest, TheWarpGoesAlong)
{
    // A sheet whose warp lies aslant, its rest mesh stretched along the warp: it must hang like one
    // that was woven in that shape, threads and all, and not like one with another warp.
    const Vec3 warp(std::sin(0.6), std::cos(0.6), 0), weft(std::cos(0.6), -std::sin(0.6), 0);
    const auto hung = [&](const Vec3& along, bool animated) {
        Geometry start =
            woven([&](const Vec3& p) -> Vec3 { return p + 0.3 * warp * warp.dot(p); }, along);
        SessionSetup s = hanging_setup(n);
        s.solver.set("tolerance", 1e-6);
        ClothSetup& c = s.cloths[0];
        for (const auto& [name, value] : {std::pair("young_warp", 2000.0),
                                          {"young_weft", 60.0},
                                          {"shear", 20.0},
                                          {"bend_warp", 1e-3},
                                          {"bend_weft", 1e-6},
                                          {"mass_damping", 3.0}})
            c.cloth.set(name, value);
        if (animated) {
            c.rest = std::make_shared<StaticSource>(start);
            start.set_vectors("rest", sheet_geometry(n).positions(), "point", Storage::real64);
            c.rest_parameters.set("from", std::string("attribute"));
        }
        c.geometry = std::make_shared<StaticSource>(start);
        return run(s, 10);
    };
    const VecX own = hung(warp, false), carried = hung(warp, true), other = hung(weft, true);
    EXPECT_GT((own - other).lpNorm<Eigen::Infinity>(), 0.02);
    EXPECT_LT((own - carried).lpNorm<Eigen::Infinity>(), 1e-5);
}

TEST(AnimatedRest, PointMapsKeepPartsAsTheyAre)
{
    SessionSetup setup = floating(growing(1.3));
    Geometry g = sheet_geometry(n);
    Attribute map = make_attribute("rest_blend", Owner::point, Storage::real32, 1, g.point_count());
    const auto lower = [](int p) { return p / (n + 1) >= n / 2; };
    for (std::size_t i = 0; i < g.point_count(); ++i) map.set_number(i, 0, lower(int(i)) ? 1 : 0);
    g.set(map);
    setup.cloths[0].geometry = std::make_shared<StaticSource>(g, "sheet");
    NullLog log;
    Session s(setup, log);
    const VecX x = cooked(s, 48);
    const auto length = [&](int a, int b) {
        return (x.segment<3>(3 * b) - x.segment<3>(3 * a)).norm() * n;
    };
    EXPECT_NEAR(length(0, 1), 1, 0.05);
    EXPECT_NEAR(length(9 * n, 9 * n + 1), 1.3, 0.05);

    map.set_number(3, 0, 1.5);
    g.set(map);
    setup.cloths[0].geometry = std::make_shared<StaticSource>(g, "sheet");
    EXPECT_THROW(Session(setup, log), InputError);
}

TEST(AnimatedRest, ScaleMapGrowsLocally)
{
    SessionSetup setup = floating(nullptr);
    Geometry g = sheet_geometry(n);
    Attribute map = make_attribute("rest_scale", Owner::point, Storage::real32, 1, g.point_count());
    for (std::size_t i = 0; i < g.point_count(); ++i) map.set_number(i, 0, 1.2);
    g.set(map);
    setup.cloths[0].geometry = std::make_shared<StaticSource>(g, "sheet");
    NullLog log;
    Session s(setup, log);
    EXPECT_LT(worst_edge(s, cooked(s, 48), [](int, int) { return double(1.2f); }), 1e-3);
}

TEST(AnimatedRest, RepairsAreReportedWithThePolygon)
{
    // One point runs across its neighbours' edges in the rest mesh until a triangle is flat.
    const auto crushed = std::make_shared<FunctionSource>([](double frame) {
        Geometry g = sheet_geometry(n);
        VecX x = g.positions();
        if (frame >= 4) x.segment<3>(3 * 40) = x.segment<3>(3 * 41);
        g.set_positions(x);
        return g;
    });
    MessageLog log;
    Session s(floating(crushed), log);
    cooked(s, 3);
    EXPECT_EQ(s.frame(3)->report.rest_repairs, 0);
    EXPECT_EQ(log.all, "");
    cooked(s, 6);
    EXPECT_EQ(s.frame(6)->report.rest_repairs, 2);
    EXPECT_NE(log.all.find("2 triangles of the rest shape were flat"), std::string::npos)
        << log.all;
    EXPECT_NE(log.all.find("polygon"), std::string::npos);
    EXPECT_TRUE(cooked(s, 6).allFinite());
}
