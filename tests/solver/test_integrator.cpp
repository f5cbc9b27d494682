#include "core/energy/point_spring.h"
#include "core/solver/integrator.h"
#include "core/solver/projected_newton.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace selvage;

namespace
{

constexpr double pi = 3.14159265358979323846;

/// A unit mass on a spring of the given frequency, started at 1 m: amplitude √(x² + (v/ω)²) after
/// one second in steps that alternate between h(1 + a) and h(1 − a).
double amplitude_after_a_second(Integrator integrator, double frequency, int steps,
                                double alternate = 0)
{
    const double omega = 2 * pi * frequency;
    PointSpring spring({0}, {omega * omega}, {Vec3::Zero()}, 1);
    IncrementalPotential potential({&spring}, VecX::Ones(1), VecX::Zero(1));
    const VertexFilter filter(1);
    NewtonScratch scratch;
    StepSettings settings;
    settings.integrator = integrator;
    settings.linear = "ldlt";

    State state;
    state.x = Vec3(1, 0, 0);
    state.v = VecX::Zero(3);
    for (int i = 0; i < steps; ++i) {
        const double h = (1 + (i % 2 ? -alternate : alternate)) / steps;
        const TimeScheme scheme = time_scheme(state, h, integrator);
        potential.begin_step({0, h, h, scheme.h_eff, &state.x, &state.v, &scheme.x_star},
                             scheme.x_star + scheme.h_eff * scheme.v_star);
        VecX x = state.x;
        minimise(potential, filter, x, h, 1e-9, settings, scratch, NeverCancel());
        advance(state, scheme, x, h);
    }
    return std::hypot(state.x[0], state.v[0] / omega);
}

} // namespace

TEST(Integrator, DissipationOfBackwardEuler)
{
    EXPECT_NEAR(amplitude_after_a_second(Integrator::bdf1, 1, 240), 0.92107, 1e-5);
    EXPECT_NEAR(amplitude_after_a_second(Integrator::bdf1, 2, 240), 0.7200, 1e-4);
    EXPECT_NEAR(amplitude_after_a_second(Integrator::bdf1, 4, 240), 0.2701, 1e-4);
    EXPECT_NEAR(amplitude_after_a_second(Integrator::bdf1, 8, 240), 0.0058, 1e-4);
    EXPECT_NEAR(amplitude_after_a_second(Integrator::bdf1, 1, 24), 0.45135, 1e-5);
}

// The first BDF-2 step has no history and is backward Euler; its loss is about (ωh)²/2.
TEST(Integrator, DissipationOfBdf2)
{
    const auto with_first_step = [](double tabulated, double frequency, int steps) {
        return tabulated / std::sqrt(1 + std::pow(2 * pi * frequency / steps, 2));
    };
    EXPECT_NEAR(amplitude_after_a_second(Integrator::bdf2, 1, 240),
                with_first_step(0.99997, 1, 240), 5e-4);
    EXPECT_NEAR(amplitude_after_a_second(Integrator::bdf2, 2, 240),
                with_first_step(0.99955, 2, 240), 2e-3);
    EXPECT_NEAR(amplitude_after_a_second(Integrator::bdf2, 4, 240),
                with_first_step(0.99300, 4, 240), 6e-3);
    EXPECT_NEAR(amplitude_after_a_second(Integrator::bdf2, 8, 240),
                with_first_step(0.90115, 8, 240), 2.5e-2);
    EXPECT_NEAR(amplitude_after_a_second(Integrator::bdf2, 1, 24), with_first_step(0.97620, 1, 24),
                4e-2);
}
