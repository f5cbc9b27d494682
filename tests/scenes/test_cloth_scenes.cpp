// Cloth: drapes, hangs, stacks, needles, tablecloth, cards [Li 2020, ch. 5], reduced.
#include "core/bench/scene_parts.h"
#include "tests/scenes/scene_checks.h"

using namespace selvage;
using namespace selvage::test;

TEST(ClothScenesFull, SofterClothStretchesMoreUnlessLimited)
{
    DrapeOptions o;
    o.points = 20;
    o.steps = 20;
    o.turning = false;
    o.limit = 0;
    double before = 0;
    for (const double factor : {1.0, 0.1, 0.01}) {
        SCOPED_TRACE(factor);
        o.stretch_factor = factor;
        const double strain = expect_clean(sphere_drape_scene(o)).largest_strain;
        EXPECT_GT(strain, before);
        before = strain;
    }
    EXPECT_GT(before, 0.0608);
    for (const double limit : {0.0608, 0.01, 0.001}) {
        SCOPED_TRACE(limit);
        o.limit = limit;
        EXPECT_LT(expect_clean(sphere_drape_scene(o)).largest_strain, limit);
    }
}

TEST(ClothScenes, TwoCornersHoldALimitedSheet)
{
    for (const double limit : {0.01, 0.001}) {
        SCOPED_TRACE(limit);
        EXPECT_LT(expect_clean(corner_hang_scene(16, 0.01, limit, 40)).largest_strain, limit);
    }
}

namespace
{

/// Ten layers of 2,025 points; `selvage bench contact/stack/large` has 8,100. Each is pushed no
/// farther from the one below than d̂, and rests within it. Returns the height.
double fallen_stack(double gap, int steps)
{
    const SceneOutcome o = expect_clean(cloth_stack_scene(10, 45, gap, steps));
    EXPECT_GT(o.most_contacts, 100000);
    EXPECT_LT(largest_speed(o.last()), 0.5);
    EXPECT_GT(o.top(), gap);
    EXPECT_LT(o.top(), 10 * gap);
    return o.top();
}

} // namespace

TEST(ClothScenesFull, AStackWithAGapOfAMillimetre)
{
    const double top = fallen_stack(1e-3, 25);
    EXPECT_GT(top, 4e-3);
    EXPECT_LT(top, 10e-3);
}

TEST(ClothScenesFull, AStackWithAGapOfFiveMillimetres)
{
    const double top = fallen_stack(5e-3, 15);
    EXPECT_GT(top, 10e-3);
    EXPECT_LT(top, 50e-3);
}

TEST(ClothScenesFull, AStackWithAGapOfTenMillimetres)
{
    const double top = fallen_stack(1e-2, 15);
    EXPECT_GT(top, 50e-3);
    EXPECT_LT(top, 100e-3);
}

TEST(ClothScenes, PointsAloneHoldASheet)
{
    SessionSetup s = needles_scene(10, 1, 20);
    Geometry nails;
    nails.set_point_count(49);
    VecX x(3 * 49);
    for (int i = 0; i < 49; ++i)
        x.segment<3>(3 * i) = Vec3(0.15 * (i % 7 - 3), 0, 0.15 * (i / 7 - 3));
    nails.set_positions(x);
    s.colliders.clear();
    add_collider(s, nails, 0.5);
    s.cloths[0].pins = ParameterSet("cloth.pins");
    s.cloths[0].pin_target = nullptr;
    const SceneOutcome o = expect_clean(s);
    // 0.4 s of free fall would be 0.8 m.
    EXPECT_GT(mean(o.last().x)[1], -0.2);
}

TEST(ClothScenesFull, NeedlesDoNotSnag)
{
    const SceneOutcome o = expect_clean(needles_scene(24, 5, 60));
    EXPECT_GT(o.most_contacts, 0);
    // Pulled 0.7 m: all of it has come along.
    EXPECT_LT(mean(o.last().x)[0], -0.4);
}

TEST(ClothScenesFull, ATableclothLeavesBehindWhatItIsPulledFromFastEnough)
{
    // Of cube, tetrahedron, cylinder and ring: how far they went along, and how many fell off.
    const auto pulled = [](double speed, int& fallen) {
        const SceneOutcome o = expect_clean(tablecloth_scene(20, speed, 60));
        std::vector<double> ways;
        fallen = 0;
        for (int solid = 1; solid <= 4; ++solid) {
            ways.push_back(o.way_of(solid)[0]);
            fallen += o.way_of(solid)[1] < -0.1;
        }
        return ways;
    };
    int fallen = 0;
    for (const double way : pulled(1, fallen)) EXPECT_GT(way, 0.5);
    EXPECT_GE(fallen, 3);
    EXPECT_GT(pulled(2, fallen)[0], 0.3);
    EXPECT_EQ(fallen, 1); // the cube, which has the longest way under it
    for (const double way : pulled(4, fallen)) EXPECT_LT(way, 0.25);
    EXPECT_EQ(fallen, 0);
}

TEST(ClothScenes, AStackOfCards)
{
    const SceneOutcome o = expect_clean(card_stack_scene(20, 3, 50));
    EXPECT_GT(o.top(), 20 * 0.1e-3);
    EXPECT_LT(o.top(), 20 * 0.3e-3);
}
