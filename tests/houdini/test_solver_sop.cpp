// The Selvage Solver node, driven through the stand-in like an artist would.
#include "core/io/geometry_file.h"
#include "core/shot/shot_file.h"
#include "core/shot/shot_runner.h"
#include "tests/hdk_standin/standin.h"
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"
#include "tests/support/shot_folder.h"

#include <GA/GA_Handle.h>
#include <OP/OP_Director.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <thread>

using namespace selvage;
using namespace selvage::test;

namespace
{

std::vector<float> positions_of(const Geometry& g)
{
    return std::get<std::vector<float>>(g.get(Owner::point, "P").values);
}

/// The sheet, swinging sideways over the frames.
Geometry swinging_sheet(double frame, int n = 6)
{
    Geometry g = sheet_geometry(n);
    VecX x = g.positions();
    for (Eigen::Index i = 2; i < x.size(); i += 3) x[i] += 0.2 * std::sin(0.5 * (frame - 1));
    g.set_positions(x);
    return g;
}

/// A floor that rises.
Geometry rising_floor(double frame)
{
    Geometry g;
    g.set_point_count(4);
    VecX x(12);
    const double y = -0.3 + 0.02 * frame;
    x << -2, y, -2, -2, y, 2, 2, y, 2, 2, y, -2;
    g.set_positions(x);
    g.add_polygon({0, 1, 2, 3});
    return g;
}

/// Frames 1 to `last` as `selvage simulate` writes them.
std::vector<std::vector<float>> simulate(const std::string& shot_file, const std::string& output,
                                         int last)
{
    NullLog log;
    run_shot(read_shot(shot_file), {}, log, NeverCancel());
    std::vector<std::vector<float>> frames;
    for (int f = 1; f <= last; ++f)
        frames.push_back(positions_of(read_geometry(fmt::format(fmt::runtime(output), f))));
    return frames;
}

} // namespace

TEST(SolverSop, EqualsTheCommandLineBitForBit)
{
    const ShotFolder folder;
    const auto expected = simulate(folder.shot(), folder.file("sim/sheet.{:04}.bgeo.sc"), 12);
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(8), /*holes*/ true));
    for (int f = 1; f <= 12; ++f)
        EXPECT_EQ(stage.positions(solver, f), expected[std::size_t(f - 1)]);
    EXPECT_EQ(messages(solver), "");
}

TEST(SolverSop, FollowsAnimatedPinsRestAndCollidersLikeTheCommandLine)
{
    const TemporaryFolder folder;
    constexpr int last = 6;
    for (int f = 1; f <= last; ++f) {
        write_geometry(folder.file(fmt::format("sheet.{}.bgeo", f)), swinging_sheet(f));
        write_geometry(folder.file(fmt::format("floor.{}.bgeo", f)), rising_floor(f));
    }
    std::ofstream(folder.file("shot.json")) << R"({ "selvage": 1, "frames": [1, 6], "substeps": 2,
        "gravity": {"keys": [[1, [0, -9, 0]], [4, [0, -12, 1]]]},
        "solver": { "linear": "ldlt" }, "collision": { "enabled": true },
        "cloth": [ { "name": "selvage_solver1", "geometry": "sheet.$F.bgeo", "material": "denim",
                     "bend_warp": 1e-4, "pins": { "group": "top" },
                     "rest": { "geometry": "sheet.$F.bgeo" } } ],
        "colliders": [ { "name": "floor", "geometry": "floor.$F.bgeo", "friction": 0.2 } ],
        "output": "sim/$NAME.$F4.bgeo" })";
    const auto expected =
        simulate(folder.file("shot.json"), folder.file("sim/selvage_solver1.{:04}.bgeo"), last);

    Stage stage;
    auto& sheet = stage.add_source(
        [](double f, GU_Detail& gdp) { fill(swinging_sheet(f), gdp, true); }, true);
    auto& floor =
        stage.add_source([](double f, GU_Detail& gdp) { fill(rising_floor(f), gdp); }, true);
    auto& solver = stage.add_solver(sheet);
    solver.setInput(2, &floor);
    solver.setInput(3, &sheet);
    set(solver, "substeps", 2);
    set(solver, "material", "denim");
    set(solver, "use_bend_warp", 1);
    set(solver, "bend_warp", 1e-4);
    set(solver, "collision_enabled", 1);
    set(solver, "collider_friction", 0.2);
    solver.animate("gravity", 1, [](double t) { return -9 - std::min(t * 24, 3.0); });
    solver.animate("gravity", 2, [](double t) { return std::min(t * 24, 3.0) / 3; });
    for (int f = 1; f <= last; ++f)
        EXPECT_EQ(stage.positions(solver, f), expected[std::size_t(f - 1)]) << f;
    EXPECT_EQ(messages(solver), "");
}

TEST(SolverSop, ScrubbingBackReturnsTheSameGeometryWithoutSolving)
{
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(8)));
    std::vector<std::vector<float>> frames;
    for (int f = 1; f <= 6; ++f) frames.push_back(stage.positions(solver, f));
    const exint polls = standin::interrupt_polls();
    for (const int f : {3, 1, 6, 2})
        EXPECT_EQ(stage.positions(solver, f), frames[std::size_t(f - 1)]);
    EXPECT_EQ(standin::interrupt_polls(), polls); // steppers poll, caches do not
    EXPECT_EQ(stage.positions(solver, -5), frames[0]);
}

TEST(SolverSop, JumpingAheadSimulatesWhatLiesBetween)
{
    Stage stage;
    auto& a = stage.add_solver(stage.add_source(sheet_geometry(6)));
    auto& b = stage.add_solver(stage.add_source(sheet_geometry(6)));
    for (int f = 1; f < 8; ++f) stage.positions(a, f);
    EXPECT_EQ(stage.positions(a, 8), stage.positions(b, 8));
}

TEST(SolverSop, FractionalFramesInterpolateAndNeverStep)
{
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(6)));
    const auto a = stage.positions(solver, 4), b = stage.positions(solver, 5);
    const exint polls = standin::interrupt_polls();
    const auto middle = stage.positions(solver, 4.25);
    EXPECT_EQ(standin::interrupt_polls(), polls);
    ASSERT_EQ(middle.size(), a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(middle[i], 0.75 * a[i] + 0.25 * b[i], 1e-6);
    EXPECT_FALSE(solver.session()->cached(6));
}

TEST(SolverSop, EverythingElsePassesThroughAndOnlyItsDataIdsChange)
{
    Stage stage;
    auto& source = stage.add_source([](double f, GU_Detail& gdp) {
        fill(sheet_geometry(6), gdp, true);
        GA_RWHandleS name(gdp.addStringTuple(GA_ATTRIB_POINT, "name", 1));
        name.set(gdp.pointOffset(3), "third");
        GA_RWHandleF(gdp.addFloatTuple(GA_ATTRIB_GLOBAL, "frame", 1)).set(0, float(f));
    });
    auto& solver = stage.add_solver(source);
    const GU_Detail* in = stage.cook(source, 4);
    const GU_Detail* out = stage.cook(solver, 4);
    ASSERT_TRUE(in && out);
    EXPECT_EQ(GA_ROHandleS(out, GA_ATTRIB_POINT, "name").get(out->pointOffset(3)), "third");
    EXPECT_EQ(GA_ROHandleI(out, GA_ATTRIB_PRIMITIVE, "paint").get(out->primitiveOffset(7)), 7);
    EXPECT_EQ(out->findPointGroup("top")->entries(), 7);
    EXPECT_FALSE(out->getPointMap().isTrivialMap()); // offsets are those of the input
    for (const char* name : {"name"})
        EXPECT_EQ(out->findPointAttribute(name)->getDataId(),
                  in->findPointAttribute(name)->getDataId());
    EXPECT_EQ(out->getTopology().getDataId(), in->getTopology().getDataId());
    EXPECT_EQ(out->getPrimitiveList().getDataId(), in->getPrimitiveList().getDataId());
    EXPECT_NE(out->getP()->getDataId(), in->getP()->getDataId());
    EXPECT_EQ(out->findPointAttribute("v")->getTypeInfo(), GA_TYPE_VECTOR);
    ASSERT_TRUE(out->findPointAttribute("sv_strain"));
    const GA_DataId before = out->getP()->getDataId();
    EXPECT_NE(stage.cook(solver, 5)->getP()->getDataId(), before);
}

TEST(SolverSop, AChangedParameterSimulatesAgain)
{
    Stage stage;
    auto& source = stage.add_source(sheet_geometry(6));
    auto& solver = stage.add_solver(source);
    const auto soft = stage.positions(solver, 6);
    set(solver, "material", "jersey");
    const auto jersey = stage.positions(solver, 6);
    EXPECT_NE(jersey, soft);
    auto& fresh = stage.add_solver(source);
    set(fresh, "material", "jersey");
    EXPECT_EQ(stage.positions(fresh, 6), jersey);
    set(solver, "material", "cotton");
    EXPECT_EQ(stage.positions(solver, 6), soft);
}

TEST(SolverSop, AnAnimatedParameterChangedLaterKeepsTheFramesBefore)
{
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(6)));
    solver.animate("wind", 2, [](double t) { return t > 3.5 / 24 ? 5.0 : 0.0; });
    stage.positions(solver, 8);
    solver.animate("wind", 2, [](double t) { return t > 3.5 / 24 ? 9.0 : 0.0; });
    stage.positions(solver, 2);
    EXPECT_TRUE(solver.session()->cached(4));
    EXPECT_FALSE(solver.session()->cached(5));
    auto& fresh = stage.add_solver(stage.add_source(sheet_geometry(6)));
    fresh.animate("wind", 2, [](double t) { return t > 3.5 / 24 ? 9.0 : 0.0; });
    EXPECT_EQ(stage.positions(solver, 8), stage.positions(fresh, 8));
}

TEST(SolverSop, AnUpstreamChangeSimulatesAgainFromTheFrameItTouches)
{
    Stage stage;
    double kick = 0;
    auto& sheet = stage.add_source(
        [&](double f, GU_Detail& gdp) { fill(swinging_sheet(f + (f >= 5 ? kick : 0)), gdp); },
        true);
    auto& solver = stage.add_solver(sheet);
    const auto before = stage.positions(solver, 8);
    kick = 2; // the animation changes from frame 5 on
    sheet.forceRecook();
    const auto after = stage.positions(solver, 8);
    EXPECT_NE(after, before);
    auto& fresh = stage.add_solver(sheet);
    EXPECT_EQ(stage.positions(fresh, 8), after);

    // Back again, with frames 1 to 4 standing: polls show that only 5 to 8 are simulated.
    const exint start = standin::interrupt_polls();
    kick = 0;
    sheet.forceRecook();
    EXPECT_EQ(stage.positions(solver, 8), before);
    const exint four_frames = standin::interrupt_polls() - start;
    set(solver, "start_frame", 1);
    auto& whole = stage.add_solver(sheet);
    const exint again = standin::interrupt_polls();
    stage.positions(whole, 8);
    EXPECT_LT(four_frames, standin::interrupt_polls() - again);
}

TEST(SolverSop, AStaticInputThatChangesStartsOver)
{
    Stage stage;
    int cells = 6;
    auto& source =
        stage.add_source([&](double, GU_Detail& gdp) { fill(sheet_geometry(cells), gdp); });
    auto& solver = stage.add_solver(source);
    stage.positions(solver, 4);
    cells = 7;
    source.forceRecook();
    const auto seven = stage.positions(solver, 4);
    EXPECT_EQ(seven.size(), 3u * 64u);
    auto& fresh = stage.add_solver(source);
    EXPECT_EQ(stage.positions(fresh, 4), seven);
}

TEST(SolverSop, PlayingCooksEachInputFrameOnce)
{
    Stage stage;
    auto& sheet =
        stage.add_source([](double f, GU_Detail& gdp) { fill(swinging_sheet(f), gdp); }, true);
    auto& solver = stage.add_solver(sheet);
    for (int f = 1; f <= 10; ++f) stage.positions(solver, f);
    EXPECT_LE(sheet.cook_count(), 12);
}

TEST(SolverSop, SubstepsMaySampleInputsBetweenFrames)
{
    Stage stage;
    std::set<double> asked;
    auto& sheet = stage.add_source(
        [&](double f, GU_Detail& gdp) {
            asked.insert(f);
            fill(swinging_sheet(f), gdp);
        },
        true);
    auto& solver = stage.add_solver(sheet);
    set(solver, "substeps", 4);
    const auto interpolated = stage.positions(solver, 3);
    EXPECT_EQ(asked, (std::set<double>{1, 2, 3}));
    set(solver, "sample_subframes", 1);
    const auto sampled = stage.positions(solver, 3);
    EXPECT_TRUE(asked.count(1.25) && asked.count(2.75));
    ASSERT_EQ(sampled.size(), interpolated.size());
    EXPECT_NE(sampled, interpolated); // the swing is not linear between frames
    for (std::size_t i = 0; i < sampled.size(); ++i) EXPECT_NEAR(sampled[i], interpolated[i], 0.02);
}

TEST(SolverSop, AMendedParameterGoesOn)
{
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(6)));
    const auto good = stage.positions(solver, 4);
    set(solver, "pins_group", "nowhere");
    EXPECT_EQ(stage.cook(solver, 4), nullptr);
    set(solver, "pins_group", "top");
    EXPECT_EQ(stage.positions(solver, 4), good);
}

TEST(SolverSop, EscapeStopsAndKeepsFinishedFrames)
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

TEST(SolverSop, ShowsProgressAndInfo)
{
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(6)));
    stage.positions(solver, 6);
    EXPECT_GT(standin::last_percent(), 50);
    expect_says(standin::last_operation(), {"Frame"});
    OP_Context context(CHgetTimeFromFrame(6));
    OP_NodeInfoParms info;
    solver.getNodeSpecificInfoText(context, info);
    expect_says(info.text(), {"Frame 6", "Newton iterations", "contacts", "stretch", "cached"});
}

TEST(SolverSop, ResetForgetsAndReadsAgain)
{
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(6)));
    const auto five = stage.positions(solver, 5);
    EXPECT_TRUE(solver.press("reset"));
    EXPECT_EQ(solver.session(), nullptr);
    EXPECT_EQ(stage.positions(solver, 5), five);
}

TEST(SolverSop, DisconnectingAnInputIsFollowed)
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

TEST(SolverSop, TopologyThatChangesMidShotIsNamedAndEarlierFramesStay)
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

TEST(SolverSop, AnErrorUpstreamIsPassedOnAndForgottenWhenMended)
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

TEST(SolverSop, ANodeThatWasDeletedLeavesNothingBehind)
{
    Stage stage;
    auto& source = stage.add_source(sheet_geometry(6));
    auto* solver = &stage.add_solver(source);
    stage.positions(*solver, 4);
    solver->forceRecook(); // a cook is pending
    stage.network.destroyNode(solver);
    auto* orphan = &stage.add_solver(source);
    stage.positions(*orphan, 3);
    stage.network.destroyNode(&source);
    EXPECT_EQ(stage.cook(*orphan, 4), nullptr);
}

TEST(SolverSop, AWedgeOfThreeValuesGivesThreeResultsThatRepeat)
{
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(6)));
    set(solver, "use_density", 1);
    std::vector<std::vector<float>> first;
    for (const double density : {0.05, 0.2, 0.8}) {
        set(solver, "density", density);
        first.push_back(stage.positions(solver, 5));
    }
    EXPECT_NE(first[0], first[1]);
    EXPECT_NE(first[1], first[2]);
    set(solver, "density", 0.05);
    EXPECT_EQ(stage.positions(solver, 5), first[0]);
}

TEST(SolverSop, TwoNodesCookFromTwoThreads)
{
    Stage stage;
    auto& a = stage.add_solver(stage.add_source(sheet_geometry(6)));
    auto& b = stage.add_solver(stage.add_source(sheet_geometry(6)));
    set(b, "material", "denim");
    std::vector<float> from_a, from_b;
    std::thread one([&] { from_a = stage.positions(a, 8); });
    std::thread two([&] { from_b = stage.positions(b, 8); });
    one.join();
    two.join();
    auto& alone = stage.add_solver(stage.add_source(sheet_geometry(6)));
    EXPECT_EQ(stage.positions(alone, 8), from_a);
    set(alone, "material", "denim");
    EXPECT_EQ(stage.positions(alone, 8), from_b);
}

TEST(SolverSop, StaysWithinItsCacheLimitWithoutLosingFrames)
{
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(6)));
    std::vector<std::vector<float>> frames;
    for (int f = 1; f <= 10; ++f) frames.push_back(stage.positions(solver, f));
    set(solver, "cache_limit", 0.02); // 20 kB: a few frames of this sheet
    for (const int f : {10, 3, 9}) {
        EXPECT_EQ(stage.positions(solver, f), frames[std::size_t(f - 1)]);
        EXPECT_LE(solver.session()->cache().bytes(), 20000u);
    }
}

TEST(SolverSop, GuidesShowPinsAndIntersections)
{
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(6)));
    set(solver, "guide_pins", 1);
    OP_Context context(CHgetTimeFromFrame(2));
    EXPECT_EQ(solver.getGuideGeoHandle(context).gdp()->getNumPoints(), 7);
    Geometry crossed = sheet_geometry(6);
    VecX x = crossed.positions();
    x.segment<3>(3 * 48) = Vec3(0.2, 0.9, 0.4); // a corner folded through the sheet
    x.segment<3>(3 * 47) = Vec3(0.2, 0.9, -0.4);
    crossed.set_positions(x);
    auto& tangled = stage.add_solver(stage.add_source(crossed));
    set(tangled, "guide_intersections", 1);
    OP_Context start(CHgetTimeFromFrame(1));
    EXPECT_GT(tangled.getGuideGeoHandle(start).gdp()->getNumPrimitives(), 0);
}

TEST(SolverSop, SoupsCurvesAndStoppedPointsAreRead)
{
    Stage stage;
    Geometry soup;
    const Geometry sheet = sheet_geometry(6);
    soup.set_point_count(sheet.point_count());
    soup.set_positions(sheet.positions());
    std::vector<std::vector<int>> polygons;
    for (const Primitive& p : sheet.primitives()) {
        polygons.emplace_back();
        for (int k = 0; k < 4; ++k)
            polygons.back().push_back(sheet.vertex_point()[std::size_t(p.first + k)]);
    }
    soup.add_soup(polygons);
    Attribute stopped = make_attribute("stopped", Owner::point, Storage::int32, 1, 49);
    for (std::size_t i = 0; i < 7; ++i) stopped.set_number(i, 0, 1);
    soup.set(stopped);
    auto& from_soup = stage.add_solver(stage.add_source(soup));
    set(from_soup, "pins_group", "");
    auto& from_quads = stage.add_solver(stage.add_source(sheet));
    EXPECT_EQ(stage.positions(from_soup, 4), stage.positions(from_quads, 4));
}

TEST(SolverSopFull, AThousandCooksAndAHundredNodes)
{
    Stage stage;
    auto& source = stage.add_source(sheet_geometry(3));
    auto& solver = stage.add_solver(source);
    for (int i = 0; i < 1000; ++i) ASSERT_FALSE(stage.positions(solver, 1 + (7 * i) % 20).empty());
    for (int i = 0; i < 100; ++i) {
        auto& one = stage.add_solver(source);
        ASSERT_FALSE(stage.positions(one, 3).empty());
        stage.network.destroyNode(&one);
    }
}

TEST(SolverSopFull, LongShotsOfDenseClothStayWithinTheCacheLimit)
{
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(316))); // 100k points
    set(solver, "time_scale", 0.0); // frames without physics: the cache alone
    set(solver, "cache_limit", 100);
    const auto last = stage.positions(solver, 240);
    ASSERT_EQ(last.size(), 3u * 317u * 317u);
    EXPECT_LE(solver.session()->cache().bytes(), 100'000'000u);
    EXPECT_GT(solver.session()->cache().size(), 10u);
    EXPECT_EQ(stage.positions(solver, 10), last); // dropped, and made again
    EXPECT_LE(solver.session()->cache().bytes(), 100'000'000u);
}
