#include "core/energy/link_spring.h"
#include "core/solver/integrator.h"
#include "core/solver/projected_newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

using namespace selvage;

namespace
{

constexpr double pi = 3.14159265358979323846;
using Complex = std::complex<double>;

/// An undamped unit mass on a spring, as the complex number x − i v/ω: the exact solution turns it
/// by ω per second and keeps its length.
class Oscillator
{
public:
    Oscillator(Integrator integrator, double frequency)
        : integrator_(integrator),
          omega_(2 * pi * frequency),
          spring_("spring", {0}, {1}, 1),
          potential_({&spring_}, VecX::Ones(1), VecX::Zero(1)),
          filter_(1)
    {
        const double k = omega_ * omega_;
        spring_.set_values({{{k, k, 0}, 0, Vec3::Zero(), Vec3::Zero()}});
        settings_.linear = "ldlt";
        state_.x = VecX::Unit(3, 0);
        state_.v = VecX::Zero(3);
    }

    /// Gives BDF-2 the exact step before the start, h_prev seconds ago.
    void remember_exactly(double h_prev)
    {
        state_.x_prev = std::cos(omega_ * h_prev) * VecX::Unit(3, 0);
        state_.v_prev = omega_ * std::sin(omega_ * h_prev) * VecX::Unit(3, 0);
        state_.h_prev = h_prev;
    }

    /// `steps` steps that add up to one second, alternating between h(1 + a) and h(1 − a).
    Complex run_a_second(int steps, double alternate = 0)
    {
        for (int i = 0; i < steps; ++i) step((1 + (i % 2 ? -alternate : alternate)) / steps);
        return {state_.x[0], -state_.v[0] / omega_};
    }

private:
    void step(double h)
    {
        const TimeScheme scheme = time_scheme(state_, h, integrator_);
        potential_.begin_step({0, h, h, scheme.h_eff, &state_.x, &state_.v, &scheme.x_star},
                              scheme.x_star + scheme.h_eff * scheme.v_star);
        VecX x = state_.x;
        Budget budget(settings_);
        minimise(potential_, {filter_, x}, x, h, 1e-12, settings_, scratch_, budget, NeverCancel());
        advance(state_, scheme, x, h);
    }

    Integrator integrator_;
    double omega_;
    LinkSpring<1> spring_;
    IncrementalPotential potential_;
    VertexFilter filter_;
    NewtonScratch scratch_;
    StepSettings settings_;
    State state_;
};

/// Amplitude kept per second once the start is forgotten.
double kept_per_second(Integrator integrator, double frequency, int steps)
{
    Oscillator o(integrator, frequency);
    const double first = std::abs(o.run_a_second(steps));
    return std::abs(o.run_a_second(steps)) / first;
}

} // namespace

// The amplitudes of specs: dynamic deformables, V16.
TEST(Integrator, DissipationOfBackwardEuler)
{
    EXPECT_NEAR(kept_per_second(Integrator::bdf1, 1, 240), 0.92107, 5e-6);
    EXPECT_NEAR(kept_per_second(Integrator::bdf1, 2, 240), 0.7200, 5e-5);
    EXPECT_NEAR(kept_per_second(Integrator::bdf1, 4, 240), 0.2701, 5e-5);
    EXPECT_NEAR(kept_per_second(Integrator::bdf1, 8, 240), 0.0058, 5e-5);
    EXPECT_NEAR(kept_per_second(Integrator::bdf1, 1, 24), 0.45135, 5e-6);
}

TEST(Integrator, DissipationOfBdf2)
{
    EXPECT_NEAR(kept_per_second(Integrator::bdf2, 1, 240), 0.99997, 5e-6);
    EXPECT_NEAR(kept_per_second(Integrator::bdf2, 2, 240), 0.99955, 5e-6);
    EXPECT_NEAR(kept_per_second(Integrator::bdf2, 4, 240), 0.99300, 5e-6);
    EXPECT_NEAR(kept_per_second(Integrator::bdf2, 8, 240), 0.90115, 5e-6);
    EXPECT_NEAR(kept_per_second(Integrator::bdf2, 1, 24), 0.97620, 5e-6);
}

TEST(Integrator, Bdf2IsSecondOrderWithConstantAndAlternatingSteps)
{
    for (const double alternate : {0.0, 0.3}) {
        const auto error = [&](int steps) {
            Oscillator o(Integrator::bdf2, 1);
            o.remember_exactly((1 - alternate) / steps);
            return std::abs(o.run_a_second(steps, alternate) - 1.0); // one whole turn
        };
        EXPECT_NEAR(error(120) / error(240), 3.98, 0.02) << alternate;
        EXPECT_NEAR(error(240) / error(480), 3.99, 0.02) << alternate;
    }
}

TEST(Integrator, TheFirstStepWithoutHistoryIsBackwardEuler)
{
    State s;
    s.x = VecX::LinSpaced(3, 1, 3);
    s.v = VecX::LinSpaced(3, 4, 6);
    const TimeScheme scheme = time_scheme(s, 0.1, Integrator::bdf2);
    EXPECT_EQ(scheme.h_eff, 0.1);
    EXPECT_EQ(scheme.x_star, s.x);
}
