// The acceptance test of a cloth: a sheet hung by its whole top edge stretches by a known amount at
// any resolution.
#include "core/solver/stepper.h"
#include "tests/support/cloth_scene.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// 50 × 100 cm, 0.06 g/cm², 400 N/m in both directions.
SheetScene hanging_sheet(int columns, int rows)
{
    SheetScene s;
    s.columns = columns;
    s.rows = rows;
    s.width = 0.5;
    s.height = 1.0;
    s.material = plain_material(/*density*/ 0.6, /*young*/ 400, /*poisson*/ 0, /*bend*/ 1e-2);
    s.material.shear = 50;
    return s;
}

/// Mean elongation of the lower edge [m] at equilibrium: steps so long that backward Euler only
/// damps.
double static_elongation(const SheetScene& s)
{
    const auto scene = s.scene();
    const auto stepper = make_stepper("barrier", scene);
    State state = s.start();
    StepSettings settings;
    settings.tolerance = 1e-9;
    for (int i = 0; i < 6; ++i) {
        const StepReport r = stepper->step(s.still(), state, /*h*/ 10, settings, NeverCancel());
        EXPECT_EQ(r.status, StepStatus::converged) << r.message;
    }
    double sum = 0;
    for (int i = 0; i <= s.columns; ++i) sum += -state.x[3 * s.point(i, s.rows) + 1] - s.height;
    return sum / (s.columns + 1);
}

/// λ(λ² − 1)/2 = ρ g s / k integrated over the length: 0.72523 cm.
double closed_form()
{
    const double k = 400, weight = 0.6 * 9.81, L = 1;
    const int n = 20000;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        const double load = weight * (i + 0.5) / n * L / k;
        double lambda = 1 + load;
        for (int it = 0; it < 20; ++it)
            lambda -= (lambda * (lambda * lambda - 1) / 2 - load) / ((3 * lambda * lambda - 1) / 2);
        sum += (lambda - 1) * L / n;
    }
    return sum;
}

} // namespace

TEST(HangingSheet, ClosedFormIsTheTabulatedOne) { EXPECT_NEAR(closed_form(), 0.0072523, 5e-8); }

TEST(HangingSheet, ElongationDoesNotDependOnResolution)
{
    EXPECT_NEAR(static_elongation(hanging_sheet(10, 20)) / closed_form(), 1, 1e-3);
    EXPECT_NEAR(static_elongation(hanging_sheet(20, 40)) / closed_form(), 1, 1e-3);
    EXPECT_NEAR(static_elongation(hanging_sheet(40, 80)) / closed_form(), 1, 1e-3);
}

TEST(HangingSheetFull, FinestResolution)
{
    EXPECT_NEAR(static_elongation(hanging_sheet(80, 160)) / closed_form(), 1, 1e-3);
}

TEST(HangingSheet, DynamicRunComesToTheSameRest)
{
    SheetScene s = hanging_sheet(10, 20);
    s.material.stretch_damping = s.material.shear_damping = 1.5;
    const auto stepper = make_stepper("barrier", s.scene());
    State state = s.start();
    StepSettings settings;
    settings.tolerance = 1e-6;
    for (int i = 0; i < 240; ++i)
        stepper->step(s.still(), state, 1.0 / 48, settings, NeverCancel());
    double sum = 0;
    for (int i = 0; i <= s.columns; ++i) sum += -state.x[3 * s.point(i, s.rows) + 1] - s.height;
    EXPECT_NEAR(sum / (s.columns + 1) / closed_form(), 1, 1e-3);
}

TEST(HangingSheet, SoftPinsHoldWithTheirSpring)
{
    SheetScene s = hanging_sheet(10, 20);
    s.pin_stiffness = 1000;
    const auto stepper = make_stepper("barrier", s.scene());
    State state = s.start();
    StepSettings settings;
    settings.tolerance = 1e-9;
    for (int i = 0; i < 6; ++i) stepper->step(s.still(), state, 10, settings, NeverCancel());
    double drop = 0;
    for (int i = 0; i <= s.columns; ++i) drop -= state.x[3 * s.point(i, 0) + 1];
    const double weight = 0.6 * 0.5 * 1.0 * 9.81;
    EXPECT_NEAR(drop * 1000, weight, 1e-4 * weight); // the springs together carry the sheet
}
