#include "core/energy/chamber_pressure.h"

#include "core/energy/sink.h"
#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// A unit cube at (1, 2, 3), counter-clockwise from outside; without its top where `open`.
struct Box {
    Chamber chamber;
    VecX x;

    explicit Box(bool open)
    {
        x.resize(24);
        for (int k = 0; k < 8; ++k)
            x.segment<3>(3 * k) = Vec3(1 + (k & 1), 2 + (k >> 1 & 1), 3 + (k >> 2));
        const int quads[6][4] = {{0, 2, 3, 1}, {0, 1, 5, 4}, {1, 3, 7, 5},
                                 {3, 2, 6, 7}, {2, 0, 4, 6}, {4, 5, 7, 6}};
        for (int f = 0; f < (open ? 5 : 6); ++f) {
            const int* q = quads[f];
            chamber.triangles.push_back({q[0], q[1], q[2]});
            chamber.triangles.push_back({q[0], q[2], q[3]});
        }
        // The rim as its side walls run along it.
        if (open) chamber.holes.push_back({4, 6, 7, 5});
    }
};

double energy_of(const ChamberPressure& term, const VecX& x)
{
    Sink sink;
    term.evaluate(x, {true, false, false, Psd::exact}, sink);
    return sink.energy;
}

VecX gradient_of(const ChamberPressure& term, const VecX& x)
{
    VecX g = VecX::Zero(x.size());
    Sink sink;
    sink.gradient = &g;
    term.evaluate(x, {false, true, false, Psd::exact}, sink);
    return g;
}

const GasLaw laws[] = {{GasLaw::Model::constant, 300, 1, 101325, 0},
                       {GasLaw::Model::gas, 300, 0.8, 1000, 0},
                       {GasLaw::Model::gas, 300, 30, 1000, 0}, // squeezed below V_0 / 20
                       {GasLaw::Model::volume, 0, 1.3, 101325, 500}};

/// Blown up, squeezed, inside out, nearly flat; turned at random and a bit crumpled.
std::vector<VecX> box_states(const Box& box, Random& random)
{
    std::vector<VecX> all;
    for (const Vec3& s :
         {Vec3(1.4, 1.2, 1.3), Vec3(0.6, 0.5, 0.7), Vec3(1.1, 0.9, -0.8), Vec3(1.2, 1, 1e-3)}) {
        VecX x = box.x;
        for (Eigen::Index i = 0; i < x.size(); i += 3)
            x.segment<3>(i) = s.cwiseProduct(box.x.segment<3>(i) - Vec3(1, 2, 3));
        x += 0.1 * std::abs(s[2]) * random.vector(x.size());
        all.push_back(moved(x, random.rotation(), Vec3(random.vector(3))));
    }
    return all;
}

} // namespace

TEST(ChamberPressure, VolumeOfABoxWithAndWithoutItsLid)
{
    for (const bool open : {false, true}) {
        const Box box(open);
        EXPECT_NEAR(chamber_volume(box.chamber, box.x), 1, 1e-12);
        Random random(2);
        const VecX moved_box = moved(box.x, random.rotation(), random.vector(3));
        EXPECT_NEAR(chamber_volume(box.chamber, moved_box), 1, 1e-12);
    }
}

TEST(ChamberPressure, GasLawsAreDerivativesOfTheirEnergies)
{
    for (const GasLaw& law : laws)
        for (const double V : {-0.5, 0.3, 1.0, 2.0}) {
            const VecX at = VecX::Constant(1, V);
            const auto energy = [&](const VecX& v) { return gas_energy(law, v[0]); };
            const auto pressure = [&](const VecX& v) {
                return VecX::Constant(1, gas_pressure(law, v[0]));
            };
            const double scale = 1 + std::abs(gas_pressure(law, V));
            EXPECT_NEAR(fd_gradient(energy, at, 1e-3)[0], -gas_pressure(law, V), 1e-7 * scale);
            EXPECT_NEAR(fd_jacobian(pressure, at, 1e-3)(0, 0), -gas_stiffness(law, V),
                        1e-6 * (1 + gas_stiffness(law, V)));
            EXPECT_GE(gas_stiffness(law, V), 0);
        }
    EXPECT_NEAR(gas_pressure(laws[1], 0.8), 300, 1e-9);  // at V_0
    EXPECT_NEAR(gas_pressure(laws[1], 0.4), 1600, 1e-9); // Boyle: half the volume, twice the air
}

TEST(ChamberPressure, GradientMatchesFiniteDifferences)
{
    Random random(5);
    for (const bool open : {false, true})
        for (const GasLaw& law : laws) {
            const Box box(open);
            ChamberPressure term({box.chamber});
            term.set_laws({law});
            for (const VecX& x : box_states(box, random)) {
                const auto energy = [&](const VecX& y) { return energy_of(term, y); };
                const VecX g = gradient_of(term, x);
                EXPECT_LT((g - fd_gradient(energy, x, 1e-3)).norm(), 1e-7 * (1 + g.norm()));
            }
        }
}

TEST(ChamberPressure, ErrorOfDifferencesFallsWithTheSquareOfTheStep) // V2
{
    Random random(8);
    const Box box(false);
    for (const GasLaw& law : laws) {
        ChamberPressure term({box.chamber});
        term.set_laws({law});
        for (const VecX& x : box_states(box, random)) {
            const VecX p = random.vector(x.size());
            const double slope = gradient_of(term, x).dot(p);
            const auto error = [&](double h) {
                return (energy_of(term, x + h * p) - energy_of(term, x - h * p)) / (2 * h) - slope;
            };
            const double coarse = error(0.01), fine = error(0.005);
            if (std::abs(coarse) > 1e-7 * (1 + std::abs(slope))) {
                EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
            }
        }
    }
}

TEST(ChamberPressure, RigidMotionLeavesTheEnergy)
{
    Random random(9);
    for (const bool open : {false, true})
        for (const GasLaw& law : laws) {
            const Box box(open);
            ChamberPressure term({box.chamber});
            term.set_laws({law});
            for (const VecX& x : box_states(box, random)) {
                const Mat3 R = random.rotation();
                const VecX y = moved(x, R, Vec3(random.vector(3)));
                const VecX g = gradient_of(term, x);
                EXPECT_NEAR(energy_of(term, y), energy_of(term, x),
                            1e-11 * (1 + std::abs(energy_of(term, x))));
                EXPECT_LT((gradient_of(term, y) - moved(g, R, Vec3::Zero())).norm(),
                          1e-11 * (1 + g.norm()));
            }
        }
}

TEST(ChamberPressure, ForcesOfAClosedChamberBalance)
{
    Random random(6);
    for (const bool open : {false, true}) {
        const Box box(open);
        ChamberPressure term({box.chamber});
        term.set_laws({laws[0]});
        const VecX x = box.x + 0.2 * random.vector(24), g = gradient_of(term, x);
        EXPECT_LT(force_and_torque(x, g).norm(), 1e-10 * 300);
    }
}

TEST(ChamberPressure, RankOnePartIsTheHessianWithoutCurvatureOfTheVolume)
{
    Random random(7);
    const Box box(false);
    ChamberPressure term({box.chamber});
    const GasLaw law = laws[1];
    term.set_laws({law});
    const VecX x = box.x + 0.1 * random.vector(24);
    std::vector<RankOne> parts;
    VecX g = VecX::Zero(24);
    Sink sink;
    sink.gradient = &g;
    sink.scale = 0.5;
    sink.rank_one = &parts;
    term.evaluate(x, {true, true, true, Psd::clamp}, sink);
    ASSERT_EQ(parts.size(), 1u);

    // The full Hessian of E(V(x)) is that plus E′ ∇²V.
    const auto volume_gradient = [&](const VecX& y) {
        VecX v = VecX::Zero(24);
        add_volume_gradient(box.chamber, y, 1, v);
        return v;
    };
    const MatX full = fd_jacobian([&](const VecX& y) { return gradient_of(term, y); }, x, 1e-3);
    const MatX curvature =
        -gas_pressure(law, chamber_volume(box.chamber, x)) * fd_jacobian(volume_gradient, x, 1e-3);
    const VecX& u = parts[0].vector;
    EXPECT_LT(
        relative_error(MatX(parts[0].scale * u * u.transpose()), MatX(0.5 * (full - curvature))),
        1e-6);
    EXPECT_GT(parts[0].scale, 0);
}
