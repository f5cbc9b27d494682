#include "core/base/error.h"
#include "core/linear/linear_solver.h"
#include "core/solver/stepper.h"
#include "tests/support/cloth_scene.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

SheetScene small_sheet()
{
    SheetScene s;
    s.columns = s.rows = 12;
    s.material = plain_material(0.2, 300, 0.3, 1e-5);
    return s;
}

/// One step of 1/24 s with a sideways pull.
StepReport one_step(const SheetScene& s, State& state, const StepSettings& settings,
                    const Cancel& cancel)
{
    return step(s.scene(), s.still({2, -9.81, 5}), state, 1.0 / 24, settings, cancel);
}

} // namespace

TEST(Newton, EveryLinearSolverGivesTheSameStep)
{
    const SheetScene s = small_sheet();
    StepSettings settings;
    settings.tolerance = 1e-8;
    settings.linear_tolerance = 1e-10;
    State reference = s.start();
    settings.linear = "ldlt";
    ASSERT_EQ(one_step(s, reference, settings, NeverCancel()).status, StepStatus::converged);
    for (const std::string& name : available_linear_solvers()) {
        State state = s.start();
        settings.linear = name;
        const StepReport r = one_step(s, state, settings, NeverCancel());
        EXPECT_EQ(r.status, StepStatus::converged) << name;
        EXPECT_EQ(r.linear_solver, name);
        EXPECT_LT((state.x - reference.x).lpNorm<Eigen::Infinity>(), 1e-8) << name;
    }
}

TEST(Newton, PinsReachTheirTargetsExactly)
{
    const SheetScene s = small_sheet();
    State state = s.start();
    Drive drive = s.still();
    for (int i = 0; i <= s.columns; ++i)
        drive.pin_target_1[3 * i] += 0.25; // much more than an edge
    const StepReport r = step(s.scene(), drive, state, 1.0 / 24, StepSettings(), NeverCancel());
    EXPECT_EQ(r.status, StepStatus::converged);
    EXPECT_EQ(state.x.head(3 * (s.columns + 1)), drive.pin_target_1);
}

TEST(Newton, CancellingLeavesTheStateAlone)
{
    const SheetScene s = small_sheet();
    State state = s.start();
    CancelFlag cancel;
    cancel.request();
    EXPECT_EQ(one_step(s, state, StepSettings(), cancel).status, StepStatus::cancelled);
    EXPECT_EQ(state.x, s.start().x);
    EXPECT_EQ(state.time, 0);
}

TEST(Newton, AnIterationCapIsReported)
{
    const SheetScene s = small_sheet();
    State state = s.start();
    StepSettings settings;
    settings.tolerance = 1e-10;
    settings.max_iterations = 1;
    const StepReport r = one_step(s, state, settings, NeverCancel());
    EXPECT_EQ(r.status, StepStatus::not_converged);
    EXPECT_NE(r.message.find("iterations"), std::string::npos);
    EXPECT_GT(state.time, 0); // the step is used all the same
}

TEST(Newton, TighterToleranceIsCloserToTheMinimum)
{
    const SheetScene s = small_sheet();
    StepSettings settings;
    settings.tolerance = 1e-11;
    State exact = s.start();
    one_step(s, exact, settings, NeverCancel());
    double previous = infinity;
    for (const double tolerance : {1e-1, 1e-3, 1e-6}) {
        State state = s.start();
        settings.tolerance = tolerance;
        one_step(s, state, settings, NeverCancel());
        const double error = (state.x - exact.x).lpNorm<Eigen::Infinity>();
        EXPECT_LE(error, previous);
        EXPECT_LE(error,
                  tolerance); // ‖p‖/h ≤ tolerance · size, with quadratic convergence behind it
        previous = error;
    }
}

TEST(Newton, UnknownMethodOrSolverIsNamed)
{
    EXPECT_THROW(make_stepper("magic", small_sheet().scene()), InputError);
    State state = small_sheet().start();
    StepSettings settings;
    settings.linear = "magic";
    EXPECT_THROW(one_step(small_sheet(), state, settings, NeverCancel()), InputError);
}
