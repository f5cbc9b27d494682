// The DOP solver: data by value, so that going back in the cache and on again is right.
#include "plugin/houdini/SIM_SelvageSolver.h"
#include "tests/hdk_standin/standin.h"
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"
#include "tests/support/constraint_geometry.h"
#include "tests/support/messages.h"

#include <GA/GA_Handle.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_Force.h>
#include <UT/UT_DSOVersion.h>

#include <gtest/gtest.h>

#include <set>
#include <sstream>

using namespace selvage;
using namespace selvage::test;
using houdini::SIM_SelvageSolver;
using houdini::SIM_SelvageState;

namespace
{

struct Simulation {
    explicit Simulation(bool with_gravity = false)
    {
        standin::initialize_sim();
        initializeSIM(nullptr);
        sheet = engine.addObject("sheet");
        auto* g = SIM_DATA_CREATE(*sheet, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
        fill(sheet_geometry(6), *g->lockGeometry().gdpNC(), /*holes*/ true);
        auto* solver = SIM_DATA_CREATE(*sheet, SIM_SOLVER_DATANAME, SIM_SelvageSolver, 0);
        solver->getOptionsForWrite().setOptionS("pins_group", "top");
        solver->getOptionsForWrite().setOptionI("solver_linear", 4); // ldlt
        if (with_gravity) {
            auto* force = SIM_DATA_CREATE(*sheet, "Forces/gravity", SIM_ForceGravity, 0);
            force->setGravity(UT_Vector3D(0, 0, 5));
        }
    }
    std::vector<float> positions() const
    {
        return positions_of(*sheet->getGeometry()->getGeometry().gdp());
    }
    SIM_Engine engine{1.0 / 24};
    SIM_Object* sheet;
};

GU_Detail& sheet_of(Simulation& sim)
{
    return *SIM_DATA_GET(*sim.sheet, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy)
                ->lockGeometry()
                .gdpNC();
}

std::string errors(const Simulation& sim)
{
    UT_String text;
    sim.engine.errors().getErrorMessages(text);
    return text.c_str();
}

} // namespace

TEST(DopSolver, EqualsTheSop)
{
    Simulation sim;
    Stage stage;
    auto& sop = stage.add_solver(stage.add_source(sheet_geometry(6)));
    for (int step = 0; step <= 5; ++step) {
        ASSERT_TRUE(sim.engine.set_step(step));
        EXPECT_EQ(sim.positions(), stage.positions(sop, step + 1)) << step;
    }
}

/// DOPs measure data again only when they are told that it has changed.
TEST(DopSolver, EveryStepMarksItsDataAsModified)
{
    Simulation sim;
    int64 before = -1;
    for (int step = 0; step <= 3; ++step) {
        ASSERT_TRUE(sim.engine.set_step(step));
        const auto* state =
            SIM_DATA_GETCONST(*sim.sheet, SIM_SelvageState::data_name(), SIM_SelvageState);
        EXPECT_GT(state->getModificationCount(), before) << step;
        before = state->getModificationCount();
    }
}

TEST(DopSolver, ScrubbingBackAndOnGivesTheSame)
{
    Simulation sim;
    ASSERT_TRUE(sim.engine.set_step(3));
    const auto three = sim.positions();
    ASSERT_TRUE(sim.engine.set_step(6));
    const auto six = sim.positions();
    ASSERT_TRUE(sim.engine.set_step(3));
    EXPECT_EQ(sim.positions(), three);
    sim.engine.forget_after(3);
    ASSERT_TRUE(sim.engine.set_step(6));
    EXPECT_EQ(sim.positions(), six);
}

/// Houdini may copy the solver as well from frame to frame.
TEST(DopSolver, CopiesOfASolverGoOnForEachOther)
{
    Simulation sim, other(/*with_gravity*/ true);
    const auto six = [] {
        Simulation alone;
        EXPECT_TRUE(alone.engine.set_step(6));
        return alone.positions();
    }();
    const auto copy_solver = [](SIM_Object& from, SIM_Object& to) {
        SIM_DATA_GET(to, SIM_SOLVER_DATANAME, SIM_SelvageSolver)
            ->makeEqual(SIM_DATA_GET(from, SIM_SOLVER_DATANAME, SIM_SelvageSolver));
    };
    copy_solver(*sim.sheet, *other.sheet);
    for (int step = 1; step <= 6; ++step) {
        ASSERT_TRUE(sim.engine.set_step(step));
        ASSERT_TRUE(other.engine.set_step(step)); // the same object number, another simulation
    }
    EXPECT_EQ(sim.positions(), six);
    EXPECT_NE(other.positions(), six);
}

TEST(DopSolver, SavedStateGoesOnWithTheSameBits)
{
    Simulation sim;
    ASSERT_TRUE(sim.engine.set_step(3));
    std::stringstream file;
    sim.sheet->save(file);
    ASSERT_TRUE(sim.engine.set_step(6));
    const auto six = sim.positions();

    Simulation again;
    ASSERT_TRUE(again.engine.set_step(0));
    UT_IStream in(file);
    ASSERT_TRUE(again.sheet->load(in));
    ASSERT_TRUE(again.engine.set_step(3));
    EXPECT_EQ(again.positions(), six);
}

TEST(DopSolver, ASimulationFileHoldsAllThatIsNeeded)
{
    Simulation sim;
    ASSERT_TRUE(sim.engine.set_step(3));
    std::stringstream file;
    sim.sheet->save(file);
    const std::string bytes = file.str();
    ASSERT_TRUE(sim.engine.set_step(5));

    Simulation fresh; // has never been stepped
    UT_IStream in(file);
    ASSERT_TRUE(fresh.sheet->load(in));
    const auto* state =
        SIM_DATA_GETCONST(*fresh.sheet, SIM_SelvageState::data_name(), SIM_SelvageState);
    ASSERT_TRUE(state && state->snapshot);
    EXPECT_EQ(state->snapshot->step, 3);
    EXPECT_EQ(state->snapshot->start->primitive_count(), 36u);
    EXPECT_TRUE(state->snapshot->start->find_group(Owner::point, "top"));
    EXPECT_GT(fresh.sheet->getMemorySize(), 49 * 3 * 8);

    // A damaged file is refused, whichever byte is missing or wrong.
    for (const std::size_t cut : {bytes.size() / 2, bytes.size() - 1}) {
        Simulation damaged;
        std::stringstream part(bytes.substr(0, cut));
        UT_IStream stream(part);
        EXPECT_FALSE(damaged.sheet->load(stream)) << cut;
    }
}

TEST(DopSolver, WindIsTheVelocityAtWhichADragForceVanishes)
{
    const auto blown = [](const UT_Vector3D& wind) {
        Simulation sim;
        if (wind.length() > 0) {
            auto* drag = SIM_DATA_CREATE(*sim.sheet, "Forces/wind", SIM_ForceDrag, 0);
            drag->setVelocity(wind);
            drag->setForceScale(0.3);
        }
        EXPECT_TRUE(sim.engine.set_step(4));
        return sim.positions();
    };
    Stage stage;
    auto& sop = stage.add_solver(stage.add_source(sheet_geometry(6)));
    set(sop, "pins_group", "top");
    sop.setFloat("wind", 2, 0, 4);
    const auto expected = stage.positions(sop, 5), still = blown({0, 0, 0}), x = blown({0, 0, 4});
    ASSERT_EQ(x.size(), expected.size());
    EXPECT_GT(x[3 * 45 + 2], still[3 * 45 + 2] + 0.001f);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-4);
}

/// Two equal fans from opposite sides stand against each other; they do not add up.
TEST(DopSolver, SeveralWindsMeetWhereTheirForcesVanishTogether)
{
    const auto blown = [](const std::vector<std::pair<double, double>>& winds) { // speed, scale
        Simulation sim;
        for (std::size_t i = 0; i < winds.size(); ++i) {
            auto* drag = SIM_DATA_CREATE(*sim.sheet, ("Forces/wind" + std::to_string(i)).c_str(),
                                         SIM_ForceDrag, 0);
            drag->setVelocity(UT_Vector3D(0, 0, winds[i].first));
            drag->setForceScale(winds[i].second);
        }
        EXPECT_TRUE(sim.engine.set_step(4));
        return sim.positions();
    };
    const auto expect_near = [](const std::vector<float>& a, const std::vector<float>& b) {
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5);
    };
    expect_near(blown({{4, 0.3}, {4, 0.3}}), blown({{4, 0.3}}));
    expect_near(blown({{4, 0.3}, {-4, 0.3}}), blown({{0, 0.3}}));
    expect_near(blown({{4, 0.9}, {0, 0.3}}), blown({{3, 0.3}}));
}

TEST(DopSolver, ParametersAreReadAsTheTypesThatTheyHave)
{
    const exint before = standin::mistyped_options();
    Simulation sim;
    SIM_Options& options =
        SIM_DATA_GET(*sim.sheet, SIM_SOLVER_DATANAME, SIM_SelvageSolver)->getOptionsForWrite();
    options.setOptionI("substeps", 2);
    options.setOptionB("collision_enabled", false);
    ASSERT_TRUE(sim.engine.set_step(3));
    EXPECT_EQ(standin::mistyped_options(), before);
    Stage stage;
    auto& sop = stage.add_solver(stage.add_source(sheet_geometry(6)));
    set(sop, "substeps", 2);
    set(sop, "collision_enabled", 0.0);
    EXPECT_EQ(sim.positions(), stage.positions(sop, 4));
}

TEST(DopSolver, ShowsNoParameterThatHasNoEffectThere)
{
    std::set<std::string> dop, sop;
    const auto gather = [](const PRM_Template* t, std::set<std::string>& names) {
        for (; t->getType() != PRM_LIST_TERMINATOR; ++t) names.insert(t->getToken());
    };
    initializeSIM(nullptr);
    gather(SIM_DataFactory::find("SIM_SelvageSolver")->getDopDescription()->getTemplates(), dop);
    gather(houdini::SOP_SelvageSolver::templates(), sop);
    for (const char* idle :
         {"reset", "start_frame", "sample_subframes", "guide_pins", "guide_contacts",
          "contact_attributes", "guide_intersections", "cache_limit", "pairs"}) {
        EXPECT_TRUE(sop.count(idle)) << idle;
        EXPECT_FALSE(dop.count(idle)) << idle;
        sop.erase(idle);
    }
    EXPECT_EQ(dop, sop);
}

TEST(DopSolver, DataWithoutANodeHasAnEmptyDescription)
{
    initializeSIM(nullptr);
    const SIM_DopDescription* none = SIM_DataFactory::find("SIM_SelvageState")->getDopDescription();
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->createDop());
}

TEST(DopSolver, SessionsOfObjectsThatAreGoneAreFreed)
{
    Simulation sim;
    SIM_Object* second = sim.engine.addObject("second");
    auto* g = SIM_DATA_CREATE(*second, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
    fill(sheet_geometry(3), *g->lockGeometry().gdpNC());
    auto* solver = SIM_DATA_CREATE(*second, SIM_SOLVER_DATANAME, SIM_SelvageSolver, 0);
    const auto* first = SIM_DATA_GET(*sim.sheet, SIM_SOLVER_DATANAME, SIM_SelvageSolver);
    solver->makeEqual(first); // one solver for both
    ASSERT_TRUE(sim.engine.set_step(2));
    EXPECT_EQ(first->session_count(), 2u);
    sim.engine.removeSimulationObject(second);
    sim.engine.forget_after(2);
    ASSERT_TRUE(sim.engine.set_step(3));
    EXPECT_EQ(first->session_count(), 1u);
}

TEST(DopSolver, GravityForcesReplaceTheParameter)
{
    Simulation sim(/*with_gravity*/ true);
    ASSERT_TRUE(sim.engine.set_step(4));
    const auto x = sim.positions();
    EXPECT_GT(x[3 * 45 + 2], 0.01f);     // pulled along z
    EXPECT_NEAR(x[3 * 45 + 1], 0, 0.05); // and not down
}

TEST(DopSolver, ConstraintGeometryActsAndIsSaved)
{
    Geometry lines = constraint_geometry(sheet_geometry(6), {{"stitch", {42, 48}}});
    set_numbers(lines, "stiffness", {60});
    const auto add_lines = [&](Simulation& sim) {
        auto* g = SIM_DATA_CREATE(*sim.sheet, "ConstraintGeometry", SIM_GeometryCopy, 0);
        fill(lines, *g->lockGeometry().gdpNC());
        g->releaseGeometry();
    };
    Simulation sim;
    add_lines(sim);
    Stage stage;
    auto& sop = stage.add_solver(stage.add_source(sheet_geometry(6)));
    sop.setInput(1, &stage.add_source(lines));
    for (int step = 0; step <= 4; ++step) {
        ASSERT_TRUE(sim.engine.set_step(step));
        EXPECT_EQ(sim.positions(), stage.positions(sop, step + 1)) << step;
    }
    std::stringstream file;
    sim.sheet->save(file);
    ASSERT_TRUE(sim.engine.set_step(6));
    const auto six = sim.positions();
    Simulation again;
    add_lines(again);
    ASSERT_TRUE(again.engine.set_step(0));
    UT_IStream in(file);
    ASSERT_TRUE(again.sheet->load(in));
    ASSERT_TRUE(again.engine.set_step(2));
    EXPECT_EQ(again.positions(), six);
}

/// Colliders are what collides with the object, where it is at the two ends of the step.
TEST(DopSolver, CollidingObjectsAreColliders)
{
    const auto rising_floor = [](double frame) {
        Geometry g;
        g.set_point_count(4);
        VecX x(12);
        const double y = 0.02 * (frame - 1) - 0.02;
        x << -2, y, -2, -2, y, 2, 2, y, 2, 2, y, -2;
        g.set_positions(x);
        g.add_polygon({0, 1, 2, 3});
        return g;
    };
    Simulation sim;
    SIM_Object* floor = sim.engine.addObject("floor");
    SIM_DATA_CREATE(*floor, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
    sim.sheet->addAffector(floor, "SIM_RelationshipCollide");
    const auto move_floor = [&](double frame) {
        auto* g = SIM_DATA_GET(*floor, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy);
        GU_Detail& gdp = *g->lockGeometry().gdpNC();
        gdp.clearAndDestroy();
        fill(rising_floor(frame), gdp);
        g->releaseGeometry();
    };
    Stage stage;
    auto& sop = stage.add_solver(stage.add_source(sheet_geometry(6)));
    sop.setInput(
        2, &stage.add_source([&](double f, GU_Detail& gdp) { fill(rising_floor(f), gdp); }, true));
    for (int step = 0; step <= 5; ++step) {
        move_floor(step + 1);
        ASSERT_TRUE(sim.engine.set_step(step));
        EXPECT_EQ(sim.positions(), stage.positions(sop, step + 1)) << step;
    }
    EXPECT_GT(sop.session()->frame(6)->report.contacts, 0);
}

/// Wherever an object's transform puts its geometry, it is simulated in the world.
TEST(DopSolver, TransformsOfObjectsCount)
{
    const auto floor_under = [](Simulation& sim, float y) {
        SIM_Object* floor = sim.engine.addObject("floor");
        auto* g = SIM_DATA_CREATE(*floor, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
        GU_Detail& gdp = *g->lockGeometry().gdpNC();
        auto* quad = GEO_PrimPoly::build(&gdp, 4);
        const float corners[4][2] = {{-3, -3}, {-3, 3}, {3, 3}, {3, -3}};
        for (int i = 0; i < 4; ++i)
            gdp.setPos3(quad->getPointOffset(i), corners[i][0], 0, corners[i][1]);
        g->releaseGeometry();
        UT_DMatrix4 up(1.0);
        up.translate(0, y, 0);
        g->setTransform(up);
        sim.sheet->addAffector(floor, "SIM_RelationshipCollide");
    };
    UT_DMatrix4 move(1.0); // a quarter turn about z and half a metre up
    move.rotate(UT_Axis3::ZAXIS, M_PI / 2);
    move.translate(1, 0.5, 0);
    Simulation plain, moved;
    floor_under(plain, -0.02f);
    floor_under(moved, -0.02f);
    GU_Detail world(&sheet_of(plain));
    world.transform(move);
    sheet_of(plain).replaceWith(world);
    SIM_DATA_GET(*moved.sheet, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy)->setTransform(move);
    ASSERT_TRUE(plain.engine.set_step(12)) << errors(plain);
    ASSERT_TRUE(moved.engine.set_step(12)) << errors(moved);
    GU_Detail back(&sheet_of(moved));
    back.transform(move);
    const auto x = positions_of(back), expected = plain.positions();
    const auto v = positions_of(back, "v"), v_expected = positions_of(sheet_of(plain), "v");
    ASSERT_EQ(x.size(), expected.size());
    double furthest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(x[i], expected[i], 1e-3) << i;
        EXPECT_NEAR(v[i], v_expected[i], 3e-2) << i;
        furthest = std::max(furthest, double(std::abs(x[i] - moved.positions()[i])));
    }
    EXPECT_GT(furthest, 0.5);
}

TEST(DopSolver, AMaterialNodeAboveNamesTheFabric)
{
    Stage stage;
    auto& sop = stage.add_solver(stage.add_source(sheet_geometry(6)));
    const auto cotton = stage.positions(sop, 6);
    set(sop, "material", "jersey");
    Simulation sim;
    GU_Detail& gdp = sheet_of(sim);
    const GA_RWHandleS material(gdp.addStringTuple(GA_ATTRIB_PRIMITIVE, "sv_material", 1));
    for (GA_Iterator it(gdp.getPrimitiveRange()); !it.atEnd(); ++it) material.set(*it, "jersey");
    ASSERT_TRUE(sim.engine.set_step(5)) << errors(sim);
    EXPECT_EQ(sim.positions(), stage.positions(sop, 6));
    EXPECT_NE(sim.positions(), cotton);
}

namespace
{

/// A floor of the simulation, well below the sheet's lower edge at first.
SIM_Object* add_floor(Simulation& sim, const char* name, double y)
{
    SIM_Object* floor = sim.engine.addObject(name);
    auto* g = SIM_DATA_CREATE(*floor, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
    GU_Detail& gdp = *g->lockGeometry().gdpNC();
    auto* quad = GEO_PrimPoly::build(&gdp, 4);
    const float corners[4][2] = {{-3, -3}, {-3, 3}, {3, 3}, {3, -3}};
    for (int i = 0; i < 4; ++i)
        gdp.setPos3(quad->getPointOffset(i), corners[i][0], y, corners[i][1]);
    g->releaseGeometry();
    return floor;
}

float lowest(const Simulation& sim)
{
    const auto x = sim.positions();
    float y = 1e9f;
    for (std::size_t i = 1; i < x.size(); i += 3) y = std::min(y, x[i]);
    return y;
}

void let_fall(Simulation& sim)
{
    SIM_DATA_GET(*sim.sheet, SIM_SOLVER_DATANAME, SIM_SelvageSolver)
        ->getOptionsForWrite()
        .setOptionS("pins_group", "");
}

} // namespace

/// Without a word where nothing touches, and held up by the second of two floors.
TEST(DopSolver, CollidersMayComeLater)
{
    const float start = [] {
        Simulation sim;
        EXPECT_TRUE(sim.engine.set_step(0));
        return lowest(sim);
    }();
    for (const bool another_before : {false, true}) {
        Simulation sim;
        let_fall(sim);
        if (another_before)
            sim.sheet->addAffector(add_floor(sim, "far", start - 3), "SIM_RelationshipCollide");
        ASSERT_TRUE(sim.engine.set_step(3)) << errors(sim);
        sim.sheet->addAffector(add_floor(sim, "late", start - 0.4), "SIM_RelationshipCollide");
        ASSERT_TRUE(sim.engine.set_step(16)) << errors(sim);
        EXPECT_GT(lowest(sim), start - 0.4f) << another_before;
        EXPECT_LT(lowest(sim), start - 0.2f) << another_before;
        EXPECT_EQ(errors(sim), "");
    }
}

TEST(DopSolver, AColliderThatComesLaterIsTheSameAsOneThatWaitedElsewhere)
{
    Simulation late, waiting;
    SIM_Object* floor = nullptr;
    for (Simulation* sim : {&late, &waiting}) {
        let_fall(*sim);
        floor = add_floor(*sim, "floor", sim == &late ? -0.3125 : -512.3125); // exact in floats
    }
    waiting.sheet->addAffector(floor, "SIM_RelationshipCollide");
    ASSERT_TRUE(late.engine.set_step(3));
    ASSERT_TRUE(waiting.engine.set_step(3));
    late.sheet->addAffector(late.engine.findObject("floor"), "SIM_RelationshipCollide");
    UT_DMatrix4 up(1.0);
    up.translate(0, 512, 0);
    SIM_DATA_GET(*floor, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy)->setTransform(up);
    ASSERT_TRUE(late.engine.set_step(4)); // the other rises through 512 m, below the sheet
    ASSERT_TRUE(waiting.engine.set_step(4));
    for (const int step : {5, 14}) { // falling, and standing on it, crumpled in its own way
        ASSERT_TRUE(late.engine.set_step(step)) << errors(late);
        ASSERT_TRUE(waiting.engine.set_step(step)) << errors(waiting);
        EXPECT_GT(lowest(late), -0.3125f);
        EXPECT_NEAR(lowest(late), lowest(waiting), 2e-3) << step;
        const auto a = late.positions(), b = waiting.positions();
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size() && step == 5; ++i) EXPECT_NEAR(a[i], b[i], 1e-4) << i;
    }
    EXPECT_LT(lowest(late), -0.3f);
}

TEST(DopSolver, ColliderThatComesInTheMiddleOfClothIsNamedAndComesFree)
{
    Simulation sim;
    ASSERT_TRUE(sim.engine.set_step(2));
    const auto x = sim.positions();
    const float middle = 0.5f * (x[1] + x[3 * 48 + 1]);
    sim.sheet->addAffector(add_floor(sim, "blade", middle), "SIM_RelationshipCollide");
    ASSERT_TRUE(sim.engine.set_step(4)) << errors(sim);
    expect_says(errors(sim), {"At frame 2", "intersect", "will not collide until they are apart"});
}

TEST(DopSolver, CollidersMayGo)
{
    Simulation sim;
    let_fall(sim);
    ASSERT_TRUE(sim.engine.set_step(0));
    const float start = lowest(sim);
    SIM_Object* floor = add_floor(sim, "floor", start - 0.05);
    sim.sheet->addAffector(floor, "SIM_RelationshipCollide");
    ASSERT_TRUE(sim.engine.set_step(8)) << errors(sim);
    const float held = lowest(sim);
    EXPECT_GT(held, start - 0.05f);
    sim.sheet->removeAffector(floor, "SIM_RelationshipCollide");
    ASSERT_TRUE(sim.engine.set_step(16)) << errors(sim);
    EXPECT_LT(lowest(sim), start - 0.2f);
    ASSERT_TRUE(sim.engine.set_step(8)); // scrubbing brings it back
    EXPECT_EQ(lowest(sim), held);
}

/// The state between is saved and goes on the same.
TEST(DopSolver, LateCollidersGoThroughSimulationFiles)
{
    Simulation sim, again;
    for (Simulation* s : {&sim, &again}) {
        let_fall(*s);
        ASSERT_TRUE(s->engine.set_step(2));
        s->sheet->addAffector(add_floor(*s, "late", -0.2), "SIM_RelationshipCollide");
    }
    ASSERT_TRUE(sim.engine.set_step(5));
    std::stringstream file;
    sim.sheet->save(file);
    ASSERT_TRUE(sim.engine.set_step(9));
    UT_IStream in(file);
    ASSERT_TRUE(again.sheet->load(in));
    ASSERT_TRUE(again.engine.set_step(6));
    EXPECT_EQ(again.positions(), sim.positions());
}

TEST(DopSolver, AColliderWhosePointsChangeIsNamed)
{
    Simulation sim;
    SIM_Object* floor = add_floor(sim, "floor", -1);
    sim.sheet->addAffector(floor, "SIM_RelationshipCollide");
    ASSERT_TRUE(sim.engine.set_step(2));
    auto* g = SIM_DATA_GET(*floor, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy);
    GEO_PrimPoly::build(g->lockGeometry().gdpNC(), 3);
    g->releaseGeometry();
    EXPECT_FALSE(sim.engine.set_step(3));
    expect_says(errors(sim), {"floor", "7 points", "4 in the step before"});
}

/// Soft pins pull to where they started, or to targetP, not to where they have sagged to.
TEST(DopSolver, SoftPinsPullToTheirTargets)
{
    for (const bool moving : {false, true}) {
        Simulation sim;
        SIM_DATA_GET(*sim.sheet, SIM_SOLVER_DATANAME, SIM_SelvageSolver)
            ->getOptionsForWrite()
            .setOptionF("pins_stiffness", 20);
        Stage stage;
        auto& sop = stage.add_solver(stage.add_source(
            [&](double f, GU_Detail& gdp) { fill(swinging_sheet(moving ? f : 1), gdp); }, moving));
        set(sop, "pins_stiffness", 20);
        if (moving) sheet_of(sim).addFloatTuple(GA_ATTRIB_POINT, "targetP", 3);
        for (int step = 0; step <= 5; ++step) {
            if (moving) {
                GU_Detail& gdp = sheet_of(sim);
                GA_Attribute* target = gdp.findFloatTuple(GA_ATTRIB_POINT, "targetP", 3);
                const VecX x = swinging_sheet(step + 1).positions();
                for (GA_Index i = 0; i < gdp.getNumPoints(); ++i)
                    GA_RWHandleV3(target).set(
                        gdp.pointOffset(i),
                        UT_Vector3(float(x[3 * i]), float(x[3 * i + 1]), float(x[3 * i + 2])));
                target->bumpDataId();
            }
            ASSERT_TRUE(sim.engine.set_step(step)) << errors(sim);
            EXPECT_EQ(sim.positions(), stage.positions(sop, step + 1)) << step << moving;
        }
    }
}

namespace
{

/// The sheet, smaller from frame to frame.
Geometry shrinking_sheet(double frame)
{
    Geometry g = sheet_geometry(6);
    g.set_positions((1 - 0.03 * (frame - 1)) * g.positions());
    return g;
}

} // namespace

TEST(DopSolver, RestGeometryEqualsTheFourthInput)
{
    for (const double blend : {1.0, 0.5}) {
        Simulation sim;
        SIM_DATA_GET(*sim.sheet, SIM_SOLVER_DATANAME, SIM_SelvageSolver)
            ->getOptionsForWrite()
            .setOptionF("rest_blend", blend);
        auto* rest = SIM_DATA_CREATE(*sim.sheet, "RestGeometry", SIM_GeometryCopy, 0);
        Stage stage;
        auto& sop = stage.add_solver(stage.add_source(sheet_geometry(6)));
        set(sop, "rest_blend", blend);
        sop.setInput(3, &stage.add_source(
                            [](double f, GU_Detail& gdp) { fill(shrinking_sheet(f), gdp); }, true));
        for (int step = 0; step <= 5; ++step) {
            GU_Detail& gdp = *rest->lockGeometry().gdpNC();
            gdp.clearAndDestroy();
            fill(shrinking_sheet(step + 1), gdp);
            rest->releaseGeometry();
            ASSERT_TRUE(sim.engine.set_step(step)) << errors(sim);
            EXPECT_EQ(sim.positions(), stage.positions(sop, step + 1)) << step << " " << blend;
            rest = SIM_DATA_GET(*sim.sheet, "RestGeometry", SIM_GeometryCopy);
        }
        Stage plain;
        EXPECT_NE(sim.positions(),
                  plain.positions(plain.add_solver(plain.add_source(sheet_geometry(6))), 6));
    }
}

TEST(DopSolver, TheRestAttributeIsFollowed)
{
    const auto with_rest = [](double frame) {
        Geometry g = sheet_geometry(6);
        g.set_vectors("rest", shrinking_sheet(frame).positions());
        return g;
    };
    Simulation sim;
    GA_RWHandleV3(sheet_of(sim).addFloatTuple(GA_ATTRIB_POINT, "rest", 3));
    Stage stage;
    auto& sop = stage.add_solver(stage.add_source(
        [&](double f, GU_Detail& gdp) { fill(with_rest(f), gdp); }, /*animated*/ true));
    for (int step = 0; step <= 5; ++step) {
        GU_Detail& gdp = sheet_of(sim);
        GA_Attribute* rest = gdp.findFloatTuple(GA_ATTRIB_POINT, "rest", 3);
        const VecX x = with_rest(step + 1).vectors("rest");
        for (GA_Index i = 0; i < gdp.getNumPoints(); ++i)
            GA_RWHandleV3(rest).set(
                gdp.pointOffset(i),
                UT_Vector3(float(x[3 * i]), float(x[3 * i + 1]), float(x[3 * i + 2])));
        rest->bumpDataId();
        ASSERT_TRUE(sim.engine.set_step(step)) << errors(sim);
        EXPECT_EQ(sim.positions(), stage.positions(sop, step + 1)) << step;
    }
}

TEST(DopSolver, ARestShapeThatComesLaterIsNotTakenSilently)
{
    Simulation sim;
    ASSERT_TRUE(sim.engine.set_step(2));
    auto* rest = SIM_DATA_CREATE(*sim.sheet, "RestGeometry", SIM_GeometryCopy, 0);
    fill(shrinking_sheet(4), *rest->lockGeometry().gdpNC());
    rest->releaseGeometry();
    ASSERT_TRUE(sim.engine.set_step(3));
    expect_says(errors(sim), {"rest shape has no effect", "creation frame"});
}

/// A scaled object: its rest shape is scaled as well.
TEST(DopSolver, RestShapesAreWhereTheObjectIs)
{
    const auto stretched = [](double scale) {
        Simulation sim;
        UT_DMatrix4 m(1.0);
        m.scale(scale);
        SIM_DATA_GET(*sim.sheet, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy)->setTransform(m);
        GU_Detail& gdp = sheet_of(sim);
        const GA_RWHandleV3 rest(gdp.addFloatTuple(GA_ATTRIB_POINT, "rest", 3));
        for (GA_Index i = 0; i < gdp.getNumPoints(); ++i)
            rest.set(gdp.pointOffset(i), gdp.getPos3(gdp.pointOffset(i)));
        EXPECT_TRUE(sim.engine.set_step(3)) << errors(sim);
        float most = 0;
        const GA_ROHandleF strain(sheet_of(sim).findFloatTuple(GA_ATTRIB_POINT, "sv_strain", 1));
        for (GA_Index i = 0; i < gdp.getNumPoints(); ++i)
            most = std::max(most, strain.get(sheet_of(sim).pointOffset(i)));
        return most;
    };
    EXPECT_LT(stretched(2), 0.2f); // against the unscaled shape it would be 1
    EXPECT_NEAR(stretched(1), stretched(2), 0.1f);
}

TEST(DopSolver, CurvesBesidePolygonsAreLeftOutWithAWord)
{
    Simulation sim;
    auto* curve = GEO_PrimPoly::build(&sheet_of(sim), 3, /*open*/ true);
    for (int i = 0; i < 3; ++i) curve->setPos3(i, UT_Vector3(5, float(i), 0));
    ASSERT_TRUE(sim.engine.set_step(1)) << errors(sim);
    expect_says(errors(sim), {"3 points", "point 49"});
}

TEST(DopSolver, CurvesAreHair)
{
    standin::initialize_sim();
    initializeSIM(nullptr);
    SIM_Engine engine{1.0 / 24};
    SIM_Object* hair = engine.addObject("hair");
    auto* g = SIM_DATA_CREATE(*hair, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
    Geometry curve;
    curve.set_point_count(8);
    VecX x(24);
    for (int i = 0; i < 8; ++i) x.segment<3>(3 * i) = Vec3(0.02 * i, 0, 0);
    curve.set_positions(x);
    curve.add_polygon({0, 1, 2, 3, 4, 5, 6, 7}, /*closed*/ false);
    fill(curve, *g->lockGeometry().gdpNC(), true);
    g->releaseGeometry();
    SIM_DATA_CREATE(*hair, SIM_SOLVER_DATANAME, SIM_SelvageSolver, 0)
        ->getOptionsForWrite()
        .setOptionI("hair_sag_free", 0);
    const auto tip = [&] {
        return positions_of(*hair->getGeometry()->getGeometry().gdp())[3 * 7 + 1];
    };
    ASSERT_TRUE(engine.set_step(8));
    EXPECT_LT(tip(), -0.01f);
    const float eight = tip();
    std::stringstream file;
    hair->save(file);
    UT_IStream in(file);
    EXPECT_TRUE(hair->load(in));
    EXPECT_EQ(tip(), eight);
    const auto* state = SIM_DATA_GETCONST(*hair, SIM_SelvageState::data_name(), SIM_SelvageState);
    EXPECT_EQ(state->snapshot->kind, houdini::ObjectKind::hair);
}

TEST(DopSolver, BadGeometryIsAnErrorWithItsName)
{
    Simulation sim;
    auto* g = SIM_DATA_GET(*sim.sheet, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy);
    g->lockGeometry().gdpNC()->appendPrimitive(GA_PRIMVDB);
    EXPECT_FALSE(sim.engine.set_step(1));
    expect_says(errors(sim), {"VDB", "Convert VDB"});
}
