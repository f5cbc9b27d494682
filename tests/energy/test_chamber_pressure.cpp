#include "core/energy/chamber_pressure.h"

#include "tests/energy/law_checks.h"
#include "tests/energy/term_checks.h"
#include "tests/support/eigenvalues.h"

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

/// E″ ∇V ∇Vᵀ and the sparse part together.
MatX hessian_of(const ChamberPressure& term, const VecX& x, Psd psd)
{
    const auto pattern = make_pattern(int(x.size() / 3), {&term.stencils()});
    const ScatterMap map(term.stencils(), *pattern);
    BlockMatrix sparse(pattern);
    sparse.set_zero();
    std::vector<RankOne> parts;
    Sink sink;
    sink.hessian = &sparse;
    sink.scatter = &map;
    sink.rank_one = &parts;
    term.evaluate(x, {false, false, true, psd}, sink);
    MatX H = sparse.dense();
    for (const RankOne& r : parts) H += r.scale * r.vector * r.vector.transpose();
    return H;
}

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

TEST(ChamberPressure, DerivativesMatchFiniteDifferences)
{
    Random random(5);
    for (const bool open : {false, true})
        for (const GasLaw& law : laws) {
            const Box box(open);
            ChamberPressure term({box.chamber}, 8);
            term.set_laws({law});
            for (const VecX& x : box_states(box, random)) {
                const auto energy = [&](const VecX& y) { return energy_of(term, y); };
                const auto gradient = [&](const VecX& y) { return gradient_of(term, y); };
                const VecX g = gradient(x);
                EXPECT_LT((g - fd_gradient(energy, x, 1e-3)).norm(), 1e-7 * (1 + g.norm()));
                if (open) continue;
                const MatX H = hessian_of(term, x, Psd::exact);
                EXPECT_LT(relative_error(H, fd_jacobian(gradient, x, 1e-3)), 1e-7);
            }
        }
}

TEST(ChamberPressure, ErrorOfDifferencesFallsWithTheSquareOfTheStep) // V2
{
    Random random(8);
    const Box box(false);
    for (const GasLaw& law : laws) {
        ChamberPressure term({box.chamber}, 8);
        term.set_laws({law});
        for (const VecX& x : box_states(box, random)) {
            if (law.model == GasLaw::Model::gas && law.volume < 1 &&
                std::abs(chamber_volume(box.chamber, x) - 0.05 * law.volume) < 0.1)
                continue; // the third derivative jumps where the gas law is continued
            check_element_slope(
                x, 0.01, random, [&](const VecX& y) { return energy_of(term, y); },
                [&](const VecX& y) { return gradient_of(term, y); },
                [&](const VecX& y) { return hessian_of(term, y, Psd::exact); });
        }
    }
}

TEST(ChamberPressure, RigidMotionLeavesTheEnergy)
{
    Random random(9);
    for (const bool open : {false, true})
        for (const GasLaw& law : laws) {
            const Box box(open);
            ChamberPressure term({box.chamber}, 8);
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

namespace
{
/// How far below zero the eigenvalues of the clamp, and of what it adds to the exact Hessian, lie.
Vec2 lowest_eigenvalues(int count, unsigned seed)
{
    Random random(seed);
    Vec2 lowest = Vec2::Zero();
    for (int i = 0; i < count; ++i) {
        const bool open = i % 8 == 0; // its exact Hessian has to be differenced
        const Box box(open);
        ChamberPressure term({box.chamber}, 8);
        term.set_laws({laws[i / 8 % 4]});
        const VecX x = box.x + (i % 3 ? 0.2 : 1.0) * random.vector(24);
        const MatX clamped = hessian_of(term, x, Psd::clamp);
        const MatX exact =
            open ? fd_jacobian([&](const VecX& y) { return gradient_of(term, y); }, x, 1e-3)
                 : hessian_of(term, x, Psd::exact);
        const double unit = clamped.norm();
        lowest = lowest.cwiseMin(
            Vec2(min_eigenvalue(clamped), min_eigenvalue(MatX(clamped - exact))) / unit);
    }
    return lowest;
}
} // namespace

TEST(ChamberPressure, ClampIsPsdAndNotBelowTheExactOne)
{
    EXPECT_GE(lowest_eigenvalues(200, 10).minCoeff(), -1e-9);
}

TEST(ChamberPressureFull, ClampIsPsdAndNotBelowTheExactOne)
{
    EXPECT_GE(lowest_eigenvalues(100000, 11).minCoeff(), -1e-9);
}

TEST(ChamberPressure, ForcesOfAClosedChamberBalance)
{
    Random random(6);
    for (const bool open : {false, true}) {
        const Box box(open);
        ChamberPressure term({box.chamber}, 8);
        term.set_laws({laws[0]});
        const VecX x = box.x + 0.2 * random.vector(24), g = gradient_of(term, x);
        EXPECT_LT(force_and_torque(x, g).norm(), 1e-10 * 300);
    }
}
