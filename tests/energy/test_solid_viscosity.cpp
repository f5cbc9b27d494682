#include "core/energy/solid_viscosity.h"

#include "tests/energy/law_checks.h"
#include "tests/energy/term_checks.h"
#include "tests/support/eigenvalues.h"
#include "tests/support/tet_block.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

const SolidViscosities viscosities{30, 20};

struct Tet {
    TetRest rest;
    Vec12 x_rest, x;
    SolidLag lag;

    explicit Tet(Random& random, double amount = 0.2)
    {
        x_rest << 0, 0, 0, 1, 0.1, 0, 0.2, 0.9, 0, 0.1, 0.2, 1.1;
        rest = tet_rest(x_rest.segment<3>(0), x_rest.segment<3>(3), x_rest.segment<3>(6),
                        x_rest.segment<3>(9));
        x = moved(Vec12(x_rest + amount * random.vector(12)), random.rotation(), Vec3(0, 0, 0));
        lag = {40, green_strain(x_rest + amount * random.vector(12), rest)};
    }
};

} // namespace

TEST(SolidViscosity, DerivativesMatchFiniteDifferences)
{
    Random random(1);
    for (const double amount : {0.02, 0.3, 1.0}) {
        const Tet t(random, amount);
        const auto energy = [&](const VecX& y) {
            return solid_viscosity_energy(y, t.rest, viscosities, t.lag);
        };
        const auto gradient = [&](const VecX& y) {
            return solid_viscosity_gradient(y, t.rest, viscosities, t.lag);
        };
        EXPECT_LT(relative_error(gradient(t.x), fd_gradient(energy, t.x, 1e-2)), 1e-8);
        EXPECT_LT(
            relative_error(solid_viscosity_hessian(t.x, t.rest, viscosities, t.lag, Psd::exact),
                           fd_jacobian(gradient, t.x, 1e-2)),
            1e-8);
    }
}

TEST(SolidViscosity, ErrorOfDifferencesFallsWithTheSquareOfTheStep) // V2
{
    // Strained, nearly flat, inside out.
    Random random(5);
    const Tet t(random, 0.2);
    for (const double height : {1.3, 0.6, 0.02, -0.7}) {
        Vec12 x = t.x_rest;
        for (int i = 2; i < 12; i += 3) x[i] *= height;
        check_element_slope(
            x, 0.02, random,
            [&](const VecX& p) { return solid_viscosity_energy(p, t.rest, viscosities, t.lag); },
            [&](const VecX& p) { return solid_viscosity_gradient(p, t.rest, viscosities, t.lag); },
            [&](const VecX& p) {
                return solid_viscosity_hessian(p, t.rest, viscosities, t.lag, Psd::exact);
            });
    }
}

namespace
{
void expect_clamp_is_psd_and_not_below_the_exact_one(int count, unsigned seed)
{
    Random random(seed);
    double lowest = 0, lowest_difference = 0;
    for (int i = 0; i < count; ++i) {
        const Tet t(random, i % 2 ? 0.1 : 1.0);
        const Mat12 exact = solid_viscosity_hessian(t.x, t.rest, viscosities, t.lag, Psd::exact);
        const Mat12 clamped = solid_viscosity_hessian(t.x, t.rest, viscosities, t.lag, Psd::clamp);
        lowest = std::min(lowest, min_eigenvalue(clamped) / exact.norm());
        lowest_difference =
            std::min(lowest_difference, min_eigenvalue(Mat12(clamped - exact)) / exact.norm());
    }
    EXPECT_GE(lowest, -1e-12);
    EXPECT_GE(lowest_difference, -1e-12);
}
} // namespace

TEST(SolidViscosity, ClampIsPsdAndNotBelowTheExactOne)
{
    expect_clamp_is_psd_and_not_below_the_exact_one(500, 2);
}
TEST(SolidViscosityFull, ClampIsPsdAndNotBelowTheExactOne)
{
    expect_clamp_is_psd_and_not_below_the_exact_one(100000, 6);
}

TEST(SolidViscosity, TurningCostsNothing)
{
    Random random(3);
    const Tet t(random);
    const SolidLag lag{40, green_strain(t.x, t.rest)};
    const Vec12 turned = moved(t.x, random.rotation(), Vec3(1, 2, 3));
    EXPECT_LT(solid_viscosity_energy(turned, t.rest, viscosities, lag), 1e-24);
    EXPECT_LT(solid_viscosity_gradient(turned, t.rest, viscosities, lag).norm(), 1e-10);
}

TEST(SolidViscosity, TermEqualsTheSumOfItsElements)
{
    const TetMesh mesh = tet_block(2, 2, 1, 0.5);
    const std::vector<TetRest> rest = mesh.rest();
    Random random(4);
    const VecX x = mesh.stacked() + 0.05 * random.vector(3 * Eigen::Index(mesh.points.size()));
    const VecX x_star = mesh.stacked() + 0.05 * random.vector(x.size());
    SolidViscosity term(mesh.tets, rest, {viscosities}, int(mesh.points.size()));
    StepContext step;
    step.h = step.h_eff = 0.02;
    step.x_star = &x_star;
    term.begin_step(step);
    const auto lag = [&](std::size_t e) {
        return SolidLag{50, green_strain(element_positions<4>(x_star, mesh.tets, e), rest[e])};
    };
    for (const Want want : {all_clamped, all_exact})
        expect_equal_to_sum<4>(
            term, mesh.tets, x, want,
            [&](std::size_t e, const Vec12& p) {
                return solid_viscosity_energy(p, rest[e], viscosities, lag(e));
            },
            [&](std::size_t e, const Vec12& p) {
                return solid_viscosity_gradient(p, rest[e], viscosities, lag(e));
            },
            [&](std::size_t e, const Vec12& p) {
                return solid_viscosity_hessian(p, rest[e], viscosities, lag(e), want.psd);
            });
}
