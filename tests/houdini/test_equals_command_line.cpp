// The node gives the same bits as `selvage simulate` on the same shot.
#include "core/io/geometry_file.h"
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

/// Frames 1 to `end` as `selvage simulate` writes them.
std::vector<std::vector<float>> simulate(const std::string& shot_file, const std::string& output,
                                         int end)
{
    NullLog log;
    run_shot(read_shot(shot_file), {}, log, NeverCancel());
    std::vector<std::vector<float>> frames;
    for (int f = 1; f <= end; ++f)
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
    std::vector<std::vector<float>> simulated(const std::string& shot) const
    {
        std::ofstream(folder.file("shot.json")) << shot;
        return simulate(folder.file("shot.json"), folder.file("sim/selvage_solver1.{:04}.bgeo"),
                        last);
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
