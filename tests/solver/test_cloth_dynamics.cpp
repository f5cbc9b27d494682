#include "core/model/scene_terms.h"
#include "core/solver/incremental_potential.h"
#include "core/solver/integrator.h"
#include "core/solver/stepper.h"
#include "tests/support/cloth_scene.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace selvage;
using namespace selvage::test;

namespace
{

Vec3 momentum(const Scene& scene, const State& s)
{
    Vec3 p = Vec3::Zero();
    for (int i = 0; i < scene.vertex_count(); ++i) p += scene.mass[i] * s.v.segment<3>(3 * i);
    return p;
}

Vec3 angular_momentum(const Scene& scene, const State& s)
{
    Vec3 l = Vec3::Zero();
    for (int i = 0; i < scene.vertex_count(); ++i)
        l += scene.mass[i] * s.x.segment<3>(3 * i).cross(s.v.segment<3>(3 * i));
    return l;
}

double mechanical_energy(const Scene& scene, const State& s, double elastic)
{
    double e = elastic;
    for (int i = 0; i < scene.vertex_count(); ++i)
        e += scene.mass[i] * (0.5 * s.v.segment<3>(3 * i).squaredNorm() + 9.81 * s.x[3 * i + 1]);
    return e;
}

/// A strip so stiff in bending that it swings as one piece about its top edge.
SheetScene stiff_strip()
{
    SheetScene s;
    s.columns = 2;
    s.rows = 8;
    s.width = 0.1;
    s.height = 0.5;
    s.material = plain_material(0.5, /*young*/ 1e5, 0, /*bend*/ 50);
    return s;
}

/// Turned by `angle` about the top edge.
State turned(const SheetScene& s, double angle)
{
    State state = s.start();
    for (int p = 0; p < s.point_count(); ++p) {
        const double r = -state.x[3 * p + 1];
        state.x[3 * p + 1] = -r * std::cos(angle);
        state.x[3 * p + 2] = r * std::sin(angle);
    }
    return state;
}

double swing_angle(const SheetScene& s, const State& state)
{
    const int p = s.point(1, s.rows);
    return std::atan2(state.x[3 * p + 2], -state.x[3 * p + 1]);
}

/// So small and soft that steps of milliseconds resolve all that it does.
SheetScene swinging_cloth()
{
    SheetScene s;
    s.columns = s.rows = 4;
    s.width = s.height = 0.4;
    s.material = plain_material(0.2, /*young*/ 40, 0.3, /*bend*/ 1e-3);
    return s;
}

/// Of a quarter of a second [J].
struct EnergyAccount {
    double kinetic = 0;    ///< at the start
    double change = 0;     ///< of kinetic and potential energy
    double dissipated = 0; ///< by the viscosity of the material
    double work = 0;       ///< of the pins
};

/// A cloth that starts with a swing, its pins shaken across by `shake` [m].
EnergyAccount swung(const SheetScene& s, Integrator integrator, int steps, double shake)
{
    const auto scene = s.scene();
    SheetScene undamped = s;
    undamped.material.stretch_damping = undamped.material.shear_damping = 0;
    undamped.material.bend_damping = 0;
    const auto elastic_scene = undamped.scene();
    SceneTerms terms(*elastic_scene);
    IncrementalPotential elastic(terms.all(), elastic_scene->mass, elastic_scene->mass_damping);

    State state = s.start();
    for (int p = 0; p < s.point_count(); ++p) {
        const Vec3 x = state.x.segment<3>(3 * p);
        state.v[3 * p + 2] = -(1.5 + x[0]) * x[1] / s.height;
    }
    const double seconds = 0.25, h = seconds / steps;
    const Vec3 gravity(0, -9.81, 0), weight = scene->mass.sum() * gravity;
    const auto mechanical = [&] {
        return mechanical_energy(*scene, state, elastic.term_energy(state.x));
    };
    const auto shaken = [&](double t) {
        return shake * (1 - std::cos(2 * 3.14159265358979 * t / seconds));
    };
    StepSettings settings;
    settings.integrator = integrator;
    settings.tolerance = 1e-8;
    EnergyAccount account;
    account.kinetic = mechanical_energy(*scene, state, 0);
    const double before = mechanical();
    for (int p = 0; p < s.point_count(); ++p)
        account.kinetic -= 9.81 * scene->mass[p] * state.x[3 * p + 1];
    const auto stepper = make_stepper("barrier", scene);
    for (int i = 0; i < steps; ++i) {
        Drive drive = s.still(gravity);
        for (int k = 0; k <= s.columns; ++k) {
            drive.pin_target_0[3 * k + 2] = shaken(i * h);
            drive.pin_target_1[3 * k + 2] = shaken((i + 1) * h);
        }
        const Vec3 p_0 = momentum(*scene, state);
        const double h_eff = time_scheme(state, h, integrator).h_eff;
        const StepReport r = stepper->step(drive, state, h, settings, NeverCancel());
        EXPECT_TRUE(r.ok());
        // Viscous forces are linear in the strain's rate: power is twice their potential by h_eff.
        account.dissipated += 2 * h / h_eff * (r.energy - elastic.term_energy(state.x));
        // Only pins and gravity change the momentum.
        const Vec3 force = (momentum(*scene, state) - p_0) / h - weight;
        account.work += force[2] * (shaken((i + 1) * h) - shaken(i * h));
    }
    account.change = mechanical() - before;
    return account;
}

} // namespace

TEST(ClothDynamics, FreeFallIsExact)
{
    SheetScene s;
    s.pin_top = false;
    s.material = plain_material(0.2, 300, 0.3, 1e-5);
    const auto stepper = make_stepper("barrier", s.scene());
    State state = s.start();
    const VecX x_0 = state.x;
    const double h = 1.0 / 96;
    const int n = 48;
    StepSettings settings;
    settings.tolerance = 1e-9;
    for (int i = 0; i < n; ++i) stepper->step(s.still(), state, h, settings, NeverCancel());
    const double drop = 9.81 * h * h * n * (n + 1) / 2; // backward Euler's own sum
    for (int p = 0; p < s.point_count(); ++p) {
        EXPECT_NEAR(state.x[3 * p + 1] - x_0[3 * p + 1], -drop, 1e-9);
        EXPECT_NEAR(state.v[3 * p + 1], -9.81 * h * n, 1e-9);
    }
}

TEST(ClothDynamics, FreeFallWithBdf2IsAParabola)
{
    // Exact for a constant acceleration but for the first step, which is backward Euler's: half of
    // g h² too far, of which a third goes on with each step.
    SheetScene s;
    s.pin_top = false;
    s.material = plain_material(0.2, 300, 0.3, 1e-5);
    StepSettings settings;
    settings.integrator = Integrator::bdf2;
    settings.tolerance = 1e-9;
    const auto stepper = make_stepper("barrier", s.scene());
    State state = s.start();
    const VecX x_0 = state.x;
    const double h = 1.0 / 96, g = 9.81;
    const int n = 48;
    for (int i = 0; i < n; ++i) stepper->step(s.still(), state, h, settings, NeverCancel());
    for (int p = 0; p < s.point_count(); ++p) {
        EXPECT_NEAR(x_0[3 * p + 1] - state.x[3 * p + 1], g * h * h * (0.5 * n * n + 0.75), 1e-9);
        EXPECT_NEAR(state.v[3 * p + 1], -g * h * n, 1e-9);
    }
}

TEST(ClothDynamics, InternalForcesKeepMomentum)
{
    for (const Integrator integrator : {Integrator::bdf1, Integrator::bdf2}) {
        SheetScene s;
        s.pin_top = false;
        s.material = plain_material(0.2, 300, 0.3, 1e-4);
        s.material.stretch_damping = s.material.shear_damping = s.material.bend_damping = 0.3;
        const auto scene = s.scene();
        const auto stepper = make_stepper("barrier", scene);
        State state = s.start();
        for (int p = 0; p < s.point_count(); ++p) // crumple it
            state.v.segment<3>(3 * p) =
                Vec3(std::sin(3.0 * p), std::cos(5.0 * p), 1 + std::sin(7.0 * p));
        const Vec3 before = momentum(*scene, state);
        StepSettings settings;
        settings.integrator = integrator;
        settings.tolerance = 1e-10;
        for (int i = 0; i < 24; ++i)
            ASSERT_EQ(stepper->step(s.still(Vec3::Zero()), state, 1.0 / 96, settings, NeverCancel())
                          .status,
                      StepStatus::converged);
        EXPECT_LT((momentum(*scene, state) - before).norm(), 1e-9 * before.norm());
        EXPECT_TRUE(state.x.allFinite());
    }
}

TEST(ClothDynamics, PendulumPeriod)
{
    const SheetScene s = stiff_strip();
    const auto scene = s.scene();
    double inertia = 0, moment = 0;
    for (int j = 0; j <= s.rows; ++j)
        for (int i = 0; i <= s.columns; ++i) {
            const double r = s.height * j / s.rows, m = scene->mass[s.point(i, j)];
            inertia += m * r * r;
            moment += m * r;
        }
    const double period =
        2 * 3.14159265358979 * std::sqrt(inertia / (9.81 * moment)); // small swings

    const auto stepper = make_stepper("barrier", scene);
    State state = turned(s, 0.05);
    StepSettings settings;
    settings.integrator = Integrator::bdf2;
    settings.tolerance = 1e-6;
    const double h = period / 400;
    double previous = swing_angle(s, state), crossed[2] = {0, 0};
    int crossings = 0;
    for (int i = 1; crossings < 2 && i < 900; ++i) {
        ASSERT_TRUE(stepper->step(s.still(), state, h, settings, NeverCancel()).ok());
        const double angle = swing_angle(s, state);
        if ((previous > 0) != (angle > 0))
            crossed[crossings++] = h * (i - 1 + previous / (previous - angle));
        previous = angle;
    }
    ASSERT_EQ(crossings, 2);
    EXPECT_NEAR(2 * (crossed[1] - crossed[0]) / period, 1, 2e-3);
}

TEST(ClothDynamics, EnergyNeverGrowsAndBdf2KeepsMoreOfIt)
{
    const SheetScene s = stiff_strip();
    const auto scene = s.scene();
    double apex[2];
    for (const Integrator integrator : {Integrator::bdf1, Integrator::bdf2}) {
        const auto stepper = make_stepper("barrier", scene);
        State state = turned(s, 0.8);
        StepSettings settings;
        settings.integrator = integrator;
        settings.tolerance = 1e-7;
        double energy = mechanical_energy(*scene, state, 0), lowest = 0;
        for (int i = 0; i < 60; ++i) {
            const StepReport r = stepper->step(s.still(), state, 1.0 / 96, settings, NeverCancel());
            ASSERT_TRUE(r.ok());
            const double now = mechanical_energy(*scene, state, r.energy);
            if (integrator == Integrator::bdf1) {
                EXPECT_LE(now, energy + 1e-8);
            }
            energy = now;
            lowest = std::min(lowest, swing_angle(s, state));
        }
        apex[int(integrator)] = -lowest;
    }
    EXPECT_GT(apex[1], apex[0]);
    EXPECT_NEAR(apex[1], 0.8, 0.02);
}

TEST(ClothDynamics, EnergyLostWithoutDampingFallsWithTheStep)
{
    for (const Integrator integrator : {Integrator::bdf1, Integrator::bdf2}) {
        SCOPED_TRACE(int(integrator));
        std::vector<double> loss;
        for (const int steps : {480, 960, 1920}) {
            const EnergyAccount a = swung(swinging_cloth(), integrator, steps, /*shake*/ 0);
            loss.push_back(-a.change / a.kinetic);
            EXPECT_GT(loss.back(), 0);
        }
        for (std::size_t i = 0; i + 1 < loss.size(); ++i) {
            const double order = std::log2(loss[i] / loss[i + 1]);
            if (integrator == Integrator::bdf1) {
                EXPECT_NEAR(order, 1, 0.15);
            } else {
                EXPECT_GT(order, 1.9);
            }
        }
    }
}

TEST(ClothDynamics, DampingTakesWhatTheEnergyLoses)
{
    // Kinetic and potential energy change by the work of the shaken pins less what damping takes.
    SheetScene damped = swinging_cloth();
    damped.material.stretch_damping = damped.material.shear_damping = 0.5;
    damped.material.bend_damping = 0.5;
    for (const Integrator integrator : {Integrator::bdf1, Integrator::bdf2}) {
        SCOPED_TRACE(int(integrator));
        std::vector<double> error;
        for (const int steps : {240, 480, 960, 1920}) {
            const EnergyAccount a = swung(damped, integrator, steps, /*shake*/ 0.02);
            error.push_back(std::abs(a.change - (a.work - a.dissipated)) / a.kinetic);
            EXPECT_GT(a.dissipated, 0.1 * a.kinetic);
            EXPECT_GT(std::abs(a.work), 0.1 * a.kinetic);
        }
        for (std::size_t i = 0; i + 1 < error.size(); ++i)
            EXPECT_GT(std::log2(error[i] / error[i + 1]), 0.85);
        EXPECT_LT(error.back(), integrator == Integrator::bdf1 ? 5e-3 : 5e-5);
    }
}

TEST(ClothDynamics, AngularMomentumOfAFreeSpinIsKeptToSecondOrder)
{
    SheetScene s;
    s.pin_top = false;
    s.width = s.height = 0.2;
    s.material = plain_material(0.2, 1e4, 0.3, 1e-2);
    const auto scene = s.scene();
    State start = s.start();
    for (int p = 0; p < s.point_count(); ++p)
        start.v.segment<3>(3 * p) =
            Vec3(0, 0, 2).cross(start.x.segment<3>(3 * p) - Vec3(0.1, -0.1, 0));
    const Vec3 before = angular_momentum(*scene, start);
    StepSettings settings;
    settings.integrator = Integrator::bdf2;
    settings.tolerance = 1e-9;
    const auto drift = [&](int steps) { // in a tenth of a second
        const auto stepper = make_stepper("barrier", scene);
        State state = start;
        for (int i = 0; i < steps; ++i)
            EXPECT_TRUE(
                stepper->step(s.still(Vec3::Zero()), state, 0.1 / steps, settings, NeverCancel())
                    .ok());
        return (angular_momentum(*scene, state) - before).norm() / before.norm();
    };
    const double coarse = drift(48), middle = drift(96), fine = drift(192);
    EXPECT_LT(fine, 2e-6);
    EXPECT_GT(coarse / middle, 3.5);
    EXPECT_GT(middle / fine, 3.5);
}

TEST(ClothDynamics, MassDampingSlowsAsItShould)
{
    SheetScene s;
    s.pin_top = false;
    s.material = plain_material(0.2, 300, 0.3, 1e-5);
    s.material.mass_damping = 2;
    const auto stepper = make_stepper("barrier", s.scene());
    State state = s.start();
    state.v = Vec3(1, 0, 0).replicate(s.point_count(), 1);
    StepSettings settings;
    settings.tolerance = 1e-9;
    const int n = 400;
    for (int i = 0; i < n; ++i)
        stepper->step(s.still(Vec3::Zero()), state, 1.0 / n, settings, NeverCancel());
    EXPECT_NEAR(state.v[0], std::pow(1 + 2.0 / n, -n), 1e-9);
}
