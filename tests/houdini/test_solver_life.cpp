// What happens to a solver node in a session: Escape, rewiring, errors upstream, deletion, several
// nodes at once, thousands of cooks.
#include "plugin/houdini/cook_guard.h"
#include "tests/hdk_standin/standin.h"
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"
#include "tests/support/constraint_geometry.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

#include <atomic>
#include <malloc.h>
#include <map>
#include <thread>

using namespace selvage;
using namespace selvage::test;

TEST(SolverLife, EscapeStopsAndKeepsFinishedFrames)
{
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(8)));
    const auto third = stage.positions(solver, 3);
    standin::interrupt_after(20);
    EXPECT_EQ(stage.positions(solver, 40), third); // the last good shape stays
    expect_says(messages(solver), {"Interrupted", "kept"});
    EXPECT_EQ(solver.error(), UT_ERROR_WARNING);
    EXPECT_EQ(standin::interrupt_depth(), 0);
    standin::interrupt_after(-1);
    solver.forceRecook();
    auto& fresh = stage.add_solver(stage.add_source(sheet_geometry(8)));
    EXPECT_EQ(stage.positions(solver, 12), stage.positions(fresh, 12));
    EXPECT_EQ(messages(solver), "");
}

/// Strands are solved by several threads; Houdini may be asked by one of them.
TEST(SolverLife, EscapeIsAskedForByTheCookingThreadOnly)
{
    Geometry groom;
    constexpr int strands = 96, points = 8; // a dozen groups of four, twice over
    groom.set_point_count(strands * points);
    VecX x(3 * strands * points);
    for (int s = 0; s < strands; ++s) {
        std::vector<int> curve;
        for (int i = 0; i < points; ++i) {
            x.segment<3>(3 * (s * points + i)) << 0.02 * i, 0, 0.01 * s;
            curve.push_back(s * points + i);
        }
        groom.add_polygon(curve, /*closed*/ false);
    }
    groom.set_positions(x);
    Stage stage;
    auto& curves = stage.add_source(groom);
    const exint others = standin::foreign_polls();
    const auto expected = stage.positions(stage.add_solver(curves), 4);
    for (const int polls : {0, 3, 11, 40}) {
        auto& solver = stage.add_solver(curves);
        standin::interrupt_after(polls);
        stage.cook(solver, 100);
        standin::interrupt_after(-1);
        expect_says(messages(solver), {"Interrupted"});
        solver.forceRecook();
        EXPECT_EQ(stage.positions(solver, 4), expected);
    }
    EXPECT_EQ(standin::foreign_polls(), others);
}

TEST(SolverLife, WorkersHearOfEscapeFromTheCookingThread)
{
    const exint others = standin::foreign_polls();
    houdini::InterruptCancel cancel("test");
    const auto as_worker = [&] {
        bool heard = false;
        std::thread([&] { heard = cancel.requested(); }).join();
        return heard;
    };
    standin::interrupt_after(0);
    EXPECT_FALSE(as_worker()); // nobody who may ask has asked yet
    EXPECT_TRUE(cancel.requested());
    EXPECT_TRUE(as_worker());
    standin::interrupt_after(-1);
    EXPECT_EQ(standin::foreign_polls(), others);
}

TEST(SolverLife, DisconnectingAnInputIsFollowed)
{
    Stage stage;
    auto& sheet = stage.add_source(sheet_geometry(6));
    auto& solver = stage.add_solver(sheet);
    const auto alone = stage.positions(solver, 5);
    Geometry small = sheet_geometry(6);
    small.set_positions(0.8 * small.positions());
    solver.setInput(3, &stage.add_source(small));
    EXPECT_NE(stage.positions(solver, 5), alone);
    solver.setInput(3, nullptr);
    EXPECT_EQ(stage.positions(solver, 5), alone);
    solver.setInput(0, nullptr);
    EXPECT_EQ(stage.cook(solver, 5), nullptr);
    expect_says(messages(solver), {"Not enough sources"});
    solver.setInput(0, &sheet);
    EXPECT_EQ(stage.positions(solver, 5), alone);
}

TEST(SolverLife, TopologyThatChangesMidShotIsNamedAndEarlierFramesStay)
{
    Stage stage;
    auto& sheet = stage.add_source(
        [](double f, GU_Detail& gdp) { fill(sheet_geometry(f >= 5 ? 7 : 6), gdp); }, true);
    auto& solver = stage.add_solver(sheet);
    const auto four = stage.positions(solver, 4);
    EXPECT_EQ(stage.cook(solver, 6), nullptr);
    expect_says(messages(solver), {"Input 1", "frame 5", "64 points"});
    EXPECT_EQ(test::positions_of(*solver.getLastGeo()), four); // the last good frame remains
    EXPECT_EQ(stage.positions(solver, 4), four);
}

TEST(SolverLife, AnErrorUpstreamIsPassedOnAndForgottenWhenMended)
{
    Stage stage;
    auto& source = stage.add_source(sheet_geometry(6));
    auto& solver = stage.add_solver(source);
    const auto four = stage.positions(solver, 4);
    source.fails_with = "file not found";
    source.forceRecook();
    EXPECT_EQ(stage.cook(solver, 5), nullptr);
    expect_says(messages(solver), {"file not found"});
    source.fails_with.clear();
    source.forceRecook();
    EXPECT_EQ(stage.positions(solver, 4), four);
}

TEST(SolverLife, StaysWithinItsCacheLimitWithoutLosingFrames)
{
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(6)));
    std::vector<std::vector<float>> frames;
    for (int f = 1; f <= 10; ++f) frames.push_back(stage.positions(solver, f));
    const Session* session = solver.session();
    set(solver, "cache_limit", 500);
    EXPECT_EQ(stage.positions(solver, 2), frames[1]);
    EXPECT_TRUE(solver.session() == session && session->cached(10)) << "simulated again";
    set(solver, "cache_limit", 0.02); // 20 kB: a few frames of this sheet
    for (const int f : {10, 3, 9}) {
        EXPECT_EQ(stage.positions(solver, f), frames[std::size_t(f - 1)]);
        EXPECT_LE(solver.session()->cache().bytes(), 20000u);
    }
}

TEST(SolverLifeFull, LongShotsOfDenseClothStayWithinTheCacheLimit)
{
    // Every point is pinned to a moving input: frames differ, and cost little.
    constexpr int n = 316; // 100k points
    const Geometry sheet = sheet_geometry(n);
    const VecX x = sheet.positions();
    Stage stage;
    auto& moving = stage.add_source(
        [&](double f, GU_Detail& gdp) {
            Geometry g = sheet;
            VecX moved = x;
            for (Eigen::Index i = 0; i < x.size(); i += 3)
                moved[i + 2] += 0.01 * (f - 1) * (1 + 0.1 * x[i]);
            g.set_positions(moved);
            fill(g, gdp);
        },
        true);
    auto& solver = stage.add_solver(moving);
    set(solver, "pins_group", "0-100488");
    set(solver, "solver_linear", "pcg");
    set(solver, "collision_enabled", 0.0);
    set(solver, "cache_limit", 100);
    std::map<int, std::vector<float>> first_made;
    for (int f = 1; f <= 240; ++f) {
        const GU_Detail* gdp = stage.cook(solver, f);
        ASSERT_TRUE(gdp) << messages(solver);
        if (f == 10 || f == 25 || f == 240) first_made[f] = test::positions_of(*gdp);
        ASSERT_LE(solver.session()->cache().bytes(), 100'000'000u);
    }
    ASSERT_EQ(first_made[240].size(), 3u * 317u * 317u);
    EXPECT_GT(solver.session()->cache().size(), 5u);
    EXPECT_NE(first_made[10], first_made[25]);
    for (const int f : {10, 25}) {
        EXPECT_FALSE(solver.session()->cached(f));
        EXPECT_EQ(stage.positions(solver, f), first_made[f]) << "made again";
        EXPECT_LE(solver.session()->cache().bytes(), 100'000'000u);
    }
}

TEST(SolverLife, EscapeIsHeardWithinAFewPolls)
{
    for (const int polls : {0, 1, 7, 30}) {
        Stage stage;
        auto& solver = stage.add_solver(stage.add_source(sheet_geometry(6)));
        const exint before = standin::interrupt_polls();
        standin::interrupt_after(polls);
        stage.cook(solver, 200);
        const exint asked = standin::interrupt_polls() - before;
        standin::interrupt_after(-1);
        EXPECT_LE(asked, polls + 4) << "goes on after Escape";
        expect_says(messages(solver), {"Interrupted"});
    }
}

TEST(SolverLife, ANodeDeletedWhileACookIsPendingLeavesNothingBehind)
{
    Stage stage;
    auto& source = stage.add_source(sheet_geometry(6));
    auto* solver = &stage.add_solver(source);
    stage.positions(*solver, 4);
    solver->forceRecook(); // a cook is pending
    stage.network.destroyNode(solver);

    solver = &stage.add_solver(source); // stopped half way
    standin::interrupt_after(6);
    stage.cook(*solver, 50);
    standin::interrupt_after(-1);
    stage.network.destroyNode(solver);

    auto* orphan = &stage.add_solver(source);
    stage.positions(*orphan, 3);
    stage.network.destroyNode(&source);
    EXPECT_EQ(stage.cook(*orphan, 4), nullptr);
    EXPECT_EQ(standin::interrupt_depth(), 0);
}

/// As from a panel that the host goes on serving while it cooks.
TEST(SolverLife, ANodeDeletedWhileItCooksStopsAndGoes)
{
    Stage stage;
    auto& source = stage.add_source(sheet_geometry(6));
    auto& solver = stage.add_solver(source);
    stage.positions(solver, 3);
    int polls = 0;
    standin::while_polling([&] {
        if (++polls == 5) stage.network.destroyNode(&solver);
    });
    const exint before = standin::interrupt_polls();
    stage.cook(solver, 400);
    standin::while_polling(nullptr);
    EXPECT_LE(standin::interrupt_polls() - before, 9) << "goes on though it is to be deleted";
    expect_says(messages(solver), {"Interrupted"});
    EXPECT_EQ(standin::interrupt_depth(), 0);
    EXPECT_EQ(stage.network.findNode("selvage_solver1"), nullptr);
    stage.network.finish_destroying();
    EXPECT_FALSE(stage.positions(stage.add_solver(source), 3).empty());
}

TEST(SolverLife, ANodeDeletedWhileAnotherThreadCooksItWaitsForItsEnd)
{
    Stage stage;
    auto& source = stage.add_source(sheet_geometry(6));
    const auto alone = stage.positions(stage.add_solver(source), 3);
    auto& solver = stage.add_solver(source);
    std::atomic<int> polls{0};
    std::thread cooking([&] {
        standin::while_polling([&] { ++polls; });
        OP_Context context(CHgetTimeFromFrame(4000));
        solver.cook(context); // nobody has the node afterwards
        standin::while_polling(nullptr);
    });
    while (polls < 20) std::this_thread::yield();
    stage.network.destroyNode(&solver);
    cooking.join();
    EXPECT_LT(polls, 10000);
    EXPECT_EQ(stage.positions(stage.add_solver(source), 3), alone);
}

TEST(SolverLife, AnInputDeletedWhileTheNodeCooksIsNamedAndFramesStay)
{
    Stage stage;
    auto& moving = stage.add_source([](double f, GU_Detail& gdp) { fill(swinging_sheet(f), gdp); },
                                    /*animated*/ true);
    auto& floor = stage.add_source(
        [](double f, GU_Detail& gdp) {
            Geometry g = sheet_geometry(1);
            VecX x = 4 * g.positions();
            for (Eigen::Index i = 0; i < x.size(); i += 3)
                x.segment<3>(i) = Vec3(x[i] - 2, -2 + 0.001 * f, x[i + 1] - 2);
            g.set_positions(x);
            fill(g, gdp);
        },
        /*animated*/ true);
    auto& solver = stage.add_solver(moving);
    solver.setInput(2, &floor);
    const auto three = stage.positions(solver, 3);
    ASSERT_FALSE(three.empty()) << messages(solver);
    int polls = 0;
    standin::while_polling([&] {
        if (++polls == 4) stage.network.destroyNode(&floor);
    });
    EXPECT_EQ(stage.cook(solver, 12), nullptr);
    standin::while_polling(nullptr);
    expect_says(messages(solver), {"Input 3", "not connected"});
    EXPECT_EQ(test::positions_of(*solver.getLastGeo()), three);
    // The wire is gone: without it the shot is another, and goes on.
    EXPECT_FALSE(stage.positions(solver, 5).empty()) << messages(solver);
    EXPECT_EQ(standin::interrupt_depth(), 0);
}

TEST(SolverLife, TwoNodesCookFromTwoThreads)
{
    Stage stage;
    const Geometry lines = constraint_geometry(sheet_geometry(6), {{"stitch", {42, 48}}});
    const auto add = [&](const char* material) -> houdini::SOP_SelvageSolver& {
        auto& solver = stage.add_solver(
            stage.add_source([](double f, GU_Detail& gdp) { fill(swinging_sheet(f), gdp); }, true));
        solver.setInput(1, &stage.add_source(lines));
        set(solver, "material", material);
        return solver;
    };
    auto &a = add("cotton"), &b = add("denim");
    std::vector<float> from_a, from_b;
    std::thread one([&] { from_a = stage.positions(a, 8); });
    std::thread two([&] { from_b = stage.positions(b, 8); });
    one.join();
    two.join();
    EXPECT_NE(from_a, from_b);
    EXPECT_EQ(stage.positions(add("cotton"), 8), from_a);
    EXPECT_EQ(stage.positions(add("denim"), 8), from_b);
}

TEST(SolverLifeFull, AThousandCooksAndAHundredNodesKeepNoMemory)
{
    Stage stage;
    auto& source = stage.add_source(sheet_geometry(3));
    auto& solver = stage.add_solver(source);
    const auto cooks = [&](int count) {
        for (int i = 0; i < count; ++i)
            ASSERT_FALSE(stage.positions(solver, 1 + (7 * i) % 20).empty());
    };
    const auto nodes = [&](int count) {
        for (int i = 0; i < count; ++i) {
            auto& one = stage.add_solver(source);
            ASSERT_FALSE(stage.positions(one, 3).empty());
            stage.network.destroyNode(&one);
        }
    };
    cooks(50);
    nodes(20);
    const auto before = mallinfo2().uordblks; // 0 under sanitizers, which find leaks themselves
    cooks(1000);
    nodes(100);
    EXPECT_LT(mallinfo2().uordblks, before + 100'000);
}
