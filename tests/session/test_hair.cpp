#include "core/example/sphere.h"
#include "core/session/hair_assembly.h"
#include "core/session/session.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr int points = 32;
constexpr double length = 0.05;

/// Curls that stand off sideways, with an attribute and a lone point that no curve uses.
Geometry curls(int strands, double frame = 1)
{
    Geometry g;
    g.set_point_count(std::size_t(strands * points + 1));
    VecX x = VecX::Zero(3 * (strands * points + 1));
    const Mat3 R = Eigen::AngleAxisd(0.1 * (frame - 1), Vec3::UnitY()).toRotationMatrix();
    for (int s = 0; s < strands; ++s) {
        std::vector<int> curve;
        for (int i = 0; i < points; ++i) {
            const double t = double(i) / (points - 1), a = 4 * M_PI * t;
            const Vec3 p(0.1 + length * t, 0.006 * (std::cos(a) - 1),
                         0.03 * s + 0.006 * std::sin(a));
            x.segment<3>(3 * (s * points + i)) = R * p;
            curve.push_back(s * points + i);
        }
        g.add_polygon(curve, /*closed*/ false);
    }
    g.set_vectors("P", x, "point", Storage::real64);
    g.set_scalars("paint", VecX::Constant(x.size() / 3, 0.5));
    return g;
}

SessionSetup curly_setup(int strands = 3)
{
    SessionSetup setup;
    setup.solver.set("method", std::string("hair"));
    HairSetup h;
    h.hair.set("name", std::string("lock"));
    h.hair.set("material", std::string("hair_curly"));
    h.geometry = std::make_shared<StaticSource>(curls(strands));
    setup.hairs.push_back(std::move(h));
    return setup;
}

double largest_move(const VecX& a, const VecX& b)
{
    return (a - b).reshaped(3, a.size() / 3).colwise().norm().maxCoeff();
}

/// A triangle at the roots, one polygon of two.
Geometry scalp(double frame)
{
    Geometry g;
    g.set_point_count(4);
    g.add_polygon({0, 1, 2});
    g.add_polygon({0, 2, 3});
    VecX x(12);
    x << 0.1, -0.1, -0.1, 0.1, 0.1, -0.1, 0.1, 0.1, 0.2, 0.1, -0.1, 0.2;
    const Mat3 R = Eigen::AngleAxisd(0.1 * (frame - 1), Vec3::UnitX()).toRotationMatrix();
    for (int i = 0; i < 4; ++i) x.segment<3>(3 * i) = R * Vec3(x.segment<3>(3 * i));
    g.set_positions(x);
    return g;
}

std::string refusal(const SessionSetup& setup)
{
    return message_of([&] {
        NullLog log;
        Session session(setup, log);
    });
}

} // namespace

TEST(SessionHair, SagFreeStartKeepsTheCurl)
{
    NullLog log;
    SessionSetup setup = curly_setup();
    const VecX start = curls(3).positions();
    Session kept(setup, log);
    EXPECT_LT(largest_move(kept.cook(49, NeverCancel()).objects[0].geometry.positions(), start),
              0.01 * length);
    setup.hairs[0].hair.set("sag_free", 0.0);
    Session drooping(setup, log);
    EXPECT_GT(largest_move(drooping.cook(49, NeverCancel()).objects[0].geometry.positions(), start),
              0.1 * length);
}

TEST(SessionHair, HandsBackCurvesWithFrames)
{
    NullLog log;
    Session session(curly_setup(), log);
    const Geometry g = session.cook(5, NeverCancel()).objects[0].geometry;
    EXPECT_TRUE(g.same_topology(curls(3)));
    EXPECT_EQ(g.get(Owner::point, "paint").number(5), 0.5);
    const Attribute& orient = g.get(Owner::point, "orient");
    const VecX x = g.positions();
    for (int i = 0; i + 1 < points; ++i) {
        Vec4 q;
        for (int c = 0; c < 4; ++c) q[c] = orient.number(std::size_t(i), c);
        EXPECT_NEAR(q.norm(), 1, 1e-6);
        const Vec3 edge = x.segment<3>(3 * i + 3) - x.segment<3>(3 * i);
        EXPECT_NEAR((Eigen::Quaterniond(q) * Vec3::UnitZ()).dot(edge.normalized()), 1, 1e-5);
    }
}

TEST(SessionHair, RootsFollowTheAnimatedCurves)
{
    NullLog log;
    SessionSetup setup = curly_setup();
    setup.hairs[0].geometry =
        std::make_shared<FunctionSource>([](double frame) { return curls(3, frame); });
    Session session(setup, log);
    const VecX x = session.cook(9, NeverCancel()).objects[0].geometry.positions();
    const VecX groom = curls(3, 9).positions();
    for (int s = 0; s < 3; ++s)
        EXPECT_LT((x - groom).segment<6>(3 * s * points).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_GT(largest_move(x, groom), 1e-4); // the rest lags behind
    // A soft target brings it nearer.
    setup.hairs[0].hair.set("target_rate", 12.0);
    Session drawn(setup, log);
    const VecX y = drawn.cook(9, NeverCancel()).objects[0].geometry.positions();
    EXPECT_LT(largest_move(y, groom), 0.5 * largest_move(x, groom));
}

class RootSurface : public testing::TestWithParam<const char*>
{
};

INSTANTIATE_TEST_SUITE_P(SessionHair, RootSurface, testing::Values("hair", "barrier"),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(RootSurface, CarriesTheRoots)
{
    NullLog log;
    SessionSetup setup = curly_setup();
    setup.solver.set("method", std::string(GetParam()));
    setup.collision.set("gap", 2e-4);
    setup.shot.set("gravity", Vec3::Zero().eval());
    ColliderSetup c;
    c.collider.set("name", std::string("scalp"));
    c.geometry = std::make_shared<FunctionSource>(scalp);
    setup.colliders.push_back(std::move(c));
    setup.hairs[0].hair.set("root_surface", std::string("scalp"));
    Session session(setup, log);
    const FrameResult r = session.cook(6, NeverCancel());
    ASSERT_TRUE(r.ok()) << r.report.message;
    EXPECT_EQ(r.report.status, StepStatus::converged) << r.report.message;
    const VecX x = r.objects[0].geometry.positions();
    const VecX start = curls(3).positions();
    const Mat3 R = Eigen::AngleAxisd(0.5, Vec3::UnitX()).toRotationMatrix();
    for (int s = 0; s < 3; ++s)
        for (int i = 0; i < 2; ++i) {
            const int p = s * points + i;
            EXPECT_LT((x.segment<3>(3 * p) - R * start.segment<3>(3 * p)).norm(), 1e-6);
        }
    for (int s = 0; s < 3; ++s) // the scalp turns in its plane, and nothing is behind it
        for (int i = 2; i < points; ++i) EXPECT_GT(x[3 * (s * points + i)], 0.1);
    EXPECT_EQ(r.report.released + r.report.ignored_pairs, 0);
    setup.hairs[0].hair.set("root_surface", std::string("scap"));
    expect_says(refusal(setup), {"lock", "scap", "scalp"});
}

/// skinprimuv is a place of the polygon, wherever the root was; it moves as the polygon shears.
TEST(SessionHair, RootsFollowTheirPlaceOnAQuad)
{
    const auto quad = [](double frame) {
        Geometry g;
        g.set_point_count(4);
        g.add_polygon({0, 1, 2, 3});
        VecX x(12);
        x << 0.1, -0.1, -0.1, 0.1, 0.1, -0.1, 0.1, 0.1, 0.2, 0.1, -0.1, 0.2;
        x[9] += 0.02 * (frame - 1); // one corner leaves the plane
        x[10] += 0.01 * (frame - 1);
        g.set_positions(x);
        return g;
    };
    Geometry curves = curls(2);
    Attribute skin = make_attribute("skinprim", Owner::primitive, Storage::int32, 1, 2);
    Attribute uv = make_attribute("skinprimuv", Owner::primitive, Storage::real32, 3, 2);
    const double u[] = {0.75, 0.25}, v[] = {0.5, 0.25};
    for (std::size_t s = 0; s < 2; ++s) {
        uv.set_number(s, 0, u[s]);
        uv.set_number(s, 1, v[s]);
    }
    curves.set(skin);
    curves.set(uv);
    SessionSetup setup = curly_setup(2);
    setup.hairs[0].geometry = std::make_shared<StaticSource>(curves);
    ColliderSetup c;
    c.collider.set("name", std::string("scalp"));
    c.geometry = std::make_shared<FunctionSource>(quad);
    setup.colliders.push_back(std::move(c));
    setup.hairs[0].hair.set("root_surface", std::string("scalp"));
    setup.collision.set("enabled", 0.0);
    NullLog log;
    Session session(setup, log);
    const VecX x = session.cook(4, NeverCancel()).objects[0].geometry.positions();
    const VecX before = quad(1).positions(), after = quad(4).positions();
    for (int s = 0; s < 2; ++s) {
        const Vec3 root = x.segment<3>(3 * s * points);
        // The root's offset from its place at the start turns with a triangle of the quad and keeps
        // its length; the place is the bilinear one, not that of a triangle.
        const auto place = [&](const VecX& q) {
            return Vec3((1 - u[s]) * (1 - v[s]) * q.segment<3>(0) +
                        (1 - u[s]) * v[s] * q.segment<3>(3) + u[s] * v[s] * q.segment<3>(6) +
                        u[s] * (1 - v[s]) * q.segment<3>(9));
        };
        const Vec3 start = curves.positions().segment<3>(3 * s * points);
        EXPECT_NEAR((root - place(after)).norm(), (start - place(before)).norm(), 1e-6) << s;
        EXPECT_GT((place(after) - place(before)).norm(), 0.005);
    }
    uv.set_number(1, 1, 1.5);
    curves.set(uv);
    setup.hairs[0].geometry = std::make_shared<StaticSource>(curves);
    expect_says(refusal(setup), {"lock", "curve 1", "(0.25, 1.5)", "polygon 0", "scalp"});
}

TEST(SessionHair, PinnedPointsFollowTheAnimationInPlace)
{
    const auto groom = [](double frame) {
        Geometry g = curls(3, frame);
        Group tie;
        tie.name = "tie";
        tie.member.assign(g.point_count(), 0);
        tie.member[std::size_t(points + 20)] = 1; // strand 1, in the middle
        g.set_group(tie);
        VecX stopped = VecX::Zero(Eigen::Index(g.point_count()));
        stopped[2 * points + points - 1] = 1; // the tip of strand 2
        g.set_scalars("stopped", stopped);
        return g;
    };
    SessionSetup setup = curly_setup();
    setup.hairs[0].hair.set("pin_group", std::string("tie"));
    setup.hairs[0].geometry = std::make_shared<FunctionSource>(groom);
    NullLog log;
    Session session(setup, log);
    const FrameResult r = session.cook(9, NeverCancel());
    EXPECT_EQ(r.report.status, StepStatus::converged) << r.report.message;
    EXPECT_LE(r.report.iterations, 60); // what lies between pins is carried along
    const VecX x = r.objects[0].geometry.positions();
    const VecX wanted = groom(9).positions();
    const auto off = [&](int point) {
        return (x - wanted).segment<3>(3 * point).cwiseAbs().maxCoeff();
    };
    EXPECT_LT(off(points + 20), 1e-6);
    EXPECT_LT(off(3 * points - 1), 1e-6);
    EXPECT_GT(off(points - 1), 1e-4); // strand 0 hangs freely
    EXPECT_GT(off(2 * points - 1), 1e-5);
    for (int i = 0; i + 1 < points; ++i) // strands stay whole
        EXPECT_NEAR(
            (x.segment<3>(3 * (points + i + 1)) - x.segment<3>(3 * (points + i))).norm(),
            (wanted.segment<3>(3 * (points + i + 1)) - wanted.segment<3>(3 * (points + i))).norm(),
            2e-4);
    setup.hairs[0].hair.set("pin_group", std::string("tied"));
    expect_says(refusal(setup), {"lock", "pin_group", "tied", "it has: tie"});
}

namespace
{

/// The curls as they open: over eight frames they become straight, and shorter along the strand.
Geometry opening_curls(double frame)
{
    Geometry g = curls(3);
    VecX x = g.positions();
    const double width = std::clamp(1 - (frame - 1) / 8, 0.0, 1.0);
    for (int s = 0; s < 3; ++s)
        for (int i = 0; i < points; ++i) {
            const int k = 3 * (s * points + i);
            x[k + 1] *= width, x[k + 2] = 0.03 * s + width * (x[k + 2] - 0.03 * s);
        }
    g.set_vectors("P", x, "point", Storage::real64);
    return g;
}

/// Length along the first strand, and from end to end, without the held edge.
Vec2 lengths(const VecX& x)
{
    double along = 0;
    for (int i = 1; i + 1 < points; ++i)
        along += (x.segment<3>(3 * i + 3) - x.segment<3>(3 * i)).norm();
    return {along, (x.segment<3>(3 * points - 3) - x.segment<3>(3)).norm()};
}

} // namespace

TEST(SessionHair, RestShapeFollowsAnAnimatedGroom)
{
    NullLog log;
    SessionSetup setup = curly_setup();
    setup.shot.set("gravity", Vec3::Zero().eval());
    setup.shot.set("substeps", 2.0);
    setup.hairs[0].rest = std::make_shared<FunctionSource>(opening_curls);
    const auto after = [&](double blend) {
        setup.hairs[0].hair.set("rest_blend", blend);
        Session session(setup, log);
        return lengths(session.cook(60, NeverCancel()).objects[0].geometry.positions());
    };
    const Vec2 start = lengths(curls(3).positions()), end = lengths(opening_curls(9).positions());
    const Vec2 none = after(0), half = after(0.5), whole = after(1);
    EXPECT_NEAR(none[0], start[0], 1e-4 * start[0]);
    EXPECT_NEAR(none[1], start[1], 1e-3 * start[1]);
    EXPECT_NEAR(whole[0], end[0], 1e-3 * end[0]);
    EXPECT_GT(whole[1] / whole[0], 0.999);
    EXPECT_NEAR(half[0], 0.5 * (start[0] + end[0]), 1e-3 * start[0]);
    EXPECT_GT(half[1] / half[0], none[1] / none[0] + 0.1);

    // On top of a solved rest shape: while nothing changes, nothing droops.
    setup.shot.set("gravity", Vec3(0, -9.81, 0));
    setup.hairs[0].hair.set("sag_free", 1.0);
    setup.hairs[0].rest = std::make_shared<FunctionSource>([](double) { return opening_curls(1); });
    Session still(setup, log);
    EXPECT_LT(largest_move(still.cook(25, NeverCancel()).objects[0].geometry.positions(),
                           curls(3).positions()),
              0.01 * length);
}

TEST(SessionHair, RestLengthsGrow)
{
    NullLog log;
    SessionSetup setup = curly_setup();
    setup.shot.set("gravity", Vec3::Zero().eval());
    setup.hairs[0].hair.set_json("rest_scale", "{\"keys\": [[1, 1], [9, 1.25]]}");
    Session session(setup, log);
    const Vec2 before = lengths(curls(3).positions());
    const Vec2 after = lengths(session.cook(40, NeverCancel()).objects[0].geometry.positions());
    EXPECT_NEAR(after[0], 1.25 * before[0], 1e-3 * before[0]);
}

namespace
{

/// One straight strand along x whose root turns about it.
Geometry turning_line(double frame)
{
    Geometry g;
    g.set_point_count(12);
    VecX x(36);
    std::vector<int> curve;
    Attribute orient = make_attribute("orient", Owner::point, Storage::real64, 4, 12);
    const Eigen::Quaterniond q = Eigen::AngleAxisd(0.2 * (frame - 1), Vec3::UnitX()) *
                                 Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY());
    for (int i = 0; i < 12; ++i) {
        x.segment<3>(3 * i) << 0.004 * i, 0, 0;
        for (int c = 0; c < 4; ++c) orient.set_number(std::size_t(i), c, q.coeffs()[c]);
        curve.push_back(i);
    }
    g.add_polygon(curve, /*closed*/ false);
    g.set_vectors("P", x, "point", Storage::real64);
    g.set(std::move(orient));
    return g;
}

} // namespace

/// A root that turns about the strand turns all of it, as `orient` says that is written back.
TEST(SessionHair, RootsTurnWithAnimatedOrient)
{
    NullLog log;
    SessionSetup setup = curly_setup();
    setup.shot.set("gravity", Vec3::Zero().eval());
    setup.shot.set("substeps", 2.0);
    setup.hairs[0].geometry = std::make_shared<FunctionSource>(
        [](double frame) { return turning_line(std::min(frame, 11.0)); });
    Session session(setup, log);
    const Geometry g = session.cook(60, NeverCancel()).objects[0].geometry;
    const Attribute& orient = g.get(Owner::point, "orient");
    const Vec3 expected = Eigen::AngleAxisd(2.0, Vec3::UnitX()) * Vec3(0, 0, -1);
    for (const int i : {0, 5, 11}) {
        Vec4 q;
        for (int c = 0; c < 4; ++c) q[c] = orient.number(std::size_t(i), c);
        EXPECT_LT((Eigen::Quaterniond(q) * Vec3::UnitX() - expected).norm(), 0.02) << i;
    }
}

TEST(SessionHair, MapsVaryAlongAndBetweenStrands)
{
    NullLog log;
    SessionSetup setup = curly_setup(2);
    Geometry g = curls(2);
    Attribute scale = make_attribute("stiffness_scale", Owner::primitive, Storage::real32, 1, 2);
    scale.set_number(0, 0, 1), scale.set_number(1, 0, 3);
    g.set(std::move(scale));
    g.set_scalars("radius_scale", VecX::Constant(2 * points + 1, 0.5));
    ParameterSet& p = setup.hairs[0].hair;
    p.set("radius", 1e-4);
    p.set("target_rate", 2.0);
    p.set_json("radius_ramp", "[[0, 1], [1, 0.2]]");
    p.set_json("target_ramp", "[[0, 1], [0.5, 0]]");
    const Hair hair = assemble_hair(setup.hairs[0], g, 1, {}, {}, log).hair;
    EXPECT_NEAR(hair.radius[0], 0.5e-4, 1e-12);
    EXPECT_NEAR(hair.radius[points - 1], 0.1e-4, 1e-12);
    EXPECT_NEAR(hair.radius[points / 2], 0.5e-4 * (1 - 0.8 * 16 / 31.0), 1e-7);
    EXPECT_NEAR(hair.stiffness_scale[3], 1, 1e-6);
    EXPECT_NEAR(hair.stiffness_scale[points + 3], 3, 1e-6);
    EXPECT_NEAR(hair.target_rate[0], 4 * M_PI, 1e-9);
    EXPECT_EQ(hair.target_rate[points - 1], 0);

    p.set_json("radius_ramp", "[[0, 1], [0, 0.2]]");
    expect_says(message_of([&] { assemble_hair(setup.hairs[0], g, 1, {}, {}, log); }),
                {"lock", "radius_ramp", "ascending", "entry 1"});
}

/// Thickness per point comes as a radius or a diameter; what is painted tapers strands.
TEST(SessionHair, TakesPscaleOrWidthOfPoints)
{
    NullLog log;
    SessionSetup setup = curly_setup(2);
    VecX radius(2 * points + 1);
    for (int i = 0; i <= 2 * points; ++i) radius[i] = 1e-4 - 1e-6 * i;
    Geometry by_radius = curls(2), by_width = curls(2);
    by_radius.set_scalars("pscale", radius, Storage::real64);
    by_width.set_scalars("width", 2 * radius, Storage::real64);
    for (const Geometry& g : {by_radius, by_width}) {
        const Hair hair = assemble_hair(setup.hairs[0], g, 1, {}, {}, log).hair;
        EXPECT_LT((hair.radius - radius.head(2 * points)).cwiseAbs().maxCoeff(), 1e-15);
    }
    // Thin tips are light: strands droop less than even ones, with their weight near the root.
    setup.hairs[0].hair.set("sag_free", 0.0);
    const auto droop = [&](double tip) {
        Geometry g = curls(1);
        VecX r(points + 1);
        for (int i = 0; i <= points; ++i) r[i] = 8e-5 * (1 + (tip - 1) * i / points);
        g.set_scalars("pscale", r, Storage::real64);
        setup.hairs[0].geometry = std::make_shared<StaticSource>(g);
        Session session(setup, log);
        const VecX x = session.cook(49, NeverCancel()).objects[0].geometry.positions();
        return g.positions()[3 * points - 2] - x[3 * points - 2];
    };
    EXPECT_LT(droop(0.3), 0.8 * droop(1));
}

TEST(SessionHair, GoesOnFromASavedState)
{
    NullLog log;
    SessionSetup setup = curly_setup();
    setup.hairs[0].hair.set("sag_free", 0.0);
    Session whole(setup, log), resumed(setup, log);
    const VecX expected = whole.cook(12, NeverCancel()).objects[0].geometry.positions();
    resumed.restore(6, whole.frame(6)->state);
    EXPECT_EQ(resumed.cook(12, NeverCancel()).objects[0].geometry.positions(), expected);
}

TEST(SessionHair, SaysWhatItCannotDo)
{
    SessionSetup with_cloth = hanging_setup();
    with_cloth.solver.set("method", std::string("hair"));
    with_cloth.hairs = curly_setup().hairs;
    expect_says(refusal(with_cloth), {"hair", "cloth", "barrier"});

    SessionSetup material = curly_setup();
    material.hairs[0].hair.set("material", std::string("hair_curli"));
    expect_says(refusal(material), {"hair_curli", "hair_curly"});

    const auto with_geometry = [](const Geometry& g) {
        SessionSetup setup = curly_setup();
        setup.hairs[0].geometry = std::make_shared<StaticSource>(g);
        return refusal(setup);
    };
    Geometry shared = curls(2);
    shared.add_polygon({0, 1, 2}, false);
    expect_says(with_geometry(shared), {"lock", "point 0", "curves 0 and 2"});
    Geometry brief = curls(1);
    brief.add_polygon({points, points - 1}, false);
    expect_says(with_geometry(brief), {"curve 1 has 2 points"});
    Geometry folded = curls(1);
    VecX x = folded.positions();
    x.segment<3>(9) = x.segment<3>(6);
    folded.set_positions(x);
    expect_says(with_geometry(folded), {"curve 0", "points 2 and 3", "same place"});
    expect_says(with_geometry(scalp(1)), {"no open curves"});

    SessionSetup twice = curly_setup();
    twice.hairs[0].rest = twice.hairs[0].geometry;
    twice.hairs[0].hair.set("sag_free", 1.0);
    expect_says(refusal(twice), {"sag_free", "rest"});
}

/// A strand far too limp for its length cannot be held: said, not hidden.
TEST(SessionHair, ReportsStrandsThatCannotKeepTheirShape)
{
    SessionSetup setup = curly_setup();
    setup.hairs[0].hair.set("young", 1e6);
    MessageLog log;
    Session session(setup, log);
    expect_says(log.all, {"lock", "too limp", "curve 0"});
}

namespace
{

constexpr int yarn_points = 40;

/// Thick yarns of short segments that grow out of the inside of a ball: one straight along x, one
/// that runs through it, and one apart from both.
Geometry crossing_yarns()
{
    constexpr int n = yarn_points;
    Geometry g;
    g.set_point_count(3 * n);
    VecX x(9 * n);
    for (int s = 0; s < 3; ++s) {
        std::vector<int> curve;
        for (int i = 0; i < n; ++i) {
            const double t = 0.05 * i / (n - 1);
            x.segment<3>(3 * (s * n + i)) = s == 0   ? Vec3(0.0093 + t, 0, 0)
                                            : s == 1 ? Vec3(0.0093 + 0.8 * t, 0, 0.0091 - 0.3 * t)
                                                     : Vec3(0.0093 + t, 0.004, 0.003);
            curve.push_back(s * n + i);
        }
        g.add_polygon(curve, /*closed*/ false);
    }
    g.set_vectors("P", x, "point", Storage::real64);
    return g;
}

} // namespace

/// Only what collides is drawn apart: not neighbours along a strand, which are nearer than its
/// thickness, and not roots that are under the skin.
TEST(SessionHair, RelaxDrawsCrossingStrandsApartAndLeavesTheOthers)
{
    SessionSetup setup = curly_setup();
    setup.solver.set("method", std::string("barrier"));
    setup.collision.set("gap", 2e-4);
    setup.collision.set("on_intersection", std::string("relax"));
    setup.hairs[0].hair.set("radius", 1e-3);
    setup.hairs[0].hair.set("young", 5e4);
    setup.hairs[0].geometry = std::make_shared<StaticSource>(crossing_yarns());
    setup.shot.set("gravity", Vec3::Zero().eval());
    ColliderSetup ball;
    ball.collider.set("name", std::string("head"));
    ball.geometry = std::make_shared<StaticSource>(sphere(0.0095, 2));
    setup.colliders.push_back(std::move(ball));
    MessageLog log;
    Session session(setup, log);
    const FrameResult r = session.cook(1, NeverCancel());
    ASSERT_TRUE(r.ok()) << r.report.message;
    EXPECT_EQ(r.report.released + r.report.ignored_pairs, 0) << log.all;
    expect_says(log.all, {"came apart"});
    const VecX x = r.objects[0].geometry.positions(), start = crossing_yarns().positions();
    EXPECT_LT(largest_move(x.tail(3 * yarn_points), start.tail(3 * yarn_points)),
              1e-8); // the lone one
    double nearest = infinity;
    for (int i = 2; i < yarn_points; ++i)
        for (int j = 2; j < yarn_points; ++j)
            nearest = std::min(nearest,
                               (x.segment<3>(3 * i) - x.segment<3>(3 * (yarn_points + j))).norm());
    EXPECT_GT(nearest, 2e-3);
    EXPECT_LT(largest_move(x, start), 4e-3);
    const FrameResult later = session.cook(4, NeverCancel());
    ASSERT_TRUE(later.ok()) << later.report.message;
    EXPECT_EQ(later.report.released + later.report.ignored_pairs, 0);
}
