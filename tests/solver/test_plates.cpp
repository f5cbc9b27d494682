// Plates against the continuum: large sag of a cantilever, the engineering tables of end shear and
// end moment, lateral buckling under own weight, rolling to a cylinder.
#include "tests/solver/plates.h"

#include <Eigen/Eigenvalues>

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// H/W of a strip under its own weight, Γ = ρ g L³/D, nearly inextensible.
double sag_ratio(double Gamma, int cells, BendingModel model = BendingModel::shape)
{
    Plate p;
    p.cells = cells;
    p.width = 2 * p.cell();
    p.model = model;
    p.stretch = 1e4 * (1 + 2 * Gamma); // stretches by 2.5e-5 under its own weight
    StaticPlate s(p);
    for (double f = std::min(1.0, 3 / Gamma); f < 1; f *= 1.8)
        s.relax(s.weight({0, 0, -Gamma * f}), 0, 1);
    s.relax(s.weight({0, 0, -Gamma}));
    const Vec3 tip = s.tip();
    return -tip[2] / (p.length + tip[0]);
}

/// Γ* at which a plate on edge, clamped at one short side, tips over under its own weight.
double buckling_load(double ratio, double poisson, int cells, int across)
{
    Plate p;
    p.cells = cells;
    p.across = across;
    p.width = ratio;
    p.poisson = poisson;
    p.stretch = 1e7;
    StaticPlate s(p);
    const MatX bending = s.out_of_plane_stiffness();
    const double Gamma = 1; // well below, so that the pre-buckled state is stable and linear
    s.relax(s.weight({0, -Gamma, 0}), 0, 1);
    const MatX geometric = (s.out_of_plane_stiffness() - bending) / Gamma;
    // (bending + Γ geometric) v = 0 with the smallest positive Γ.
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> eigen(-geometric, bending,
                                                               Eigen::EigenvaluesOnly);
    return 1 / eigen.eigenvalues().maxCoeff();
}

/// value/expected within `tolerance` of 1, and in the test's report.
void expect_ratio(const std::string& name, double value, double expected, double tolerance)
{
    EXPECT_NEAR(value / expected, 1, tolerance) << name;
    testing::Test::RecordProperty(name, std::to_string(value / expected));
}

/// Load as a part of the full one, and where the tip is then.
struct Load {
    double fraction, U, W;
};

} // namespace

TEST(Plates, CantileverSagsAsTheElastica)
{
    expect_ratio("Gamma_5", sag_ratio(5, 64), 0.58572, 0.01);
}

TEST(PlatesFull, CantileverSagsAsTheElastica)
{
    const double table[][2] = {{0.1, 0.01250}, {1, 0.12456}, {2, 0.24667}, {10, 1.0668},
                               {20, 1.8639},   {50, 3.7056}, {100, 5.8881}};
    for (const auto& [Gamma, ratio] : table)
        expect_ratio("Gamma_" + std::to_string(Gamma), sag_ratio(Gamma, 64), ratio, 0.01);
    expect_ratio("Gamma_1000", sag_ratio(1000, 128), 21.335, 0.01);
}

TEST(PlatesFull, SagConverges)
{
    double before = 1;
    for (const int cells : {8, 16, 32}) {
        const double error = std::abs(sag_ratio(20, cells) / 1.8639 - 1);
        EXPECT_LT(error, 0.5 * before) << cells;
        before = error;
    }
}

TEST(PlatesFull, HingesOnANarrowStripAreSofterByAFifth)
{
    // Where all diagonals run alike, a hinge across the strip sees κ11 + κ12 and the diagonal −√2
    // κ12; a strip that is free to twist by κ12 = −κ11/5 stores 4/5 of the energy of the cylinder.
    EXPECT_NEAR(sag_ratio(0.8 * 5, 64, BendingModel::hinge) / 0.58572, 1, 0.02);
}

TEST(PlatesFull, EndShear)
{
    Plate p;
    p.length = 10, p.width = 1, p.cells = 64, p.across = 6;
    p.stretch = 1.2e5, p.rigidity = 100;
    StaticPlate s(p);
    const Load table[] = {
        {0.25, 0.563, 3.015}, {0.5, 1.604, 4.933}, {0.75, 2.541, 6.031}, {1, 3.286, 6.698}};
    for (const Load& l : table) {
        VecX force = VecX::Zero(s.x.size());
        for (int j = 0; j <= p.across; ++j)
            force[3 * p.point(p.cells, j) + 2] =
                4 * l.fraction * (j == 0 || j == p.across ? 0.5 : 1) / p.across;
        s.relax(force);
        expect_ratio("U_" + std::to_string(l.fraction), -s.tip()[0], l.U, 0.01);
        expect_ratio("W_" + std::to_string(l.fraction), s.tip()[2], l.W, 0.01);
    }
}

TEST(PlatesFull, EndMoment)
{
    Plate p;
    p.length = 12, p.width = 1, p.cells = 72, p.across = 6;
    p.planar = true; // a strip bent nearly to a ring has neighbours in space; stay in the plane
    p.stretch = 1.2e5, p.rigidity = 100;
    StaticPlate s(p);
    const VecX none = VecX::Zero(s.x.size());
    const Load table[] = {
        {0.25, 4.361, 7.639}, {0.5, 12.000, 7.639}, {0.75, 14.546, 2.546}, {1, 12.000, 0}};
    for (const Load& l : table) {
        for (int k = 7; k >= 0; --k)
            s.relax(none, (l.fraction - k / 32.0) * 50 * M_PI / 3, k > 0 ? 1 : 3);
        expect_ratio("U_" + std::to_string(l.fraction), -s.tip()[0], l.U, 0.01);
        if (l.W != 0) {
            expect_ratio("W_" + std::to_string(l.fraction), s.tip()[2], l.W, 0.01);
        } else { // a whole ring ends where it began: 1 % of the largest W on the way
            EXPECT_NEAR(s.tip()[2], 0, 0.01 * 7.639) << l.fraction;
        }
    }
}

TEST(Plates, LateralBucklingOfANarrowPlate)
{
    expect_ratio("narrow_0", buckling_load(0.1, 0, 48, 6), 19.35, 0.03);
    expect_ratio("narrow_35", buckling_load(0.1, 0.35, 48, 6), 14.87, 0.03);
}

TEST(PlatesFull, LateralBuckling)
{
    expect_ratio("half_0", buckling_load(0.5, 0, 32, 16), 24.96, 0.03);
    expect_ratio("half_35", buckling_load(0.5, 0.35, 32, 16), 20.81, 0.03);
    expect_ratio("square_0", buckling_load(1, 0, 24, 24), 32.52, 0.03);
    expect_ratio("square_35", buckling_load(1, 0.35, 24, 24), 29.15, 0.03);
}

TEST(Plates, RolledToACylinderTheyStoreHalfDKappaSquaredPerArea)
{
    // A unit square with n columns of cells has n − 1 rows of bent edges: times n/(n−1) the energy
    // is ½ D κ² for all models (hinge constant k = D/6: 3kκ² per area).
    for (const BendingModel m :
         {BendingModel::hinge, BendingModel::hinge_angle, BendingModel::shape})
        for (const int n : {8, 16, 32, 64}) {
            Plate p;
            p.cells = n, p.across = n, p.rigidity = 3, p.model = m;
            p.length = 1 - 0.5 / n, p.width = 1; // the cells cover 1 m
            StaticPlate s(p);
            const double R = 200; // shallow: chords are arcs
            for (Eigen::Index i = 0; i < s.x.size(); i += 3) {
                const double a = s.x[i] / R;
                s.x.segment<3>(i) = Vec3(2 * R * std::sin(0.5 * a) * std::cos(0.5 * a), s.x[i + 1],
                                         -2 * R * std::sin(0.5 * a) * std::sin(0.5 * a));
            }
            EXPECT_NEAR(s.energy() * R * R / (0.5 * 3) * n / (n - 1), 1, 1e-3) << n;
        }
}
