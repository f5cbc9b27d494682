#include "core/base/parallel.h"
#include "core/solver/stepper.h"
#include "tests/support/hair_scene.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr double radius = 5e-5, density = 1300, young = 3e9, g = 9.81;

HairScene with_barrier(HairScene scene, bool contact = true)
{
    scene.method = "barrier";
    scene.stepper.reset();
    scene.scene->collisions.enabled = contact;
    return scene;
}

StepSettings precise(double tolerance = 1e-6)
{
    StepSettings s;
    s.tolerance = tolerance;
    return s;
}

/// A curl from the root downwards.
std::vector<Vec3> lock(const Vec3& root, int points, double turns)
{
    std::vector<Vec3> p;
    for (int i = 0; i < points; ++i) {
        const double s = double(i) / (points - 1), a = 2 * M_PI * turns * s;
        p.push_back(root + Vec3(0.01 * (std::cos(a) - 1), -0.12 * s, 0.01 * std::sin(a)));
    }
    return p;
}

VecX turned(const Mat3& R, const VecX& x)
{
    VecX out(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) out[i] = R.row(i % 3).dot(x.segment<3>(i - i % 3));
    return out;
}

} // namespace

TEST(BarrierHair, CantileverSagsAsTheHeavyElastica)
{
    struct Row {
        double gamma, across, down;
        int segments;
    };
    for (const Row& row :
         {Row{0.1, .99991, .01250, 64}, Row{1, .99125, .12347, 64}, Row{10, .65635, .70020, 64},
          Row{100, .15922, .93752, 64}, Row{1000, .04599, .98114, 128}}) {
        const double L = std::cbrt(row.gamma * young * radius * radius / (4 * density * g));
        HairScene rod =
            with_barrier(HairScene({clamped_line(Vec3::Zero(), Vec3(L, 0, 0), row.segments)},
                                   round_rod(radius, density, young, 0.45), HairRoots::first_point),
                         false);
        rod.settle();
        const Vec3 tip = rod.at(row.segments + 1) / L;
        EXPECT_NEAR(tip[0], row.across, 0.01 * row.across) << "Gamma " << row.gamma;
        EXPECT_NEAR(-tip[1], row.down, 0.01 * row.down) << "Gamma " << row.gamma;
    }
}

/// The same rods: a curl on a turning root goes where method `hair` takes it.
TEST(BarrierHair, FreeStrandsMoveAsInMethodHair)
{
    const HairMaterial material = hair_preset("hair_curly").material;
    HairScene alone({lock(Vec3::Zero(), 16, 1.5), lock(Vec3(0.1, 0, 0), 9, 1)}, material,
                    HairRoots::first_point);
    HairScene barrier = with_barrier(alone, false);
    const VecX groom = alone.state.x;
    VecX roots(6);
    roots << alone.state.rod_directors.head<3>(), alone.state.rod_directors.segment<3>(3 * 16);
    for (int k = 1; k <= 12; ++k) {
        const Mat3 R = Eigen::AngleAxisd(0.1 * k, Vec3(1, 2, 0.5).normalized()).toRotationMatrix();
        for (HairScene* s : {&alone, &barrier}) {
            s->drive.hair[0].x = turned(R, groom);
            s->drive.hair[0].directors = turned(R, roots);
            const StepReport r = s->step(0.02, precise(1e-8));
            ASSERT_EQ(r.status, StepStatus::converged) << r.message;
        }
        ASSERT_LT((alone.state.x - barrier.state.x).cwiseAbs().maxCoeff(), 1e-6) << k;
        VecX twists = alone.state.rod_twists - barrier.state.rod_twists;
        VecX frames = alone.state.rod_directors - barrier.state.rod_directors;
        for (const int tip : {15, 24})
            twists[tip] = 0, frames.segment<3>(3 * tip).setZero(); // void
        ASSERT_LT(twists.cwiseAbs().maxCoeff(), 1e-4);
        ASSERT_LT(frames.cwiseAbs().maxCoeff(), 1e-4);
    }
}

/// With few strands and without contact the preconditioner is the matrix itself.
TEST(BarrierHair, LinearSolversAgree)
{
    std::vector<std::vector<Vec3>> strands;
    for (int s = 0; s < 6; ++s) strands.push_back(lock(Vec3(0.1 * s, 0, 0), 5 + 3 * s, 1.5));
    VecX expected;
    for (const char* linear : {"ldlt", "multifrontal", "pcg", "multigrid"}) {
        HairScene s = with_barrier(
            HairScene(strands, hair_preset("hair_curly").material, HairRoots::first_point), false);
        StepSettings settings = precise(1e-7);
        settings.linear = linear;
        StepReport r;
        for (int k = 0; k < 4; ++k) r = s.step(0.02, settings);
        ASSERT_EQ(r.status, StepStatus::converged) << linear << r.message;
        if (expected.size() == 0) expected = s.state.x;
        EXPECT_LT((s.state.x - expected).cwiseAbs().maxCoeff(), 1e-7) << linear;
        if (linear == std::string("pcg")) {
            EXPECT_LE(r.linear_iterations, 2 * r.iterations);
        }
    }
}

/// Crossed strands on two bars carry their weight, as in method `hair`.
TEST(BarrierHair, CrossedStrandsComeToRestOnBars)
{
    std::vector<std::vector<Vec3>> strands(3);
    for (int i = 0; i <= 10; ++i) {
        const double t = 0.004 * (i - 5);
        strands[0].push_back({t, 0, -0.0081}), strands[1].push_back({t, 0, 0.0081});
        strands[2].push_back({0.001, 120e-6, t});
    }
    HairMaterial material = hair_preset("hair_straight").material;
    material.radius = 40e-6;
    HairScene s = with_barrier(HairScene(strands, material, HairRoots::none));
    s.scene->collisions.gap = 2e-5;
    for (const double x : {-0.0121, 0.0121})
        s.add_collider({{x, -60e-6, -0.1}, {x, -60e-6, 0.1}, {x, -0.1, 0}}, {{0, 1, 2}}, 0.2);
    StepReport r;
    for (int k = 0; k < 40; ++k) {
        r = s.step(0.01, precise(1e-5));
        ASSERT_TRUE(r.ok()) << r.message;
        ASSERT_GT(r.min_gap, 0);
    }
    EXPECT_LT(s.state.v.cwiseAbs().maxCoeff(), 2e-4);
    EXPECT_GT(s.at(2 * 11 + 5)[1] - s.at(5)[1], 80e-6); // one lies on the others
    EXPECT_GT(s.at(2)[1], -20e-6);                      // at a bar
}

/// A clamped strand whose foot stands on the floor is pushed down by a part ε of its length: the
/// foot stays where friction exceeds μ_c(ε), the elastica's ratio of forces, and slips below it.
TEST(BarrierHair, FootSticksAboveTheThresholdOfTheElastica)
{
    constexpr int n = 40;
    constexpr double L = 0.04, gap = 1e-5;
    for (const auto& [eps, critical] :
         {std::pair(0.05, 0.1035), std::pair(0.1, 0.1528), std::pair(0.2, 0.2378)}) {
        const double foot = radius + 0.5 * gap;
        HairMaterial material = round_rod(radius, density, young, 0.45);
        material.bend_damping = 1;
        material.mass_damping = 5;
        material.friction = 1;
        HairScene start =
            with_barrier(HairScene({clamped_line(Vec3(0, L + foot, 0), Vec3(0, foot, 0), n)},
                                   material, HairRoots::first_point));
        start.drive.gravity.setZero();
        start.scene->collisions.gap = gap;
        start.scene->collisions.stick_speed = 1e-5;
        start.scene->collisions.friction_iterations = 4;
        start.scene->collisions.release_pinched = false;
        start.add_collider({{-1, 0, -1}, {1, 0, -1}, {0, 0, 2}}, {{0, 2, 1}}, 1);
        for (int i = 2; i <= n; ++i) // a hint in which direction to buckle
            start.state.x[3 * i] += 1e-2 * L * std::sin(M_PI * (i - 1.0) / n);
        const VecX groom = start.drive.hair[0].x;
        const int steps = int(std::lround(300 * eps));
        for (int k = 1; k <= steps + 30; ++k) {
            const double down = eps * L * std::min(1.0, double(k) / steps);
            for (int i = 0; i < n + 2; ++i)
                start.drive.hair[0].x[3 * i + 1] = groom[3 * i + 1] - down;
            const StepReport r = start.step(0.05, precise(1e-6));
            ASSERT_TRUE(r.ok()) << r.message;
        }
        const double x_0 = start.at(n + 1)[0];
        ASSERT_LT(std::abs(x_0), 2e-3 * L);
        for (const double factor : {0.97, 1.03}) {
            HairScene s = start;
            s.scene = std::make_shared<Scene>(*start.scene);
            s.scene->colliders[0].friction = factor * critical * factor * critical; // and hair's 1
            s.stepper.reset();
            for (int k = 0; k < 20; ++k) ASSERT_TRUE(s.step(0.05, precise(1e-6)).ok());
            const double slipped = std::abs(s.at(n + 1)[0] - x_0) / L;
            if (factor < 1)
                EXPECT_GT(slipped, 1e-2) << "at " << eps;
            else
                EXPECT_LT(slipped, 5e-4) << "at " << eps;
        }
    }
}

/// Loose strands on a moving ball, and on each other.
TEST(BarrierHair, SameBitsForAnyNumberOfThreadsAndSolvers)
{
    for (const char* linear : {"ldlt", "pcg"}) {
        VecX x[2];
        for (const int threads : {1, 2}) {
            ThreadLimit limit(threads);
            std::vector<std::vector<Vec3>> strands;
            for (int i = 0; i < 24; ++i) {
                std::vector<Vec3> p;
                for (int k = 0; k < 12; ++k)
                    p.push_back({0.004 * k - 0.02, 3e-4 * (i + 1) + 1e-4 * k,
                                 0.02 * std::sin(i * 1.7) + (i % 2 ? 0.004 : -0.004) * k});
                strands.push_back(p);
            }
            HairScene s = with_barrier(
                HairScene(strands, hair_preset("hair_straight").material, HairRoots::none));
            s.scene->collisions.gap = 5e-5;
            s.add_collider({{-1, 0, -1}, {1, 0, -1}, {0, 0, 2}}, {{0, 2, 1}}, 0.3);
            StepSettings settings;
            settings.linear = linear;
            int contacts = 0;
            for (int k = 0; k < 12; ++k) {
                const StepReport r = s.step(0.004, settings);
                ASSERT_TRUE(r.ok()) << r.message;
                contacts = std::max(contacts, r.contacts);
            }
            EXPECT_GT(contacts, 20);
            x[threads - 1] = s.state.x;
        }
        EXPECT_EQ(x[0], x[1]) << linear;
    }
}
