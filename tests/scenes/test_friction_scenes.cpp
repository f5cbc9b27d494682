// Friction: what slides and what stands [Li 2020, §4.7].
#include "core/session/session.h"
#include "tests/scenes/scene_checks.h"

using namespace selvage;
using namespace selvage::test;

namespace
{

/// Way down the slope in 2.5 s of a cube that starts at rest, its weight already balanced.
double slid(double friction)
{
    // Stiff and to 2e-6 m/s: single steps end at a few times that.
    const SceneOutcome settled = expect_clean(slope_scene(friction, 0.025, 30));
    SessionSetup s = slope_scene(friction, 0.025, 100);
    Geometry start = *s.solids[0].geometry->at(1);
    start.set_positions(settled.last().x);
    s.solids[0].initial = std::make_shared<StaticSource>(start);
    const SceneOutcome o = expect_clean(s);
    const Vec3 down = -Vec3(2, 1, 0).normalized();
    return (mean(o.last().x) - mean(o.states.front().x)).dot(down);
}

} // namespace

TEST(FrictionScenesFull, ACubeOnASlopeSticksAtItsAngleAndSlidesBelow)
{
    EXPECT_LT(std::abs(slid(0.5)), 2.5e-5);
    // g cos θ · 0.01 = 0.08774 m/s², by backward Euler of 0.025 s.
    EXPECT_NEAR(slid(0.49), 0.2769, 0.003);
}

TEST(FrictionScenesFull, ACardHouseStandsOrCollapses)
{
    const auto fallen = [](double friction) {
        const SceneOutcome o = expect_clean(card_house_scene(friction, 3, 0.025, 60));
        return -o.way_of(4)[1]; // the board on top of the first floor
    };
    EXPECT_LT(fallen(0.5), 0.01);
    EXPECT_GT(fallen(0.2), 0.1);
}

TEST(FrictionScenesFull, BlocksKnockACardHouseOver)
{
    const SceneOutcome o = expect_clean(hit_house_scene(3, 0.025, 40));
    EXPECT_GT(-o.way_of(4)[1], 0.1);
    EXPECT_LT(largest_speed(o.last()), 20);
}

TEST(FrictionScenesFull, AnArchStandsOrFalls)
{
    // Of the keystone, in 0.6 s: what stands settles by less than a millimetre.
    const auto fallen = [](SessionSetup arch) { return -expect_clean(arch).way_of(12)[1]; };
    EXPECT_LT(fallen(arch_scene(0.5, 0.01, 60)), 1e-3);
    EXPECT_LT(fallen(arch_scene(0.2, 0.01, 60)), 1e-3);
    SessionSetup falling = arch_scene(0.1, 0.01, 60);
    falling.collision.set("friction_iterations", 2.0);
    EXPECT_GT(fallen(falling), 3e-3);
}

TEST(FrictionScenesFull, ADraggedRodSticksAndSlips)
{
    const SceneOutcome o = expect_clean(stick_slip_scene(0.35, 0.2, 1e-3, 5000));
    int slips = 0;
    bool stuck = false;
    for (const State& s : o.states) {
        const double tip = s.v[0];
        if (tip < 0.05) stuck = true;
        if (stuck && tip > 0.3) ++slips, stuck = false;
    }
    EXPECT_GE(slips, 3); // the rod as a whole moves at 0.2 m/s
}
