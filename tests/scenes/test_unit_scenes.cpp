// Small scenes of elastic solids with the cases that defeat contact methods [Li 2020, §4.6; Erleben
// 2018], judged per frame on the written positions.
#include "tests/scenes/scene_checks.h"

using namespace selvage;
using namespace selvage::test;

TEST(UnitScenesFull, AlignedBodiesComeToRest)
{
    // Five seconds each.
    for (const double h : {0.005, 0.025, 0.1}) {
        for (const NamedScene& s : aligned_scenes(h, int(std::lround(5 / h)))) {
            SCOPED_TRACE(s.name + ", h = " + std::to_string(h));
            const SceneOutcome o = expect_clean(s.setup);
            if (s.name == "five cubes" && o.completed()) {
                EXPECT_LT(largest_speed(o.last()), 0.05);
                // No friction: what an impact of so short a step pushes aside slides on, but the
                // column as a whole stays.
                const Vec3 whole = mean(o.last().x);
                EXPECT_NEAR(std::hypot(whole[0], whole[2]), 0, 0.02);
                const double aside = h < 0.01 ? 0.25 : 0.02;
                for (int i = 0; i < 5; ++i) {
                    const Vec3 c = mean_place(o.last().x, 8 * i, 8 * (i + 1));
                    EXPECT_NEAR(c[1], i + 0.5, 0.02) << "cube " << i;
                    EXPECT_LT(std::hypot(c[0], c[2]), aside) << "cube " << i;
                }
            }
        }
    }
}

TEST(UnitScenes, BodiesFitIntoASlotOfAMicrometre)
{
    for (const NamedScene& s : slot_scenes(0.01, 30)) {
        SCOPED_TRACE(s.name);
        const SceneOutcome o = expect_clean(s.setup);
        // It has gone down into the slot, and not sideways.
        EXPECT_LT(mean(o.last().x)[1], 0.06);
        EXPECT_NEAR(mean(o.last().x)[0], 0, 1e-5);
    }
}

TEST(UnitScenes, SpikesWedgesHolesAndCliffs)
{
    for (const double h : {0.005, 0.04})
        for (const NamedScene& s : degenerate_scenes(h, h < 0.01 ? 60 : 25)) {
            SCOPED_TRACE(s.name + ", h = " + std::to_string(h));
            expect_clean(s.setup);
        }
}

TEST(UnitScenes, ABallAtAThousandMetresPerSecondBouncesOff)
{
    for (const double speed : {10.0, 100.0, 1000.0}) {
        SCOPED_TRACE(speed);
        const SceneOutcome o = expect_clean(thrown_ball_scene(speed, 4));
        EXPECT_GT(mean(o.last().v)[1], 0);
        EXPECT_GT(mean(o.last().x)[1], 0.05);
    }
}

TEST(UnitScenes, HeavyOnLightAndStiffOnSoft)
{
    const SceneOutcome o = expect_clean(ratio_scene(60));
    EXPECT_LT(largest_speed(o.last()), 1);
}

TEST(UnitScenes, MiniaturePairsAtAnyTimeStep)
{
    for (const double h : {1e-2, 1e-3, 1e-4, 1e-5}) {
        const std::vector<NamedScene> all = miniature_scenes(h, 10);
        EXPECT_GE(all.size(), 14u);
        for (const NamedScene& s : all) {
            SCOPED_TRACE(s.name + ", h = " + std::to_string(h));
            EXPECT_GT(expect_clean(s.setup).most_contacts, 0);
        }
    }
}

namespace
{

/// Links hang in each other, no farther apart than they reach.
void expect_linked(const SceneOutcome& o)
{
    const auto middle = [&](std::size_t i) {
        return mean_place(o.last().x, o.first_vertex[i], o.first_vertex[i + 1]);
    };
    for (std::size_t i = 0; i + 2 < o.first_vertex.size(); ++i) {
        const double below = middle(i)[1] - middle(i + 1)[1];
        EXPECT_GT(below, 0.065) << "link " << i;
        EXPECT_LT(below, 0.08) << "link " << i;
    }
}

/// [m] By how much the last link hangs below the first.
double length_of_chain(const SceneOutcome& o)
{
    const std::size_t last = o.first_vertex.size() - 2;
    return mean_place(o.last().x, o.first_vertex[0], o.first_vertex[1])[1] -
           mean_place(o.last().x, o.first_vertex[last], o.first_vertex[last + 1])[1];
}

} // namespace

TEST(UnitScenes, AChainOfTenLinksHolds)
{
    const SceneOutcome o = expect_clean(chain_scene(10, 12, 1, 0.04, 40));
    EXPECT_GT(o.most_contacts, 10);
    EXPECT_GT(length_of_chain(o), 9 * 0.069);
    expect_linked(o);
}

TEST(UnitScenesFull, AChainOfAHundredLinksHolds)
{
    const SceneOutcome o = expect_clean(chain_scene(100, 20, 2, 0.04, 50));
    EXPECT_GT(o.most_contacts, 1000);
    expect_linked(o);
}

TEST(UnitScenesFull, TwistedRodsAtTenTimeSteps)
{
    // Reduced: four rods of 12 cells; six seconds, but at most 30 steps.
    for (const double h : {0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0}) {
        SCOPED_TRACE("h = " + std::to_string(h));
        const SceneOutcome o =
            expect_clean(twisted_rods_scene(12, h, std::min(30, int(std::lround(6 / h)))));
        if (h >= 0.2) {
            EXPECT_GT(o.most_contacts, 0);
        }
    }
}
