// Open curves through the solver nodes.
#include "core/io/geometry_file.h"
#include "core/shot/shot_file.h"
#include "core/shot/shot_runner.h"
#include "plugin/houdini/SIM_SelvageSolver.h"
#include "tests/hdk_standin/standin.h"
#include "tests/houdini/stage.h"
#include "tests/support/temporary_folder.h"

#include <GA/GA_Handle.h>
#include <SIM/SIM_Engine.h>
#include <UT/UT_DSOVersion.h>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr int last = 6, curve_count = 3, points = 12;

/// Curls on a scalp at x = 0, its side at z > 0.04 another polygon; turned by `angle` about y.
Geometry curls(double angle)
{
    Geometry g;
    g.set_point_count(curve_count * points);
    VecX x(3 * curve_count * points);
    const Mat3 R = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
    Attribute skin = make_attribute("skinprim", Owner::primitive, Storage::int32, 1, curve_count);
    for (int s = 0; s < curve_count; ++s) {
        std::vector<int> curve;
        for (int i = 0; i < points; ++i) {
            const double t = double(i) / (points - 1), a = 5 * t;
            x.segment<3>(3 * (s * points + i)) =
                R * Vec3(0.1 + 0.06 * t, 0.01 * std::cos(a), 0.03 * s + 0.01 * std::sin(a));
            curve.push_back(s * points + i);
        }
        g.add_polygon(curve, /*closed*/ false);
        skin.set_number(std::size_t(s), 0, s == 2);
    }
    g.set_positions(x);
    g.set_scalars("pscale", VecX::Constant(curve_count * points, 5e-5));
    g.set(skin);
    return g;
}

Geometry scalp(double frame)
{
    Geometry g;
    g.set_point_count(6);
    g.add_polygon({0, 1, 4, 3});
    g.add_polygon({1, 2, 5, 4});
    VecX x(18);
    x << 0.1, -0.1, -0.1, 0.1, -0.1, 0.04, 0.1, -0.1, 0.2, 0.1, 0.1, -0.1, 0.1, 0.1, 0.04, 0.1, 0.1,
        0.2;
    const Mat3 R = Eigen::AngleAxisd(0.1 * (frame - 1), Vec3::UnitX()).toRotationMatrix();
    for (int i = 0; i < 6; ++i) x.segment<3>(3 * i) = R * Vec3(x.segment<3>(3 * i));
    g.set_positions(x);
    return g;
}

Geometry without_skin(Geometry g)
{
    g.remove(Owner::primitive, "skinprim");
    return g;
}

/// P and orient of every frame, as `selvage simulate` writes them.
struct Frame {
    std::vector<float> P, orient;
};
std::vector<Frame> simulated(const TemporaryFolder& folder, const std::string& shot)
{
    const auto file = [&](const std::string& name) { return (folder.path() / name).string(); };
    std::ofstream(file("shot.json")) << shot;
    NullLog log;
    run_shot(read_shot(file("shot.json")), {}, log, NeverCancel());
    std::vector<Frame> frames;
    for (int f = 1; f <= last; ++f) {
        const Geometry g = read_geometry(file(fmt::format("sim/selvage_solver1.{:04}.bgeo", f)));
        const auto values = [&](const char* name) {
            return std::get<std::vector<float>>(g.get(Owner::point, name).values);
        };
        frames.push_back({values("P"), values("orient")});
    }
    return frames;
}

std::vector<float> orient_of(const GU_Detail& gdp)
{
    const GA_ROHandleF h(&gdp, GA_ATTRIB_POINT, "orient");
    std::vector<float> out;
    for (GA_Index i = 0; h.isValid() && i < gdp.getNumPoints(); ++i)
        for (int c = 0; c < 4; ++c) out.push_back(h.get(gdp.pointOffset(i), c));
    return out;
}

void expect_equal(Stage& stage, SOP_Node& solver, const std::vector<Frame>& expected)
{
    for (int f = 1; f <= last; ++f) {
        const GU_Detail* gdp = stage.cook(solver, f);
        ASSERT_TRUE(gdp) << messages(solver);
        EXPECT_EQ(positions_of(*gdp), expected[std::size_t(f - 1)].P) << f;
        EXPECT_EQ(orient_of(*gdp), expected[std::size_t(f - 1)].orient) << f;
    }
    EXPECT_NE(expected.front().P, expected.back().P);
}

houdini::SOP_SelvageSolver& add_hair(Stage& stage, SOP_Node& curves)
{
    auto& solver = stage.add_solver(curves);
    set(solver, "hair_material", "hair_curly");
    set(solver, "hair_sag_free", 0.0);
    return solver;
}

} // namespace

namespace
{

/// Curls whose roots turn about their strand as well, by `orient`.
Geometry turning_curls(double frame)
{
    Geometry g = without_skin(curls(0.05 * (frame - 1)));
    const VecX x = g.positions();
    Attribute orient = make_attribute("orient", Owner::point, Storage::real32, 4, g.point_count());
    for (int k = 0; k < int(g.point_count()); ++k) {
        const int a = k % points + 1 < points ? k : k - 1;
        const Vec3 along = x.segment<3>(3 * a + 3) - x.segment<3>(3 * a);
        const Eigen::Quaterniond q = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), along) *
                                     Eigen::AngleAxisd(0.3 * (frame - 1), Vec3::UnitZ());
        for (int c = 0; c < 4; ++c) orient.set_number(std::size_t(k), c, q.coeffs()[c]);
    }
    g.set(std::move(orient));
    return g;
}

/// Curls with a rest shape in `rest`, tighter from frame to frame.
Geometry curls_at_rest(double frame)
{
    Geometry g = without_skin(curls(0.02 * (frame - 1)));
    const VecX x = without_skin(curls(0)).positions();
    Attribute rest = make_attribute("rest", Owner::point, Storage::real32, 3, g.point_count());
    for (std::size_t k = 0; k < g.point_count(); ++k)
        for (int c = 0; c < 3; ++c)
            rest.set_number(k, c,
                            (c == 1 ? 1 + 0.3 * (frame - 1) : 1) * x[3 * Eigen::Index(k) + c]);
    g.set(std::move(rest));
    return g;
}

/// The node and the command line on the same animated curves; the frames.
template <class Groom>
std::vector<Frame> expect_equal_on(Groom&& groom, const std::string& more = "")
{
    const TemporaryFolder folder;
    for (int f = 1; f <= last; ++f)
        write_geometry((folder.path() / fmt::format("curls.{}.bgeo", f)).string(), groom(f));
    const auto expected = simulated(folder, fmt::format(R"({{ "selvage": 1, "frames": [1, 6],
        "substeps": 2, "solver": {{ "method": "hair" }},
        "hair": [ {{ "name": "selvage_solver1", "geometry": "curls.$F.bgeo",
                    "material": "hair_curly", "sag_free": false {} }} ],
        "output": "sim/$NAME.$F4.bgeo" }})",
                                                        more));
    Stage stage;
    auto& curves = stage.add_source(
        [&](double f, GU_Detail& gdp) { fill(groom(f), gdp, /*holes*/ true); }, true);
    auto& solver = add_hair(stage, curves);
    set(solver, "substeps", 2);
    if (!more.empty()) set(solver, "hair_rest_blend", 0.0);
    expect_equal(stage, solver, expected);
    return expected;
}

} // namespace

TEST(Hair, AnimatedOrientEqualsTheCommandLine)
{
    const auto turning = expect_equal_on([](double f) { return turning_curls(f); });
    const auto still = expect_equal_on([](double f) {
        Geometry g = turning_curls(f);
        g.set(Attribute(turning_curls(1).get(Owner::point, "orient")));
        return g;
    });
    EXPECT_NE(turning.back().P, still.back().P);
    EXPECT_EQ(turning.front().P, still.front().P);
}

TEST(Hair, FollowsItsOwnRestAttributeOverTheShot)
{
    const auto followed = expect_equal_on([](double f) { return curls_at_rest(f); });
    const auto held =
        expect_equal_on([](double f) { return curls_at_rest(f); }, R"(, "rest_blend": 0)");
    EXPECT_NE(followed.back().P, held.back().P);
}

TEST(Hair, AnimatedCurvesEqualTheCommandLine)
{
    const TemporaryFolder folder;
    const auto groom = [](double f) { return without_skin(curls(0.05 * (f - 1))); };
    for (int f = 1; f <= last; ++f)
        write_geometry((folder.path() / fmt::format("curls.{}.bgeo", f)).string(), groom(f));
    const auto expected = simulated(folder, R"({ "selvage": 1, "frames": [1, 6], "substeps": 2,
        "solver": { "method": "hair" },
        "hair": [ { "name": "selvage_solver1", "geometry": "curls.$F.bgeo",
                    "material": "hair_curly", "sag_free": false, "target_rate": 2 } ],
        "output": "sim/$NAME.$F4.bgeo" })");
    Stage stage;
    auto& curves = stage.add_source(
        [&](double f, GU_Detail& gdp) { fill(groom(f), gdp, /*holes*/ true); }, true);
    auto& solver = add_hair(stage, curves);
    set(solver, "substeps", 2);
    set(solver, "hair_target_rate", 2);
    expect_equal(stage, solver, expected);
    EXPECT_EQ(messages(solver), "");
    // Scrubbing back shows the cached frame; curves, attributes and all are still there.
    const GU_Detail* back = stage.cook(solver, 3);
    EXPECT_EQ(positions_of(*back), expected[2].P);
    EXPECT_EQ(back->getNumPrimitives(), curve_count);
    EXPECT_FALSE(back->getPrimitiveClosedFlag(back->primitiveOffset(0)));
    EXPECT_EQ(GA_ROHandleF(back, GA_ATTRIB_POINT, "pscale").get(back->pointOffset(7)), 5e-5f);
}

TEST(Hair, RootsOnASkinEqualTheCommandLine)
{
    const TemporaryFolder folder;
    write_geometry((folder.path() / "curls.bgeo").string(), curls(0));
    for (int f = 1; f <= last; ++f)
        write_geometry((folder.path() / fmt::format("scalp.{}.bgeo", f)).string(), scalp(f));
    const auto expected = simulated(folder, R"({ "selvage": 1, "frames": [1, 6],
        "solver": { "method": "hair" },
        "hair": [ { "name": "selvage_solver1", "geometry": "curls.bgeo", "material": "hair_curly",
                    "sag_free": false, "root_surface": "scalp" } ],
        "colliders": [ { "name": "scalp", "geometry": "scalp.$F.bgeo" } ],
        "output": "sim/$NAME.$F4.bgeo" })");
    Stage stage;
    auto& solver = add_hair(stage, stage.add_source(curls(0), /*holes*/ true));
    solver.setInput(
        2, &stage.add_source([](double f, GU_Detail& gdp) { fill(scalp(f), gdp, true); }, true));
    expect_equal(stage, solver, expected);
    EXPECT_EQ(solver.session()->setup().hairs[0].hair.text("root_surface"), "colliders");
}

TEST(Hair, PlacesOnASkinAndPinnedPointsEqualTheCommandLine)
{
    Geometry groom = curls(0);
    Attribute uv = make_attribute("skinprimuv", Owner::primitive, Storage::real32, 3, curve_count);
    for (std::size_t s = 0; s < curve_count; ++s) {
        uv.set_number(s, 0, 0.3 + 0.2 * double(s));
        uv.set_number(s, 1, 0.55);
    }
    groom.set(uv);
    Group tie;
    tie.name = "tie";
    tie.member.assign(groom.point_count(), 0);
    tie.member[points + 7] = 1;
    groom.set_group(tie);
    const TemporaryFolder folder;
    write_geometry((folder.path() / "curls.bgeo").string(), groom);
    for (int f = 1; f <= last; ++f)
        write_geometry((folder.path() / fmt::format("scalp.{}.bgeo", f)).string(), scalp(f));
    const auto expected = simulated(folder, R"({ "selvage": 1, "frames": [1, 6],
        "solver": { "method": "hair" },
        "hair": [ { "name": "selvage_solver1", "geometry": "curls.bgeo", "material": "hair_curly",
                    "sag_free": false, "root_surface": "scalp", "pin_group": "tie" } ],
        "colliders": [ { "name": "scalp", "geometry": "scalp.$F.bgeo" } ],
        "output": "sim/$NAME.$F4.bgeo" })");
    Stage stage;
    auto& solver = add_hair(stage, stage.add_source(groom, /*holes*/ true));
    solver.setInput(
        2, &stage.add_source([](double f, GU_Detail& gdp) { fill(scalp(f), gdp, true); }, true));
    set(solver, "hair_pin_group", "tie");
    set(solver, "guide_pins", 1);
    OP_Context start(CHgetTimeFromFrame(1));
    EXPECT_EQ(solver.getGuideGeoHandle(start).gdp()->getNumPoints(), 2 * curve_count + 1);
    expect_equal(stage, solver, expected);
    const auto pinned = stage.positions(solver, last);
    set(solver, "hair_pin_group", "");
    EXPECT_NE(stage.positions(solver, last), pinned);
}

namespace
{

/// Curls and the scalp that they grow on as DOP objects.
struct Dop {
    Dop()
    {
        standin::initialize_sim();
        initializeSIM(nullptr);
        hair = engine.addObject("hair");
        head = engine.addObject("head");
        SIM_DATA_CREATE(*head, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
        hair->addAffector(head, "SIM_RelationshipCollide");
        auto* g = SIM_DATA_CREATE(*hair, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
        fill(curls(0), *g->lockGeometry().gdpNC(), /*holes*/ true);
        g->releaseGeometry();
        SIM_DATA_CREATE(*hair, SIM_SOLVER_DATANAME, houdini::SIM_SelvageSolver, 0)
            ->getOptionsForWrite()
            .setOptionI("hair_sag_free", 0);
    }
    /// Steps to a frame, with the scalp where it is then.
    std::vector<float> at(int frame, int step)
    {
        auto* g = SIM_DATA_GET(*head, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy);
        GU_Detail& gdp = *g->lockGeometry().gdpNC();
        gdp.clearAndDestroy();
        fill(scalp(frame), gdp);
        g->releaseGeometry();
        EXPECT_TRUE(engine.set_step(step));
        return positions_of(*hair->getGeometry()->getGeometry().gdp());
    }
    SIM_Engine engine{1.0 / 24};
    SIM_Object *hair, *head;
};

} // namespace

TEST(Hair, RootsOnASkinInADopEqualTheSop)
{
    Stage stage;
    auto& sop = stage.add_solver(stage.add_source(curls(0), /*holes*/ true));
    set(sop, "hair_sag_free", 0.0);
    sop.setInput(
        2, &stage.add_source([](double f, GU_Detail& gdp) { fill(scalp(f), gdp, true); }, true));
    Dop dop;
    std::stringstream file;
    for (int f = 1; f <= last; ++f) {
        EXPECT_EQ(dop.at(f, f - 1), stage.positions(sop, f)) << f << messages(sop);
        if (f == 3) dop.hair->save(file);
    }
    EXPECT_NE(stage.positions(sop, last), stage.positions(sop, 1));

    // What a file holds goes on from where it was saved: roots are still where they grew.
    Dop again;
    again.at(3, 0);
    UT_IStream in(file);
    ASSERT_TRUE(again.hair->load(in));
    for (int f = 4; f <= last; ++f) EXPECT_EQ(again.at(f, f - 3), stage.positions(sop, f)) << f;
}

TEST(Hair, ARestShapeOfItsOwnComesThroughTheFourthInput)
{
    Stage stage;
    auto& solver = add_hair(stage, stage.add_source(without_skin(curls(0))));
    const auto plain = stage.positions(solver, 4);
    Geometry straight = without_skin(curls(0));
    VecX x = straight.positions();
    for (int s = 0; s < curve_count; ++s)
        for (int i = 0; i < points; ++i)
            x.segment<3>(3 * (s * points + i)) = Vec3(0.1 + 0.007 * i, 0.01, 0.03 * s);
    straight.set_positions(x);
    solver.setInput(3, &stage.add_source(straight));
    EXPECT_NE(stage.positions(solver, 4), plain);
    EXPECT_EQ(messages(solver), "");
}

TEST(Hair, AMaterialNodeAboveNamesThePreset)
{
    Stage stage;
    auto& curves = stage.add_source(without_skin(curls(0)));
    auto& material = *static_cast<SOP_Node*>(stage.add("selvage_material"));
    material.setInput(0, &curves);
    set(material, "material", "rope");
    auto& solver = stage.add_solver(material);
    EXPECT_FALSE(stage.positions(solver, 2).empty()) << messages(solver);
    EXPECT_EQ(solver.session()->setup().hairs[0].hair.text("material"), "rope");
    set(material, "material", "denim");
    EXPECT_TRUE(stage.positions(solver, 2).empty());
    EXPECT_NE(messages(material).find("denim"), std::string::npos);
}

TEST(Hair, ConstraintsAreRefusedWithAWord)
{
    Stage stage;
    auto& solver = add_hair(stage, stage.add_source(without_skin(curls(0))));
    solver.setInput(1, &stage.add_source(scalp(1)));
    EXPECT_FALSE(stage.positions(solver, 2).empty());
    EXPECT_NE(messages(solver).find("no effect on hair"), std::string::npos) << messages(solver);
}

namespace
{

/// A cloth under the curls, held at its border; they fall on it.
Geometry collar()
{
    Geometry g;
    constexpr int n = 6;
    g.set_point_count((n + 1) * (n + 1));
    VecX x(3 * (n + 1) * (n + 1));
    Group held;
    held.name = "top"; // what Stage's solvers pin
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) {
            x.segment<3>(3 * (j * (n + 1) + i)) = Vec3(0.1 + 0.02 * i, -0.015, -0.03 + 0.02 * j);
            held.member.push_back(i == 0 || i == n || j == 0 || j == n);
        }
    g.set_positions(x);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const int a = j * (n + 1) + i;
            g.add_polygon({a, a + 1, a + n + 2, a + n + 1});
        }
    g.set_group(held);
    return g;
}

/// The collar and curves behind it in one geometry, as Merge makes it.
Geometry with_curves(const Geometry& curves)
{
    Geometry g = collar();
    const int own = int(g.point_count()), all = own + int(curves.point_count());
    VecX x(3 * all);
    x << g.positions(), curves.positions();
    Group held = *g.find_group(Owner::point, "top");
    held.member.resize(std::size_t(all), 0);
    g.set_point_count(std::size_t(all));
    g.set_positions(x);
    g.set_group(held);
    for (int s = 0; s < curve_count; ++s) {
        std::vector<int> curve;
        for (int i = 0; i < points; ++i) curve.push_back(own + s * points + i);
        g.add_polygon(curve, /*closed*/ false);
    }
    return g;
}

} // namespace

TEST(Hair, WithClothOnOneInputEqualsTheCommandLine)
{
    Geometry curves = without_skin(curls(0));
    curves.remove(Owner::point, "pscale"); // which would be the cloth's, too
    const TemporaryFolder folder;
    write_geometry((folder.path() / "all.bgeo").string(), with_curves(curves));
    write_geometry((folder.path() / "curls.bgeo").string(), curves);
    const std::string shot = R"({ "selvage": 1, "frames": [1, 6], "substeps": 2,
        "solver": { "linear": "ldlt" }, "collision": { "gap": 2e-4 },
        "cloth": [ { "name": "selvage_solver1", "geometry": "all.bgeo", "pins": { "group": "top" } } ],
        "hair": [ { "name": "selvage_solver1_hair", "geometry": "curls.bgeo", "material": "hair_curly",
                    "sag_free": false } ],
        "output": "sim/$NAME.$F4.bgeo" })";
    const auto file = [&](const std::string& name) { return (folder.path() / name).string(); };
    std::ofstream(file("shot.json")) << shot;
    NullLog log;
    run_shot(read_shot(file("shot.json")), {}, log, NeverCancel());
    const auto written = [&](const char* name, int f) {
        return std::get<std::vector<float>>(
            read_geometry(file(fmt::format("sim/{}.{:04}.bgeo", name, f)))
                .get(Owner::point, "P")
                .values);
    };

    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(with_curves(curves), /*holes*/ true));
    for (const auto& [parm, value] : std::map<const char*, double>{{"substeps", 2},
                                                                   {"collision_gap", 2e-4},
                                                                   {"hair_sag_free", 0},
                                                                   {"contact_attributes", 1},
                                                                   {"use_solver_method", 1}})
        set(solver, parm, value);
    set(solver, "solver_method", "barrier");
    set(solver, "hair_material", "hair_curly");
    bool touched = false;
    for (int f = 1; f <= last; ++f) {
        const GU_Detail* gdp = stage.cook(solver, f);
        ASSERT_TRUE(gdp) << messages(solver);
        const auto P = positions_of(*gdp);
        auto expected = written("selvage_solver1", f); // with the curves as they were
        const auto hair = written("selvage_solver1_hair", f);
        std::copy(hair.begin(), hair.end(), expected.end() - std::ptrdiff_t(hair.size()));
        EXPECT_EQ(P, expected) << f;
        const GA_ROHandleI contact(gdp, GA_ATTRIB_POINT, "sv_contact");
        for (GA_Index i = 49; i < gdp->getNumPoints(); ++i)
            touched = touched || contact.get(gdp->pointOffset(i));
        EXPECT_EQ(orient_of(*gdp).size(), std::size_t(4 * gdp->getNumPoints()));
    }
    EXPECT_TRUE(touched);
    EXPECT_EQ(messages(solver), "");
    const auto coupled = stage.positions(solver, last);
    set(solver, "use_solver_method", 0.0);
    const auto cloth_alone = stage.positions(solver, last);
    EXPECT_NE(messages(solver).find("set Solver > Method to barrier"), std::string::npos)
        << messages(solver);
    EXPECT_NE(cloth_alone, coupled);
    set(solver, "use_solver_method", 1);
    EXPECT_EQ(stage.positions(solver, last), coupled);
}

/// The same in a DOP network, also from a simulation file on.
TEST(Hair, WithClothInADopEqualsTheSop)
{
    Geometry curves = without_skin(curls(0));
    curves.remove(Owner::point, "pscale");
    const Geometry both = with_curves(curves);
    const std::map<const char*, double> numbers = {
        {"substeps", 2}, {"use_solver_method", 1}, {"hair_sag_free", 0}};
    Stage stage;
    auto& sop = stage.add_solver(stage.add_source(both));
    for (const auto& [parm, value] : numbers) set(sop, parm, value);
    set(sop, "collision_gap", 2e-4);
    set(sop, "solver_method", "barrier");

    standin::initialize_sim();
    initializeSIM(nullptr);
    struct Network {
        explicit Network(const Geometry& geometry, const std::map<const char*, double>& numbers)
        {
            object = engine.addObject("selvage_solver1");
            auto* g = SIM_DATA_CREATE(*object, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
            fill(geometry, *g->lockGeometry().gdpNC(), /*holes*/ true);
            g->releaseGeometry();
            SIM_Options& options =
                SIM_DATA_CREATE(*object, SIM_SOLVER_DATANAME, houdini::SIM_SelvageSolver, 0)
                    ->getOptionsForWrite();
            for (const auto& [parm, value] : numbers)
                if (std::string(parm) == "substeps")
                    options.setOptionI(parm, int64(value));
                else
                    options.setOptionB(parm, value != 0);
            options.setOptionI("solver_method", 0); // barrier
            options.setOptionI("solver_linear", 4); // ldlt
            options.setOptionF("collision_gap", 2e-4);
            options.setOptionS("pins_group", "top");
        }
        std::vector<float> positions() const
        {
            return positions_of(*object->getGeometry()->getGeometry().gdp());
        }
        SIM_Engine engine{1.0 / 24};
        SIM_Object* object;
    } dop(both, numbers), again(both, numbers);
    std::stringstream file;
    for (int f = 1; f <= last; ++f) {
        ASSERT_TRUE(dop.engine.set_step(f - 1));
        EXPECT_EQ(dop.positions(), stage.positions(sop, f)) << f << messages(sop);
        if (f == 3) dop.object->save(file);
    }
    UT_String said;
    dop.engine.errors().getErrorMessages(said);
    EXPECT_STREQ(said.c_str(), "");
    EXPECT_EQ(orient_of(*dop.object->getGeometry()->getGeometry().gdp()),
              orient_of(*stage.cook(sop, last)));
    ASSERT_TRUE(again.engine.set_step(0));
    UT_IStream in(file);
    ASSERT_TRUE(again.object->load(in));
    ASSERT_TRUE(again.engine.set_step(last - 3));
    EXPECT_EQ(again.positions(), dop.positions());
}

TEST(Hair, ACurveThatSharesAPointWithClothIsRefused)
{
    Geometry g = without_skin(curls(0));
    g.add_polygon({0, 5, 9});
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(g));
    set(solver, "pins_group", "");
    set(solver, "use_solver_method", 1);
    set(solver, "solver_method", "barrier");
    EXPECT_TRUE(stage.positions(solver, 2).empty());
    EXPECT_NE(messages(solver).find("point 0 belongs to a curve and to primitive 3"),
              std::string::npos)
        << messages(solver);
}

TEST(Hair, TheMethodOfCurvesAloneMayBeChosen)
{
    Stage stage;
    auto& solver = add_hair(stage, stage.add_source(without_skin(curls(0))));
    const auto fast = stage.positions(solver, 3);
    EXPECT_EQ(solver.session()->setup().solver.text("method"), "hair");
    EXPECT_EQ(solver.session()->frame(3)->report.linear_solver, "");
    set(solver, "use_solver_method", 1);
    set(solver, "solver_method", "barrier");
    set(solver, "collision_gap", 2e-4);
    const auto careful = stage.positions(solver, 3);
    ASSERT_FALSE(careful.empty()) << messages(solver);
    EXPECT_EQ(solver.session()->setup().solver.text("method"), "barrier");
    EXPECT_EQ(solver.session()->frame(3)->report.linear_solver, "ldlt");
    for (std::size_t i = 0; i < fast.size(); ++i)
        EXPECT_NEAR(careful[i], fast[i], 1e-3); // no contact
}

TEST(Hair, ACurveAmongPolygonsIsLeftOut)
{
    Stage stage;
    Geometry g = without_skin(curls(0));
    g.add_polygon({0, 5, 9});
    auto& solver = stage.add_solver(stage.add_source(g));
    set(solver, "pins_group", "");
    EXPECT_FALSE(stage.positions(solver, 2).empty()) << messages(solver);
    EXPECT_NE(messages(solver).find("belong to no polygon"), std::string::npos) << messages(solver);
}
