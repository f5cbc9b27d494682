// The stand-in is wide enough for nodes written like SideFX's public samples: they compile and
// cook.
#include "tests/hdk_standin/standin.h"
#include "tests/houdini/sample_nodes.h"
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"

#include <GA/GA_Handle.h>
#include <GAS/GAS_SubSolver.h>
#include <GEO/GEO_PrimPoly.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_Force.h>
#include <SIM/SIM_ScalarField.h>

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

SOP_Node& add(Stage& stage, const char* type, SOP_Node* first = nullptr, SOP_Node* second = nullptr)
{
    add_classic_nodes(OPgetDirector()->sop_table());
    auto& node = *static_cast<SOP_Node*>(stage.add(type));
    if (first) node.setInput(0, first);
    if (second) node.setInput(1, second);
    return node;
}

} // namespace

TEST(SampleNodes, APointGroupInThreads)
{
    Stage stage;
    auto& sheet = stage.add_source(sheet_geometry(40), /*holes*/ true);
    SOP_Node& ripple = add(stage, "test_ripple", &sheet);
    set(ripple, "group", "top");
    const auto before = stage.positions(sheet, 1), after = stage.positions(ripple, 1);
    ASSERT_EQ(after.size(), before.size());
    const GA_PointGroup* top = stage.cook(sheet, 1)->findPointGroup("top");
    for (std::size_t i = 0; i < after.size(); i += 3)
        EXPECT_NEAR(after[i + 1] - before[i + 1],
                    top->containsIndex(GA_Index(i / 3)) ? std::sin(before[i]) : 0, 1e-6);
    set(ripple, "group", "nowhere");
    EXPECT_EQ(stage.cook(ripple, 1), nullptr);
}

TEST(SampleNodes, AnInputAtAnotherTime)
{
    Stage stage;
    auto& moving = stage.add_source(
        [](double f, GU_Detail& gdp) { gdp.setPos3(gdp.appendPointOffset(), f * f, 0, 0); }, true);
    SOP_Node& lag = add(stage, "test_lag", &moving, &moving);
    set(lag, "attrib", "P");
    set(lag, "result", "moved");
    lag.setFloat("frame", 0, 0, 2);
    const GU_Detail* gdp = stage.cook(lag, 5);
    ASSERT_TRUE(gdp) << messages(lag);
    EXPECT_EQ(GA_ROHandleV3(gdp, GA_ATTRIB_POINT, "moved").get(gdp->pointOffset(0)).x(), 25 - 4);
    set(lag, "attrib", "missing");
    EXPECT_EQ(stage.cook(lag, 5), nullptr);
    expect_says(messages(lag), {"missing"});
}

TEST(SampleNodes, LocalVariablesAndAnyNumberOfParameters)
{
    Stage stage;
    auto& roots = stage.add_source([](double, GU_Detail& gdp) {
        for (int i = 0; i < 3; ++i) gdp.setPos3(gdp.appendPointOffset(), i, 0, 0);
    });
    SOP_Node& comb = add(stage, "test_comb", &roots);
    comb.setInt("steps", 0, 0, 3);
    comb.setString("$PT + 1", CH_OLD_EXPRESSION, "length2", 0, 0);
    const GU_Detail* gdp = stage.cook(comb, 1);
    ASSERT_TRUE(gdp) << messages(comb);
    EXPECT_EQ(gdp->getNumPrimitives(), 3);
    EXPECT_EQ(gdp->getNumPoints(), 12);
    const auto* second = static_cast<const GEO_PrimPoly*>(gdp->getPrimitiveByIndex(1));
    EXPECT_FALSE(second->isClosed());
    EXPECT_NEAR(second->getPos3(3).y(), 1 + 2 + 1, 1e-5); // upwards; the second step is $PT + 1
    EXPECT_NEAR(GA_ROHandleF(gdp, GA_ATTRIB_POINT, "width").get(gdp->pointOffset(0)), 0.05, 1e-7);
}

TEST(SampleNodes, ForcesActOnStrandsOfAnObject)
{
    standin::initialize_sim();
    add_simulation_data();
    SIM_Engine engine(0.5);
    SIM_Object *ball = engine.addObject("ball"), *hair = engine.addObject("hair");
    auto* roots = SIM_DATA_CREATE(*ball, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
    roots->lockGeometry().gdpNC()->appendPointBlock(5);
    roots->releaseGeometry();
    hair->createNamedSubData(SIM_SOLVER_DATANAME, "SIM_TestStrands");
    hair->addAffector(ball, "SIM_RelationshipSource");
    SIM_DATA_CREATE(*hair, "Forces/gravity", SIM_ForceGravity, 0)->setGravity({1, 0, 0});
    ASSERT_TRUE(engine.set_step(0));
    const auto gdp = [&] { return hair->getGeometry()->getGeometry().gdp(); };
    EXPECT_EQ(gdp()->getNumPrimitives(), 5);
    EXPECT_NEAR(gdp()->getPos3(3).y(), 0.3, 1e-6);
    ASSERT_TRUE(engine.set_step(1));
    EXPECT_NEAR(gdp()->getPos3(0).x(), 0, 1e-6); // the root is held
    EXPECT_NEAR(gdp()->getPos3(1).x(), 0.25, 1e-6);
    ASSERT_TRUE(engine.set_step(2));
    EXPECT_NEAR(gdp()->getPos3(1).x(), 0.25 + 0.5 * (0.45 + 0.5), 1e-5);
}

TEST(SampleNodes, AGasSolverMixesFieldsInThreads)
{
    standin::initialize_sim();
    add_simulation_data();
    SIM_Engine engine(1);
    SIM_Object* box = engine.addObject("box");
    const auto field = [&](const char* name, int n, float value) {
        auto* f = SIM_DATA_CREATE(*box, name, SIM_ScalarField, 0);
        f->getField()->init(SIM_SAMPLE_CENTER, {0, 0, 0}, {1, 1, 1}, n, n, n);
        f->getField()->makeConstant(value);
    };
    field("heat", 40, 1);
    field("same", 40, 2);
    field("coarse", 5, 3);
    SIM_Data* mix = box->createNamedSubData(SIM_SOLVER_DATANAME, "SIM_TestMix");
    mix->getOptionsForWrite().setOptionS(GAS_NAME_FIELDDEST, "heat");
    mix->getOptionsForWrite().setOptionS(GAS_NAME_FIELDSOURCE, "same");
    mix->getOptionsForWrite().setOptionF("amount", 0.5);
    const auto heat = [&](int x, int y, int z) {
        return SIM_DATA_GET(*box, "heat", SIM_ScalarField)->getField()->field()->getValue(x, y, z);
    };
    ASSERT_TRUE(engine.set_step(1)); // solvers see an object on its first step already
    const float once = heat(39, 0, 20);
    EXPECT_EQ(heat(0, 0, 0), once); // every voxel, every thread
    EXPECT_GE(once, 2);
    SIM_DATA_GET(*box, SIM_SOLVER_DATANAME, GAS_SubSolver)
        ->getOptionsForWrite()
        .setOptionS(GAS_NAME_FIELDSOURCE, "coarse");
    ASSERT_TRUE(engine.set_step(2));
    EXPECT_NEAR(heat(7, 30, 2), once + 1.5f, 1e-5);
}

TEST(SampleNodes, FieldsHaveTheirSamplesWhereTheySay)
{
    SIM_RawField field;
    UT_Vector3 place;
    const auto first_at = [&](SIM_FieldSample sample) {
        field.init(sample, {1, 2, 3}, {2, 4, 8}, 2, 4, 8);
        EXPECT_TRUE(field.indexToPos(0, 0, 0, place));
        return place;
    };
    EXPECT_EQ(first_at(SIM_SAMPLE_CENTER), UT_Vector3(1.5f, 2.5f, 3.5f));
    EXPECT_EQ(field.field()->getRes(0), 2);
    EXPECT_EQ(first_at(SIM_SAMPLE_FACEY), UT_Vector3(1.5f, 2, 3.5f));
    EXPECT_EQ(field.field()->getRes(1), 5);
    EXPECT_EQ(first_at(SIM_SAMPLE_EDGEXZ), UT_Vector3(1, 2.5f, 3));
    EXPECT_EQ(first_at(SIM_SAMPLE_CORNER), UT_Vector3(1, 2, 3));
    EXPECT_EQ(field.field()->getRes(2), 9);
    EXPECT_EQ(field.getVoxelSize(), UT_Vector3(1, 1, 1));
    for (int i = 0; i < 3; ++i) field.fieldNC()->setValue(i, 0, 0, float(i));
    EXPECT_FLOAT_EQ(float(field.getValue({2.25f, 2, 3})), 1.25f);
}
