#include "core/base/error.h"
#include "core/energy/arap_solid.h"
#include "core/energy/batch_loop.h"
#include "core/energy/fiber_solid.h"
#include "core/energy/fixed_corotational.h"
#include "core/energy/neo_hookean.h"
#include "core/energy/stable_arruda_boyce.h"
#include "core/energy/stable_fung.h"
#include "core/energy/stable_mooney_rivlin.h"
#include "core/energy/stable_neo_hookean.h"
#include "core/energy/stvk_solid.h"
#include "core/energy/tet_evaluate.h"
#include "tests/energy/corotational.h"
#include "tests/energy/solid_checks.h"
#include "tests/support/eigenvalues.h"

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr double young = 1000, ratio = 0.4;

template <class Law> struct Sample;
template <> struct Sample<NeoHookean> {
    static NeoHookean::Moduli moduli()
    {
        const Lame k = lame(young, ratio);
        return {k.lambda, k.mu};
    }
};
template <> struct Sample<FixedCorotational> {
    static FixedCorotational::Moduli moduli()
    {
        const Lame k = lame(young, ratio);
        return {k.lambda, k.mu};
    }
};
template <> struct Sample<StvkSolid> {
    static StvkSolid::Moduli moduli()
    {
        const Lame k = lame(young, ratio);
        return {k.lambda, k.mu};
    }
};
template <> struct Sample<StableNeoHookean> {
    static StableNeoHookean::Moduli moduli() { return stable_neo_hookean_moduli(young, ratio); }
};
template <> struct Sample<ArapSolid> {
    static ArapSolid::Moduli moduli() { return {young}; }
};
template <> struct Sample<StableMooneyRivlin> {
    static StableMooneyRivlin::Moduli moduli()
    {
        const Lame k = lame(young, ratio);
        return {0.3 * k.mu, 0.2 * k.mu, k.lambda + 0.6 * k.mu};
    }
};
template <> struct Sample<StableArrudaBoyce> {
    static StableArrudaBoyce::Moduli moduli()
    {
        const Lame k = lame(young, ratio);
        const double b1 = 1.0 / 25, b2 = 11.0 / (175 * 25), mu = k.mu / (1 + 3 * b1 + 9 * b2);
        return {mu, b1, b2, k.lambda + mu * (1 + b1 - 3 * b2)};
    }
};
template <> struct Sample<StableFung> {
    static StableFung::Moduli moduli()
    {
        const Lame k = lame(young, ratio);
        const double mu1 = 1.5, gamma = 0.4 * k.mu, mu0 = k.mu - gamma * mu1 / 2;
        return {mu0, gamma, mu1, k.lambda + k.mu - gamma * mu1 * mu1 / 2};
    }
};
template <> struct Sample<FiberSqrt> {
    static FiberModuli moduli() { return {Vec3(1, 2, -0.5), young}; }
};
template <> struct Sample<FiberArap> {
    static FiberModuli moduli() { return {Vec3(1, 2, -0.5), young}; }
};

/// The batched term against the sum over its elements.
template <class Law> void check_term(const typename Law::Moduli& m)
{
    const TetMesh mesh = tet_block(2, 2, 1, 0.5);
    const int n = int(mesh.points.size());
    Random random(24);
    const VecX x = mesh.stacked() + 0.05 * random.vector(3 * n);
    const std::vector<TetRest> rest = mesh.rest();
    const TetTerm<Law> term(mesh.tets, rest, {m}, n);
    expect_equal_to_sum<4>(
        term, mesh.tets, x, all_clamped,
        [&](std::size_t t, const Vec12& p) { return tet_energy<Law>(p, rest[t], m); },
        [&](std::size_t t, const Vec12& p) { return tet_gradient<Law>(p, rest[t], m); },
        [&](std::size_t t, const Vec12& p) { return tet_hessian<Law>(p, rest[t], m, Psd::clamp); });
}

} // namespace

template <class Law> class Solid : public testing::Test
{
};
using Laws =
    testing::Types<NeoHookean, FixedCorotational, StvkSolid, StableNeoHookean, ArapSolid,
                   StableMooneyRivlin, StableArrudaBoyce, StableFung, FiberSqrt, FiberArap>;
TYPED_TEST_SUITE(Solid, Laws);

TYPED_TEST(Solid, DerivativesMatchFiniteDifferences)
{
    check_solid_derivatives<TypeParam>(Sample<TypeParam>::moduli());
    check_solid_slope<TypeParam>(Sample<TypeParam>::moduli());
}

TYPED_TEST(Solid, RotationsCostNothing)
{
    check_solid_invariance<TypeParam>(Sample<TypeParam>::moduli());
}

TYPED_TEST(Solid, ClampEqualsNumericalClamp)
{
    EXPECT_LT(worst_solid_clamp_error<TypeParam>(1000, 1, Sample<TypeParam>::moduli()), 1e-9);
}

TYPED_TEST(Solid, ElementForcesBalance)
{
    Random random(25);
    const TetRest rest = tet_rest({0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0}, {0.1, 0.2, 1.1});
    Vec12 still;
    still << 0, 0, 0, 1, 0.1, 0, 0.2, 0.9, 0, 0.1, 0.2, 1.1;
    const auto m = Sample<TypeParam>::moduli();
    for (int i = 0; i < 10; ++i) {
        const Vec12 x =
            moved(Vec12(still + 0.1 * random.vector(12)), random.rotation(), Vec3(1, 2, 3));
        const auto energy = [&](const VecX& p) { return tet_energy<TypeParam>(p, rest, m); };
        const auto gradient = [&](const VecX& p) { return tet_gradient<TypeParam>(p, rest, m); };
        const Vec12 g = gradient(x);
        EXPECT_LT(relative_error(g, fd_gradient(energy, x, 5e-3)), 1e-8);
        EXPECT_LT(relative_error(tet_hessian<TypeParam>(x, rest, m, Psd::exact),
                                 fd_jacobian(gradient, x, 5e-3)),
                  1e-8);
        EXPECT_LT(force_and_torque(x, g).norm(), 1e-12 * g.norm());
        const Mat12 H = tet_hessian<TypeParam>(x, rest, m, Psd::clamp);
        EXPECT_GE(min_eigenvalue(H), -1e-12 * H.norm());
    }
}

TYPED_TEST(Solid, TermEqualsSumOfElements) { check_term<TypeParam>(Sample<TypeParam>::moduli()); }

TYPED_TEST(Solid, FiniteWhereFlatOrReflected)
{
    if (TypeParam::injective) return;
    for (const Mat3& F : {Mat3(Vec3(1, 1, 0).asDiagonal()), Mat3(Vec3(1, 0, 0).asDiagonal()),
                          Mat3(Mat3::Zero()), Mat3(Vec3(1, 1, -1).asDiagonal())}) {
        const SolidDensity d = solid_density<TypeParam>(F, Sample<TypeParam>::moduli(), Psd::clamp);
        EXPECT_TRUE(std::isfinite(d.energy) && d.stress.allFinite() && d.hessian.allFinite());
        EXPECT_GE(min_eigenvalue(d.hessian), -1e-9 * d.hessian.norm());
    }
}

namespace
{
template <class... Law> void check_clamps(testing::Types<Law...>)
{
    for (const double worst : {worst_solid_clamp_error<Law>(100000, 2, Sample<Law>::moduli())...})
        EXPECT_LT(worst, 1e-8);
}
} // namespace

TEST(SolidsFull, ClampEqualsNumericalClamp) { check_clamps(Laws()); }

TEST(SolidSmallStrain, ModuliAreThoseAskedFor) // V11
{
    const auto expect = [](const Vec2& found, double nu) {
        EXPECT_NEAR(found[0], nu, 1e-10);
        EXPECT_NEAR(found[1], young, 1e-7);
    };
    expect(small_strain<NeoHookean>(Sample<NeoHookean>::moduli()), ratio);
    expect(small_strain<FixedCorotational>(Sample<FixedCorotational>::moduli()), ratio);
    expect(small_strain<StvkSolid>(Sample<StvkSolid>::moduli()), ratio);
    expect(small_strain<StableNeoHookean>(Sample<StableNeoHookean>::moduli()), ratio);
    expect(small_strain<StableMooneyRivlin>(Sample<StableMooneyRivlin>::moduli()), ratio);
    expect(small_strain<StableArrudaBoyce>(Sample<StableArrudaBoyce>::moduli()), ratio);
    expect(small_strain<StableFung>(Sample<StableFung>::moduli()), ratio);
    expect(small_strain<ArapSolid>(Sample<ArapSolid>::moduli()), 0);
    // Without the correction λ' = λ + μ: 1/6 instead of 0.30.
    const Lame k = lame(young, 0.3);
    EXPECT_NEAR(small_strain<StableNeoHookean>({k.lambda, k.mu})[0], 0.1667, 1e-4);
}

TEST(StableNeoHookeanLaw, TwistEigenvaluesUnderSquash) // V7
{
    const StableNeoHookean::Moduli m = stable_neo_hookean_moduli(1, 0.45);
    const double expected[][2] = {
        {1, 0}, {0.9, -0.345}, {0.5, -1.724}, {0, -3.448}, {-0.5, -5.172}};
    for (const auto& [s, twist] : expected) {
        const Mat9 H =
            solid_density<StableNeoHookean>(Vec3(1, 1, s).asDiagonal(), m, Psd::exact).hessian;
        Mat3 mode = Mat3::Zero();
        mode(1, 2) = M_SQRT1_2, mode(2, 1) = -M_SQRT1_2;
        const VecX t = vector9(mode);
        EXPECT_NEAR(t.dot(H * t), twist, 1e-3) << s;
        EXPECT_LT((H * t - t.dot(H * t) * t).norm(), 1e-12);
    }
}

TEST(ArapSolidLaw, IndefiniteWhereTwoStretchesSumToLessThanTwo) // V7
{
    Random random(26);
    for (int i = 0; i < 500; ++i) {
        Vec3 s(1 + 0.5 * random(), 1 + 0.5 * random(), 1 + 0.5 * random());
        std::sort(s.data(), s.data() + 3);
        const Mat9 H = solid_density<ArapSolid>(solid_state(random, s), {1}, Psd::exact).hessian;
        EXPECT_EQ(min_eigenvalue(H) < 0, s[0] + s[1] < 2);
    }
}

TEST(RotationGradient, EigenvaluesOfKnownStretches) // V3
{
    // dR/dF = (1 − H/μ) of ARAP; in the plane xy its eigenvalue is 2/(σ_x + σ_y).
    const auto eigenvalue = [](double a, double b) {
        const Mat9 H =
            solid_density<ArapSolid>(Vec3(a, b, 1).asDiagonal(), {1}, Psd::exact).hessian;
        Mat3 mode = Mat3::Zero();
        mode(0, 1) = -M_SQRT1_2, mode(1, 0) = M_SQRT1_2;
        const VecX t = vector9(mode);
        return t.dot(t - H * t);
    };
    EXPECT_NEAR(eigenvalue(2, 3), 0.4, 1e-12);
    EXPECT_NEAR(eigenvalue(2, 5), 2.0 / 7, 1e-12);
}

namespace
{
/// A law with every mixed derivative, for the eigensystem alone.
struct Mixed : IsotropicSolid<Mixed> {
    struct Moduli {
    };
    static constexpr std::string_view name = "mixed";
    static constexpr int numbers = 1;
    static constexpr bool uses_stretch = true, injective = false;
    static std::array<double, 1> pack(const Moduli&) { return {0}; }
    template <class T> static InvariantDerivatives<T> density(const SolidInvariants<T>& v, const T*)
    {
        InvariantDerivatives<T> d;
        const T I1 = v.I1, I2 = v.I2, I3 = v.I3;
        d.psi = I1 * I1 * I2 + I2 * I3 + I1 * I3 * I3 + T(0.3) * v.I4;
        d.p1 = T(2.0) * I1 * I2 + I3 * I3, d.p2 = I1 * I1 + I3, d.p3 = I2 + T(2.0) * I1 * I3;
        d.p4 = T(0.3);
        d.p11 = T(2.0) * I2, d.p12 = T(2.0) * I1, d.p13 = T(2.0) * I3;
        d.p23 = T(1.0), d.p33 = T(2.0) * I1;
        return d;
    }
};

/// ½‖F‖² + ½‖F⁻¹‖² (symmetric Dirichlet), or ½‖S − 1‖² + ½‖S⁻¹ − 1‖² (symmetric ARAP), up to a
/// constant. With q = ½(I1² − I2): tr S⁻¹ = q/J, ‖S⁻¹‖² = q²/J² − 2 I1/J.
template <bool arap> struct Symmetric : IsotropicSolid<Symmetric<arap>> {
    struct Moduli {
    };
    static constexpr std::string_view name = "symmetric";
    static constexpr int numbers = 1;
    static constexpr bool uses_stretch = true, injective = true;
    static std::array<double, 1> pack(const Moduli&) { return {0}; }
    template <class T> static InvariantDerivatives<T> density(const SolidInvariants<T>& v, const T*)
    {
        InvariantDerivatives<T> d;
        const T I1 = v.I1, J = v.I3, q = T(0.5) * (I1 * I1 - v.I2), c(arap ? 1.0 : 0.0);
        const T one(1.0), two(2.0), half(0.5), JJ = J * J;
        const T f_q = q / JJ - c / J, f_qJ = c / JJ - two * q / (JJ * J);
        d.psi = half * v.I2 - c * I1 + half * q * q / JJ - I1 / J - c * q / J;
        d.p1 = f_q * I1 - one / J - c, d.p2 = half - half * f_q;
        d.p3 = I1 / JJ + c * q / JJ - q * q / (JJ * J);
        d.p11 = I1 * I1 / JJ + f_q, d.p12 = -half * I1 / JJ, d.p22 = T(0.25) / JJ;
        d.p13 = f_qJ * I1 + one / JJ, d.p23 = -half * f_qJ;
        d.p33 = T(3.0) * q * q / (JJ * JJ) - two * (I1 + c * q) / (JJ * J);
        return d;
    }
};
} // namespace

TEST(IsotropicEigensystem, HoldsForAllMixedDerivatives) // V6
{
    check_solid_derivatives<Mixed>({}, 1e-7);
    EXPECT_LT(worst_solid_clamp_error<Mixed>(1000, 3, {}), 1e-9);
    check_solid_derivatives<Symmetric<false>>({}, 1e-7);
    check_solid_derivatives<Symmetric<true>>({}, 1e-7);
    EXPECT_LT(worst_solid_clamp_error<Symmetric<false>>(1000, 4, {}), 1e-8);
    EXPECT_LT(worst_solid_clamp_error<Symmetric<true>>(1000, 5, {}), 1e-8);
    const Corotational::Moduli k{900, 400};
    check_solid_derivatives<Corotational>(k, 1e-7);
    EXPECT_LT(worst_solid_clamp_error<Corotational>(1000, 6, k), 1e-8);
}

TEST(IsotropicEigensystem, HasTheTabulatedEigenvalues) // V6
{
    // Of the twist and flip in every plane, from formulas of each law by itself.
    const double lambda = 900, mu = 400;
    const auto expect = [&](auto law, const auto& m, const auto& twist, const auto& flip) {
        Random random(29);
        for (int i = 0; i < 200; ++i) {
            const Vec3 s = Vec3(1, 1, 1) + 0.8 * Vec3(random.vector(3));
            const Mat3 F = s.asDiagonal();
            const Mat9 H = solid_density<decltype(law)>(F, m, Psd::exact).hessian;
            for (int c = 0; c < 3; ++c) {
                const int a = (c + 1) % 3, b = (c + 2) % 3;
                for (const double sign : {-1.0, 1.0}) {
                    Mat3 mode = Mat3::Zero();
                    mode(a, b) = M_SQRT1_2, mode(b, a) = sign * M_SQRT1_2;
                    const VecX q = vector9(mode);
                    const double value =
                        sign < 0 ? twist(s[a], s[b], s[c]) : flip(s[a], s[b], s[c]);
                    EXPECT_LT((H * q - value * q).norm(), 1e-8 * H.norm()) << s.transpose();
                }
            }
        }
    };
    const auto trace = [](double a, double b, double c) { return a * a + b * b + c * c - 3; };
    expect(
        ArapSolid(), ArapSolid::Moduli{mu},
        [&](double a, double b, double) { return mu - 2 * mu / (a + b); },
        [&](double, double, double) { return mu; });
    expect(
        StvkSolid(), StvkSolid::Moduli{lambda, mu},
        [&](double a, double b, double c) {
            return -mu + lambda / 2 * trace(a, b, c) + mu * (a * a + b * b - a * b);
        },
        [&](double a, double b, double c) {
            return -mu + lambda / 2 * trace(a, b, c) + mu * (a * a + b * b + a * b);
        });
    expect(
        StableNeoHookean(), StableNeoHookean::Moduli{lambda, mu},
        [&](double a, double b, double c) { return mu + c * (lambda * (a * b * c - 1) - mu); },
        [&](double a, double b, double c) { return mu - c * (lambda * (a * b * c - 1) - mu); });
    expect(
        Corotational(), Corotational::Moduli{lambda, mu},
        [&](double a, double b, double c) {
            return 2 * mu + 2 * (lambda * (a + b + c - 3) - 2 * mu) / (a + b);
        },
        [&](double, double, double) { return 2 * mu; });
    expect(
        Symmetric<false>(), Symmetric<false>::Moduli(),
        [](double a, double b, double) {
            const double p = a * b;
            return 1 + 1 / (p * p) - (a * a + b * b) / (p * p * p);
        },
        [](double a, double b, double) {
            const double p = a * b;
            return 1 + 1 / (p * p) + (a * a + b * b) / (p * p * p);
        });
}

TEST(StableNeoHookeanLaw, UniaxialBar) // V10
{
    // Free sides: J = 1 + (μ/λ')(1 − 1/a), b = √(J/a), P/μ = a − J/a².
    const double expected[][5] = {{49, 2, 1.010204, 0.710705, 1.747449},
                                  {49, 0.5, 0.979592, 1.399708, -3.418367},
                                  {4, 2, 1.125, 0.75, 1.71875}};
    for (const auto& e : expected) {
        const double a = e[1], J = 1 + (1 - 1 / a) / e[0], b = std::sqrt(J / a);
        const Mat3 P =
            solid_density<StableNeoHookean>(Vec3(a, b, b).asDiagonal(), {e[0], 1}, Psd::exact)
                .stress;
        EXPECT_NEAR(J, e[2], 1e-6);
        EXPECT_NEAR(b, e[3], 1e-6);
        EXPECT_NEAR(P(1, 1), 0, 1e-12 * e[0]);
        EXPECT_NEAR(P(0, 0), e[4], 1e-6);
    }
}

TEST(StableNeoHookeanLaw, RestsAtFullSize) // V9
{
    const auto pressure = [](double s, const StableNeoHookean::Moduli& m) {
        return solid_density<StableNeoHookean>(s * Mat3::Identity(), m, Psd::exact).stress(0, 0);
    };
    for (const double nu : {0.1, 0.4, 0.45, 0.49, 0.495}) {
        const StableNeoHookean::Moduli m = stable_neo_hookean_moduli(young, nu);
        EXPECT_NEAR(pressure(1, m), 0, 1e-9);
        EXPECT_LT(pressure(0.99, m), 0);
        EXPECT_GT(pressure(1.01, m), 0);
    }
}

TEST(BadEnergies, WithoutItsLinearTermAFreeCubeShrinks) // V9
{
    // μ/2 (‖F‖² − 3) + λ/2 (J − 1)², what the stable law is without −μ(J − 1): its stress is that
    // law's plus μ cof F. At scale s of a free cube, μ s + λ (s³ − 1) s².
    const auto stress = [](double s, const Lame& k) {
        return solid_density<StableNeoHookean>(s * Mat3::Identity(), {k.lambda, k.mu}, Psd::exact)
                   .stress(0, 0) +
               k.mu * s * s;
    };
    // The largest root below 1; 0 where the cube collapses.
    const auto equilibrium = [&](double nu) {
        const Lame k = lame(young, nu);
        double below = 1;
        while (below > 0 && stress(below, k) > 0) below -= 1e-4;
        if (below <= 0) return 0.0;
        double low = below, high = below + 1e-4;
        for (int i = 0; i < 50; ++i) {
            const double middle = 0.5 * (low + high);
            (stress(middle, k) > 0 ? high : low) = middle;
        }
        return low;
    };
    const double table[][2] = {{0.40, 0.8968}, {0.45, 0.9598}, {0.49, 0.9931}, {0.495, 0.9966}};
    for (const auto& [nu, s] : table) EXPECT_NEAR(equilibrium(nu), s, 1e-4) << nu;
    EXPECT_EQ(equilibrium(0.3395), 0);
    EXPECT_GT(equilibrium(0.3397), 0.5);
}

TEST(BadEnergies, SentinelValues) // V5
{
    // ‖F‖² − 3 vanishes at diag(0, √1.5, √1.5) and is −3 at 0; the laws are positive there.
    const Mat3 F = Vec3(0, std::sqrt(1.5), std::sqrt(1.5)).asDiagonal();
    EXPECT_NEAR(F.squaredNorm() - 3, 0, 1e-14);
    EXPECT_GT(solid_density<StableNeoHookean>(F, {1, 1}, Psd::exact).energy, 0.5);
    EXPECT_GT(solid_density<ArapSolid>(F, {1}, Psd::exact).energy, 0.5);
    EXPECT_GT(solid_density<ArapSolid>(Mat3::Zero(), {1}, Psd::exact).energy, 1.4);
    // ‖F − 1‖² takes turning for strain.
    Random random(28);
    for (int i = 0; i < 100; ++i) {
        const Mat3 R = random.rotation();
        EXPECT_GT((R - Mat3::Identity()).squaredNorm(), 1e-3);
        EXPECT_NEAR(solid_density<ArapSolid>(R, {1}, Psd::exact).energy, 0, 1e-12);
    }
}

TEST(FiberLaws, ForceAlongTheFibre) // V12
{
    const FiberModuli m{Vec3::UnitX(), 3};
    for (double l = -1; l <= 3; l += 0.125) {
        if (l == 0) continue; // no direction; the next test goes there from both sides
        // Other axes stretched so that the fibre alone is inverted.
        const Mat3 F = Vec3(l, 1.5, 1.5).asDiagonal();
        EXPECT_NEAR(solid_density<FiberArap>(F, m, Psd::exact).stress(0, 0), 3 * (l - 1), 1e-10);
        EXPECT_NEAR(solid_density<FiberSqrt>(F, m, Psd::exact).stress(0, 0),
                    3 * (l - std::copysign(1, l)), 1e-10);
    }
}

TEST(FiberLaws, OnlyTheSquareRootHasAKinkAtZero) // V12
{
    const FiberModuli m{Vec3::UnitX(), 3};
    const auto jump = [&](auto law) {
        const auto force = [&](double l) {
            return solid_density<decltype(law)>(Vec3(l, 1.5, 1.5).asDiagonal(), m, Psd::exact)
                .stress(0, 0);
        };
        return force(1e-5) - force(-1e-5);
    };
    EXPECT_NEAR(jump(FiberArap()), 3 * 2e-5, 1e-10);
    EXPECT_NEAR(jump(FiberSqrt()), -6, 1e-4);
    EXPECT_NEAR(
        solid_density<FiberSqrt>(Vec3(-1, 1.5, 1.5).asDiagonal(), m, Psd::exact).stress(0, 0), 0,
        1e-10);
}

TEST(FirstInversion, KnownCrossings)
{
    const Mat3 I = Mat3::Identity();
    EXPECT_NEAR(first_inversion(I, -2 * I), 0.5, 1e-5); // a triple root: ∛ε is all there is
    EXPECT_LE(first_inversion(I, -2 * I), 0.5);
    EXPECT_EQ(first_inversion(I, -0.9 * I), infinity);
    EXPECT_EQ(first_inversion(I, 5 * I), infinity);
    EXPECT_NEAR(first_inversion(I, Vec3(-4, 0, 0).asDiagonal()), 0.25, 1e-14);
    // J = (1 − 2α)(1 − 4α) crosses twice: the first counts, though J(1) > 0.
    EXPECT_NEAR(first_inversion(I, Vec3(-2, -4, 0).asDiagonal()), 0.25, 1e-14);
    EXPECT_EQ(first_inversion(I, Mat3::Zero()), infinity);
    Random random(27);
    for (int i = 0; i < 20000; ++i) {
        const Mat3 F = solid_state(random, Vec3(1.2, 1, 0.3 + 0.2 * random()));
        const Mat3 dF = matrix3(3 * random.vector(9));
        const double a = first_inversion(F, dF), end = std::min(a, 1.0);
        for (int k = 0; k < 50; ++k)
            ASSERT_GT((F + end * (k + 0.5) / 50 * dF).determinant(), -1e-12) << a;
        if (a <= 1) {
            ASSERT_LT(std::abs((F + a * dF).determinant()), 1e-11);
        }
    }
}

TEST(NeoHookeanLaw, StepsStopBeforeInversion)
{
    const TetMesh mesh = tet_block(1, 1, 1, 1);
    const TetTerm<NeoHookean> term(mesh.tets, mesh.rest(), {{1, 1}}, 8);
    const VecX x = mesh.stacked();
    EXPECT_NEAR(term.max_step(x, -2 * x), 0.8 * 0.5, 1e-5); // a triple root
    EXPECT_EQ(term.max_step(x, 0.5 * x), 1);
    Sink sink;
    VecX inverted = x;
    for (Eigen::Index i = 0; i < inverted.size(); i += 3) inverted[i] = -inverted[i];
    term.evaluate(inverted, {true, false, false, Psd::clamp}, sink);
    EXPECT_EQ(sink.energy, infinity);
    const TetTerm<StableNeoHookean> soft(mesh.tets, mesh.rest(), {{1, 1}}, 8);
    EXPECT_EQ(soft.max_step(x, -2 * x), 1);
}

TEST(TetRest, RefusesFlatAndReversedTetrahedra)
{
    EXPECT_THROW(tet_rest({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}), InputError);
    EXPECT_THROW(tet_rest({0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}), InputError);
    EXPECT_NEAR(tet_rest({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}).volume, 1.0 / 6, 1e-15);
    EXPECT_THROW(lame(1000, 0.5), InputError);
    EXPECT_THROW(lame(-1, 0.3), InputError);
}
