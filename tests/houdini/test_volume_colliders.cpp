// VDB primitives on the collider input.
#include "core/geometry/vdb_collider.h"
#include "core/geometry/vdb_grid.h"
#include "core/io/geometry_file.h"
#include "core/shot/shot_file.h"
#include "core/shot/shot_runner.h"
#include "plugin/houdini/SIM_SelvageSolver.h"
#include "tests/hdk_standin/standin.h"
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

#include <GU/GU_PrimVDB.h>
#include <SIM/SIM_Engine.h>
#include <UT/UT_DSOVersion.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr int last = 6; ///< frame

/// A ball that comes through the hanging sheet, 4 cm per frame.
Volume ball(double frame)
{
    const Vec3 middle(0.5, 0.4, -0.2 + 0.04 * (frame - 1));
    Volume v;
    v.name = "surface";
    v.kind = Volume::Kind::signed_distance;
    v.field = std::make_shared<DistanceField>(
        sample_distance([&](const Vec3& x) { return (x - middle).norm() - 0.15; },
                        middle - Vec3::Constant(0.3), middle + Vec3::Constant(0.3), 0.02, 0.08));
    return v;
}

void add_volume(const Volume& v, GU_Detail& gdp, const char* name = "surface")
{
    GU_PrimVDB::buildFromGrid(gdp, vdb::grid_of(v), nullptr, name);
}

struct Setting {
    explicit Setting(std::function<void(double, GU_Detail&)> make, bool animated = true)
        : colliders(stage.add_source(std::move(make), animated)),
          solver(stage.add_solver(stage.add_source(sheet_geometry(6), /*holes*/ true)))
    {
        openvdb::initialize();
        solver.setInput(2, &colliders);
        set(solver, "collider_friction", 0.2);
    }
    std::string refusal(double frame = 2)
    {
        EXPECT_TRUE(stage.positions(solver, frame).empty());
        return messages(solver, UT_ERROR_ABORT);
    }
    Stage stage;
    SOP_TestSource& colliders;
    houdini::SOP_SelvageSolver& solver;
};

} // namespace

TEST(VolumeColliders, AMovingVdbEqualsTheCommandLine)
{
    const TemporaryFolder folder;
    const auto file = [&](const std::string& name) { return (folder.path() / name).string(); };
    write_geometry(file("sheet.bgeo"), sheet_geometry(6));
    for (int f = 1; f <= last; ++f)
        std::ofstream(file(fmt::format("ball.{}.vdb", f)), std::ios::binary)
            << write_vdb({ball(f)});
    std::ofstream(file("shot.json")) << R"({ "selvage": 1, "frames": [1, 6],
        "solver": { "linear": "ldlt" },
        "cloth": [ { "name": "selvage_solver1", "geometry": "sheet.bgeo", "pins": { "group": "top" } } ],
        "colliders": [ { "name": "ball", "geometry": "ball.$F.vdb", "friction": 0.2 } ],
        "output": "sim/$NAME.$F4.bgeo" })";
    NullLog log;
    run_shot(read_shot(file("shot.json")), {}, log, NeverCancel());

    Setting scene([](double f, GU_Detail& gdp) { add_volume(ball(f), gdp); });
    for (int f = 1; f <= last; ++f) {
        const Geometry g = read_geometry(file(fmt::format("sim/selvage_solver1.{:04}.bgeo", f)));
        EXPECT_EQ(scene.stage.positions(scene.solver, f),
                  std::get<std::vector<float>>(g.get(Owner::point, "P").values))
            << f << messages(scene.solver);
    }
    EXPECT_GT(scene.solver.session()->frame(last)->report.contacts, 0);
    EXPECT_EQ(messages(scene.solver), "");
}

/// The same as an object of a DOP network, which has its own place besides; its state goes through
/// a simulation file on the way.
TEST(VolumeColliders, OfDopObjectsEqualTheSop)
{
    Setting scene([](double f, GU_Detail& gdp) { add_volume(ball(f), gdp); });
    standin::initialize_sim();
    initializeSIM(nullptr);
    struct Network {
        Network()
        {
            sheet = engine.addObject("sheet");
            auto* g = SIM_DATA_CREATE(*sheet, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
            fill(sheet_geometry(6), *g->lockGeometry().gdpNC());
            auto* solver =
                SIM_DATA_CREATE(*sheet, SIM_SOLVER_DATANAME, houdini::SIM_SelvageSolver, 0);
            solver->getOptionsForWrite().setOptionS("pins_group", "top");
            solver->getOptionsForWrite().setOptionF("collider_friction", 0.2);
            solver->getOptionsForWrite().setOptionI("solver_linear", 4); // ldlt
            volume = engine.addObject("ball");
            auto* v = SIM_DATA_CREATE(*volume, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
            add_volume(ball(1), *v->lockGeometry().gdpNC());
            sheet->addAffector(volume, "SIM_RelationshipCollide");
        }
        void move_ball(int frame)
        {
            UT_DMatrix4 m(1.0);
            m.translate(0, 0, 0.04 * (frame - 1));
            SIM_DATA_GET(*volume, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy)->setTransform(m);
        }
        std::vector<float> positions() const
        {
            return positions_of(*sheet->getGeometry()->getGeometry().gdp());
        }
        SIM_Engine engine{1.0 / 24};
        SIM_Object *sheet, *volume;
    } first, second;
    const auto expect_near = [&](const std::vector<float>& x, int frame) {
        const auto expected = scene.stage.positions(scene.solver, frame);
        ASSERT_EQ(x.size(), expected.size()) << messages(scene.solver);
        // The ball's lattice moves along with it here, and stays where it is there.
        for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 2e-3) << frame;
    };
    std::stringstream file;
    for (int f = 1; f <= last; ++f) {
        first.move_ball(f);
        ASSERT_TRUE(first.engine.set_step(f - 1));
        expect_near(first.positions(), f);
        if (f == 4) first.sheet->save(file);
    }
    ASSERT_TRUE(second.engine.set_step(0));
    UT_IStream in(file);
    ASSERT_TRUE(second.sheet->load(in));
    for (int f = 5; f <= last; ++f) {
        second.move_ball(f);
        ASSERT_TRUE(second.engine.set_step(f - 4));
    }
    EXPECT_EQ(second.positions(), first.positions());
    Setting still([](double, GU_Detail& gdp) { add_volume(ball(1), gdp); }, false);
    EXPECT_NE(still.stage.positions(still.solver, last), scene.stage.positions(scene.solver, last));
}

TEST(VolumeColliders, AChangeUpstreamIsSimulatedAgain)
{
    bool present = true;
    Setting scene([&](double f, GU_Detail& gdp) { add_volume(ball(present ? f : -20), gdp); });
    const auto hit = scene.stage.positions(scene.solver, last);
    ASSERT_FALSE(hit.empty()) << messages(scene.solver);
    present = false;
    scene.colliders.forceRecook();
    const auto missed = scene.stage.positions(scene.solver, last);
    EXPECT_NE(missed, hit);
    present = true;
    scene.colliders.forceRecook();
    EXPECT_EQ(scene.stage.positions(scene.solver, last), hit);
}

TEST(VolumeColliders, OneOfSeveralIsNamed)
{
    Setting scene([](double f, GU_Detail& gdp) {
        add_volume(ball(-20), gdp, "far");
        add_volume(ball(f), gdp);
        fill(sheet_geometry(1), gdp); // polygons beside them
    });
    expect_says(scene.refusal(), {"Input 3", "2 of 3 primitives are volumes", "Colliders > Grid"});
    set(scene.solver, "collider_grid", "surface");
    const auto hit = scene.stage.positions(scene.solver, last);
    Setting alone([](double f, GU_Detail& gdp) { add_volume(ball(f), gdp); });
    EXPECT_EQ(hit, alone.stage.positions(alone.solver, last)) << messages(scene.solver);
    set(scene.solver, "collider_grid", "far");
    EXPECT_NE(scene.stage.positions(scene.solver, last), hit);
    set(scene.solver, "collider_grid", "surfaces");
    expect_says(scene.refusal(), {"no grid 'surfaces'", "'far', 'surface'"});
}

TEST(VolumeColliders, WhatIsNoDistanceIsRefusedByName)
{
    const auto refused = [](const std::function<void(openvdb::FloatGrid&)>& spoil) {
        Setting scene([&](double, GU_Detail& gdp) {
            const auto grid = vdb::grid_of(ball(1));
            spoil(*grid);
            GU_PrimVDB::buildFromGrid(gdp, grid, nullptr, "");
        });
        return scene.refusal();
    };
    expect_says(refused([](auto& g) { g.setGridClass(openvdb::GRID_FOG_VOLUME); }),
                {"primitive 0", "fog volume", "Convert Fog to SDF"});
    expect_says(refused([](auto& g) { g.setGridClass(openvdb::GRID_UNKNOWN); }),
                {"primitive 0", "no level set", "VDB from Polygons"});
    expect_says(refused([](auto& g) { g.clear(); }), {"Input 3", "primitive 0", "it is empty"});
    expect_says(refused([](auto& g) {
                    g.tree().setValue(openvdb::Coord(0, 0, 0),
                                      std::numeric_limits<float>::quiet_NaN());
                }),
                {"Input 3", "primitive 0"});
}

TEST(VolumeColliders, CopiesOfADetailShareAGridUntilItIsWrittenTo)
{
    openvdb::initialize();
    GU_Detail a;
    add_volume(ball(1), a);
    GU_Detail b(&a);
    const auto volume = [](GU_Detail& gdp) {
        return static_cast<GEO_PrimVDB*>(gdp.getPrimitive(gdp.primitiveOffset(0)));
    };
    EXPECT_EQ(volume(a)->getConstGridPtr(), volume(b)->getConstGridPtr());
    volume(b)->getGrid().setName("other");
    EXPECT_NE(volume(a)->getConstGridPtr(), volume(b)->getConstGridPtr());
    EXPECT_EQ(volume(a)->getConstGrid().getName(), "surface");
    EXPECT_STREQ(volume(b)->getGridName(), "surface"); // the attribute is another matter
}
