#include "core/energy/link_spring.h"

#include "core/energy/sink.h"
#include "core/math/psd.h"
#include "tests/energy/law_checks.h"
#include "tests/support/eigenvalues.h"
#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// Energy, gradient and Hessian of a term with links between the vertices of x, densely.
template <int N> struct Evaluated {
    double energy = 0;
    VecX gradient;
    MatX hessian;

    Evaluated(const LinkSpring<N>& term, const VecX& x, Psd psd)
    {
        const auto pattern = make_pattern(int(x.size() / 3), {&term.stencils()});
        const ScatterMap map(term.stencils(), *pattern);
        BlockMatrix H(pattern);
        H.set_zero();
        gradient = VecX::Zero(x.size());
        Sink sink;
        sink.gradient = &gradient;
        sink.hessian = &H;
        sink.scatter = &map;
        term.evaluate(x, {true, true, true, psd}, sink);
        energy = sink.energy;
        hessian = H.dense();
    }
};

/// A term of one damped link in the middle of a step.
template <int N> struct OneLink {
    LinkSpring<N> term;
    VecX x_0, v_0, x_star;

    OneLink(std::vector<double> weights, double rest_length, double damping, Random& random)
        : term("link", vertices(), std::move(weights), N),
          x_0(random.vector(3 * N)),
          v_0(VecX::Zero(3 * N)),
          x_star(x_0 + 0.1 * random.vector(3 * N))
    {
        term.set_values({{{30, 20, rest_length}, damping, random.vector(3), random.vector(3)}});
        StepContext step;
        step.h = 0.02;
        step.h_eff = 0.015;
        step.x_0 = &x_0, step.v_0 = &v_0, step.x_star = &x_star;
        term.begin_step(step);
    }
    static std::vector<std::int32_t> vertices()
    {
        std::vector<std::int32_t> v;
        for (int i = 0; i < N; ++i) v.push_back(i);
        return v;
    }
};

template <int N> void expect_derivatives(std::vector<double> weights, unsigned seed)
{
    Random random(seed);
    for (const double rest_length : {0.0, 0.4, 3.0}) // pin, stretched, compressed
        for (const double damping : {0.0, 0.01}) {
            const OneLink<N> link(weights, rest_length, damping, random);
            const VecX x = random.vector(3 * N);
            const Evaluated<N> at(link.term, x, Psd::exact);
            const auto energy = [&](const VecX& y) {
                return Evaluated<N>(link.term, y, Psd::exact).energy;
            };
            const auto gradient = [&](const VecX& y) {
                return Evaluated<N>(link.term, y, Psd::exact).gradient;
            };
            EXPECT_LT(relative_error(at.gradient, fd_gradient(energy, x, 1e-3)), 1e-8);
            EXPECT_LT(relative_error(at.hessian, fd_jacobian(gradient, x, 1e-3)), 1e-8);
            EXPECT_GE(min_eigenvalue(Evaluated<N>(link.term, x, Psd::clamp).hessian), -1e-10);
        }
}

} // namespace

TEST(LinkSpring, DerivativesMatchFiniteDifferences)
{
    expect_derivatives<1>({1}, 1);
    expect_derivatives<2>({1, -1}, 2);
    expect_derivatives<4>({1, -0.2, -0.5, -0.3}, 3);
}

namespace
{
double worst_link_clamp_error(int count, unsigned seed)
{
    Random random(seed);
    double worst = 0;
    for (int i = 0; i < count; ++i) {
        const Vec3 d = random.vector(3);
        const LinkLaw law{10 + random(), 5 + random(), 0.8};
        const Mat3 exact = link_hessian(d, law, Psd::exact);
        const Mat3 clamped = link_hessian(d, law, Psd::clamp);
        worst = std::max(worst, (clamped - clamp_eigenvalues(exact)).norm() / exact.norm());
    }
    return worst;
}
} // namespace

TEST(LinkSpring, ClampIsThatOfTheEigenvalues) { EXPECT_LT(worst_link_clamp_error(200, 4), 1e-12); }
TEST(LinkSpringFull, ClampIsThatOfTheEigenvalues)
{
    EXPECT_LT(worst_link_clamp_error(100000, 5), 1e-12);
}

TEST(LinkSpring, ErrorOfDifferencesFallsWithTheSquareOfTheStep) // V2
{
    Random random(6);
    for (const double length : {1.7, 0.6, 0.05}) { // stretched, compressed, nearly a point
        const LinkLaw law{12, 5, 0.8};
        check_element_slope(
            length * Vec3(random.vector(3)).normalized(), 0.02 * length, random,
            [&](const VecX& d) { return link_energy(d, law); },
            [&](const VecX& d) { return link_gradient(d, law); },
            [&](const VecX& d) { return link_hessian(d, law, Psd::exact); });
    }
}

TEST(LinkSpring, StringsGoSlackAndStrutsLetGo)
{
    const Vec3 near(0.5, 0, 0), far(2, 0, 0);
    const LinkLaw string{10, 0, 1}, strut{0, 10, 1};
    EXPECT_EQ(link_energy(near, string), 0);
    EXPECT_NEAR(link_gradient(far, string)[0], 10, 1e-12);
    EXPECT_EQ(link_energy(far, strut), 0);
    EXPECT_NEAR(link_gradient(near, strut)[0], -5, 1e-12);
}

TEST(LinkSpring, AtZeroLengthEverythingIsFinite)
{
    const LinkLaw pin{10, 10, 0}, rod{10, 10, 1};
    EXPECT_EQ(link_gradient(Vec3::Zero(), pin), Vec3(Vec3::Zero()));
    EXPECT_EQ(link_hessian(Vec3::Zero(), pin, Psd::clamp), Mat3(10 * Mat3::Identity()));
    EXPECT_TRUE(link_gradient(Vec3::Zero(), rod).allFinite());
    EXPECT_TRUE(link_hessian(Vec3::Zero(), rod, Psd::clamp).allFinite());
}

TEST(LinkSpring, RigidMotionIsNeitherResistedNorDamped)
{
    // Two points with a rest length, turning about each other: damping sees no change of length.
    LinkSpring<2> term("link", {0, 1}, {1, -1}, 2);
    term.set_values({{{50, 50, 1}, 0.1, Vec3::Zero(), Vec3::Zero()}});
    VecX x_0(6), v_0 = VecX::Zero(6);
    x_0 << 0.5, 0, 0, -0.5, 0, 0;
    StepContext step;
    step.h = step.h_eff = 0.01;
    step.x_0 = step.x_star = &x_0;
    step.v_0 = &v_0;
    term.begin_step(step);
    const double angle = 1e-4;
    const Mat3 R = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
    const Evaluated<2> at(term, moved(x_0, R, {1, 2, 3}), Psd::exact);
    EXPECT_LT(at.gradient.norm(), 50 * 0.1 / 0.01 * angle * angle);
}

TEST(LinkSpring, TurningBothSidesTurnsTheForces)
{
    Random random(8);
    for (const double rest_length : {0.0, 0.4, 3.0})
        for (int i = 0; i < 20; ++i) {
            LinkSpring<4> term("link", {0, 1, 2, 3}, {1, -0.2, -0.5, -0.3}, 4);
            term.set_values({{{30, 20, rest_length}, 0, Vec3::Zero(), Vec3::Zero()}});
            const VecX x = random.vector(12);
            const Mat3 R = random.rotation();
            const Evaluated<4> a(term, x, Psd::exact),
                b(term, moved(x, R, Vec3(random.vector(3))), Psd::exact);
            EXPECT_NEAR(b.energy, a.energy, 1e-12 * (1 + a.energy));
            EXPECT_LT((b.gradient - moved(a.gradient, R, Vec3::Zero())).norm(), 1e-12 * 30);
            EXPECT_LT(force_and_torque(x, a.gradient).norm(), 1e-12 * 30);
        }
}

TEST(LinkSpring, DampingFollowsAMovingTarget)
{
    // A point that moves with its target feels nothing.
    LinkSpring<1> term("pin", {0}, {1}, 1);
    term.set_values({{{100, 100, 0}, 0.5, Vec3(0, 0, 0), Vec3(0.1, 0, 0)}});
    const VecX x_0 = VecX::Zero(3), v_0 = VecX::Zero(3);
    StepContext step;
    step.h = step.h_eff = 0.04;
    step.x_0 = step.x_star = &x_0;
    step.v_0 = &v_0;
    term.begin_step(step);
    const VecX with_it = Vec3(0.1, 0, 0), left_behind = Vec3(0, 0, 0);
    EXPECT_LT(Evaluated<1>(term, with_it, Psd::exact).gradient.norm(), 1e-12);
    EXPECT_GT(Evaluated<1>(term, left_behind, Psd::exact).gradient.norm(), 100 * 0.1);
}
