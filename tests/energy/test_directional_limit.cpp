#include "core/energy/directional_limit.h"

#include "core/base/error.h"
#include "tests/energy/membrane_checks.h"
#include "tests/support/eigenvalues.h"

using namespace selvage;
using namespace selvage::test;

namespace
{

using Law = DirectionalLimitLaw;

/// Wide enough for strong deformation, and as narrow as measured fabrics.
const Law::Moduli wide{900, 700, 200, 150, 0.9, 0.7, 0.8},
    narrow{900, 700, 200, 150, 0.1, 0.05, 0.2};
const Law::Moduli unlimited{900, 700, 200, 150};

/// The deformation gradient of these strains, turned at random.
Mat32 strained(Random& random, double e_u, double e_v, double gamma)
{
    const double u = std::sqrt(1 + 2 * e_u), v2 = 1 + 2 * e_v, x = gamma / u;
    Mat32 F;
    F << u, x, 0, std::sqrt(v2 - x * x), 0, 0;
    return random.rotation() * F;
}

double energy(const Mat32& F, const Law::Moduli& m)
{
    return membrane_density<Law>(F, m, Psd::exact).energy;
}

/// The printed energy with η of squares and products of limits, E12 = γ/2 and G12 = 2G.
double printed(double e_u, double e_v, double gamma, const Law::Moduli& m)
{
    const auto eta = [](double z, double l) { return -l * std::log((l - z) / l); };
    const double E12 = gamma / 2, l12 = m.gamma / 2;
    return 0.5 * m.warp_stiffness * eta(e_u * e_u, m.warp * m.warp) +
           0.5 * m.weft_stiffness * eta(e_v * e_v, m.weft * m.weft) +
           m.mixed_stiffness * eta(e_u * e_v, m.warp * m.weft) +
           2 * m.shear * eta(E12 * E12, l12 * l12);
}

/// St. Venant–Kirchhoff with the same constants.
double elastic(double e_u, double e_v, double gamma, const Law::Moduli& m)
{
    return 0.5 * m.warp_stiffness * e_u * e_u + 0.5 * m.weft_stiffness * e_v * e_v +
           m.mixed_stiffness * e_u * e_v + 0.5 * m.shear * gamma * gamma;
}

} // namespace

TEST(DirectionalLimit, WithStVenantKirchhoffItIsThePrintedEnergy)
{
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const double e_u = 0.099 * random(), e_v = 0.0495 * random(), gamma = 0.19 * random();
        const double expected = printed(e_u, e_v, gamma, narrow);
        EXPECT_NEAR(energy(strained(random, e_u, e_v, gamma), narrow) +
                        elastic(e_u, e_v, gamma, narrow),
                    expected, 1e-11 * expected);
    }
}

TEST(DirectionalLimit, DerivativesMatchFiniteDifferences)
{
    Random random(2);
    const double states[][3] = {{0.6, 0.4, 0.5}, {0.3, -0.2, -0.6}, {-0.3, -0.4, 0.1},
                                {0.8, 0.0, 0.0}, {-0.4, 0.6, 0.2},  {0.02, -0.01, 0.03}};
    for (const auto& s : states)
        for (int i = 0; i < 5; ++i) {
            const VecX f = as_vector(strained(random, s[0], s[1], s[2]));
            const auto at = [&](const VecX& y) {
                return membrane_density<Law>(as_matrix(y), wide, Psd::exact);
            };
            const auto value = [&](const VecX& y) { return at(y).energy; };
            const auto stress = [&](const VecX& y) { return as_vector(at(y).stress); };
            EXPECT_LT(relative_error(as_vector(at(f).stress), fd_gradient(value, f, 1e-3)), 1e-7);
            EXPECT_LT(relative_error(at(f).hessian, fd_jacobian(stress, f, 1e-3)), 1e-7);
        }
}

TEST(DirectionalLimit, ErrorOfDifferencesFallsWithTheSquareOfTheStep) // V2
{
    check_membrane_slope<Law>({900, 700, 200, 150, 1.2, 1.2, 1.2});
}

TEST(DirectionalLimit, RigidMotionCostsNothing)
{
    // It has no stiffness at rest, so the moduli are the measure.
    Random random(10);
    for (int i = 0; i < 1000; ++i) {
        const Mat3 R = random.rotation();
        EXPECT_NEAR(energy(R.leftCols<2>(), wide), 0, 1e-12 * 900);
        const Mat32 F = strained(random, 0.3 * random(), 0.3 * random(), 0.3 * random());
        const MembraneDensity a = membrane_density<Law>(F, wide, Psd::exact);
        const MembraneDensity b = membrane_density<Law>(R * F, wide, Psd::exact);
        EXPECT_NEAR(a.energy, b.energy, 1e-12 * 900);
        EXPECT_LT((R * a.stress - b.stress).norm(), 1e-11 * 900);
    }
}

TEST(DirectionalLimit, IsSilentAtRestAndWithoutLimits)
{
    Random random(3);
    for (int i = 0; i < 50; ++i) {
        const MembraneDensity rest =
            membrane_density<Law>(strained(random, 0, 0, 0), narrow, Psd::exact);
        EXPECT_NEAR(rest.energy, 0, 1e-12);
        EXPECT_LT(rest.stress.norm(), 1e-10);
        EXPECT_LT(rest.hessian.norm(), 1e-8);
        const Mat32 F = as_matrix(2 * random.vector(6));
        EXPECT_EQ(energy(F, unlimited), 0);
        EXPECT_EQ(membrane_density<Law>(F, unlimited, Psd::clamp).hessian.norm(), 0);
    }
}

TEST(DirectionalLimit, EachDirectionHasItsOwnLimitOnBothSides)
{
    Random random(4);
    const auto at = [&](double u, double v, double g) {
        return energy(strained(random, u, v, g), narrow);
    };
    for (const double sign : {1.0, -1.0}) {
        EXPECT_LT(at(sign * 0.0999, 0, 0), infinity);
        EXPECT_EQ(at(sign * 0.1001, 0, 0), infinity);
        EXPECT_LT(at(0, sign * 0.0499, 0), infinity);
        EXPECT_EQ(at(0, sign * 0.0501, 0), infinity);
        EXPECT_LT(at(0, 0, sign * 0.1999), infinity);
        EXPECT_EQ(at(0, 0, sign * 0.2001), infinity);
    }
    EXPECT_EQ(at(0.4, 0.4, 0), infinity); // beyond both
    Law::Moduli warp_only = narrow;
    warp_only.weft = warp_only.gamma = infinity;
    EXPECT_LT(energy(strained(random, 0.05, 1.5, 0.7), warp_only), infinity);
    EXPECT_EQ(energy(strained(random, 0.11, 0, 0), warp_only), infinity);
}

TEST(DirectionalLimit, ClampEqualsNumericalClamp)
{
    EXPECT_LT(worst_clamp_error<Law>(2000, 5, {900, 700, 200, 150, 30, 30, 30}), 1e-8);
}

TEST(DirectionalLimitFull, ClampEqualsNumericalClamp)
{
    EXPECT_LT(worst_clamp_error<Law>(100000, 6, {900, 700, 200, 150, 30, 30, 30}), 1e-8);
    Random random(7);
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
        const Mat32 F = strained(random, 0.099 * random(), 0.0495 * random(), 0.19 * random());
        const Mat6 exact = membrane_density<Law>(F, narrow, Psd::exact).hessian;
        const Mat6 clamped = membrane_density<Law>(F, narrow, Psd::clamp).hessian;
        worst = std::max(worst, (clamped - clamp_eigenvalues(exact)).norm() / exact.norm());
    }
    EXPECT_LT(worst, 1e-8);
}

TEST(DirectionalLimit, TermSumsElements)
{
    check_membrane_term<Law>({900, 700, 200, 150, 5, 5, 5});
}

TEST(DirectionalLimit, StepsEndWhereNineTenthsOfWhatWasLeftAreUsed)
{
    Random random(8);
    int cut = 0;
    for (int i = 0; i < 2000; ++i) {
        const Mat32 F = strained(random, 0.099 * random(), 0.0495 * random(), 0.19 * random());
        const Mat32 way = as_matrix(0.3 * random.vector(6));
        const double a = Law::longest_step(F, way, narrow);
        const auto used = [&](double step) { // the largest part of what a strain had left
            const Mat32 G = F + step * way;
            const auto part = [](double now, double then, double limit) {
                return (std::abs(then) - std::abs(now)) / (limit - std::abs(now));
            };
            const auto green = [](const Mat32& A, int c) {
                return 0.5 * (A.col(c).squaredNorm() - 1);
            };
            return std::max({part(green(F, 0), green(G, 0), narrow.warp),
                             part(green(F, 1), green(G, 1), narrow.weft),
                             part(F.col(0).dot(F.col(1)), G.col(0).dot(G.col(1)), narrow.gamma)});
        };
        EXPECT_LE(used(a), 0.9 + 1e-9);
        EXPECT_LT(energy(F + a * way, narrow), infinity);
        for (int k = 1; k < 8; ++k) EXPECT_LE(used(a * k / 8), 0.9 + 1e-9);
        if (a == 1) continue;
        ++cut;
        EXPECT_NEAR(used(a), 0.9, 1e-9);
    }
    EXPECT_GT(cut, 500);
}

TEST(DirectionalLimit, WidensOnlyWhatIsExceeded)
{
    Random random(9);
    Law::Moduli m = narrow;
    EXPECT_FALSE(Law::widen(strained(random, 0.09, -0.04, 0.1), m));
    EXPECT_TRUE(Law::widen(strained(random, 0.09, -0.3, 0.1), m));
    EXPECT_EQ(m.warp, narrow.warp);
    EXPECT_EQ(m.gamma, narrow.gamma);
    EXPECT_NEAR(m.weft, 0.303, 1e-12);
}

TEST(DirectionalLimit, TakesModuliAndLimitsOfStretch)
{
    const Law::Moduli m = directional_limit({300, 100, 40, 0.3}, 0.1, 0, 0.2);
    const OrthotropicConstants c = orthotropic_constants({300, 100, 40, 0.3});
    EXPECT_NEAR(m.warp_stiffness, c.lambda + 2 * c.mu + 2 * c.alpha + 2 * c.beta, 1e-10);
    EXPECT_NEAR(m.weft_stiffness, c.lambda + 2 * c.mu, 1e-10);
    EXPECT_NEAR(m.mixed_stiffness, c.lambda + c.alpha, 1e-10);
    EXPECT_NEAR(m.warp, 0.105, 1e-15); // (1.1² − 1)/2
    EXPECT_EQ(m.weft, infinity);
    EXPECT_EQ(m.gamma, 0.2);
    EXPECT_THROW(directional_limit({300, 100, 40, 2}, 0.1, 0, 0), InputError);
}
