// The Selvage Solver node, driven through the stand-in like an artist would.
#include "tests/hdk_standin/standin.h"
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"

#include <GA/GA_Handle.h>
#include <OP/OP_Director.h>

#include <gtest/gtest.h>

#include <set>

using namespace selvage;
using namespace selvage::test;

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
    auto& source = stage.add_source(
        [](double f, GU_Detail& gdp) {
            fill(sheet_geometry(6), gdp, true);
            GA_RWHandleS name(gdp.addStringTuple(GA_ATTRIB_POINT, "name", 1));
            name.set(gdp.pointOffset(3), "third");
            GA_RWHandleF(gdp.addFloatTuple(GA_ATTRIB_GLOBAL, "frame", 1)).set(0, float(f));
            const GA_RWHandleF heat(gdp.addFloatTuple(GA_ATTRIB_POINT, "heat", 1));
            const GA_RWHandleV3 uv(gdp.addFloatTuple(GA_ATTRIB_VERTEX, "uv2", 3));
            for (GA_Index p = 0; p < gdp.getNumPrimitives(); ++p)
                for (int k = 0; k < 4; ++k)
                    uv.set(gdp.getPrimitiveVertexOffset(gdp.primitiveOffset(p), k),
                           UT_Vector3(float(p), float(k), float(f)));
            for (GA_Index i = 0; i < gdp.getNumPoints(); ++i)
                heat.set(gdp.pointOffset(i), float(100 * f + double(i)));
            GA_PrimitiveGroup* odd = gdp.newPrimitiveGroup("odd");
            for (GA_Index p = 1; p < gdp.getNumPrimitives(); p += 2) odd->addIndex(p);
        },
        /*animated*/ true);
    auto& solver = stage.add_solver(source);
    for (const int f : {3, 6, 4}) { // simulated, simulated on, and from the cache
        const GU_Detail* shown = stage.cook(solver, f);
        ASSERT_TRUE(shown);
        EXPECT_EQ(GA_ROHandleF(shown, GA_ATTRIB_GLOBAL, "frame").get(0), float(f));
        const GA_ROHandleF heat(shown, GA_ATTRIB_POINT, "heat");
        const GA_ROHandleV3 uv(shown, GA_ATTRIB_VERTEX, "uv2");
        for (GA_Index i = 0; i < shown->getNumPoints(); ++i)
            EXPECT_EQ(heat.get(shown->pointOffset(i)), float(100 * f + i));
        for (GA_Index p = 0; p < shown->getNumPrimitives(); ++p)
            for (int k = 0; k < 4; ++k)
                EXPECT_EQ(uv.get(shown->getPrimitiveVertexOffset(shown->primitiveOffset(p), k)),
                          UT_Vector3(float(p), float(k), float(f)));
        ASSERT_TRUE(shown->findPrimitiveGroup("odd"));
        EXPECT_EQ(shown->findPrimitiveGroup("odd")->entries(), 18);
        EXPECT_TRUE(shown->findPrimitiveGroup("odd")->containsIndex(35));
    }
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

/// As scripts do it: change something, then ask for another frame.
TEST(SolverSop, AnUpstreamChangeIsSeenFromAnotherFrame)
{
    for (const int frame : {9, 12, 6}) {
        Stage stage;
        double kick = 0;
        auto& sheet = stage.add_source(
            [&](double f, GU_Detail& gdp) {
                fill(swinging_sheet(f + (f == 4 || f == 5 ? kick : 0)), gdp);
            },
            true);
        auto& solver = stage.add_solver(sheet);
        stage.positions(solver, 8);
        kick = 2; // frames 4 and 5 alone
        sheet.forceRecook();
        const auto after = stage.positions(solver, frame);
        auto& fresh = stage.add_solver(sheet);
        EXPECT_EQ(stage.positions(fresh, frame), after) << frame;
        EXPECT_TRUE(solver.session()->cached(3)); // what came before stands
    }
}

TEST(SolverSop, AHostWhoseVersionsFollowTimeCostsOneMoreFrameOfTheInputs)
{
    Stage stage;
    double kick = 0;
    auto& sheet = stage.add_source(
        [&](double f, GU_Detail& gdp) { fill(swinging_sheet(f + (f >= 5 ? kick : 0)), gdp); },
        true);
    auto& solver = stage.add_solver(sheet);
    for (int f = 1; f <= 20; ++f) {
        sheet.forceRecook();
        stage.positions(solver, f);
    }
    EXPECT_LE(sheet.cook_count(), 65);
    kick = 2;
    sheet.forceRecook();
    const auto after = stage.positions(solver, 22);
    auto& fresh = stage.add_solver(sheet);
    EXPECT_EQ(stage.positions(fresh, 22), after);
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
    const std::vector<std::string> names = {
        "Frame", "Newton iterations", "Contacts", "Largest stretch", "Time", "Cache"};
    UT_InfoTree tree; // what the info window shows
    solver.fillInfoTreeNodeSpecific(tree, OP_NodeInfoTreeParms());
    const UT_InfoTree* branch = tree.getDescendentPtr("Selvage");
    ASSERT_TRUE(branch);
    for (const std::string& name : names) {
        EXPECT_NE(info.text().find(name + ": "), std::string::npos) << info.text();
        bool shown = false;
        for (exint i = 0; i < branch->rows().entries(); ++i)
            shown =
                shown || (branch->rows()(i)(0) == name.c_str() && branch->rows()(i)(1).length());
        EXPECT_TRUE(shown) << name;
    }
    expect_says(info.text(), {"Frame: 6: ", "6 frames"});
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

TEST(SolverSop, GuidesShowPinsAndIntersections)
{
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(6)));
    set(solver, "guide_pins", 1);
    OP_Context context(CHgetTimeFromFrame(2));
    EXPECT_EQ(solver.getGuideGeoHandle(context).gdp()->getNumPoints(), 7);
    const UT_Vector3 pin = solver.getGuideGeoHandle(context).gdp()->getPos3(0);
    set(solver, "unit", 0.5); // guides are drawn where the points are, whatever the unit
    solver.forceRecook();
    EXPECT_LT((solver.getGuideGeoHandle(context).gdp()->getPos3(0) - pin).length(), 1e-6f);
    Geometry crossed = sheet_geometry(6);
    VecX x = crossed.positions();
    x.segment<3>(3 * 48) = Vec3(0.2, 0.9, 0.4); // a corner folded through the sheet
    x.segment<3>(3 * 47) = Vec3(0.2, 0.9, -0.4);
    crossed.set_positions(x);
    auto& tangled = stage.add_solver(stage.add_source(crossed));
    set(tangled, "guide_intersections", 1);
    OP_Context start(CHgetTimeFromFrame(1));
    EXPECT_GT(tangled.getGuideGeoHandle(start).gdp()->getNumPrimitives(), 0);
    // A collider through the sheet at the start.
    Geometry pole;
    pole.set_point_count(3);
    VecX corners(9);
    corners << 0.52, 0.47, -0.3, 0.52, 0.47, 0.3, 0.55, 0.5, 0.3;
    pole.set_positions(corners);
    pole.add_polygon({0, 1, 2});
    auto& pierced = stage.add_solver(stage.add_source(sheet_geometry(6)));
    set(pierced, "guide_intersections", 1);
    EXPECT_EQ(pierced.getGuideGeoHandle(start).gdp()->getNumPrimitives(), 0);
    pierced.setInput(2, &stage.add_source(pole));
    EXPECT_GT(pierced.getGuideGeoHandle(start).gdp()->getNumPrimitives(), 0);
}

TEST(SolverSop, ContactsAreShownAsGuidesAndAttributes)
{
    Stage stage;
    Geometry sheet = sheet_geometry(6); // laid flat, just above a floor
    VecX x = sheet.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) {
        x[i + 2] = x[i + 1];
        x[i + 1] = 0.003;
    }
    sheet.set_positions(x);
    Geometry floor;
    floor.set_point_count(4);
    VecX corners(12);
    corners << -2, 0, -2, -2, 0, 2, 2, 0, 2, 2, 0, -2;
    floor.set_positions(corners);
    floor.add_polygon({0, 1, 2, 3});
    auto& solver = stage.add_solver(stage.add_source(sheet));
    solver.setInput(2, &stage.add_source(floor));
    set(solver, "pins_group", "");
    set(solver, "guide_contacts", 1);
    set(solver, "contact_attributes", 1);
    const GU_Detail* gdp = stage.cook(solver, 8);
    ASSERT_TRUE(gdp) << messages(solver);
    const GA_ROHandleI contact(gdp, GA_ATTRIB_POINT, "sv_contact");
    const GA_ROHandleF gap(gdp, GA_ATTRIB_POINT, "sv_gap");
    ASSERT_TRUE(contact.isValid() && gap.isValid());
    int touching = 0;
    double smallest = 1;
    for (GA_Index i = 0; i < gdp->getNumPoints(); ++i) {
        touching += contact.get(gdp->pointOffset(i));
        const double g = gap.get(gdp->pointOffset(i));
        EXPECT_EQ(g > 0, contact.get(gdp->pointOffset(i)) == 1);
        if (g > 0) smallest = std::min(smallest, g);
    }
    EXPECT_GT(touching, 10);
    EXPECT_LT(smallest, 1e-3); // the contact gap
    EXPECT_NEAR(smallest, solver.session()->frame(8)->report.min_gap, 1e-6);
    OP_Context context(CHgetTimeFromFrame(8));
    EXPECT_EQ(solver.getGuideGeoHandle(context).gdp()->getNumPoints(), touching);
}

TEST(SolverSop, SoupsCurvesAndStoppedPointsAreRead)
{
    Stage stage;
    Geometry soup;
    const Geometry sheet = sheet_geometry(6);
    soup.set_point_count(sheet.point_count());
    soup.set_positions(sheet.positions());
    soup.add_soup(quads_of(sheet));
    Attribute stopped = make_attribute("stopped", Owner::point, Storage::int32, 1, 49);
    for (std::size_t i = 0; i < 7; ++i) stopped.set_number(i, 0, 1);
    soup.set(stopped);
    auto& from_soup = stage.add_solver(stage.add_source(soup, /*holes*/ true));
    set(from_soup, "pins_group", "");
    auto& from_quads = stage.add_solver(stage.add_source(sheet));
    EXPECT_EQ(stage.positions(from_soup, 4), stage.positions(from_quads, 4));
}

TEST(SolverSop, TetrahedraAreSimulatedAsASolid)
{
    const Geometry block = hung_block();
    const VecX x_0 = block.positions();
    const Group& top = *block.find_group(Owner::point, "top");
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(block, /*holes*/ true));
    set(solver, "solid_young", 2000);
    const auto x = stage.positions(solver, 5);
    ASSERT_EQ(x.size(), std::size_t(x_0.size())) << messages(solver);
    double sag = 0;
    for (std::size_t i = 0; i < block.point_count(); ++i) {
        const double dy = x[3 * i + 1] - x_0[Eigen::Index(3 * i + 1)];
        EXPECT_NEAR(top.member[i] ? dy : 0, 0, 1e-6);
        sag = std::min(sag, dy);
    }
    EXPECT_LT(sag, -0.001);
    set(solver, "solid_young", 4000);
    EXPECT_NE(stage.positions(solver, 5), x);
    solver.setInput(3, &stage.add_source(block));
    stage.cook(solver, 5);
    expect_says(messages(solver), {"Input 4", "for cloth"});
}
