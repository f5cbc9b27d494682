#include "core/bench/autodiff.h"
#include "core/bench/plain_forces.h"
#include "core/bench/plain_solids.h"
#include "core/energy/arap_membrane.h"
#include "core/energy/arap_solid.h"
#include "core/energy/chamber_pressure.h"
#include "core/energy/neo_hookean.h"
#include "core/energy/sink.h"
#include "core/energy/stable_neo_hookean.h"
#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"

#include <Eigen/SVD>
#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr double ulp = std::numeric_limits<double>::epsilon();

/// A triangle with its rest shape, and a strained state well away from cancellation.
struct Membrane {
    Vec9 rest, x;
    Vec3 warp;
    MembraneTriangle triangle;

    explicit Membrane(Random& random)
    {
        rest << 0, 0, 0, 1 + 0.2 * random(), 0.2 * random(), 0, 0.3 + 0.3 * random(),
            0.9 + 0.2 * random(), 0;
        warp = Vec3(random(), random(), 0);
        triangle =
            membrane_triangle(rest.segment<3>(0), rest.segment<3>(3), rest.segment<3>(6), warp);
        x = 1.3 * rest + 0.2 * random.vector(9);
    }
};

/// Largest normwise difference of gradients and Hessians, in ulp.
template <int N>
double difference(const Dual2<N>& d, const Eigen::Matrix<double, N, 1>& g,
                  const Eigen::Matrix<double, N, N>& H)
{
    return std::max(relative_error(g, d.gradient), relative_error(H, d.hessian)) / ulp;
}

} // namespace

TEST(Autodiff, OperatorsMatchFiniteDifferences)
{
    using std::atan2, std::exp, std::log, std::sqrt, std::tan;
    const auto formula = [](const auto& a, const auto& b, const auto& c) {
        return atan2(a * b - c, exp(-b) + 1.0) * log(a + b * b) / sqrt(c) + tan(a / c);
    };
    const Vec3 x(0.7, 0.4, 1.3);
    const auto v = variables<3>(x);
    const Dual2<3> d = formula(v[0], v[1], v[2]);
    const auto value = [&](const VecX& y) { return formula(y[0], y[1], y[2]); };
    const auto gradient = [&](const VecX& y) {
        const auto w = variables<3>(Vec3(y));
        return VecX(formula(w[0], w[1], w[2]).gradient);
    };
    EXPECT_DOUBLE_EQ(d.value, value(x));
    EXPECT_LT(relative_error(d.gradient, fd_gradient(value, x, 5e-3)), 1e-9);
    EXPECT_LT(relative_error(d.hessian, fd_jacobian(gradient, x, 5e-3)), 1e-9);
}

TEST(Autodiff, MembranesAgreeToFewUlp) // K6
{
    const NeoHookeanMembrane::Moduli neo = neo_hookean_membrane_moduli(1000, 0.3);
    const BaraffWitkinModuli cloth{1000, 700, 300};
    const MembraneModuli woven{1000, 600, 250, 0.3};
    const OrthotropicConstants k = orthotropic_constants(woven);
    Random random(1);
    const PlainFabric fabric{FabricCurve::from_pull({{0.1, 100}, {0.4, 700}}, "warp"),
                             FabricCurve::from_pull({{0.2, 150}, {0.5, 600}}, "weft"),
                             FabricCurve::from_shear({{0.1, 30}, {0.3, 150}}, "shear"), 0.2};
    const SplineMembrane spline(fabric.warp, fabric.weft, fabric.shear, fabric.poisson);
    double worst[5] = {0, 0, 0, 0, 0};
    for (int i = 0; i < 200; ++i) {
        const Membrane m(random);
        const auto x = variables<9>(m.x);
        const auto& t = m.triangle;
        const StvkTriangle s = stvk_triangle(m.rest.segment<3>(0), m.rest.segment<3>(3),
                                             m.rest.segment<3>(6), m.warp, k);
        worst[0] = std::max(worst[0], difference<9>(plain_stvk_membrane(x, t, woven),
                                                    stvk_membrane_gradient(m.x, s),
                                                    stvk_membrane_hessian(m.x, s, Psd::exact)));
        worst[1] = std::max(
            worst[1], difference<9>(plain_neo_hookean_membrane(x, t, neo),
                                    membrane_gradient<NeoHookeanMembrane>(m.x, t, neo),
                                    membrane_hessian<NeoHookeanMembrane>(m.x, t, neo, Psd::exact)));
        worst[2] = std::max(
            worst[2],
            difference<9>(plain_baraff_witkin(x, t, cloth),
                          membrane_gradient<BaraffWitkinMembrane>(m.x, t, cloth),
                          membrane_hessian<BaraffWitkinMembrane>(m.x, t, cloth, Psd::exact)));
        worst[3] = std::max(
            worst[3],
            difference<9>(plain_spline_membrane(x, t, fabric),
                          membrane_gradient<SplineMembrane>(m.x, t, {}, spline),
                          membrane_hessian<SplineMembrane>(m.x, t, {}, Psd::exact, spline)));
        worst[4] = std::max(
            worst[4], difference<9>(plain_arap_membrane(x, t, 1000),
                                    membrane_gradient<ArapMembrane>(m.x, t, {1000}),
                                    membrane_hessian<ArapMembrane>(m.x, t, {1000}, Psd::exact)));
    }
    // Few ulp per operation; strains and squashed triangles cancel a digit or two.
    for (const double w : worst) EXPECT_LT(w, 200);
    RecordProperty("stvk_ulp", std::to_string(worst[0]));
    RecordProperty("neo_hookean_ulp", std::to_string(worst[1]));
    RecordProperty("baraff_witkin_ulp", std::to_string(worst[2]));
    RecordProperty("spline_ulp", std::to_string(worst[3]));
    RecordProperty("arap_ulp", std::to_string(worst[4]));
}

namespace
{

/// A tetrahedron with its rest shape, and a strained state; inverted where `turned` < 0.
struct StrainedTet {
    Vec12 rest, x;
    TetRest tet;

    explicit StrainedTet(Random& random, double turned = 1)
    {
        rest << 0, 0, 0, 1, 0.1, 0, 0.2, 0.9, 0, 0.1, 0.2, 1.1;
        rest += 0.1 * random.vector(12);
        tet = tet_rest(rest.segment<3>(0), rest.segment<3>(3), rest.segment<3>(6),
                       rest.segment<3>(9));
        const Mat3 F = random.rotation() * Vec3(1.4, 1.1, 0.7 * turned).asDiagonal();
        x = moved(rest, F, Vec3(random.vector(3))) + 0.1 * random.vector(12);
    }
};

/// The largest difference of a law from its formula, in ulp, over random tetrahedra.
template <class Law, class Formula>
double solid_difference(const typename Law::Moduli& m, const Formula& formula, double turned = 1)
{
    Random random(7);
    double worst = 0;
    for (int i = 0; i < 100; ++i) {
        const StrainedTet t(random, turned);
        worst = std::max(worst, difference<12>(formula(variables<12>(t.x), t.tet),
                                               tet_gradient<Law>(t.x, t.tet, m),
                                               tet_hessian<Law>(t.x, t.tet, m, Psd::exact)));
    }
    return worst;
}

} // namespace

TEST(Autodiff, SumOfStretchesIsThatOfTheSingularValues)
{
    Random random(3);
    for (int i = 0; i < 100; ++i) {
        const StrainedTet t(random, i % 2 ? 1 : -1);
        const auto F = plain_gradient(variables<12>(t.x), t.tet);
        const Mat3 A = deformation_gradient(t.x, t.tet);
        const Vec3 s = A.jacobiSvd().singularValues();
        const double expected = s[0] + s[1] + (A.determinant() < 0 ? -s[2] : s[2]);
        EXPECT_NEAR(plain_stretch_sum(F).value, expected, 1e-13 * s[0]);
    }
}

TEST(Autodiff, SolidsAgreeToFewUlp)
{
    // Singular values and their frames cost the kernels a digit or two.
    const Lame k = lame(1e5, 0.4);
    const FixedCorotational::Moduli corotational{k.lambda, k.mu};
    const StvkSolid::Moduli stvk{k.lambda, k.mu};
    const StableMooneyRivlin::Moduli rubber{0.3 * k.mu, 0.2 * k.mu, k.lambda};
    const StableArrudaBoyce::Moduli chains{k.mu, 0.1, 0.01, k.lambda};
    const StableFung::Moduli skin{k.mu, 0.4 * k.mu, 0.5, k.lambda};
    const FiberModuli fiber{Vec3(1, 2, 3), k.mu};
    using X = std::array<Dual2<12>, 12>;
    const auto expect_near = [](const char* name, double ulps) {
        EXPECT_LT(ulps, 200) << name;
        testing::Test::RecordProperty(name, std::to_string(ulps));
    };
    for (const double turned : {1.0, -1.0}) {
        if (turned > 0)
            expect_near("neo_hookean_solid",
                        solid_difference<NeoHookean>({k.lambda, k.mu}, [&](const X& x, auto& t) {
                            return plain_neo_hookean(x, t, k.lambda, k.mu);
                        }));
        expect_near(
            "stable_neo_hookean",
            solid_difference<StableNeoHookean>(
                {k.lambda, k.mu},
                [&](const X& x, auto& t) { return plain_stable_neo_hookean(x, t, k.lambda, k.mu); },
                turned));
        expect_near(
            "fixed_corotational",
            solid_difference<FixedCorotational>(
                corotational,
                [&](const X& x, auto& t) { return plain_fixed_corotational(x, t, corotational); },
                turned));
        expect_near(
            "arap_solid",
            solid_difference<ArapSolid>(
                {k.mu}, [&](const X& x, auto& t) { return plain_arap_solid(x, t, k.mu); }, turned));
        expect_near(
            "stvk_solid",
            solid_difference<StvkSolid>(
                stvk, [&](const X& x, auto& t) { return plain_stvk_solid(x, t, stvk); }, turned));
        expect_near("mooney_rivlin",
                    solid_difference<StableMooneyRivlin>(
                        rubber,
                        [&](const X& x, auto& t) { return plain_mooney_rivlin(x, t, rubber); },
                        turned));
        expect_near("arruda_boyce",
                    solid_difference<StableArrudaBoyce>(
                        chains,
                        [&](const X& x, auto& t) { return plain_arruda_boyce(x, t, chains); },
                        turned));
        expect_near("fung",
                    solid_difference<StableFung>(
                        skin, [&](const X& x, auto& t) { return plain_fung(x, t, skin); }, turned));
        expect_near(
            "fiber_sqrt",
            solid_difference<FiberSqrt>(
                fiber, [&](const X& x, auto& t) { return plain_fiber(x, t, fiber); }, turned));
    }
    expect_near("fiber_arap", solid_difference<FiberArap>(fiber, [&](const X& x, auto& t) {
                    return plain_fiber(x, t, fiber);
                }));
}

TEST(Autodiff, LimitsAgreeToFewUlp)
{
    const StrainLimitLaw::Moduli any{100, 3};
    const DirectionalLimitLaw::Moduli each = directional_limit({1000, 600, 250, 0.3}, 2, 2, 3);
    Random random(4);
    double worst[2] = {0, 0};
    for (int i = 0; i < 200; ++i) {
        Membrane m(random);
        // Principal stretches apart: the formula, not the kernel, loses digits where they are
        // equal.
        m.x = moved(m.rest, Vec3(1.7, 1.1, 1).asDiagonal(), Vec3::Zero()) + 0.1 * random.vector(9);
        const auto x = variables<9>(m.x);
        const auto& t = m.triangle;
        worst[0] = std::max(
            worst[0], difference<9>(plain_strain_limit(x, t, any),
                                    membrane_gradient<StrainLimitLaw>(m.x, t, any),
                                    membrane_hessian<StrainLimitLaw>(m.x, t, any, Psd::exact)));
        worst[1] = std::max(
            worst[1],
            difference<9>(plain_directional_limit(x, t, each),
                          membrane_gradient<DirectionalLimitLaw>(m.x, t, each),
                          membrane_hessian<DirectionalLimitLaw>(m.x, t, each, Psd::exact)));
    }
    for (const double w : worst) EXPECT_LT(w, 200);
    RecordProperty("strain_limit_ulp", std::to_string(worst[0]));
    RecordProperty("directional_limit_ulp", std::to_string(worst[1]));
}

TEST(Autodiff, ForcesAgreeToFewUlp)
{
    const SolidViscosities viscous{30, 20};
    Random random(5);
    for (int i = 0; i < 100; ++i) {
        const StrainedTet t(random), before(random);
        const SolidLag lag{40, green_strain(before.x, t.tet)};
        EXPECT_LT(difference<12>(plain_solid_viscosity(variables<12>(t.x), t.tet, viscous, lag),
                                 solid_viscosity_gradient(t.x, t.tet, viscous, lag),
                                 solid_viscosity_hessian(t.x, t.tet, viscous, lag, Psd::exact)),
                  200);

        const Vec9 x = random.vector(9), star = random.vector(9);
        const Vec3 wind = random.vector(3);
        const double h = 0.02;
        const Mat3 D = air_drag_matrix(x, {3, 1, 2}, AirProperties());
        EXPECT_LT(difference<9>(plain_air_drag(variables<9>(x), star, h, D, wind),
                                air_drag_gradient(x, star, h, D, wind), air_drag_hessian(h, D)),
                  200);

        const LinkLaw law{12, 5, 0.8};
        const Vec6 ends = random.vector(6);
        const Vec3 d = ends.head<3>() - ends.tail<3>(), g = link_gradient(d, law);
        const Mat3 H = link_hessian(d, law, Psd::exact);
        Vec6 gradient;
        Mat6 hessian;
        gradient << g, -g;
        hessian << H, -H, -H, H;
        EXPECT_LT(difference<6>(plain_link(variables<6>(ends), law), gradient, hessian), 200);

        Chamber chamber; // the tetrahedron's skin
        chamber.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
        ChamberPressure term({chamber}, 4);
        term.set_laws({{GasLaw::Model::constant, 300, 1, 101325, 0}});
        VecX pull = VecX::Zero(12), expected = VecX::Zero(12);
        Sink sink;
        sink.gradient = &pull;
        term.evaluate(t.x, {true, true, false, Psd::exact}, sink);
        double energy = 0;
        for (const Vec3i& v : chamber.triangles) {
            Vec9 corners;
            for (int c = 0; c < 3; ++c) corners.segment<3>(3 * c) = t.x.segment<3>(3 * v[c]);
            const Dual2<9> share = plain_pressure(variables<9>(corners), 300);
            energy += share.value;
            for (int c = 0; c < 3; ++c)
                expected.segment<3>(3 * v[c]) += share.gradient.segment<3>(3 * c);
        }
        EXPECT_NEAR(sink.energy, energy, 1e-12 * 300);
        EXPECT_LT((pull - expected).norm(), 1e-12 * 300);
    }
}
