#include "core/energy/baraff_witkin_membrane.h"

#include "tests/energy/membrane_checks.h"
#include "tests/support/eigenvalues.h"

using namespace selvage;
using namespace selvage::test;

namespace
{

const BaraffWitkinModuli moduli{1000, 700, 300};

/// Sum of the numerical clamps of stretch along warp, along weft and shear.
template <class Law> Mat6 clamped_by_term(const Mat32& F)
{
    Mat6 H = Mat6::Zero();
    for (const BaraffWitkinModuli& m :
         {BaraffWitkinModuli{moduli.warp, 0, 0}, BaraffWitkinModuli{0, moduli.weft, 0},
          BaraffWitkinModuli{0, 0, moduli.shear}})
        H += clamp_eigenvalues(membrane_density<Law>(F, m, Psd::exact).hessian);
    return H;
}

template <class Law> double clamp_error(int count, unsigned seed)
{
    return worst_clamp_error<Law>(count, seed, moduli, Law(), clamped_by_term<Law>);
}

Mat32 sheared(double degrees, double p = 1, double q = 1)
{
    const double a = degrees * M_PI / 180;
    Mat32 F;
    F << p, q * std::cos(a), 0, q * std::sin(a), 0, 0;
    return F;
}

} // namespace

template <class Law> class BaraffWitkin : public testing::Test
{
};
using Laws = testing::Types<BaraffWitkinMembrane, BaraffWitkin1998Membrane>;
TYPED_TEST_SUITE(BaraffWitkin, Laws);

TYPED_TEST(BaraffWitkin, DerivativesMatchFiniteDifferences)
{
    check_membrane_slope<TypeParam>(moduli);
    Random random(1);
    for (int i = 0; i < 20; ++i) { // threads between half and twice their length, any angle
        const Mat32 F = random.rotation() *
                        sheared(90 + 60 * random(), 1.25 + 0.75 * random(), 1.25 + 0.75 * random());
        const auto energy = [](const VecX& f) {
            return membrane_density<TypeParam>(as_matrix(f), moduli, Psd::exact).energy;
        };
        const auto stress = [](const VecX& f) {
            return as_vector(membrane_density<TypeParam>(as_matrix(f), moduli, Psd::exact).stress);
        };
        const MembraneDensity d = membrane_density<TypeParam>(F, moduli, Psd::exact);
        EXPECT_LT(relative_error(as_vector(d.stress), fd_gradient(energy, as_vector(F), 5e-3)),
                  1e-9);
        EXPECT_LT(relative_error(d.hessian, fd_jacobian(stress, as_vector(F), 5e-3)), 1e-9);
    }
}

TYPED_TEST(BaraffWitkin, RigidMotionCostsNothing) { check_membrane_invariance<TypeParam>(moduli); }

TYPED_TEST(BaraffWitkin, ClampEqualsNumericalClampOfEachPart)
{
    EXPECT_LT(clamp_error<TypeParam>(1000, 1), 1e-10);
}

TYPED_TEST(BaraffWitkin, ElementAndTerm)
{
    check_membrane_element<TypeParam>(moduli);
    check_membrane_term<TypeParam>(moduli);
}

TYPED_TEST(BaraffWitkin, FiniteWhereThreadsVanishOrMeet)
{
    for (const Mat32& F : {sheared(0), sheared(180), sheared(0, 1e-12, 1), sheared(90, 0, 1),
                           sheared(90, 0, 0), sheared(1e-7)}) {
        const MembraneDensity d = membrane_density<TypeParam>(F, moduli, Psd::clamp);
        EXPECT_TRUE(std::isfinite(d.energy) && d.stress.allFinite() && d.hessian.allFinite());
        EXPECT_GE(min_eigenvalue(d.hessian), -1e-9 * d.hessian.norm());
    }
}

TEST(BaraffWitkinFull, ClampEqualsNumericalClampOfEachPart)
{
    EXPECT_LT(clamp_error<BaraffWitkinMembrane>(100000, 2), 1e-8);
    EXPECT_LT(clamp_error<BaraffWitkin1998Membrane>(100000, 3), 1e-8);
}

namespace
{
/// How far below zero the eigenvalues of the clamp of all parts together, and of what it adds to
/// the exact Hessian, lie.
template <class Law> double lowest_of_clamp(int count, unsigned seed)
{
    Random random(seed);
    double lowest = 0;
    for (int i = 0; i < count; ++i) {
        const Mat32 F = i % 2 ? as_matrix(1.5 * random.vector(6))
                              : membrane_state(random, 1 + 0.1 * random(), 1 + 0.1 * random());
        const Mat6 exact = membrane_density<Law>(F, moduli, Psd::exact).hessian;
        const Mat6 clamped = membrane_density<Law>(F, moduli, Psd::clamp).hessian;
        lowest = std::min({lowest, min_eigenvalue(clamped) / exact.norm(),
                           min_eigenvalue(Mat6(clamped - exact)) / exact.norm()});
    }
    return lowest;
}
} // namespace

TYPED_TEST(BaraffWitkin, ClampOfTheWholeIsPsdAndNotBelowTheExactOne)
{
    EXPECT_GE(lowest_of_clamp<TypeParam>(1000, 4), -1e-12);
}

TEST(BaraffWitkinFull, ClampOfTheWholeIsPsdAndNotBelowTheExactOne)
{
    EXPECT_GE(lowest_of_clamp<BaraffWitkinMembrane>(100000, 5), -1e-12);
    EXPECT_GE(lowest_of_clamp<BaraffWitkin1998Membrane>(100000, 6), -1e-12);
}

TEST(BaraffWitkinShear, CosineShearIsBlindToStretch)
{
    const BaraffWitkinModuli shear{0, 0, 300};
    const auto energy = [&](double p, double q) {
        return membrane_density<BaraffWitkinMembrane>(sheared(70, p, q), shear, Psd::exact).energy;
    };
    const double c = std::cos(70 * M_PI / 180);
    EXPECT_NEAR(energy(1, 1), 150 * c * c, 1e-12);
    EXPECT_NEAR(energy(1.7, 0.6), energy(1, 1), 1e-12);
    const auto product = [&](double p, double q) {
        return membrane_density<BaraffWitkin1998Membrane>(sheared(70, p, q), shear, Psd::exact)
            .energy;
    };
    EXPECT_NEAR(product(1, 1), energy(1, 1), 1e-12);
    EXPECT_GT(product(1.5, 1), 2 * product(1, 1));
}

TEST(BaraffWitkinStretch, ForcePerWidthIsLinearInStretch)
{
    for (const double stretch : {0.5, 0.9, 1.1, 1.6}) {
        const Mat32 P =
            membrane_density<BaraffWitkinMembrane>(sheared(90, stretch, 1), moduli, Psd::exact)
                .stress;
        EXPECT_NEAR(P(0, 0), 1000 * (stretch - 1), 1e-10);
        EXPECT_NEAR((P - P(0, 0) * Mat32::Identity().cwiseProduct(sheared(90, 1, 0))).norm(), 0,
                    1e-10);
    }
}

TEST(BaraffWitkinShear, TransposedOffDiagonalBlocksAreCaught) // V13
{
    // Gauss–Newton shear matrix of an element, and the same with its off-diagonal blocks
    // transposed: still symmetric, rows still sum to zero, but indefinite.
    const Mat32 F = sheared(60, 1.2, 0.9);
    const Vec3 u = F.col(0).normalized(), v = F.col(1).normalized();
    const Vec3 a = (v - u.dot(v) * u) / F.col(0).norm(), b = (u - u.dot(v) * v) / F.col(1).norm();
    Vec9 gradient; // dC of a triangle with B = 1
    gradient.segment<3>(0) = -a - b;
    gradient.segment<3>(3) = a;
    gradient.segment<3>(6) = b;
    const Mat9 right = gradient * gradient.transpose();
    Mat9 wrong = right;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (i != j)
                wrong.block<3, 3>(3 * i, 3 * j) = right.block<3, 3>(3 * i, 3 * j).transpose();
    EXPECT_GE(min_eigenvalue(right), -1e-14);
    EXPECT_LT((wrong - wrong.transpose()).norm(), 1e-15);
    EXPECT_LT(min_eigenvalue(wrong), -0.1 * right.norm());
}
