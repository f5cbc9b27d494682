// The stand-in behaves as the HDK's reference says, where a plugin can notice.
#include "tests/hdk_standin/dialog_script.h"
#include "tests/hdk_standin/standin.h"
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"

#include <GA/GA_PageHandle.h>
#include <GA/GA_SplittableRange.h>
#include <OP/OP_Director.h>
#include <PRM/PRM_TemplateBuilder.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_Force.h>
#include <SIM/SIM_Solver.h>
#include <UT/UT_Interrupt.h>
#include <UT/UT_ParallelUtil.h>

#include <gtest/gtest.h>

using namespace selvage::test;

namespace
{

/// Averages its input over two frames, and has an expression and a multi-parameter.
class SOP_Blur final : public SOP_Node
{
public:
    using SOP_Node::SOP_Node;
    static OP_Node* create(OP_Network* n, const char* name, OP_Operator* op)
    {
        return new SOP_Blur(n, name, op);
    }
    int cooks = 0;

protected:
    OP_ERROR cookMySop(OP_Context& context) override
    {
        ++cooks;
        OP_AutoLockInputs inputs(this);
        if (inputs.lockInput(0, context) >= UT_ERROR_ABORT) return error();
        duplicateSource(0, context);
        OP_Context other = context;
        other.setTime(CHgetTimeFromFrame(evalFloat("frame", 0, context.getTime())));
        OP_AutoLockInputs second(this);
        second.unlock();
        inputs.unlockInput(0);
        if (second.lockInput(0, other) >= UT_ERROR_ABORT) return error();
        const GU_Detail* then = inputGeo(0);
        GA_Offset p;
        GA_FOR_ALL_PTOFF(gdp, p) { gdp->setPos3(p, (gdp->getPos3(p) + then->getPos3(p)) * 0.5f); }
        return error();
    }
};

PRM_Name blur_names[] = {PRM_Name("frame", "Frame"), PRM_Name("weights", "Weights"),
                         PRM_Name("weight#", "Weight")};
PRM_Default next_frame(0, "$FF + 1");
PRM_Template blur_weights[] = {PRM_Template(PRM_FLT_J, 1, &blur_names[2], PRMoneDefaults),
                               PRM_Template()};
PRM_Template blur_templates[] = {PRM_Template(PRM_FLT_J, 1, &blur_names[0], &next_frame),
                                 PRM_Template(PRM_MULTITYPE_LIST, blur_weights, 1, &blur_names[1]),
                                 PRM_Template()};

SOP_Blur& add_blur(Stage& stage, SOP_Node& input)
{
    OPgetDirector()->sop_table().addOperator(
        new OP_Operator("blur", "Blur", SOP_Blur::create, blur_templates, 1, 1));
    auto& node = *static_cast<SOP_Blur*>(stage.add("blur"));
    node.setInput(0, &input);
    return node;
}

SOP_TestSource& moving_point(Stage& stage)
{
    return stage.add_source(
        [](double f, GU_Detail& gdp) { gdp.setPos3(gdp.appendPointOffset(), f, 0, 0); }, true);
}

} // namespace

TEST(Standin, OffsetsAreNotIndices)
{
    GU_Detail gdp;
    const GA_Offset first = gdp.appendPointBlock(3000);
    EXPECT_EQ(first, 0);
    for (const GA_Offset o : {0, 5, 1024}) EXPECT_TRUE(gdp.destroyPointOffset(o));
    EXPECT_EQ(gdp.getNumPoints(), 2997);
    EXPECT_EQ(gdp.getNumPointOffsets(), 3000);
    EXPECT_EQ(gdp.pointOffset(0), 1);
    EXPECT_EQ(gdp.pointIndex(2), 1);
    EXPECT_EQ(gdp.pointOffset(4), 6);
    // Blocks end at holes and at pages.
    std::vector<std::pair<GA_Offset, GA_Offset>> blocks;
    GA_Offset start, end;
    for (GA_Iterator it(gdp.getPointRange()); it.blockAdvance(start, end);)
        blocks.emplace_back(start, end);
    const std::vector<std::pair<GA_Offset, GA_Offset>> expected = {
        {1, 5}, {6, 1024}, {1025, 2048}, {2048, 3000}};
    EXPECT_EQ(blocks, expected);
}

TEST(Standin, PagesAreSharedUntilWrittenAndDataIdsFollow)
{
    GU_Detail a;
    a.appendPointBlock(3000);
    GU_Detail b(&a);
    EXPECT_EQ(a.getP()->getDataId(), b.getP()->getDataId());
    b.setPos3(2000, 1, 2, 3);
    EXPECT_EQ(a.getPos3(2000), UT_Vector3(0, 0, 0));
    EXPECT_TRUE(a.getP()->shares_page(*b.getP(), 0));
    EXPECT_FALSE(a.getP()->shares_page(*b.getP(), 2000));
    EXPECT_EQ(a.getP()->getDataId(), b.getP()->getDataId()); // nobody bumped it
    b.getP()->bumpDataId();
    EXPECT_NE(a.getP()->getDataId(), b.getP()->getDataId());
}

TEST(Standin, PageLoopsReachEveryPointOnce)
{
    GU_Detail gdp;
    fill(sheet_geometry(60), gdp, true);
    GA_RWHandleI count(gdp.addIntTuple(GA_ATTRIB_POINT, "count", 1));
    UTparallelFor(GA_SplittableRange(gdp.getPointRange()), [&](const GA_SplittableRange& r) {
        GA_RWPageHandleI page(count.getAttribute());
        for (GA_PageIterator pit = r.beginPages(); !pit.atEnd(); ++pit) {
            GA_Offset start, end;
            for (GA_Iterator it(pit.begin()); it.blockAdvance(start, end);) {
                page.setPage(start);
                for (GA_Offset o = start; o < end; ++o) page.value(o) += 1;
            }
        }
    });
    for (GA_Index i = 0; i < gdp.getNumPoints(); ++i) EXPECT_EQ(count.get(gdp.pointOffset(i)), 1);
}

TEST(Standin, HandlesConvertAndRefuseWhatDoesNotFit)
{
    GU_Detail gdp;
    gdp.appendPointBlock(2);
    GA_Attribute* d = gdp.addFloatTuple(GA_ATTRIB_POINT, "d", 2, GA_Defaults(0.5), nullptr, nullptr,
                                        GA_STORE_REAL64);
    EXPECT_EQ(GA_ROHandleF(d).get(1, 1), 0.5f);
    EXPECT_TRUE(GA_ROHandleV3(d).isInvalid());
    EXPECT_TRUE(GA_ROHandleF(gdp.addStringTuple(GA_ATTRIB_POINT, "s", 1)).isInvalid());
    GA_Attribute* half = gdp.addTuple(GA_STORE_REAL16, GA_ATTRIB_POINT, "h", 1);
    for (const float v : {1.0f, -0.125f, 1e-6f, 65504.0f}) {
        GA_RWHandleF(half).set(0, v);
        EXPECT_NEAR(GA_ROHandleF(half).get(0), v, std::abs(v) * 1e-3f + 3e-8f);
    }
    EXPECT_EQ(gdp.findFloatTuple(GA_ATTRIB_POINT, "d", 3), nullptr);
    EXPECT_EQ(gdp.findIntTuple(GA_ATTRIB_POINT, "d"), nullptr);
}

TEST(Standin, NodesCookWhenDirtyOrTimeMovesAndMarkWhoReadsTimeDependentInputs)
{
    Stage stage;
    auto& still = stage.add_source(sheet_geometry(2));
    auto& moving = moving_point(stage);
    auto& blur = add_blur(stage, moving);
    EXPECT_EQ(stage.positions(blur, 3)[0], 3.5f); // frames 3 and 4
    EXPECT_TRUE(blur.flags().getTimeDep());
    EXPECT_EQ(blur.cooks, 1);
    stage.cook(blur, 3);
    EXPECT_EQ(blur.cooks, 1);
    blur.setFloat("frame", 0, 0, 11);
    EXPECT_EQ(stage.positions(blur, 3)[0], 7.0f);
    stage.cook(still, 1);
    stage.cook(still, 2);
    EXPECT_EQ(still.cook_count(), 1);
}

TEST(Standin, InputsAreReadableOnlyWhileLockedAndErrorsTravelDown)
{
    Stage stage;
    auto& moving = moving_point(stage);
    auto& blur = add_blur(stage, moving);
    stage.cook(blur, 2);
    EXPECT_FALSE(blur.is_input_locked(0));
    EXPECT_FALSE(moving.is_locked());
    moving.fails_with = "no such file";
    moving.forceRecook();
    EXPECT_EQ(stage.cook(blur, 2), nullptr);
    EXPECT_EQ(blur.error(), UT_ERROR_ABORT);
    EXPECT_NE(messages(blur).find("no such file"), std::string::npos);
}

TEST(Standin, ACookedResultIsNotChangedUnderWhoeverHoldsIt)
{
    Stage stage;
    auto& moving = moving_point(stage);
    OP_Context one(CHgetTimeFromFrame(1)), two(CHgetTimeFromFrame(2));
    const GU_DetailHandle first = moving.getCookedGeoHandle(one);
    const GU_DetailHandle second = moving.getCookedGeoHandle(two);
    EXPECT_EQ(first.gdp()->getPos3(0).x(), 1);
    EXPECT_EQ(second.gdp()->getPos3(0).x(), 2);
}

namespace
{
/// Second input minus first, at two times.
class SOP_Difference final : public SOP_Node
{
public:
    using SOP_Node::SOP_Node;
    static OP_Node* create(OP_Network* n, const char* name, OP_Operator* op)
    {
        return new SOP_Difference(n, name, op);
    }

protected:
    OP_ERROR cookMySop(OP_Context& context) override
    {
        OP_AutoLockInputs inputs(this);
        OP_Context later = context;
        later.setFrame(context.getFloatFrame() + 3);
        if (inputs.lockInput(0, context) >= UT_ERROR_ABORT ||
            inputs.lockInput(1, later) >= UT_ERROR_ABORT)
            return error();
        duplicateSource(0, context);
        gdp->setPos3(0, inputGeo(1)->getPos3(0) - inputGeo(0)->getPos3(0));
        return error();
    }
};
PRM_Template difference_templates[] = {PRM_Template()};
} // namespace

TEST(Standin, OneNodeMayBeLockedAtTwoTimes)
{
    Stage stage;
    OPgetDirector()->sop_table().addOperator(new OP_Operator(
        "difference", "Difference", SOP_Difference::create, difference_templates, 2u, 2u));
    auto& moving = moving_point(stage);
    auto& difference = *static_cast<SOP_Node*>(stage.add("difference"));
    difference.setInput(0, &moving);
    difference.setInput(1, &moving);
    EXPECT_EQ(stage.positions(difference, 2)[0], 3);
    EXPECT_EQ(stage.positions(difference, 9)[0], 3);
}

TEST(Standin, MultiParametersHaveInstances)
{
    Stage stage;
    auto& blur = add_blur(stage, moving_point(stage));
    EXPECT_FALSE(blur.hasParm("weight1"));
    blur.setInt("weights", 0, 0, 3);
    int i = 3;
    EXPECT_EQ(blur.evalFloatInst("weight#", &i, 0, 0), 1);
    blur.setFloat("weight3", 0, 0, 0.25);
    EXPECT_EQ(blur.evalFloatInst("weight#", &i, 0, 0), 0.25);
}

TEST(Standin, EscapeComesAfterSoManyPolls)
{
    standin::interrupt_after(3);
    UT_AutoInterrupt boss("work");
    EXPECT_FALSE(boss.wasInterrupted());
    EXPECT_FALSE(boss.wasInterrupted(10));
    EXPECT_FALSE(boss.wasInterrupted());
    EXPECT_TRUE(boss.wasInterrupted());
    EXPECT_TRUE(boss.wasInterrupted()); // and stays
    standin::interrupt_after(-1);
}

TEST(Standin, DialogScriptsBecomeTemplatesAndErrorsHaveLines)
{
    PRM_TemplateBuilder t("x", R"({ name parameters
        group { name "folder" label "Folder"
            parm { name "a" label "A" type float default { "2.5" } range { 0! 10 } }
            parm { name "m" label "M" type ordinal default { "two" } menu { "one" "One" "two" "Two" } }
        }
        multiparm { name "n" label "N" default 0 parm { name "b#" label "B" type vector size 3 } }
    })");
    const PRM_Template* list = t.templates();
    ASSERT_EQ(PRM_Template::countTemplates(list), 3);
    EXPECT_EQ(list[0].default_of(0).getFloat(), 2.5);
    EXPECT_TRUE(list[0].getRangePtr()->restricts_low());
    EXPECT_EQ(list[1].default_of(0).getFloat(), 1);
    EXPECT_STREQ(list[2].getMultiParmTemplate()[0].getToken(), "b#");
    try {
        standin::parse_dialog_script("{\n parm { name a\n colour red } }");
        ADD_FAILURE() << "'colour' was taken";
    } catch (const std::runtime_error& e) {
        EXPECT_NE(std::string(e.what()).find("line 3"), std::string::npos) << e.what();
    }
}

namespace
{
/// Keeps its count in the data, by value.
class SIM_Counter final : public SIM_SingleSolver, public SIM_OptionsUser
{
public:
    GETSET_DATA_FUNCS_I("count", Count)

protected:
    explicit SIM_Counter(const SIM_DataFactory* f) : BaseClass(f), SIM_OptionsUser(this) {}
    SIM_Result solveSingleObjectSubclass(SIM_Engine&, SIM_Object& o, SIM_ObjectArray&,
                                         const SIM_Time& h, bool is_new) override
    {
        auto* g = SIM_DATA_GET(o, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy);
        if (!g) g = SIM_DATA_CREATE(o, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
        SIM_GeometryAutoWriteLock lock(g);
        if (is_new)
            lock.getGdp().appendPointOffset();
        else
            lock.getGdp().setPos3(0, lock.getGdp().getPos3(0).x() + h, 0, 0);
        setCount(getCount() + 1);
        return SIM_SOLVER_SUCCESS;
    }
    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_Counter, SIM_SingleSolver, "Counter", getEmptyDopDescription());
};
} // namespace

TEST(Standin, SimulationsKeepACopyOfEveryStep)
{
    standin::initialize_sim();
    IMPLEMENT_DATAFACTORY(SIM_Counter);
    SIM_Engine engine(0.5);
    SIM_Object* o = engine.addObject("ball");
    SIM_DATA_CREATE(*o, SIM_SOLVER_DATANAME, SIM_Counter, 0);
    const auto x = [&] { return o->getGeometry()->getGeometry().gdp()->getPos3(0).x(); };
    const auto count = [&] {
        return SIM_DATA_GET(*o, SIM_SOLVER_DATANAME, SIM_Counter)->getCount();
    };
    ASSERT_TRUE(engine.set_step(6));
    EXPECT_EQ(x(), 3);
    EXPECT_EQ(count(), 7);
    ASSERT_TRUE(engine.set_step(2));
    EXPECT_EQ(x(), 1);
    EXPECT_EQ(count(), 3);
    ASSERT_TRUE(engine.set_step(6));
    EXPECT_EQ(x(), 3);
}

TEST(Standin, TransformsMoveWhatIsAPlaceADirectionOrANormal)
{
    GU_Detail gdp;
    const GA_Offset p = gdp.appendPointOffset();
    gdp.setPos3(p, 1, 2, 3);
    const GA_RWHandleV3 v(gdp.addVelocityAttribute(GA_ATTRIB_POINT)),
        n(gdp.addNormalAttribute(GA_ATTRIB_POINT)), color(gdp.addDiffuseAttribute(GA_ATTRIB_POINT));
    v.set(p, UT_Vector3(1, 0, 0));
    n.set(p, UT_Vector3(1, 1, 0));
    color.set(p, UT_Vector3(0.5f, 0, 0));
    UT_Matrix4D m(1.0);
    m.scale(2, 1, 1);
    m.rotate(UT_Axis3::ZAXIS, M_PI / 2);
    m.translate(0, 0, 5);
    gdp.transform(m);
    const auto near = [](const UT_Vector3& a, const UT_Vector3& b) {
        return distance(a, b) < 1e-5f;
    };
    EXPECT_TRUE(near(gdp.getPos3(p), UT_Vector3(-2, 2, 8)));
    EXPECT_TRUE(near(v.get(p), UT_Vector3(0, 2, 0)));
    UT_Vector3 tangent(1, -1, 0); // stays across
    tangent.multiply3(m);
    EXPECT_NEAR(dot(n.get(p), tangent), 0, 1e-5);
    EXPECT_NEAR(n.get(p).length(), std::sqrt(2.0f), 1e-5);
    EXPECT_TRUE(near(color.get(p), UT_Vector3(0.5f, 0, 0)));
    UT_Matrix4D back;
    ASSERT_EQ(m.invert(back), 0);
    gdp.transform(back);
    EXPECT_TRUE(near(gdp.getPos3(p), UT_Vector3(1, 2, 3)));
    UT_Matrix4D flat(1.0);
    flat.scale(0, 1, 1);
    EXPECT_NE(flat.invert(), 0);
}

TEST(Standin, TheShortestTurnBetweenTwoDirections)
{
    for (const UT_Vector3& to : {UT_Vector3(0, 0, 1), UT_Vector3(0, 0, -1), UT_Vector3(1, 2, -2)}) {
        UT_Vector3 a(0, 0, 1), b = to;
        UT_Matrix3 turn;
        turn.dihedral(a, b);
        EXPECT_LT(distance(UT_Vector3(0, 0, 1) * turn, b), 1e-5f);
        EXPECT_NEAR(turn.determinant(), 1, 1e-5);
    }
}

TEST(Standin, MergingBringsEverythingAlong)
{
    GU_Detail a, b;
    a.meshGrid(2, 2, 1, 1);
    b.meshGrid(2, 3, 1, 1);
    GA_RWHandleS(b.addStringTuple(GA_ATTRIB_PRIMITIVE, "name", 1))
        .set(b.primitiveOffset(1), "right");
    GA_RWHandleF corner(b.addFloatTuple(GA_ATTRIB_VERTEX, "corner", 1));
    corner.set(b.getPrimitiveVertexOffset(b.primitiveOffset(1), 2), 7);
    b.newPrimitiveGroup("some")->addIndex(1);
    b.addNormalAttribute(GA_ATTRIB_POINT);
    a.merge(b);
    EXPECT_EQ(a.getNumPoints(), 10);
    ASSERT_EQ(a.getNumPrimitives(), 3);
    EXPECT_EQ(GA_ROHandleS(&a, GA_ATTRIB_PRIMITIVE, "name").get(a.primitiveOffset(2)), "right");
    EXPECT_EQ(GA_ROHandleF(&a, GA_ATTRIB_VERTEX, "corner")
                  .get(a.getPrimitiveVertexOffset(a.primitiveOffset(2), 2)),
              7);
    EXPECT_EQ(a.findPrimitiveGroup("some")->entries(), 1);
    EXPECT_TRUE(a.findPrimitiveGroup("some")->containsIndex(2));
    EXPECT_EQ(a.findPointAttribute("N")->getTypeInfo(), GA_TYPE_NORMAL);
}

TEST(Standin, GroupsAreRenamedInTheirTables)
{
    GU_Detail gdp;
    gdp.meshGrid(2, 2, 1, 1);
    gdp.newPointGroup("old")->addIndex(3);
    gdp.newPointGroup("new");
    const GA_ElementGroupTable points = gdp.getElementGroupTable(GA_ATTRIB_POINT);
    EXPECT_FALSE(points.renameGroup("nowhere", "new"));
    EXPECT_TRUE(points.renameGroup("old", "new"));
    EXPECT_EQ(points.entries(), 1);
    EXPECT_TRUE(gdp.findPointGroup("new")->containsIndex(3));
    EXPECT_TRUE(points.destroy("new"));
    EXPECT_EQ(gdp.findPointGroup("new"), nullptr);
}
