// A generator written as a verb, with parameters from a dialog script and their generated class:
// how nodes are written for today's Houdini. tests/hdk_standin/generate_proto.py makes the header.
#include "SOP_TestRing.proto.h"

#include "tests/houdini/sample_nodes.h"

#include <GEO/GEO_PrimPoly.h>
#include <GU/GU_Detail.h>
#include <OP/OP_Operator.h>
#include <OP/OP_OperatorTable.h>
#include <PRM/PRM_Include.h>
#include <PRM/PRM_TemplateBuilder.h>
#include <SOP/SOP_Node.h>
#include <SYS/SYS_Math.h>
#include <UT/UT_Interrupt.h>
#include <UT/UT_StringHolder.h>

namespace
{

const char* theDsFile = R"THEDSFILE(
{
    name        parameters
    parm {
        name    "count"     // points around
        label   "Count"
        type    integer
        default { "6" }
        range   { 3! 100 }
        export  all
    }
    parm { name "size"  label "Radii"  type vector2 size 2 default { "1" "0.5" } }
    parm { name "t"     label "Centre" type vector  size 3 default { "0" "0" "0" } }
    parm { name "twist" cppname "Turn" label "Twist" type float default { "0" } range { -180 180 } }
    groupsimple {
        name    "shape"
        label   "Shape"
        parm { name "open" label "Open" type toggle default { "0" } }
        parm {
            name    "plane"
            label   "Plane"
            type    ordinal
            default { "xy" }
            disablewhen "{ open == 1 }"
            menu    { "xy" "XY" "yz" "YZ" "zx" "ZX" }
        }
    }
    parm { name "label" label "Label" type string default { "ring" } }
}
)THEDSFILE";

class SOP_TestRingVerb final : public SOP_NodeVerb
{
public:
    SOP_NodeParms* allocParms() const override { return new SOP_TestRingParms(); }
    UT_StringHolder name() const override { return "test_ring"_sh; }
    CookMode cookMode(const SOP_NodeParms*) const override { return COOK_GENERIC; }
    void cook(const CookParms& cookparms) const override;
    static const SOP_NodeVerb::Register<SOP_TestRingVerb> theVerb;
};
const SOP_NodeVerb::Register<SOP_TestRingVerb> SOP_TestRingVerb::theVerb;

class SOP_TestRing final : public SOP_Node
{
public:
    static OP_Node* create(OP_Network* net, const char* name, OP_Operator* op)
    {
        return new SOP_TestRing(net, name, op);
    }
    static PRM_Template* templates()
    {
        static PRM_TemplateBuilder templ("SOP_TestRing.cpp"_sh, theDsFile);
        return templ.templates();
    }
    const SOP_NodeVerb* cookVerb() const override { return SOP_TestRingVerb::theVerb.get(); }

protected:
    SOP_TestRing(OP_Network* net, const char* name, OP_Operator* op) : SOP_Node(net, name, op)
    {
        mySopFlags.setManagesDataIDs(true);
    }
    OP_ERROR cookMySop(OP_Context& context) override { return cookMyselfAsVerb(context); }
};

void SOP_TestRingVerb::cook(const SOP_NodeVerb::CookParms& cookparms) const
{
    auto&& parms = cookparms.parms<SOP_TestRingParms>();
    GU_Detail* detail = cookparms.gdh().gdpNC();
    const exint n = parms.getCount();
    if (parms.getSize().x() < parms.getSize().y())
        cookparms.sopAddWarning(SOP_MESSAGE, "The inner radius is the larger one.");
    if (detail->getNumPoints() != n) {
        detail->clearAndDestroy();
        GA_Offset vertices;
        detail->appendPrimitivesAndVertices(GA_PRIMPOLY, 1, n, vertices, !parms.getOpen());
        const GA_Offset points = detail->appendPointBlock(n);
        for (exint i = 0; i < n; ++i)
            detail->getTopology().wireVertexPoint(vertices + i, points + i);
        detail->bumpDataIdsForAddOrRemove(true, true, true);
    } else {
        detail->getP()->bumpDataId();
    }
    const GA_Offset first = detail->pointOffset(GA_Index(0));
    UT_AutoInterrupt boss("Building ring");
    UT_Vector3 centre = parms.getT();
    for (exint i = 0; i < n && !boss.wasInterrupted(); ++i) {
        const double angle = 2 * M_PI * double(i) / double(n) + SYSdegToRad(parms.getTurn());
        const double r = i & 1 ? parms.getSize().y() : parms.getSize().x();
        UT_Vector3 p(float(SYScos(angle) * r), float(SYSsin(angle) * r), 0);
        switch (parms.getPlane()) {
        case SOP_TestRingParms::Plane::XY: break;
        case SOP_TestRingParms::Plane::YZ: p = UT_Vector3(p(2), p(0), p(1)); break;
        case SOP_TestRingParms::Plane::ZX: p = UT_Vector3(p(1), p(2), p(0)); break;
        }
        detail->setPos3(first + i, p + centre);
    }
    GA_RWHandleS label(detail->addStringTuple(GA_ATTRIB_DETAIL, "label", 1));
    label.set(GA_Offset(0), parms.getLabel());
}

} // namespace

void add_ring_node(OP_OperatorTable& table)
{
    table.addOperator(new OP_Operator("test_ring", "Ring", SOP_TestRing::create,
                                      SOP_TestRing::templates(), 0, 0, nullptr, OP_FLAG_GENERATOR));
}
