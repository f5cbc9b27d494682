#include "core/base/error.h"
#include "core/solver/hair_stepper.h"
#include "tests/support/hair_scene.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

using namespace selvage;
using namespace selvage::test;

namespace
{

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

StepSettings precise()
{
    StepSettings s;
    s.tolerance = 1e-6;
    return s;
}

} // namespace

TEST(HairStepper, FreeStrandsFallFreely)
{
    HairScene rod({lock(Vec3::Zero(), 20, 2)}, hair_preset("hair_curly").material, HairRoots::none);
    const VecX start = rod.state.x;
    const double h = 0.01;
    for (int k = 0; k < 10; ++k) EXPECT_TRUE(rod.run(1, h, precise()).ok());
    const double fallen = 9.81 * h * h * 10 * 11 / 2; // backward Euler
    const Vec3 expected(0, -fallen, 0);
    EXPECT_LT((rod.state.x - start - expected.replicate(20, 1)).cwiseAbs().maxCoeff(), 1e-9);
}

/// Turns of the root about three axes, back to where it was: shape and material frames come back,
/// though parallel transport along the loop alone would leave them turned.
TEST(HairStepper, MaterialFramesReturnAfterAClosedLoopOfTheRoot)
{
    HairScene rod({lock(Vec3::Zero(), 24, 1.5)}, hair_preset("hair_curly").material,
                  HairRoots::first_point);
    rod.drive.gravity.setZero();
    const VecX groom = rod.state.x, x_0 = rod.state.x, m_0 = rod.state.rod_directors;
    const VecX twist_0 = rod.state.rod_twists;
    Mat3 R = Mat3::Identity();
    const int steps = 24;
    for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, 0, 1), Vec3(1, 1, 1).normalized().eval()})
        for (int k = 0; k < steps; ++k) {
            R = Eigen::AngleAxisd(2 * M_PI / steps, axis) * R;
            const Eigen::Matrix3Xd turned = R * groom.reshaped(3, 24);
            rod.drive.hair[0].x = turned.reshaped();
            rod.drive.hair[0].directors.resize(3);
            for (int c = 0; c < 3; ++c) rod.drive.hair[0].directors[c] = R.row(c) * m_0.head<3>();
            rod.run(1, 10.0, precise());
        }
    rod.settle(3);
    EXPECT_LT((rod.state.x - x_0).cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_LT((rod.state.rod_directors - m_0).head(3 * 23).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT((rod.state.rod_twists - twist_0).cwiseAbs().maxCoeff(), 1e-5);
}

/// Strands of any length share a group; neighbours and padding do not matter.
TEST(HairStepper, StrandsDoNotDependOnTheirNeighbours)
{
    std::vector<std::vector<Vec3>> strands;
    for (const int points : {3, 31, 7, 18, 30, 4})
        strands.push_back(lock(Vec3(0.1 * points, 0, 0), points, 1));
    const HairMaterial material = hair_preset("hair_wavy").material;
    HairScene together(strands, material, HairRoots::first_point);
    together.run(5, 1.0 / 24, precise());
    int first = 0;
    for (const auto& strand : strands) {
        HairScene alone({strand}, material, HairRoots::first_point);
        StepSettings settings = precise();
        settings.tolerance = 1e-8;
        alone.run(5, 1.0 / 24, settings);
        const int n = 3 * int(strand.size());
        EXPECT_LT((together.state.x.segment(first, n) - alone.state.x).cwiseAbs().maxCoeff(), 1e-6);
        first += n;
    }
}

/// In a steady wind a short stiff strand leans with it; a limp long one streams along it.
TEST(HairStepper, WindBlowsStrandsAside)
{
    HairScene calm({clamped_line(Vec3::Zero(), Vec3(0, -0.2, 0), 20)},
                   hair_preset("hair_straight").material, HairRoots::first_point);
    calm.drive.air_density = 1.225;
    HairScene windy = calm;
    windy.drive.wind = Vec3(5, 0, 0);
    calm.run(48, 1.0 / 24, {});
    windy.run(48, 1.0 / 24, {});
    EXPECT_NEAR(calm.at(21)[0], 0, 1e-9);
    EXPECT_GT(windy.at(21)[0], 0.1);
}

TEST(HairStepper, SoftTargetsHoldTheGroom)
{
    HairScene loose({clamped_line(Vec3::Zero(), Vec3(0.15, 0, 0), 20)},
                    hair_preset("hair_straight").material, HairRoots::first_point);
    HairScene held = loose;
    held.scene = std::make_shared<Scene>(*loose.scene);
    held.hair().target_rate.setConstant(2 * M_PI * 10);
    loose.run(48, 1.0 / 24, {});
    held.run(48, 1.0 / 24, {});
    EXPECT_LT(loose.at(21)[1], -0.03);
    EXPECT_GT(held.at(21)[1], -0.004); // g/(2π 10)²
}

/// A free rod that bends to and fro: backward Euler loses energy in proportion to the step, BDF-2
/// with a higher power of it.
TEST(HairStepper, LosesEnergyWithTheOrderOfTheScheme)
{
    const auto lost = [](Integrator integrator, double h) {
        constexpr int n = 12;
        std::vector<Vec3> line;
        for (int i = 0; i < n; ++i) line.push_back({0.12 * i / (n - 1), 0, 0});
        HairScene rod({line}, round_rod(2e-4, 1000, 1e8, 0.3), HairRoots::none);
        rod.drive.gravity.setZero();
        for (int i = 0; i < n; ++i) { // about the lowest mode: 8 Hz
            const double s = double(i) / (n - 1);
            rod.state.v[3 * i + 1] = 0.2 * (6 * s * s - 6 * s + 1);
        }
        const auto kinetic = [&] {
            double sum = 0;
            for (int i = 0; i < n; ++i)
                sum += 0.5 * rod.scene->mass[i] * rod.state.v.segment<3>(3 * i).squaredNorm();
            return sum;
        };
        const double start = kinetic();
        StepSettings settings = precise();
        settings.tolerance = 1e-9;
        settings.integrator = integrator;
        const StepReport r = rod.run(int(std::lround(0.1 / h)), h, settings);
        return (start - kinetic() - r.energy) / start;
    };
    const double euler = lost(Integrator::bdf1, 5e-4), euler_half = lost(Integrator::bdf1, 2.5e-4);
    const double bdf2 = lost(Integrator::bdf2, 5e-4), bdf2_half = lost(Integrator::bdf2, 2.5e-4);
    EXPECT_GT(euler_half, 0);
    EXPECT_NEAR(euler / euler_half, 2, 0.3);
    EXPECT_GT(bdf2, 3 * bdf2_half);
    EXPECT_LT(bdf2, 0.2 * euler);
}

namespace
{

/// Two straight strands along x, one below the other; the upper one is held by soft targets.
HairScene side_by_side(const char* method, double apart, double cohesion)
{
    std::vector<std::vector<Vec3>> strands(2);
    for (int i = 0; i <= 10; ++i) {
        strands[0].push_back({0.005 * i, 0, 0});
        strands[1].push_back({0.005 * i, -apart, 0});
    }
    HairMaterial m = round_rod(40e-6, 1320, 3.9e9, 0.3);
    m.cohesion = cohesion, m.cohesion_range = 5e-4;
    HairScene s(strands, m, HairRoots::none);
    s.hair().target_rate.head(11).setConstant(2 * M_PI * 200);
    s.method = method;
    s.scene->collisions.gap = 2e-5; // of barriers
    return s;
}

class Cohesion : public testing::TestWithParam<const char*>
{
};

} // namespace

INSTANTIATE_TEST_SUITE_P(HairStepper, Cohesion, testing::Values("hair", "barrier"),
                         [](const auto& method) { return std::string(method.param); });

/// Strands that hang on another by cohesion alone stay where it exceeds their weight, and fall
/// where it does not.
TEST_P(Cohesion, CarriesAStrandUpToItsStrength)
{
    const double weight = 1320 * M_PI * 40e-6 * 40e-6 * 9.81; // [N/m]
    HairScene held = side_by_side(GetParam(), 85e-6, 1.5 * weight);
    HairScene lost = side_by_side(GetParam(), 85e-6, 0.7 * weight);
    held.run(50, 0.005, {});
    lost.run(50, 0.005, {});
    for (int i = 11; i < 22; ++i) {
        EXPECT_NEAR(held.at(i)[1], -80e-6, 60e-6);
        EXPECT_LT(lost.at(i)[1], -0.05);
    }
}

/// Without other forces they come together, and their centre of mass stays.
TEST_P(Cohesion, DrawsStrandsTogetherAndMovesNothingElse)
{
    HairScene s = side_by_side(GetParam(), 3e-4, 2e-4);
    s.hair().target_rate.setZero();
    s.drive.gravity.setZero();
    const auto centre = [&] {
        Vec3 sum = Vec3::Zero();
        for (int i = 0; i < 22; ++i) sum += s.scene->mass[i] * s.at(i);
        return Vec3(sum / s.scene->mass.sum());
    };
    const Vec3 before = centre();
    s.run(40, 0.002, precise());
    EXPECT_LT((centre() - before).norm(), 1e-9);
    for (int i = 0; i < 11; ++i) {
        const bool tip = i == 0 || i == 10; // see the limits in docs/hair.md
        EXPECT_LT((s.at(i) - s.at(11 + i)).norm(), 1.2e-4);
        EXPECT_GT((s.at(i) - s.at(11 + i)).norm(), tip ? 60e-6 : 78e-6);
    }
}

/// Strands take the lengths and curvature of a driven rest shape.
TEST(HairStepper, TakesADrivenRestShape)
{
    HairScene rod({lock(Vec3::Zero(), 24, 1.5)}, hair_preset("hair_curly").material,
                  HairRoots::first_point);
    rod.drive.gravity.setZero();
    RodRest rest{1.5 * rod.hair().rest_length, VecX::Zero(48), VecX::Zero(24)};
    rod.drive.hair[0].rest = rest;
    rod.settle();
    const Vec3 start = rod.at(1), along = (rod.at(1) - rod.at(0)).normalized();
    double at = 0;
    for (int i = 2; i < 24; ++i) {
        at += rest.length[i - 1];
        EXPECT_LT((rod.at(i) - start - at * along).norm(), 1e-5);
    }
}

TEST(HairStepper, RefusesWhatItCannotDo)
{
    auto scene = std::make_shared<Scene>();
    scene->cloths.emplace_back();
    EXPECT_THROW(HairStepper{scene}, InputError);
}
