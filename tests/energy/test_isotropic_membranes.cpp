#include "core/base/error.h"
#include "core/energy/arap_membrane.h"
#include "core/energy/neo_hookean_membrane.h"
#include "core/energy/stvk_membrane.h"
#include "tests/energy/membrane_checks.h"

using namespace selvage;
using namespace selvage::test;

namespace
{
const NeoHookeanMembrane::Moduli neo_hookean = neo_hookean_membrane_moduli(1000, 0.3);
const ArapMembrane::Moduli arap{1000};
} // namespace

template <class Law> class IsotropicMembrane : public testing::Test
{
protected:
    static typename Law::Moduli moduli()
    {
        if constexpr (std::is_same_v<Law, ArapMembrane>)
            return arap;
        else
            return neo_hookean;
    }
};
template <class Law> class IsotropicMembraneFull : public IsotropicMembrane<Law>
{
};
using IsotropicLaws = testing::Types<NeoHookeanMembrane, ArapMembrane>;
TYPED_TEST_SUITE(IsotropicMembrane, IsotropicLaws);
TYPED_TEST_SUITE(IsotropicMembraneFull, IsotropicLaws);

TYPED_TEST(IsotropicMembrane, DerivativesMatchFiniteDifferences)
{
    check_membrane_derivatives<TypeParam>(this->moduli());
    check_membrane_slope<TypeParam>(this->moduli());
}
TYPED_TEST(IsotropicMembrane, RigidMotionCostsNothing)
{
    check_membrane_invariance<TypeParam>(this->moduli());
}
TYPED_TEST(IsotropicMembrane, ClampEqualsNumericalClamp)
{
    EXPECT_LT(worst_clamp_error<TypeParam>(1000, 1, this->moduli()), 1e-10);
}
TYPED_TEST(IsotropicMembraneFull, ClampEqualsNumericalClamp)
{
    EXPECT_LT(worst_clamp_error<TypeParam>(100000, 2, this->moduli()), 1e-8);
}
TYPED_TEST(IsotropicMembrane, ElementAndTerm)
{
    check_membrane_element<TypeParam>(this->moduli());
    check_membrane_term<TypeParam>(this->moduli());
}

TEST(NeoHookeanMembrane, SmallStrainIsPlaneStressElasticity)
{
    // In the plane, the Hessian at rest is that of an isotropic St. Venant–Kirchhoff membrane.
    const double Y = 1000, nu = 0.3;
    Vec9 rest;
    rest << 0, 0, 0, 1.1, 0.1, 0, 0.3, 0.9, 0;
    const Vec3 p0 = rest.segment<3>(0), p1 = rest.segment<3>(3), p2 = rest.segment<3>(6);
    const Mat9 H = membrane_hessian<NeoHookeanMembrane>(
        rest, membrane_triangle(p0, p1, p2, Vec3(1, 2, 0)), neo_hookean, Psd::exact);
    const Mat9 K =
        stvk_membrane_hessian(rest,
                              stvk_triangle(p0, p1, p2, Vec3(0, 1, 0),
                                            orthotropic_constants({Y, Y, Y / (2 * (1 + nu)), nu})),
                              Psd::exact);
    EXPECT_LT(relative_error(H, K), 1e-13);
}

TEST(NeoHookeanMembrane, CollapseToALineIsInfeasible)
{
    Mat32 line = Mat32::Zero();
    line(0, 0) = 1, line(0, 1) = 0.5;
    EXPECT_EQ(membrane_density<NeoHookeanMembrane>(line, neo_hookean, Psd::clamp).energy, infinity);
    line(1, 1) = 1e-8;
    const MembraneDensity d = membrane_density<NeoHookeanMembrane>(line, neo_hookean, Psd::clamp);
    EXPECT_TRUE(std::isfinite(d.energy) && d.stress.allFinite() && d.hessian.allFinite());
    EXPECT_GT(d.energy, 5e4);
}

TEST(NeoHookeanMembrane, RefusesImpossibleModuli)
{
    EXPECT_THROW(neo_hookean_membrane_moduli(0, 0.3), InputError);
    EXPECT_THROW(neo_hookean_membrane_moduli(1000, 1), InputError);
    EXPECT_THROW(membrane_triangle({0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 0}), InputError);
    EXPECT_THROW(membrane_triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), InputError);
}

TEST(ArapMembrane, FiniteEverywhere)
{
    Mat32 line = Mat32::Zero();
    for (const double b : {0.0, 1e-300, 1e-12}) {
        line(1, 1) = b;
        const MembraneDensity d = membrane_density<ArapMembrane>(line, arap, Psd::clamp);
        EXPECT_TRUE(std::isfinite(d.energy) && d.stress.allFinite() && d.hessian.allFinite());
        EXPECT_NEAR(d.energy, 1000, 1e-6);
        line(0, 0) = 0;
    }
}

TEST(MembraneTriangle, ColumnsAreTheImagesOfWarpAndWeft)
{
    Random random(3);
    Vec9 rest;
    rest << 0, 0, 0, 1.1, 0.1, 0, 0.3, 0.9, 0;
    const Vec3 warp(0.6, 0.8, 0), weft(-0.8, 0.6, 0);
    const MembraneTriangle t = membrane_triangle(rest.segment<3>(0), rest.segment<3>(3),
                                                 rest.segment<3>(6), warp + Vec3(0, 0, 0.5));
    EXPECT_NEAR(t.area, 0.5 * (1.1 * 0.9 - 0.1 * 0.3), 1e-15);
    const Mat3 A = Eigen::Map<const Mat3>(random.vector(9).data());
    const Mat32 F = deformation_gradient(moved(rest, A, Vec3(1, 2, 3)), t);
    EXPECT_LT((F.col(0) - A * warp).norm(), 1e-14);
    EXPECT_LT((F.col(1) - A * weft).norm(), 1e-14);
}
