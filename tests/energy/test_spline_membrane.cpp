#include "core/energy/spline_membrane.h"

#include "core/base/error.h"
#include "core/energy/stvk_membrane.h"
#include "tests/energy/membrane_checks.h"

using namespace selvage;
using namespace selvage::test;

namespace
{

/// Soft while the crimp straightens, then stiff: engineering strain, force per width [N/m].
double warp_force(double e) { return 60 * e + 9000 * e * e * e; }
double weft_force(double e) { return 25 * e + 1500 * e * e; }
/// Sine of the shear angle, its conjugate force per width [N/m].
double shear_force(double gamma) { return 8 * gamma + 60 * gamma * gamma * gamma; }

std::vector<Vec2> samples(double (*force)(double), double last, int count)
{
    std::vector<Vec2> s;
    for (int i = 1; i <= count; ++i) s.push_back({last * i / count, force(last * i / count)});
    return s;
}

SplineMembrane measured()
{
    return {FabricCurve::from_pull(samples(warp_force, 0.3, 12), "warp"),
            FabricCurve::from_pull(samples(weft_force, 0.4, 12), "weft"),
            FabricCurve::from_shear({{0.1, 1}, {0.3, 4}, {0.6, 20}}, "shear"), 0.2};
}

/// Force per width of a pull along an axis (0 warp, 1 weft) with free sides, and the stretch
/// across.
Vec2 pull(const SplineMembrane& law, double stretch, int axis,
          const SplineMembrane::Moduli& painted = {})
{
    double across = 1;
    for (int i = 0; i < 60; ++i) { // secant on the lateral stress
        const auto lateral = [&](double s) {
            Mat32 F = Mat32::Zero();
            F(axis, axis) = stretch, F(1 - axis, 1 - axis) = s;
            return membrane_density<SplineMembrane>(F, painted, Psd::exact, law)
                .stress(1 - axis, 1 - axis);
        };
        const double f = lateral(across), d = (lateral(across + 1e-7) - f) / 1e-7;
        across -= f / d;
    }
    Mat32 F = Mat32::Zero();
    F(axis, axis) = stretch, F(1 - axis, 1 - axis) = across;
    return {membrane_density<SplineMembrane>(F, painted, Psd::exact, law).stress(axis, axis),
            across};
}

/// How far the strains of a state are from where the curves of `measured` change their cubic: eight
/// pieces between samples, and the origin.
double distance_to_knots(const Mat32& F)
{
    double distance = infinity;
    const auto add = [&](double strain, double knot) {
        distance = std::min(distance, std::abs(strain - knot));
    };
    const double last[] = {0.3, 0.4};
    for (int axis = 0; axis < 2; ++axis)
        for (int k = 0; k <= 12 * 8; ++k) {
            const double e = last[axis] * k / (12 * 8);
            add(0.5 * (F.col(axis).squaredNorm() - 1), e * (1 + e / 2));
        }
    for (const double knot : {0.0, 0.1, 0.3, 0.6}) add(std::abs(F.col(0).dot(F.col(1))), knot);
    return distance;
}

} // namespace

TEST(SplineMembrane, ReproducesItsCurvesInAUniaxialPull)
{
    const SplineMembrane law = measured();
    for (const Vec2& s : samples(warp_force, 0.3, 12))
        EXPECT_NEAR(pull(law, 1 + s[0], 0)[0], s[1], 1e-9 * s[1]);
    // Between the samples too, against the functions that made them.
    for (double e = 0.026; e < 0.3; e += 0.0137)
        EXPECT_NEAR(pull(law, 1 + e, 0)[0], warp_force(e), 1e-3 * warp_force(0.3)) << e;
    for (double e = 0.04; e < 0.4; e += 0.0173)
        EXPECT_NEAR(pull(law, 1 + e, 1)[0], weft_force(e), 1e-3 * weft_force(0.4)) << e;
}

TEST(SplineMembrane, ReproducesItsCurveInSimpleShear)
{
    // F = 1 + γ e_x e_yᵀ: the force across the warp is the shear curve's, whatever the weft does.
    const SplineMembrane law(FabricCurve(100), FabricCurve(70),
                             FabricCurve::from_shear(samples(shear_force, 0.6, 12), "shear"), 0.2);
    const auto force = [&](double gamma) {
        Mat32 F;
        F << 1, gamma, 0, 1, 0, 0;
        return membrane_density<SplineMembrane>(F, {1}, Psd::exact, law).stress(1, 0);
    };
    for (const double sign : {1.0, -1.0}) {
        for (const Vec2& s : samples(shear_force, 0.6, 12))
            EXPECT_NEAR(sign * force(sign * s[0]) / s[1], 1, 1e-12) << s[0];
        // Between the samples: to 1e-3 of the largest force everywhere, and of each force itself
        // from the second sample on. Before it, where forces are tiny, the slope at the origin is
        // what three samples tell.
        for (double gamma = 0.0123; gamma < 0.6; gamma += 0.0123) {
            EXPECT_NEAR(sign * force(sign * gamma), shear_force(gamma), 1e-3 * shear_force(0.6));
            if (gamma > 0.1) {
                EXPECT_NEAR(sign * force(sign * gamma) / shear_force(gamma), 1, 1e-3) << gamma;
            }
        }
    }
}

TEST(SplineMembrane, PaintingScalesEachCurveByItself)
{
    const SplineMembrane law = measured();
    const auto response = [&](double e, double gamma, const SplineMembrane::Moduli& m) {
        return law.derivatives(e, 0, gamma, m);
    };
    const SplineMembrane::Moduli warp{3}, weft{1, 3}, shear{1, 1, 3};
    EXPECT_EQ(response(0, 0.25, shear).s01, 3 * response(0, 0.25, {}).s01);
    EXPECT_EQ(response(0, 0.25, warp).s01, response(0, 0.25, {}).s01);
    // Pulls with free sides, where Poisson's ratio of the other direction changes nothing.
    for (const double stretch : {1.05, 1.2}) {
        EXPECT_NEAR(pull(law, stretch, 0, warp)[0] / pull(law, stretch, 0)[0], 3, 1e-9);
        EXPECT_NEAR(pull(law, stretch, 0, weft)[0] / pull(law, stretch, 0)[0], 1, 1e-9);
        EXPECT_NEAR(pull(law, stretch, 1, weft)[0] / pull(law, stretch, 1)[0], 3, 1e-9);
        EXPECT_NEAR(pull(law, stretch, 1, warp)[0] / pull(law, stretch, 1)[0], 1, 1e-9);
        const double across = pull(law, stretch, 0, {1, 1, 1, 0.15})[1];
        EXPECT_NEAR((across * across - 1) / (stretch * stretch - 1), -0.35, 1e-9);
    }
}

TEST(SplineMembrane, ContractsAsPoissonsRatioSays)
{
    for (const double stretch : {1.05, 1.2, 1.3}) {
        const double across = pull(measured(), stretch, 0)[1];
        EXPECT_NEAR((across * across - 1) / (stretch * stretch - 1), -0.2, 1e-9);
    }
}

TEST(SplineMembrane, StraightCurvesAreOrthotropicStVenantKirchhoff)
{
    const MembraneModuli m{1700, 1000, 210, 0.4};
    const SplineMembrane law(FabricCurve(m.young_warp), FabricCurve(m.young_weft),
                             FabricCurve(m.shear), m.poisson);
    Random random(1);
    Vec9 rest;
    rest << 0, 0, 0, 1.1, 0.1, 0, 0.3, 0.9, 0;
    const Vec3 p0 = rest.segment<3>(0), p1 = rest.segment<3>(3), p2 = rest.segment<3>(6);
    const Vec3 warp(0.3, 0.7, 0);
    const MembraneTriangle t = membrane_triangle(p0, p1, p2, warp);
    const StvkTriangle s = stvk_triangle(p0, p1, p2, warp, orthotropic_constants(m));
    for (int i = 0; i < 20; ++i) {
        const Vec9 x = rest + 0.4 * random.vector(9);
        const double W = stvk_membrane_energy(x, s);
        EXPECT_NEAR(membrane_energy<SplineMembrane>(x, t, {1}, law), W, 1e-12 * W);
        EXPECT_LT(relative_error(membrane_gradient<SplineMembrane>(x, t, {1}, law),
                                 stvk_membrane_gradient(x, s)),
                  1e-12);
        EXPECT_LT(relative_error(membrane_hessian<SplineMembrane>(x, t, {1}, Psd::exact, law),
                                 stvk_membrane_hessian(x, s, Psd::exact)),
                  1e-12);
    }
}

TEST(SplineMembrane, DerivativesMatchFiniteDifferences)
{
    // The curves are C¹: differences must not straddle knots, so they are short here.
    const double h = 1e-5;
    const SplineMembrane law = measured();
    const SplineMembrane::Moduli painted{2, 0.7, 1.5, 0.1};
    Random random(2);
    int tested = 0;
    for (const Vec2& s : membrane_stretches())
        for (int i = 0; i < 5; ++i) {
            const VecX f = as_vector(membrane_state(random, s[0], s[1]));
            const auto energy = [&](const VecX& y) {
                return membrane_density<SplineMembrane>(as_matrix(y), painted, Psd::exact, law)
                    .energy;
            };
            const auto stress = [&](const VecX& y) {
                return as_vector(
                    membrane_density<SplineMembrane>(as_matrix(y), painted, Psd::exact, law)
                        .stress);
            };
            const MembraneDensity d =
                membrane_density<SplineMembrane>(as_matrix(f), painted, Psd::exact, law);
            EXPECT_LT(relative_error(as_vector(d.stress), fd_gradient(energy, f, h)), 1e-6);
            // The longest of the three differences of fd_jacobian takes 3 h.
            if (distance_to_knots(as_matrix(f)) <= 3 * h * f.norm() + 9 * h * h) continue;
            ++tested;
            EXPECT_LT(relative_error(d.hessian, fd_jacobian(stress, f, h)), 1e-7)
                << s.transpose() << " state " << i;
        }
    EXPECT_GE(tested, 38); // of 40: so few are that near to one of 200 knots
}

TEST(SplineMembrane, ErrorOfDifferencesFallsWithTheSquareOfTheStep) // V2
{
    // Between the knots of curves with few: stretched, compressed, nearly a line, turned over.
    const SplineMembrane law(FabricCurve::from_pull({{0.3, 40}, {0.9, 400}}, "warp"),
                             FabricCurve::from_pull({{0.9, 90}}, "weft"),
                             FabricCurve::from_shear({{0.9, 20}}, "shear"), 0.2);
    Random random(3);
    for (const Vec2& s : {Vec2(1.17, 1.43), Vec2(0.7, 0.6), Vec2(1.17, 0.02), Vec2(0.8, -0.6)}) {
        SCOPED_TRACE(testing::Message() << "threads " << s.transpose());
        Mat32 threads;
        threads << s[0], 0.4 * s[1], 0, s[1], 0, 0;
        const VecX f = as_vector(random.rotation() * threads), p = random.vector(6);
        check_slope(
            [&](double t) {
                return membrane_density<SplineMembrane>(as_matrix(f + t * p), {2}, Psd::exact, law);
            },
            as_vector, p, difference_step(s, 1e-2));
    }
}

TEST(SplineMembrane, RigidMotionCostsNothing)
{
    check_membrane_invariance<SplineMembrane>({1}, measured());
}
TEST(SplineMembrane, ClampEqualsNumericalClamp)
{
    EXPECT_LT(worst_clamp_error<SplineMembrane>(1000, 1, {1.5, 0.8, 2, 0.1}, measured()), 1e-10);
}
TEST(SplineMembraneFull, ClampEqualsNumericalClamp)
{
    EXPECT_LT(worst_clamp_error<SplineMembrane>(100000, 2, {1.5, 0.8, 2, 0.1}, measured()), 1e-8);
}
TEST(SplineMembrane, Term) { check_membrane_term<SplineMembrane>({1.3, 0.8, 2, 0.1}, measured()); }

TEST(SplineMembrane, RefusesCurvesThatGiveWay)
{
    EXPECT_THROW(FabricCurve::from_pull({{0.1, 5}, {0.2, 5}}, "warp"), InputError);
    EXPECT_THROW(FabricCurve::from_pull({{0.1, 5}, {0.5, 5.1}}, "warp"), InputError);
    EXPECT_THROW(FabricCurve::from_pull({}, "warp"), InputError);
    EXPECT_THROW(SplineMembrane(FabricCurve(10), FabricCurve(10), FabricCurve(0), 0.1), InputError);
    EXPECT_THROW(SplineMembrane(FabricCurve(10), FabricCurve(10), FabricCurve(1), 1), InputError);
}
