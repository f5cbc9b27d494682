#include "core/base/parallel.h"
#include "core/bench/hair_scenes.h"
#include "core/contact/strand_contacts.h"
#include "core/example/sphere.h"
#include "core/geometry/triangulate.h"
#include "core/solver/hair_contact.h"
#include "core/solver/hair_stepper.h"
#include "core/solver/integrator.h"
#include "tests/support/hair_scene.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

using namespace selvage;
using namespace selvage::test;

namespace
{

StepSettings with(HairContact contact, double tolerance = 1e-2)
{
    StepSettings s;
    s.hair_contact = contact;
    s.tolerance = tolerance;
    return s;
}

/// The rod of the whip test of the source: 60 µm, without friction.
HairMaterial whip_material()
{
    HairMaterial m = round_rod(60e-6, 1300, 1e9, 0);
    m.shear = 3.4e8;
    m.friction = 0;
    return m;
}

/// A plane of 2 m at y = 0.
void add_floor(HairScene& scene, double friction)
{
    scene.add_collider({{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}}, {{0, 2, 1}, {0, 3, 2}},
                       friction);
}

/// Three points in a row that fly onto the edge of a wedge with the middle one; no bending.
HairScene wedge(double speed)
{
    const double l = 0.01;
    HairScene s({{{-l, 0, 0}, {0, 0, 0}, {l, 0, 0}}}, whip_material(), HairRoots::none);
    s.hair().stiffness_scale.setZero();
    s.drive.gravity.setZero();
    s.add_collider({{0, -60e-6, -l}, {0, -60e-6, l}, {0, -2 * l, 0}}, {{0, 1, 2}});
    for (int i = 0; i < 3; ++i) s.state.v[3 * i + 1] = -speed;
    return s;
}

} // namespace

/// Straight rods answer to a blow from the side with their stretch, which is of third order in it:
/// to a method that takes its stiffness once they have none. Values: ../shared/specs, §3.4.
TEST(HairContact, WedgeNeedsNonlinearResponses)
{
    const struct {
        double v, h, once, converged, x, y;
    } table[] = {{0.5, 0.010, 0.1180, 7.7e-8, 0.8944, -0.4472},
                 {5, 0.003, 0.8028, 5.8e-6, 0.5547, -0.8321},
                 {5, 0.010, 4.0990, 2.7e-6, 0.1961, -0.9806},
                 {20, 0.003, 5.0828, 3.7e-5, 0.1644, -0.9864}};
    for (const auto& row : table) {
        for (const HairContact once : {HairContact::impulse, HairContact::linear}) {
            HairScene s = wedge(row.v);
            const StepReport r = s.step(row.h, with(once, 1e-8));
            EXPECT_NEAR(r.max_strain, row.once, 5e-5);
            EXPECT_NEAR(s.at(1).norm(), 0, 1e-7);
        }
        HairScene s = wedge(row.v);
        StepSettings exact = with(HairContact::adaptive, 1e-10);
        exact.hair_stretch = 0;
        const StepReport r = s.step(row.h, exact);
        EXPECT_NEAR(r.max_strain, row.converged, 0.06 * row.converged);
        EXPECT_NEAR(100 * s.at(2)[0], row.x, 6e-5);
        EXPECT_NEAR(100 * s.at(2)[1], row.y, 6e-5);

        // As users have it: below 1 % after one more iteration.
        HairScene usual = wedge(row.v);
        const StepReport u = usual.step(row.h, with(HairContact::adaptive));
        EXPECT_LT(u.max_strain, 0.01);
        EXPECT_EQ(u.iterations, 1 + 2); // of the prediction, of contact
    }
}

/// A strand across two others, which lie on two bars: what pushes it up is its weight, and the
/// bars carry all three.
TEST(HairContact, CrossingStrandsCarryTheirWeight)
{
    std::vector<std::vector<Vec3>> strands(3);
    for (int i = 0; i <= 10; ++i) {
        const double t = 0.004 * (i - 5);
        strands[0].push_back({t, 0, -0.0081}), strands[1].push_back({t, 0, 0.0081});
        strands[2].push_back({0.001, 81e-6, t});
    }
    HairMaterial material = hair_preset("hair_straight").material;
    material.radius = 40e-6;
    HairScene s(strands, material, HairRoots::none);
    for (const double x : {-0.0121, 0.0121})
        s.add_collider({{x, -41e-6, -0.1}, {x, -41e-6, 0.1}, {x, -0.1, 0}}, {{0, 1, 2}}, 0.2);
    const double weight = 9.81 * s.scene->mass.sum() / 3;
    const StepReport r = s.run(60, 0.01, with(HairContact::adaptive, 1e-4));
    EXPECT_TRUE(r.ok()) << r.message;
    EXPECT_LT(s.state.v.cwiseAbs().maxCoeff(), 1e-4);
    double crossings = 0, bars = 0;
    for (std::size_t k = 0; k < s.state.strand_contacts.size(); ++k) {
        // Edges of strands come after those of the two bars, three each.
        const auto other = std::uint32_t(s.state.strand_contacts[k]);
        const bool bar = other < contact_feature(FeatureKind::edge, 6) &&
                         other >= contact_feature(FeatureKind::edge, 0);
        const double up = s.state.strand_forces[3 * Eigen::Index(k) + 1];
        (bar ? bars : crossings) += bar ? up : std::abs(up);
    }
    EXPECT_NEAR(crossings, weight, 0.01 * weight);
    EXPECT_NEAR(bars, 3 * weight, 0.03 * weight);
}

/// A strand on a slope stays where tan φ ≤ μ and slides with g (sin φ − μ cos φ) beyond.
TEST(HairContact, SlidesBeyondTheAngleOfFriction)
{
    const double mu = 0.3, h = 0.005;
    for (const double angle : {0.9 * std::atan(mu), 1.1 * std::atan(mu)}) {
        std::vector<Vec3> line;
        for (int i = 0; i < 8; ++i) line.push_back({0.005 * i, 40e-6, 0});
        HairMaterial m = hair_preset("hair_straight").material;
        m.friction = mu, m.radius = 40e-6;
        HairScene s({line}, m, HairRoots::none);
        add_floor(s, mu);
        s.drive.gravity = 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0);
        const Vec3 start = s.at(3);
        const int n = 40;
        s.run(n, h, with(HairContact::adaptive, 1e-6));
        const double a = 9.81 * (std::sin(angle) - mu * std::cos(angle));
        const double expected = a > 0 ? a * h * h * n * (n + 1) / 2 : 0;
        EXPECT_NEAR(s.at(3)[0] - start[0], expected, 1e-3 * expected + 1e-7);
        EXPECT_NEAR(s.at(3)[1], 40e-6, 1e-8);
    }
}

/// Two strands that overlap just beside where they are held: nothing can give way there but by
/// flinging the points beyond, so it is let be.
TEST(HairContact, OverlapsBesideRootsDoNotFlingStrands)
{
    std::vector<std::vector<Vec3>> strands(2);
    for (int i = 0; i < 12; ++i) {
        strands[0].push_back({0.005 * i, 0, 0});
        strands[1].push_back({0.0051, 20e-6, 0.005 * i - 0.0051});
    }
    HairMaterial m = hair_preset("hair_straight").material;
    m.radius = 40e-6;
    HairScene s(strands, m, HairRoots::first_point);
    for (int k = 0; k < 10; ++k) {
        const StepReport r = s.step(1.0 / 48, with(HairContact::adaptive));
        ASSERT_TRUE(r.ok()) << r.message;
        EXPECT_LT(r.max_strain, 1e-3);
    }
}

namespace
{

/// A slanting soft rod that falls for a step, with a solver of its contacts. Behind its own points
/// there is one that moves as given.
struct FallingRod {
    static constexpr double h = 0.01;
    HairScene s{
        {clamped_line({0, 0, 0}, {0.12, 0.03, 0.05}, 24)}, whip_material(), HairRoots::first_point};
    std::vector<RodGroup> groups = make_rod_groups(*s.scene);
    TimeScheme scheme = time_scheme(s.state, h, Integrator::bdf1);
    WindField wind{s.drive.wind, s.drive.turbulence};
    std::vector<RodStep> steps;
    std::vector<RodPlace> places;
    RodScratch scratch;

    FallingRod()
    {
        steps.emplace_back(*s.scene, groups[0], s.drive, s.state, scheme, wind, h);
        steps[0].predict({1e-9, 100}, scratch);
        for (int i = 0; i < s.scene->vertex_count(); ++i) places.push_back({0, i});
        places.push_back({});
    }
    HairContactReport solve(const StrandContact& contact, std::vector<Vec3>& forces)
    {
        HairContactSolver solver(steps, places, {});
        return solver.solve({contact}, {}, VecX::Zero(3 * Eigen::Index(places.size())), forces,
                            /*iterations*/ 50);
    }
    VecX positions() const
    {
        State at = s.state;
        steps[0].store(at, h);
        return at.x;
    }
};

} // namespace

TEST(HairContact, NeighboursOnARodAreNotPushedApart)
{
    // Two neighbours are said to be too near: the rod is too stiff along itself to part them, so
    // much so that single precision cannot tell by how much.
    FallingRod rod;
    const VecX predicted = rod.positions();
    StrandContact near;
    near.vertex = {20, -1, 21, -1};
    near.weight = {1, 0, -1, 0};
    near.normal = (rod.s.at(20) - rod.s.at(21)).normalized();
    near.slack = -1e-5;
    near.thickness = 1e-4;
    std::vector<Vec3> forces = {1e-3 * near.normal}; // remembered
    rod.solve(near, forces);
    EXPECT_EQ(forces[0], Vec3::Zero());
    EXPECT_LT((rod.positions() - predicted).lpNorm<Eigen::Infinity>(), 1e-7);

    // Across, points that the rod lets bend are.
    near.vertex = {14, -1, 21, -1};
    near.normal = near.normal.unitOrthogonal();
    near.slack = -5e-3; // farther than they move in the step
    forces[0].setZero();
    rod.solve(near, forces);
    EXPECT_GT(forces[0].dot(near.normal), 0);
}

/// A contact that asks for three times the length of the rod: there is no use in going on until
/// numbers overflow.
TEST(HairContact, IterationsThatRunAwayEnd)
{
    FallingRod rod;
    StrandContact far;
    far.vertex = {24, -1, rod.s.scene->vertex_count(), -1};
    far.weight = {1, 0, -1, 0};
    far.normal = (rod.s.at(24) - rod.s.at(0)).normalized();
    far.slack = -0.3;
    far.thickness = 1e-4;
    std::vector<Vec3> forces = {Vec3::Zero()};
    const HairContactReport r = rod.solve(far, forces);
    EXPECT_EQ(r.failed_rods, std::vector<int>{0});
    EXPECT_LT(r.newton_iterations, 10);
    EXPECT_TRUE(rod.positions().allFinite());
}

/// However a rod is pushed towards its root, below, at and beyond the load that buckles it, its
/// linear model is positive definite and yields by at most ten times what inertia alone would.
TEST(HairContact, RodsCloseToBucklingDoNotYieldWithoutEnd)
{
    FallingRod rod;
    const RodGroup& group = rod.groups[0];
    const std::size_t tip = std::size_t(group.points) - 1;
    const Vec3 along = (rod.s.at(int(tip)) - rod.s.at(0)).normalized();
    const Vec3 across = along.unitOrthogonal();
    const double B = M_PI * std::pow(60e-6, 4) / 4 * 1e9, length = 0.1334;
    const double euler = M_PI * M_PI * B / (4 * length * length);
    const double inertia = rod.s.scene->mass[int(tip)] / (FallingRod::h * FallingRod::h);
    RodVector none(4 * std::size_t(group.points) + rod_band, Real4(0.0)), push = none, probe = none;
    for (std::size_t k = 0; k < 3; ++k) probe[4 * tip + k] = across[Eigen::Index(k)];
    double largest = 0;
    for (int n = 0; n <= 2000; ++n) {
        for (std::size_t k = 0; k < 3; ++k)
            push[4 * tip + k] = -0.05 * n * euler * along[Eigen::Index(k)];
        rod.steps[0].linearise(Real4(0.0) < Real4(1.0), push);
        ASSERT_TRUE(all_lanes(rod.steps[0].evaluate_model(false, rod.scratch)));
        rod.steps[0].direction(none, rod.scratch);
        const RodVector still = rod.scratch.direction;
        rod.steps[0].direction(probe, rod.scratch);
        double yields = 0;
        for (std::size_t k = 0; k < 3; ++k)
            yields += across[Eigen::Index(k)] *
                      (rod.scratch.direction[4 * tip + k][0] - still[4 * tip + k][0]);
        ASSERT_GT(yields, 0);
        largest = std::max(largest, yields * inertia);
    }
    EXPECT_LT(largest, 10);
    EXPECT_GT(largest, 1); // some loads do soften it
}

/// Where a strand lies still, the next step starts from the forces that carry it. A strand that
/// slides meets other places by then, and starts without.
TEST(HairContact, LoadsAreThoseOfStrandsAtRest)
{
    const double mu = 0.3;
    for (const bool slides : {false, true}) {
        std::vector<Vec3> line;
        for (int i = 0; i < 8; ++i) line.push_back({0.005 * i, 40e-6, 0});
        HairMaterial m = hair_preset("hair_straight").material;
        m.friction = mu, m.radius = 40e-6;
        HairScene s({line}, m, HairRoots::none);
        add_floor(s, mu);
        const double angle = (slides ? 1.2 : 0.9) * std::atan(mu);
        s.drive.gravity = 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0);
        s.run(40, 0.005, with(HairContact::adaptive, 1e-6));
        const VecX& loads = s.state.strand_loads;
        Vec3 sum = Vec3::Zero();
        for (Eigen::Index i = 0; i < loads.size(); i += 3) sum += loads.segment<3>(i);
        const Vec3 weight = s.scene->mass.sum() * s.drive.gravity;
        if (slides)
            EXPECT_EQ(loads.size() > 0 ? loads.cwiseAbs().maxCoeff() : 0, 0);
        else
            EXPECT_LT((sum + weight).norm(), 1e-3 * weight.norm());
    }
}

TEST(HairContact, SameBitsForAnyNumberOfThreads)
{
    VecX x[2];
    for (const int threads : {1, 2}) {
        ThreadLimit limit(threads);
        std::vector<std::vector<Vec3>> strands;
        for (int i = 0; i < 60; ++i) {
            std::vector<Vec3> p;
            for (int k = 0; k < 12; ++k)
                p.push_back({0.004 * k - 0.02, 100e-6 * (i + 1) + 1e-4 * k,
                             0.02 * std::sin(i * 1.7) + (i % 2 ? 0.004 : -0.004) * k});
            strands.push_back(p);
        }
        HairScene s(strands, hair_preset("hair_straight").material, HairRoots::none);
        add_floor(s, 0.3);
        const StepReport r = s.run(15, 0.01, with(HairContact::adaptive));
        EXPECT_GT(r.contacts, 60);
        x[threads - 1] = s.state.x;
    }
    EXPECT_EQ(x[0], x[1]);
}

/// Loose strands fall on a ball that moves and turns under them: no point of them ends inside, and
/// none is drawn out.
TEST(HairContact, StrandsDoNotPassThroughAMovingBall)
{
    std::vector<std::vector<Vec3>> strands;
    for (int i = 0; i < 24; ++i) {
        std::vector<Vec3> p;
        for (int k = 0; k < 16; ++k)
            p.push_back({0.01 * (k - 7.5), 0.06 + 0.0005 * i, 0.004 * (i - 12)});
        strands.push_back(p);
    }
    HairScene s(strands, hair_preset("hair_straight").material, HairRoots::none);
    const double radius = 0.05;
    const Geometry ball = sphere(radius, 3);
    std::vector<Vec3> points;
    const VecX x = ball.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) points.push_back(x.segment<3>(i));
    s.add_collider(points, triangulate(ball).triangles, 0.3);
    const double inner = radius * 0.992; // of the ball's flat faces
    for (int step = 1; step <= 40; ++step) {
        const double t = step / 48.0;
        const Vec3 centre(0.03 * std::sin(6 * t), 0.02 * std::sin(9 * t), 0);
        const Mat3 R = Eigen::AngleAxisd(4 * t, Vec3::UnitZ()).toRotationMatrix();
        for (std::size_t i = 0; i < points.size(); ++i)
            s.drive.collider_1[0].segment<3>(3 * Eigen::Index(i)) = centre + R * points[i];
        const StepReport r = s.step(1.0 / 48, with(HairContact::adaptive));
        ASSERT_TRUE(r.ok()) << r.message;
        EXPECT_LT(r.max_strain, 0.011);
        for (int v = 0; v < 24 * 16; ++v) ASSERT_GT((s.at(v) - centre).norm(), inner) << step;
    }
}

namespace
{

/// Three bundles woven as in a braid: strand k of three follows a figure of eight, a third of a
/// period apart.
std::vector<std::vector<Vec3>> braid(int points, double length, double width, double period)
{
    std::vector<std::vector<Vec3>> strands(3);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < points; ++i) {
            const double s = length * i / (points - 1);
            const double a = 2 * M_PI * (s / period + k / 3.0);
            strands[std::size_t(k)].push_back(
                {width * std::sin(a), -s, 0.5 * width * std::sin(2 * a)});
        }
    return strands;
}

/// How often two strands change sides in x on their way down.
int crossings(const HairScene& s, int points)
{
    int n = 0;
    for (int a = 0; a < 3; ++a)
        for (int b = a + 1; b < 3; ++b)
            for (int i = 0; i + 1 < points; ++i) {
                const double d_0 = s.at(a * points + i)[0] - s.at(b * points + i)[0];
                const double d_1 = s.at(a * points + i + 1)[0] - s.at(b * points + i + 1)[0];
                n += d_0 * d_1 < 0;
            }
    return n;
}

} // namespace

/// A braid of three yarns that are straight at rest, held at both ends and shaken. No two of them
/// are linked, so that crossings can only stay by contact of all three.
TEST(HairContact, BraidDoesNotUnravel)
{
    constexpr int points = 60;
    HairMaterial rope = hair_preset("yarn").material;
    rope.radius = 0.0015;
    const auto strands = braid(points, 0.3, 0.005, 0.1);
    struct Case {
        const char* method;
        HairContact contact;
    };
    for (const Case& c : {Case{"hair", HairContact::adaptive}, Case{"hair", HairContact::none},
                          Case{"barrier", HairContact::none}}) {
        // At rest they are straight, and would part.
        std::vector<std::vector<Vec3>> straight(3);
        for (std::size_t k = 0; k < 3; ++k) {
            double length = 0;
            for (std::size_t i = 0; i < points; ++i) {
                if (i > 0) length += (strands[k][i] - strands[k][i - 1]).norm();
                straight[k].push_back({0, -length, 0});
            }
        }
        HairScene s(strands, rope, HairRoots::both_ends, straight);
        s.method = c.method;
        const bool collides = c.contact != HairContact::none || s.method == "barrier";
        const int before = crossings(s, points);
        const VecX groom = s.drive.hair[0].x;
        StepReport r;
        for (int k = 0; k < 96; ++k) {
            for (int i = 0; i < 3 * points; ++i)
                s.drive.hair[0].x[3 * i] = groom[3 * i] + 0.01 * std::sin(0.5 * k);
            r = s.step(1.0 / 48, with(c.contact));
            ASSERT_TRUE(r.ok()) << r.message;
        }
        EXPECT_GE(before, 15);
        if (collides)
            EXPECT_GE(crossings(s, points), before);
        else
            EXPECT_LT(crossings(s, points), before / 2);
    }
}

/// A rod on a swinging handle strikes the edge of a wall. Without stretching by more than 1 %, the
/// adaptive method takes steps at least 50 times as long as the methods of comparison.
TEST(HairContact, WhipTakesLongSteps)
{
    const auto stretched = [](HairContact contact, double h) {
        return run_hair(whip(/*frequency*/ 3), /*seconds*/ 1, h, with(contact)).max_strain;
    };
    for (const double h : {0.1, 0.05, 0.02}) EXPECT_LE(stretched(HairContact::adaptive, h), 0.01);
    for (const double h : {0.02, 0.01, 0.005}) EXPECT_GT(stretched(HairContact::linear, h), 0.01);
    for (const double h : {0.002, 0.001, 0.0005})
        EXPECT_GT(stretched(HairContact::impulse, h), 0.01);
    EXPECT_LE(stretched(HairContact::linear, 0.002), 0.01);
}

/// Curls on a ball that turns: steps of 10 ms without stretch, where the methods of comparison
/// stretch strands by far more.
TEST(HairContact, HairBallTakesStepsOfTenMilliseconds)
{
    const auto stretched = [](HairContact contact) {
        return run_hair(hair_ball(120, 20), /*seconds*/ 0.3, 0.01, with(contact)).max_strain;
    };
    EXPECT_LT(stretched(HairContact::adaptive), 0.01);
    EXPECT_GT(stretched(HairContact::linear), 0.05);
    EXPECT_GT(stretched(HairContact::impulse), 0.5);
}

/// Curls fold over each other and are drawn along by the ball, so fast that contacts of one step
/// have nothing to do with those of the next. Started under forces of contacts that they had left,
/// strands were flung, and Newton's iterations ran away with them.
TEST(HairContact, FoldsOfAHairBallDoNotRunAway)
{
    const HairRunResult r = run_hair(hair_ball(150, 30), /*seconds*/ 0.54, 0.015,
                                     with(HairContact::adaptive), /*limit*/ 0.01);
    EXPECT_TRUE(r.stable) << r.message;
    EXPECT_EQ(r.steps, 36);
    EXPECT_EQ(r.unconverged, 0);
    EXPECT_LT(r.max_strain, 0.01);
}
