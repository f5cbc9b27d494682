// The node gives the same bits as `selvage simulate` on the same shot.
#include "core/io/geometry_file.h"
#include "core/session/session.h"
#include "core/shot/shot_file.h"
#include "core/shot/shot_runner.h"
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"
#include "tests/support/constraint_geometry.h"
#include "tests/support/messages.h"
#include "tests/support/shot_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr int last = 6; ///< frame

std::vector<float> positions_of(const Geometry& g)
{
    return std::get<std::vector<float>>(g.get(Owner::point, "P").values);
}

/// A floor that comes up under the sheet and lifts its lower edge.
Geometry rising_floor(double frame)
{
    Geometry g;
    g.set_point_count(4);
    VecX x(12);
    const double y = -0.04 + 0.02 * (frame - 1);
    x << -2, y, -2, -2, y, 2, 2, y, 2, 2, y, -2;
    g.set_positions(x);
    g.add_polygon({0, 1, 2, 3});
    return g;
}

/// A pin, a stitch across the lower corners, a strut, and a corner attached to the floor.
Geometry constraints()
{
    Geometry g = constraint_geometry(sheet_geometry(6), {{"pin", {24}},
                                                         {"stitch", {36, 40}},
                                                         {"distance", {14, 20}},
                                                         {"attach", {48}},
                                                         {"distance", {0, 1}}});
    set_numbers(g, "stiffness", {40, 30, 200, 500, 1});
    return g;
}

/// Frames `first` to `end` as `selvage simulate` writes them.
std::vector<std::vector<float>> simulate(const std::string& shot_file, const std::string& output,
                                         int end, int first = 1)
{
    NullLog log;
    run_shot(read_shot(shot_file), {}, log, NeverCancel());
    std::vector<std::vector<float>> frames;
    for (int f = first; f <= end; ++f)
        frames.push_back(positions_of(read_geometry(fmt::format(fmt::runtime(output), f))));
    return frames;
}

/// Inputs over time, as files for a shot and as nodes.
struct Inputs {
    Inputs()
    {
        for (int f = 1; f <= last; ++f) {
            write_geometry(folder.file(fmt::format("sheet.{}.bgeo", f)), swinging_sheet(f));
            write_geometry(folder.file(fmt::format("floor.{}.bgeo", f)), rising_floor(f));
        }
        write_geometry(folder.file("lines.bgeo"), constraints());
    }
    std::vector<std::vector<float>> simulated(const std::string& shot, int first = 1) const
    {
        std::ofstream(folder.file("shot.json")) << shot;
        return simulate(folder.file("shot.json"), folder.file("sim/selvage_solver1.{:04}.bgeo"),
                        last, first);
    }
    TemporaryFolder folder;

    Stage stage;
    SOP_TestSource& sheet = stage.add_source(
        [](double f, GU_Detail& gdp) { fill(swinging_sheet(f), gdp, true); }, true);
    SOP_TestSource& floor =
        stage.add_source([](double f, GU_Detail& gdp) { fill(rising_floor(f), gdp, true); }, true);
    SOP_TestSource& lines = stage.add_source(constraints(), /*holes*/ true);
    houdini::SOP_SelvageSolver& solver = stage.add_solver(sheet);
};

} // namespace

TEST(EqualsCommandLine, OnAStaticSheet)
{
    const ShotFolder folder;
    const auto expected = simulate(folder.shot(), folder.file("sim/sheet.{:04}.bgeo.sc"), 12);
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(8), /*holes*/ true));
    for (int f = 1; f <= 12; ++f)
        EXPECT_EQ(stage.positions(solver, f), expected[std::size_t(f - 1)]);
    EXPECT_EQ(messages(solver), "");
}

TEST(EqualsCommandLine, WithAnimatedPinsRestCollidersAndConstraints)
{
    Inputs in;
    const auto expected = in.simulated(R"({ "selvage": 1, "frames": [1, 6], "substeps": 2,
        "gravity": {"keys": [[1, [0, -9, 0]], [4, [0, -12, 1]]]},
        "solver": { "linear": "ldlt" }, "collision": { "enabled": true },
        "cloth": [ { "name": "selvage_solver1", "geometry": "sheet.$F.bgeo", "material": "denim",
                     "bend_warp": 1e-4, "pins": { "group": "top" },
                     "rest": { "geometry": "sheet.$F.bgeo" } } ],
        "colliders": [ { "name": "floor", "geometry": "floor.$F.bgeo", "friction": 0.2 } ],
        "constraints": [ { "name": "lines", "geometry": "lines.bgeo", "damping": 0.02 } ],
        "output": "sim/$NAME.$F4.bgeo" })");

    auto& solver = in.solver;
    solver.setInput(1, &in.lines);
    solver.setInput(2, &in.floor);
    solver.setInput(3, &in.sheet);
    set(solver, "substeps", 2);
    set(solver, "material", "denim");
    set(solver, "use_bend_warp", 1);
    set(solver, "bend_warp", 1e-4);
    set(solver, "collision_enabled", 1);
    set(solver, "collider_friction", 0.2);
    set(solver, "constraints_damping", 0.02);
    solver.animate("gravity", 1, [](double t) { return -9 - std::min(t * 24, 3.0); });
    solver.animate("gravity", 2, [](double t) { return std::min(t * 24, 3.0) / 3; });
    for (int f = 1; f <= last; ++f)
        EXPECT_EQ(in.stage.positions(solver, f), expected[std::size_t(f - 1)]) << f;
    EXPECT_EQ(messages(solver), "");
    const auto end = solver.session()->frame(last);
    ASSERT_TRUE(end);
    EXPECT_GT(end->report.contacts, 0);
    EXPECT_EQ(solver.session()->scene().links.size(), 3u); // keep, pull, attached
    EXPECT_EQ(solver.session()->scene().pins.size(), 8u);
}

TEST(EqualsCommandLine, FromALaterStartFrameAtHalfSpeed)
{
    Inputs in;
    const auto expected = in.simulated(R"({ "selvage": 1, "frames": [2, 6], "time_scale": 0.5,
        "solver": { "linear": "ldlt" },
        "cloth": [ { "name": "selvage_solver1", "geometry": "sheet.$F.bgeo",
                     "pins": { "group": "top" } } ],
        "colliders": [ { "name": "floor", "geometry": "floor.$F.bgeo" } ],
        "output": "sim/$NAME.$F4.bgeo" })",
                                       /*first*/ 2);
    in.solver.setInput(2, &in.floor);
    set(in.solver, "start_frame", 2);
    set(in.solver, "time_scale", 0.5);
    for (int f = 2; f <= last; ++f)
        EXPECT_EQ(in.stage.positions(in.solver, f), expected[std::size_t(f - 2)]) << f;
    EXPECT_EQ(messages(in.solver), "");
    set(in.solver, "time_scale", 1);
    EXPECT_NE(in.stage.positions(in.solver, last), expected.back());
}

namespace
{

/// A rest shape in the attribute: wider from frame to frame.
Geometry growing_sheet(double frame)
{
    Geometry g = swinging_sheet(frame);
    VecX rest = sheet_geometry(6).positions();
    for (Eigen::Index i = 0; i < rest.size(); i += 3) rest[i] *= 1 + 0.05 * (frame - 1);
    g.set_vectors("rest", rest, "point");
    return g;
}

/// An input that can be asked between frames, as nodes can.
class AnyFrame final : public GeometrySource
{
public:
    explicit AnyFrame(Geometry (*make)(double)) : make_(make) {}
    std::shared_ptr<const Geometry> at(double frame) override
    {
        return std::make_shared<const Geometry>(make_(frame));
    }
    bool animated() const override { return true; }
    bool has_subframes() const override { return true; }
    std::string describe(double) const override { return "any frame"; }

private:
    Geometry (*make_)(double);
};

Geometry swinging_six(double frame) { return swinging_sheet(frame); }

} // namespace

TEST(EqualsCommandLine, WithAnAnimatedRestAttribute)
{
    Inputs in;
    for (int f = 1; f <= last; ++f)
        write_geometry(in.folder.file(fmt::format("sheet.{}.bgeo", f)), growing_sheet(f));
    in.sheet.make = [](double f, GU_Detail& gdp) { fill(growing_sheet(f), gdp, true); };
    const auto with = [&](const char* rest) {
        return in.simulated(fmt::format(
            R"({{ "selvage": 1, "frames": [1, 6], "substeps": 2, "solver": {{ "linear": "ldlt" }},
                 "cloth": [ {{ "name": "selvage_solver1", "geometry": "sheet.$F.bgeo",
                               "pins": {{ "group": "top" }}, "rest": {{ {} }} }} ],
                 "output": "sim/$NAME.$F4.bgeo" }})",
            rest));
    };
    set(in.solver, "substeps", 2);
    const auto own = with(""), held = with(R"("blend": 0)"),
               given = with(R"("geometry": "sheet.$F.bgeo")"); // the attribute before P
    EXPECT_NE(own.back(), held.back());
    EXPECT_EQ(given, own);
    for (int f = 1; f <= last; ++f)
        EXPECT_EQ(in.stage.positions(in.solver, f), own[std::size_t(f - 1)]) << f;
    in.solver.setInput(3, &in.sheet);
    EXPECT_EQ(in.stage.positions(in.solver, last), own.back());
    in.solver.setInput(3, nullptr);
    set(in.solver, "rest_blend", 0.0);
    EXPECT_EQ(in.stage.positions(in.solver, last), held.back());
    EXPECT_EQ(messages(in.solver), "");
}

TEST(EqualsCommandLine, ARestAttributeThatStandsStillChangesNothing)
{
    Inputs in;
    const auto rest_of_frame_2 = [](double f) {
        Geometry g = swinging_sheet(f);
        g.set(Attribute(growing_sheet(2).get(Owner::point, "rest")));
        return g;
    };
    in.sheet.make = [&](double f, GU_Detail& gdp) { fill(rest_of_frame_2(f), gdp); };
    const auto followed = in.stage.positions(in.solver, last);
    set(in.solver, "rest_blend", 0.0);
    EXPECT_EQ(in.stage.positions(in.solver, last), followed);
    in.sheet.make = [&](double f, GU_Detail& gdp) { fill(swinging_sheet(f), gdp); };
    in.sheet.forceRecook();
    EXPECT_NE(in.stage.positions(in.solver, last), followed);
}

TEST(EqualsCommandLine, WithCollidersAndRestShapesSampledAtSubsteps)
{
    Inputs in;
    std::ofstream(in.folder.file("shot.json")) << R"({ "selvage": 1, "frames": [1, 6],
        "substeps": 4, "solver": { "linear": "ldlt" },
        "cloth": [ { "name": "selvage_solver1", "geometry": "sheet.$F.bgeo",
                     "pins": { "group": "top" }, "rest": { "geometry": "sheet.$F.bgeo" } } ],
        "colliders": [ { "name": "floor", "geometry": "floor.$F.bgeo" } ],
        "output": "sim/$NAME.$F4.bgeo" })";
    SessionSetup setup = read_shot(in.folder.file("shot.json")).setup;
    setup.cloths[0].geometry = std::make_shared<AnyFrame>(swinging_six);
    setup.cloths[0].rest = std::make_shared<AnyFrame>(growing_sheet);
    setup.colliders[0].geometry = std::make_shared<AnyFrame>(rising_floor);
    NullLog log;
    Session session(std::move(setup), log);
    in.solver.setInput(2, &in.floor);
    in.solver.setInput(
        3, &in.stage.add_source([](double f, GU_Detail& gdp) { fill(growing_sheet(f), gdp, true); },
                                true));
    set(in.solver, "substeps", 4); // quarters are exact, and nodes round frames
    const auto interpolated = in.stage.positions(in.solver, last);
    set(in.solver, "sample_subframes", 1);
    for (int f = 1; f <= last; ++f) {
        const FrameResult expected = session.cook(f, NeverCancel());
        ASSERT_TRUE(expected.ok());
        EXPECT_EQ(in.stage.positions(in.solver, f), positions_of(expected.objects[0].geometry))
            << f;
    }
    EXPECT_NE(in.stage.positions(in.solver, last), interpolated);
}

TEST(EqualsCommandLine, OnTetrahedra)
{
    const Geometry block = hung_block();
    Inputs in;
    write_geometry(in.folder.file("block.bgeo"), block);
    const auto expected = in.simulated(R"({ "selvage": 1, "frames": [1, 6],
        "solver": { "linear": "ldlt" },
        "solids": [ { "name": "selvage_solver1", "geometry": "block.bgeo", "young": 2000,
                      "pins": { "group": "top" } } ],
        "output": "sim/$NAME.$F4.bgeo" })");
    in.solver.setInput(0, &in.stage.add_source(block, /*holes*/ true));
    set(in.solver, "solid_young", 2000);
    for (int f = 1; f <= last; ++f)
        EXPECT_EQ(in.stage.positions(in.solver, f), expected[std::size_t(f - 1)]) << f;
    EXPECT_NE(expected.front(), expected.back());
}

TEST(EqualsCommandLine, OnPolygonsOfManyCorners)
{
    // The sheet with cells joined: triangles, quads, hexagons and one of eight corners.
    const Geometry sheet = sheet_geometry(6);
    Geometry g;
    g.set_point_count(sheet.point_count());
    g.set_positions(sheet.positions());
    const auto at = [](int row, int column) { return 7 * row + column; };
    for (int r = 0; r < 6; ++r) {
        const auto cell = [&](int c) {
            g.add_polygon({at(r, c), at(r, c + 1), at(r + 1, c + 1), at(r + 1, c)});
        };
        if (r % 2 == 0) {
            g.add_polygon({at(r, 0), at(r, 1), at(r, 2), at(r + 1, 2), at(r + 1, 1), at(r + 1, 0)});
            g.add_polygon({at(r, 2), at(r, 3), at(r, 4), at(r, 5), at(r + 1, 5), at(r + 1, 4),
                           at(r + 1, 3), at(r + 1, 2)});
            g.add_polygon({at(r, 5), at(r, 6), at(r + 1, 6)});
            g.add_polygon({at(r, 5), at(r + 1, 6), at(r + 1, 5)});
        } else {
            for (int c = 0; c < 6; ++c) cell(c);
        }
    }
    g.set_group(*sheet.find_group(Owner::point, "top"));
    Inputs in;
    write_geometry(in.folder.file("cells.bgeo"), g);
    const auto expected = in.simulated(R"({ "selvage": 1, "frames": [1, 6],
        "solver": { "linear": "ldlt" },
        "cloth": [ { "name": "selvage_solver1", "geometry": "cells.bgeo",
                     "pins": { "group": "top" } } ],
        "output": "sim/$NAME.$F4.bgeo" })");
    in.sheet.make = [&](double, GU_Detail& gdp) { fill(g, gdp, true); };
    for (int f = 1; f <= last; ++f)
        EXPECT_EQ(in.stage.positions(in.solver, f), expected[std::size_t(f - 1)]) << f;
    EXPECT_NE(expected.front(), expected.back());
}

TEST(EqualsCommandLine, WithConstraintsThatChange)
{
    // The stitch grows stronger and is gone at frame 5.
    const auto lines = [](double f) {
        Geometry g = f < 5 ? constraint_geometry(sheet_geometry(6),
                                                 {{"stitch", {36, 40}}, {"distance", {14, 20}}})
                           : constraint_geometry(sheet_geometry(6), {{"distance", {14, 20}}});
        if (f < 5)
            set_numbers(g, "stiffness", {20 * f, 200});
        else
            set_numbers(g, "stiffness", {200});
        return g;
    };
    Inputs in;
    for (int f = 1; f <= last; ++f)
        write_geometry(in.folder.file(fmt::format("lines.{}.bgeo", f)), lines(f));
    const auto expected = in.simulated(R"({ "selvage": 1, "frames": [1, 6], "substeps": 2,
        "solver": { "linear": "ldlt" },
        "cloth": [ { "name": "selvage_solver1", "geometry": "sheet.$F.bgeo",
                     "pins": { "group": "top" } } ],
        "constraints": [ { "name": "lines", "geometry": "lines.$F.bgeo" } ],
        "output": "sim/$NAME.$F4.bgeo" })");
    auto& animated =
        in.stage.add_source([&](double f, GU_Detail& gdp) { fill(lines(f), gdp, true); }, true);
    in.solver.setInput(1, &animated);
    set(in.solver, "substeps", 2);
    for (int f = 1; f <= last; ++f)
        EXPECT_EQ(in.stage.positions(in.solver, f), expected[std::size_t(f - 1)]) << f;
    EXPECT_EQ(messages(in.solver), "");
}

TEST(EqualsCommandLine, WithAGroundPlaneBesideColliders)
{
    Inputs in;
    for (const bool colliders : {false, true}) {
        const auto expected = in.simulated(fmt::format(
            R"({{ "selvage": 1, "frames": [1, 6], "solver": {{ "linear": "ldlt" }},
                 "cloth": [ {{ "name": "selvage_solver1", "geometry": "sheet.$F.bgeo" }} ],
                 "colliders": [ {} {{ "name": "ground", "friction": 0.2,
                     "plane": {{ "point": [0, -0.06, 0], "normal": [0, 1, 0.1] }} }} ],
                 "output": "sim/$NAME.$F4.bgeo" }})",
            colliders ? R"({ "name": "floor", "geometry": "floor.$F.bgeo", "friction": 0.2 },)"
                      : ""));
        set(in.solver, "pins_group", "");
        in.solver.setInput(2, colliders ? &in.floor : nullptr);
        set(in.solver, "ground", 1);
        set(in.solver, "collider_friction", 0.2);
        in.solver.setFloat("plane_point", 1, 0, -0.06);
        in.solver.setFloat("plane_normal", 2, 0, 0.1);
        for (int f = 1; f <= last; ++f)
            EXPECT_EQ(in.stage.positions(in.solver, f), expected[std::size_t(f - 1)]) << f;
        EXPECT_GT(in.solver.session()->frame(last)->report.contacts, 0);
    }
}

TEST(EqualsCommandLine, WithPairsSwitchedOff)
{
    Inputs in;
    in.sheet.make = [](double f, GU_Detail& gdp) {
        fill(swinging_sheet(f), gdp, true);
        GA_PointGroup* hem = gdp.newPointGroup("hem");
        for (GA_Index i = 42; i < 49; ++i) hem->addIndex(i);
    };
    const auto with = [&](const char* pairs) {
        return in.simulated(fmt::format(
            R"({{ "selvage": 1, "frames": [1, 6], "solver": {{ "linear": "ldlt" }},
                 "cloth": [ {{ "name": "selvage_solver1", "geometry": "sheet.$F.bgeo",
                               "pins": {{ "group": "top" }} }} ],
                 "colliders": [ {{ "name": "floor", "geometry": "floor.$F.bgeo" }} ],
                 "pairs": [ {} ], "output": "sim/$NAME.$F4.bgeo" }})",
            pairs));
    };
    in.solver.setInput(2, &in.floor);
    const auto touching = in.stage.positions(in.solver, last);
    EXPECT_EQ(touching, with("").back());
    set(in.solver, "pairs", 2);
    set(in.solver, "pair_collide1", 0.0);
    set(in.solver, "pair_b2", "ground"); // not there: nothing to switch
    const auto through =
        with(R"({ "a": "selvage_solver1", "b": "floor", "collide": false })").back();
    EXPECT_NE(through, touching);
    EXPECT_EQ(in.stage.positions(in.solver, last), through);
    set(in.solver, "pair_collide1", 1);
    set(in.solver, "use_pair_friction1", 1);
    set(in.solver, "pair_friction1", 0.9);
    EXPECT_EQ(in.stage.positions(in.solver, last),
              with(R"({ "a": "selvage_solver1", "b": "floor", "friction": 0.9 })").back());
    set(in.solver, "use_pair_friction1", 0.0);
    set(in.solver, "pair_a1", "hem"); // a part of the cloth
    set(in.solver, "pair_b1", "colliders");
    set(in.solver, "pair_collide1", 0.0);
    const auto hem_through = in.stage.positions(in.solver, last);
    EXPECT_NE(hem_through, touching);
    EXPECT_EQ(messages(in.solver), "");
    set(in.solver, "pair_a1", "hemm");
    EXPECT_TRUE(in.stage.positions(in.solver, last).empty());
    expect_says(messages(in.solver), {"'hemm'", "Did you mean 'hem'"});
}

TEST(EqualsCommandLine, InAWedgeOfThreeValues)
{
    Inputs in;
    set(in.solver, "use_density", 1);
    std::vector<std::vector<float>> seen;
    for (const double density : {0.05, 0.2, 0.8}) {
        const auto expected = in.simulated(fmt::format(
            R"({{ "selvage": 1, "frames": [1, 6], "solver": {{ "linear": "ldlt" }},
                 "cloth": [ {{ "name": "selvage_solver1", "geometry": "sheet.$F.bgeo",
                              "density": {}, "pins": {{ "group": "top" }} }} ],
                 "output": "sim/$NAME.$F4.bgeo" }})",
            density));
        set(in.solver, "density", density);
        seen.push_back(in.stage.positions(in.solver, last));
        EXPECT_EQ(seen.back(), expected.back()) << density;
    }
    EXPECT_NE(seen[0], seen[1]);
    EXPECT_NE(seen[1], seen[2]);
    set(in.solver, "density", 0.05);
    EXPECT_EQ(in.stage.positions(in.solver, last), seen[0]);
}

TEST(EqualsCommandLine, WithPaintedMapsAndSubframes)
{
    const auto painted = [](double f) {
        Geometry g = swinging_sheet(f);
        VecX map(Eigen::Index(g.point_count()));
        for (Eigen::Index i = 0; i < map.size(); ++i) map[i] = 0.5 + 0.1 * double(i % 7);
        g.set_scalars("bend_scale", map);
        g.set_scalars("hold", map);
        return g;
    };
    Inputs in;
    for (int f = 1; f <= last; ++f)
        write_geometry(in.folder.file(fmt::format("sheet.{}.bgeo", f)), painted(f));
    const auto expected = in.simulated(R"({ "selvage": 1, "frames": [1, 6],
        "solver": { "linear": "ldlt" },
        "cloth": [ { "name": "selvage_solver1", "geometry": "sheet.$F.bgeo",
                     "pins": { "group": "top", "stiffness": 50, "stiffness_map": "hold" } } ],
        "output": "sim/$NAME.$F4.bgeo" })");
    in.sheet.make = [&](double f, GU_Detail& gdp) { fill(painted(f), gdp); };
    set(in.solver, "pins_stiffness", 50);
    set(in.solver, "pins_stiffness_map", "hold");
    for (int f = 1; f <= last; ++f)
        EXPECT_EQ(in.stage.positions(in.solver, f), expected[std::size_t(f - 1)]) << f;
}
