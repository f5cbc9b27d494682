// Bending that stays.
#include "core/model/rest_state.h"
#include "core/model/scene_terms.h"
#include "core/solver/stepper.h"
#include "tests/support/cloth_scene.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr double R = 0.25;

SheetScene sheet(double rate, BendingModel model = BendingModel::hinge)
{
    SheetScene s;
    s.columns = 4, s.rows = 12;
    s.width = 0.3, s.height = 0.9;
    s.pin_top = false;
    s.material = plain_material(0.2, 300, 0, 1e-3);
    s.material.mass_damping = 5;
    s.material.yield_angle = 0.1;
    s.material.yield_rate = rate;
    s.material.bending_model = model;
    return s;
}

/// Rolled about the x axis.
State rolled(const SheetScene& s)
{
    State state = s.start();
    for (Eigen::Index i = 0; i < state.x.size(); i += 3) {
        const double a = state.x[i + 1] / R;
        state.x.segment<3>(i) = Vec3(state.x[i], R * std::sin(a), R - R * std::cos(a));
    }
    return state;
}

/// Held in the rolled shape for `seconds`: creases grow while nothing moves.
VecX held(const SheetScene& s, double seconds, int steps)
{
    const auto scene = s.scene();
    SceneTerms terms(*scene);
    VecX creases;
    for (int k = 0; k < steps; ++k) {
        terms.set_drive(*scene, s.still({0, 0, 0}), creases);
        creases = terms.creases_after(*scene, rolled(s).x, seconds / steps, creases);
    }
    return creases;
}

double mean_bend(const SheetScene& s, const VecX& x)
{
    const auto scene = s.scene();
    double sum = 0;
    for (const double a : rest_shape(scene->cloths[0].mesh, x).angles) sum += std::abs(a);
    return sum;
}

} // namespace

TEST(Creases, ElasticClothKeepsNone)
{
    const SheetScene s = sheet(0);
    EXPECT_EQ(held(s, 1, 4).size(), 0);
    State state = rolled(s);
    make_stepper("barrier", s.scene())
        ->step(s.still({0, 0, 0}), state, 0.01, StepSettings(), NeverCancel());
    EXPECT_EQ(state.creases.size(), 0);
}

TEST(Creases, GrowTowardsTheBendLessTheYieldAngleHoweverTimeIsCut)
{
    const SheetScene s = sheet(3);
    const VecX once = held(s, 0.5, 1), often = held(s, 0.5, 16);
    EXPECT_LT((once - often).lpNorm<Eigen::Infinity>(), 1e-12);
    // Hinges across the roll turn by 0.075/0.25 = 0.3: of the 0.2 beyond the yield angle
    // 1 − exp(−1.5) have gone over.
    EXPECT_NEAR(once.lpNorm<Eigen::Infinity>(), 0.2 * (1 - std::exp(-1.5)), 2e-3);
    EXPECT_NEAR(held(s, 100, 5).lpNorm<Eigen::Infinity>(), 0.2, 2e-3);
}

TEST(Creases, BentClothSpringsBackToThemOnly)
{
    for (const BendingModel model : {BendingModel::hinge, BendingModel::shape}) {
        const SheetScene s = sheet(50, model), elastic = sheet(0, model);
        const auto rest_of = [](const SheetScene& sheet_scene) {
            const auto stepper = make_stepper("barrier", sheet_scene.scene());
            State state = rolled(sheet_scene);
            StepSettings settings;
            settings.tolerance = 1e-5;
            for (int k = 0; k < 200; ++k)
                stepper->step(sheet_scene.still({0, 0, 0}), state, 1.0 / 12, settings,
                              NeverCancel());
            return state;
        };
        const double start = mean_bend(s, rolled(s).x);
        EXPECT_LT(mean_bend(elastic, rest_of(elastic).x), 0.02 * start);
        const State creased = rest_of(s);
        EXPECT_GT(mean_bend(s, creased.x), 0.1 * start);
        EXPECT_GT(creased.creases.lpNorm<Eigen::Infinity>(), 0.03);
    }
}
