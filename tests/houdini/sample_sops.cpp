// Nodes in the older manner: template lists, groups, another time, local variables, multi-parms.
#include "tests/houdini/sample_nodes.h"

#include <CH/CH_LocalVariable.h>
#include <GA/GA_AIFMath.h>
#include <GA/GA_PageHandle.h>
#include <GA/GA_SplittableRange.h>
#include <GU/GU_Detail.h>
#include <GU/GU_PrimPoly.h>
#include <OP/OP_AutoLockInputs.h>
#include <OP/OP_Director.h>
#include <OP/OP_Operator.h>
#include <OP/OP_OperatorTable.h>
#include <PRM/PRM_Include.h>
#include <SOP/SOP_Error.h>
#include <SOP/SOP_Node.h>
#include <SYS/SYS_Math.h>
#include <UT/UT_Interrupt.h>
#include <UT/UT_Matrix3.h>
#include <UT/UT_Matrix4.h>
#include <UT/UT_ParallelUtil.h>
#include <UT/UT_ThreadedAlgorithm.h>

namespace
{

template <class Node> OP_Node* create(OP_Network* net, const char* name, OP_Operator* op)
{
    return new Node(net, name, op);
}

/// Waves of a point group, threaded over pages; works on points only.
class SOP_TestRipple final : public SOP_Node
{
public:
    SOP_TestRipple(OP_Network* net, const char* name, OP_Operator* op) : SOP_Node(net, name, op)
    {
        mySopFlags.setManagesDataIDs(true);
    }
    static PRM_Template templates[];
    OP_ERROR cookInputGroups(OP_Context& context, int alone = 0) override
    {
        return cookInputPointGroups(context, group_, alone, true, 0, -1, true, false, true, 0);
    }

protected:
    OP_ERROR cookMySop(OP_Context& context) override
    {
        OP_AutoLockInputs inputs(this);
        if (inputs.lock(context) >= UT_ERROR_ABORT) return error();
        duplicatePointSource(0, context);
        const fpreal t = context.getTime();
        const float amp = float(evalFloat("amp", 0, t)), phase = float(evalFloat("phase", 0, t));
        if (cookInputGroups(context) >= UT_ERROR_ABORT) return error();
        GA_RWHandleV3 P(gdp->findAttribute(GA_ATTRIB_POINT, "P"));
        UTparallelFor(
            GA_SplittableRange(gdp->getPointRange(group_)), [&](const GA_SplittableRange& range) {
                GA_RWPageHandleV3 page(P.getAttribute());
                for (GA_PageIterator pages = range.beginPages(); !pages.atEnd(); ++pages) {
                    GA_Offset start, end;
                    for (GA_Iterator it(pages.begin()); it.blockAdvance(start, end);) {
                        page.setPage(start);
                        for (GA_Offset o = start; o < end; ++o) {
                            UT_Vector3 p = page.get(o);
                            p.y() += amp * SYSsin(p.x() + phase);
                            page.set(o, p);
                        }
                    }
                }
            });
        if (!group_ || !group_->isEmpty()) P.bumpDataId();
        return error();
    }

private:
    const GA_PointGroup* group_ = nullptr;
};

PRM_Name ripple_names[] = {PRM_Name("amp", "Amplitude"), PRM_Name("phase", "Phase")};
PRM_Template SOP_TestRipple::templates[] = {
    PRM_Template(PRM_STRING, 1, &PRMgroupName, 0, &SOP_Node::pointGroupMenu, 0, 0,
                 SOP_Node::getGroupSelectButton(GA_GROUP_POINT)),
    PRM_Template(PRM_FLT_J, 1, &ripple_names[0], PRMoneDefaults, 0, &PRMscaleRange),
    PRM_Template(PRM_FLT_J, 1, &ripple_names[1], PRMzeroDefaults), PRM_Template()};

/// An attribute of the first input minus the second's at another frame.
class SOP_TestLag final : public SOP_Node
{
public:
    SOP_TestLag(OP_Network* net, const char* name, OP_Operator* op) : SOP_Node(net, name, op)
    {
        mySopFlags.setManagesDataIDs(true);
    }
    static PRM_Template templates[];

protected:
    OP_ERROR cookMySop(OP_Context& context) override
    {
        const fpreal t = context.getTime();
        OP_AutoLockInputs inputs(this);
        if (inputs.lockInput(0, context) >= UT_ERROR_ABORT) return error();
        OP_Context then = context;
        then.setTime(OPgetDirector()->getChannelManager()->getTime(evalFloat("frame", 0, t)));
        if (inputs.lockInput(1, then) >= UT_ERROR_ABORT) return error();
        duplicateSource(0, context);
        UT_String from, to;
        evalString(from, "attrib", 0, t);
        evalString(to, "result", 0, t);
        if (!from.isstring() || !to.isstring()) return error();
        to.forceValidVariableName();
        const GU_Detail *a = inputGeo(0), *b = inputGeo(1);
        const GA_Attribute* in_a = a->findAttribute(GA_ATTRIB_POINT, from);
        const GA_Attribute* in_b = b->findAttribute(GA_ATTRIB_POINT, from);
        if (!in_a || !in_b) {
            addError(SOP_ATTRIBUTE_INVALID, (const char*)from);
            return error();
        }
        GA_Attribute* out = gdp->getAttributes().cloneAttribute(GA_ATTRIB_POINT, to, *in_a, true);
        const GA_AIFMath* math = out ? out->getAIFMath() : nullptr;
        if (!math) {
            addError(SOP_ATTRIBUTE_INVALID, (const char*)to);
            return error();
        }
        GA_Offset o;
        GA_FOR_ALL_PTOFF(gdp, o)
        {
            const GA_Index i = gdp->pointIndex(o);
            if (i >= b->getNumPoints()) continue;
            math->sub(*out, o, *in_a, a->pointOffset(i), *in_b, b->pointOffset(i));
        }
        out->bumpDataId();
        return error();
    }
};

PRM_Default lag_frame(0, "$FF");
PRM_Name lag_names[] = {PRM_Name("attrib", "Attribute"), PRM_Name("result", "Result"),
                        PRM_Name("frame", "Frame")};
PRM_Template SOP_TestLag::templates[] = {
    PRM_Template(PRM_STRING, 1, &lag_names[0]), PRM_Template(PRM_STRING, 1, &lag_names[1]),
    PRM_Template(PRM_FLT_J, 1, &lag_names[2], &lag_frame), PRM_Template()};

/// A strand on every point of the input; its parameters may use the point's number ($PT), come in
/// any number, and run through threads of an older kind.
class SOP_TestComb final : public SOP_Node
{
public:
    SOP_TestComb(OP_Network* net, const char* name, OP_Operator* op) : SOP_Node(net, name, op) {}
    static PRM_Template templates[];
    static CH_LocalVariable variables[];

    bool evalVariableValue(fpreal& value, int index, int thread) override
    {
        if (index != 1) return SOP_Node::evalVariableValue(value, index, thread);
        value = fpreal(point_);
        return true;
    }

protected:
    OP_ERROR cookMySop(OP_Context& context) override
    {
        OP_AutoLockInputs inputs(this);
        if (inputs.lock(context) >= UT_ERROR_ABORT) return error();
        const fpreal t = context.getTime();
        const GU_Detail* roots = inputGeo(0, context);
        gdp->clearAndDestroy();
        UT_Matrix4D turn(1.0);
        turn.rotate(UT_Axis3::ZAXIS, SYSdegToRad(90.0 * evalInt("up", 0, t)));
        GA_RWAttributeRef width = gdp->addFloatTuple(GA_ATTRIB_POINT, "width", 1, GA_Defaults(0.1));
        const GA_RWHandleF width_of(width.getAttribute());
        const int steps = evalInt("steps", 0, t);
        for (GA_Iterator it(roots->getPointRange()); !it.atEnd(); it.advance()) {
            point_ = roots->pointIndex(it.getOffset());
            GU_PrimPoly* strand = GU_PrimPoly::build(gdp, 0, GU_POLY_OPEN, 0);
            UT_Vector3 p = roots->getPos3(*it);
            for (int i = 0; i <= steps; ++i) {
                const GA_Offset o = gdp->appendPointOffset();
                gdp->setPos3(o, p);
                strand->appendVertex(o);
                if (i == steps) break;
                const int instance = i + 1;
                UT_Vector3 step(float(evalFloatInst("length#", &instance, 0, t)), 0, 0);
                step *= turn;
                p += step;
                width_of.set(o, 0.1f / float(instance));
            }
        }
        select(GA_GROUP_PRIMITIVE);
        select(GU_SPrimitive); // as nodes for Houdini 15 and before say it
        shortenPartial_threaded(0.5f);
        return error();
    }
    THREADED_METHOD1(SOP_TestComb, gdp->getNumPoints() > 1, shortenPartial_threaded, float, factor)
    void shortenPartial_threadedPartial(float factor, const UT_JobInfo& info)
    {
        GA_RWHandleF width(gdp->findFloatTuple(GA_ATTRIB_POINT, "width", 1));
        int i, n;
        for (info.divideWork(int(gdp->getNumPoints()), i, n); i < n; ++i)
            width.set(gdp->pointOffset(i), width.get(gdp->pointOffset(i)) * factor);
    }

private:
    exint point_ = 0;
};

CH_LocalVariable SOP_TestComb::variables[] = {{"PT", 1, 0}, {0, 0, 0}};
PRM_Name comb_names[] = {PRM_Name("up", "Up"), PRM_Name("steps", "Steps"),
                         PRM_Name("length#", "Length"), PRM_Name("look", "Look")};
PRM_Name comb_axes[] = {PRM_Name("x", "X"), PRM_Name("y", "Y"), PRM_Name()};
PRM_ChoiceList comb_axis_menu(PRM_CHOICELIST_SINGLE, comb_axes);
PRM_Range comb_range(PRM_RANGE_RESTRICTED, 0, PRM_RANGE_UI, 10);
PRM_Default comb_tabs[] = {PRM_Default(1, "Look")};
PRM_Conditional comb_condition("{ steps == 0 }", PRM_CONDTYPE_HIDE);
PRM_Template comb_step[] = {
    PRM_Template(PRM_FLT_J, 1, &comb_names[2], PRMoneDefaults, 0, &comb_range), PRM_Template()};
PRM_Template SOP_TestComb::templates[] = {
    PRM_Template(PRM_MULTITYPE_LIST, comb_step, 1, &comb_names[1], PRMtwoDefaults),
    PRM_Template(PRM_SWITCHER, 1, &comb_names[3], comb_tabs),
    PRM_Template(PRM_ORD, 1, &comb_names[0], PRMoneDefaults, &comb_axis_menu, 0, 0, 0, 1,
                 "Direction of the strands", &comb_condition),
    PRM_Template()};

} // namespace

void add_classic_nodes(OP_OperatorTable& table)
{
    table.addOperator(new OP_Operator("test_ripple", "Ripple", create<SOP_TestRipple>,
                                      SOP_TestRipple::templates, 1, 1, 0));
    table.addOperator(
        new OP_Operator("test_lag", "Lag", create<SOP_TestLag>, SOP_TestLag::templates, 2, 2, 0));
    table.addOperator(new OP_Operator("test_comb", "Comb", create<SOP_TestComb>,
                                      SOP_TestComb::templates, 1, 1, SOP_TestComb::variables));
}
