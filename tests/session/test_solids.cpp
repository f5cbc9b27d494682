// Solids and fabric curves from parameters to frames.
#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/session/scene_assembly.h"
#include "core/session/session.h"
#include "tests/support/tet_block.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// A block with a skin polygon and an attribute, held at x = 0 by group `left`.
Geometry block_geometry()
{
    const TetMesh block = tet_block(3, 1, 1, 0.1);
    Geometry g = tet_geometry(block);
    g.add_polygon({0, 1, 2});
    g.set_scalars("paint", VecX::Constant(Eigen::Index(block.points.size()), 0.5));
    g.set_group(left_side(block));
    return g;
}

SessionSetup block_setup()
{
    SessionSetup setup;
    SolidSetup s;
    s.solid.set("name", std::string("block"));
    s.solid.set("young", 1e5);
    s.pins.set("group", std::string("left"));
    s.geometry = std::make_shared<StaticSource>(block_geometry());
    setup.solids.push_back(std::move(s));
    return setup;
}

} // namespace

TEST(SessionSolids, BlockSagsAndCarriesItsAttributes)
{
    NullLog log;
    Session session(block_setup(), log);
    const FrameResult r = session.cook(12, NeverCancel());
    ASSERT_EQ(r.objects.size(), 1u);
    EXPECT_EQ(r.objects[0].name, "block");
    const Geometry& g = r.objects[0].geometry;
    const VecX before = block_geometry().positions(), after = g.positions();
    EXPECT_EQ(g.primitive_count(), block_geometry().primitive_count());
    EXPECT_EQ(g.get(Owner::point, "paint").number(5), 0.5);
    for (int p = 0; p < after.size() / 3; ++p) {
        const double fall = before[3 * p + 1] - after[3 * p + 1];
        if (before[3 * p] == 0) {
            EXPECT_EQ(fall, 0);
        } else {
            EXPECT_GT(fall, 1e-4);
            EXPECT_LT(fall, 0.2);
        }
    }
}

TEST(SessionSolids, DefaultsOfTheTableAreThoseOfTheMaterial)
{
    const ParameterSet table("solid");
    const SolidMaterial m;
    for (const Figure<SolidMaterial>& f : solid_values())
        if (std::string(f.name) != "dynamic_friction") {
            EXPECT_EQ(table.real(f.name), m.*f.value) << f.name;
        }
    SolidSetup all;
    for (const Figure<SolidMaterial>& f : solid_values()) all.solid.set(f.name, 0.25);
    for (const Figure<SolidMaterial>& f : solid_values())
        EXPECT_EQ(solid_material(all).*f.value, 0.25) << f.name;
}

TEST(SessionSolids, PaintedFiguresReachTheFrames)
{
    // Half the block heavier and softer sags more; density and stiffness together change nothing
    // of a static sag, mass_damping slows the fall.
    const auto fall = [](const std::string& name, double value) {
        SessionSetup setup = block_setup();
        Geometry g = block_geometry();
        g.set_scalars(name, VecX::Constant(Eigen::Index(g.point_count()), value));
        setup.solids[0].geometry = std::make_shared<StaticSource>(g);
        NullLog log;
        Session session(std::move(setup), log);
        const VecX x = session.cook(4, NeverCancel()).objects[0].geometry.positions();
        return (block_geometry().positions() - x).maxCoeff();
    };
    const double plain = fall("nothing", 0);
    EXPECT_GT(fall("young_scale", 0.25), 1.5 * plain);
    EXPECT_GT(fall("density", 4000), 1.5 * plain);
    EXPECT_LT(fall("mass_damping", 200), 0.7 * plain);
    EXPECT_LT(fall("damping", 20), 0.9 * plain);
    EXPECT_EQ(fall("young", -1), plain);
}

TEST(SessionSolids, EveryModelNameIsKnown)
{
    for (const char* model : {"stable_neo_hookean", "neo_hookean", "fixed_corotational", "arap",
                              "stvk", "mooney_rivlin", "arruda_boyce", "fung"}) {
        SessionSetup setup = block_setup();
        setup.solids[0].solid.set("model", std::string(model));
        NullLog log;
        Session session(std::move(setup), log);
        EXPECT_EQ(session.cook(2, NeverCancel()).status, StepStatus::converged) << model;
    }
}

TEST(SessionSolids, SurfacesAreRefusedByName)
{
    SessionSetup setup = block_setup();
    Geometry sheet;
    sheet.set_point_count(3);
    sheet.add_polygon({0, 1, 2});
    sheet.set_positions(VecX::Ones(9));
    setup.solids[0].geometry = std::make_shared<StaticSource>(sheet);
    NullLog log;
    try {
        Session session(std::move(setup), log);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("Solid 'block'"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("no tetrahedra"), std::string::npos) << e.what();
    }
}

TEST(ParameterCurves, AreReadFromJson)
{
    ParameterSet p("cloth");
    p.set_json("warp_curve", "[[0.01, 4], [0.03, 25]]");
    ASSERT_EQ(p.curve("warp_curve").size(), 2u);
    EXPECT_EQ(p.curve("warp_curve")[1], Vec2(0.03, 25));
    EXPECT_TRUE(p.curve("weft_curve").empty());
    ParameterSet other("cloth");
    other.set_json("warp_curve", "[[0.01, 4], [0.03, 26]]");
    EXPECT_NE(p.fingerprint(), other.fingerprint());
    for (const char* wrong : {"[1, 2]", "3", "[[1, 2, 3]]", "[[0.1, -2]]", "\"x\""})
        EXPECT_THROW(p.set_json("warp_curve", wrong), InputError) << wrong;
}

TEST(ClothMaterials, ModelsAndCurvesReachTheMaterial)
{
    ClothSetup c;
    c.cloth.set("membrane_model", std::string("spline"));
    c.cloth.set_json("shear_curve", "[[0.1, 2]]");
    c.cloth.set("shear_damping", 0.4);
    const ClothMaterial m = material_at(c, 1);
    EXPECT_EQ(m.membrane_model, MembraneModel::spline);
    ASSERT_EQ(m.shear_curve.size(), 1u);
    EXPECT_EQ(m.shear_damping, 0.4);
    for (const auto& [name, model] : {std::pair("hinge", BendingModel::hinge),
                                      {"hinge_angle", BendingModel::hinge_angle},
                                      {"shape", BendingModel::shape}}) {
        c.cloth.set("bending_model", std::string(name));
        EXPECT_EQ(material_at(c, 1).bending_model, model);
    }
}
