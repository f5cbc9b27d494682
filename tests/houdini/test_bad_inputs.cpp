// What artists feed a solver by mistake: an error or a warning that names the element and the
// remedy, and the last good frame stays.
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"
#include "tests/support/constraint_geometry.h"
#include "tests/support/messages.h"

#include <GA/GA_Handle.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

struct BadInput {
    const char* name;
    std::function<void(GU_Detail&)> spoil;                         ///< input 1, from frame 1 on
    std::vector<std::string> says;                                 ///< words of the message
    std::function<void(Stage&, houdini::SOP_SelvageSolver&)> also; ///< other inputs, parameters
    bool only_warns = false;
};

void PrintTo(const BadInput& b, std::ostream* out) { *out << b.name; }

GA_Offset point(GU_Detail& gdp, int i) { return gdp.pointOffset(i); }

void add_primitive(GU_Detail& gdp, const GA_PrimitiveTypeId& type)
{
    static_cast<GEO_Primitive*>(gdp.appendPrimitive(type))->appendVertex(point(gdp, 0));
}

std::function<void(Stage&, houdini::SOP_SelvageSolver&)> text(const char* parm, const char* value)
{
    return [=](Stage&, houdini::SOP_SelvageSolver& s) { set(s, parm, value); };
}
std::function<void(Stage&, houdini::SOP_SelvageSolver&)> input(int index, const Geometry& g)
{
    return [=](Stage& stage, houdini::SOP_SelvageSolver& s) {
        s.setInput(unsigned(index), &stage.add_source(g));
    };
}

Geometry sheet_with(const std::function<void(VecX&)>& change, int n = 6)
{
    Geometry g = sheet_geometry(n);
    VecX x = g.positions();
    change(x);
    g.set_positions(x);
    return g;
}

const auto nothing = [](GU_Detail&) {};

Geometry lone_point()
{
    Geometry g;
    g.set_point_count(1);
    g.set_positions(VecX::Zero(3));
    return g;
}

Geometry lines_with(const char* attribute, double value)
{
    Geometry g = constraint_geometry(sheet_geometry(6), {{"stitch", {42, 48}}});
    set_numbers(g, attribute, {value});
    return g;
}

const BadInput bad_inputs[] = {
    {"Empty", [](GU_Detail& g) { g.clearAndDestroy(); }, {"input 1"}, {}},
    {"PointsWithoutPolygons",
     [](GU_Detail& g) {
         g.clearAndDestroy();
         g.appendPointBlock(5);
     },
     {"input 1"},
     {}},
    {"NanPosition", [](GU_Detail& g) { g.setPos3(point(g, 12), 0, nan_value, 0); }, {"12"}, {}},
    {"InfinitePosition", [](GU_Detail& g) { g.setPos3(point(g, 3), INFINITY, 0, 0); }, {"3"}, {}},
    {"NurbsCurve",
     [](GU_Detail& g) { add_primitive(g, GA_PRIMNURBCURVE); },
     {"Input 1", "primitive 36", "NURBCurve", "Convert"},
     {}},
    {"BezierSurface",
     [](GU_Detail& g) { add_primitive(g, GA_PRIMBEZSURF); },
     {"BezierMesh", "Convert"},
     {}},
    {"PackedGeometry",
     [](GU_Detail& g) { add_primitive(g, GA_PRIMPACKEDGEO); },
     {"primitive 36", "PackedGeometry", "Unpack"},
     {}},
    {"Volume",
     [](GU_Detail& g) { add_primitive(g, GA_PRIMVOLUME); },
     {"Volume", "Convert Volume"},
     {}},
    {"Vdb", [](GU_Detail& g) { add_primitive(g, GA_PRIMVDB); }, {"VDB", "Convert VDB"}, {}},
    {"Sphere", [](GU_Detail& g) { add_primitive(g, GA_PRIMSPHERE); }, {"Sphere", "Convert"}, {}},
    {"Metaball", [](GU_Detail& g) { add_primitive(g, GA_PRIMMETABALL); }, {"MetaBall"}, {}},
    {"ZeroLengthEdge",
     [](GU_Detail& g) { g.setPos3(point(g, 8), g.getPos3(point(g, 9))); },
     {"polygon 1", "points 8, 9", "fuse"},
     {}},
    {"CollapsedPolygon",
     [](GU_Detail& g) {
         for (const int i : {0, 1, 7, 8}) g.setPos3(point(g, i), 0, 1, 0);
     },
     {"polygon", "zero"},
     {}},
    {"RepeatedPointInPolygon",
     [](GU_Detail& g) {
         auto* p = GEO_PrimPoly::build(&g, 3, false, false);
         for (int i = 0; i < 3; ++i) g.wire(p->getVertexOffset(i), point(g, i == 2 ? 0 : i));
     },
     {"36"},
     {}},
    {"UnfusedDuplicates",
     [](GU_Detail& g) {
         Geometry other = sheet_with([](VecX& x) {
             for (Eigen::Index i = 0; i < x.size(); i += 3) x[i] += 1;
         });
         GU_Detail beside;
         fill(other, beside);
         g.merge(beside);
     },
     {"7 pairs", "Fuse"},
     {},
     true},
    {"LoosePoint",
     [](GU_Detail& g) { g.setPos3(g.appendPointOffset(), 5, 5, 5); },
     {"point 49", "no polygon"},
     {},
     true},
    {"OnePointCurve",
     [](GU_Detail& g) {
         auto* p = GEO_PrimPoly::build(&g, 1, true);
         g.setPos3(p->getPointOffset(0), 9, 9, 9);
     },
     {"point 49", "no polygon"},
     {},
     true},
    {"NonManifoldEdge",
     [](GU_Detail& g) {
         for (const float z : {1.0f, -1.0f}) {
             auto* p = GEO_PrimPoly::build(&g, 3, false, false);
             const GA_Offset tip = g.appendPointOffset();
             g.setPos3(tip, 0.5, 0.5, z);
             g.wire(p->getVertexOffset(0), point(g, 24));
             g.wire(p->getVertexOffset(1), point(g, 25));
             g.wire(p->getVertexOffset(2), tip);
         }
     },
     {"edge"},
     {},
     true},
    {"HugeCoordinates",
     [](GU_Detail& g) {
         for (GA_Index i = 0; i < g.getNumPoints(); ++i)
             g.setPos3(point(g, int(i)), UT_Vector3(g.getPos3(point(g, int(i))) * 1e4f));
     },
     {"across"},
     {},
     true},
    {"NegativeMass",
     [](GU_Detail& g) {
         GA_RWHandleF(g.addFloatTuple(GA_ATTRIB_POINT, "mass", 1, GA_Defaults(1.0)))
             .set(point(g, 20), -1);
     },
     {"mass", "20"},
     {}},
    {"NanMass",
     [](GU_Detail& g) {
         GA_RWHandleF(g.addFloatTuple(GA_ATTRIB_POINT, "mass", 1, GA_Defaults(1.0)))
             .set(point(g, 20), nan_value);
     },
     {"mass", "20"},
     {}},
    {"NanVelocity",
     [](GU_Detail& g) {
         GA_RWHandleV3(g.addVelocityAttribute(GA_ATTRIB_POINT))
             .set(point(g, 4), UT_Vector3(0, nan_value, 0));
     },
     {"velocity", "4"},
     {}},
    {"MissingPinGroup", nothing, {"collar", "top"}, text("pins_group", "collar")},
    {"MissingRestAttribute", nothing, {"rest", "Rest Position"}, text("rest_from", "attribute")},
    {"RestOfAnotherSize", nothing, {"rest"}, input(3, sheet_geometry(5))},
    {"NanInRest", nothing, {"8"}, input(3, sheet_with([](VecX& x) { x[24] = nan_value; }))},
    {"NanInCollider", nothing, {"3"}, input(2, sheet_with([](VecX& x) { x[10] = nan_value; }))},
    {"EmptyCollider", nothing, {"input 3"}, input(2, Geometry())},
    {"DensityOutOfRange",
     nothing,
     {"density"},
     [](Stage&, houdini::SOP_SelvageSolver& s) {
         set(s, "use_density", 1);
         s.getParm("density").values()[0].number = std::nan("");
         s.forceRecook();
     }},
    {"CurvesOfTwoPoints",
     [](GU_Detail& g) {
         g.clearAndDestroy();
         for (int i = 0; i < 3; ++i) GEO_PrimPoly::build(&g, 2, true);
     },
     {"curve 0 has 2 points", "resample"},
     {}},
    {"CurvesOnOnePlace",
     [](GU_Detail& g) {
         g.clearAndDestroy();
         GEO_PrimPoly::build(&g, 4, true);
     },
     {"curve 0", "points 0 and 1 are at the same place"},
     {}},
    {"PackedCollider",
     nothing,
     {"Input 3", "primitive 0", "PackedGeometry", "Unpack"},
     [](Stage& stage, houdini::SOP_SelvageSolver& s) {
         s.setInput(2, &stage.add_source([](double, GU_Detail& g) {
             g.appendPointBlock(1);
             add_primitive(g, GA_PRIMPACKEDGEO);
         }));
     }},
    {"NegativePaintedStiffness",
     [](GU_Detail& g) {
         GA_RWHandleF(g.addFloatTuple(GA_ATTRIB_POINT, "bend_scale", 1, GA_Defaults(1.0)))
             .set(point(g, 11), -2);
     },
     {"bend_scale", "11"},
     {}},
    {"NanRestBlend",
     [](GU_Detail& g) {
         GA_RWHandleF(g.addFloatTuple(GA_ATTRIB_POINT, "rest_scale", 1, GA_Defaults(1.0)))
             .set(point(g, 5), nan_value);
     },
     {"rest_scale", "5"},
     {}},
    {"MissingStiffnessMap",
     nothing,
     {"stiffness_map", "hold"},
     [](Stage&, houdini::SOP_SelvageSolver& s) {
         set(s, "pins_stiffness", 10);
         set(s, "pins_stiffness_map", "hold");
     }},
    {"RestWithTwoComponents",
     [](GU_Detail& g) { g.addFloatTuple(GA_ATTRIB_POINT, "rest", 2); },
     {"rest", "Rest Position"},
     text("rest_from", "attribute")},
    {"MixedMaterials",
     [](GU_Detail& g) {
         GA_RWHandleS material(g.addStringTuple(GA_ATTRIB_PRIMITIVE, "sv_material", 1));
         for (GA_Index i = 0; i < g.getNumPrimitives(); ++i)
             material.set(g.primitiveOffset(i), i == 9 ? "silk" : "denim");
     },
     {"primitive 9", "silk", "denim", "own solver"},
     {}},
    {"UnknownMaterial",
     [](GU_Detail& g) {
         GA_RWHandleS material(g.addStringTuple(GA_ATTRIB_PRIMITIVE, "sv_material", 1));
         for (GA_Index i = 0; i < g.getNumPrimitives(); ++i)
             material.set(g.primitiveOffset(i), "coton");
     },
     {"coton", "cotton"},
     {}},
    {"IntersectingStart",
     [](GU_Detail& g) {
         g.setPos3(point(g, 48), 0.2, 0.9, 0.4);
         g.setPos3(point(g, 47), 0.2, 0.9, -0.4);
     },
     {"intersect", "ignore_pairs"},
     [](Stage&, houdini::SOP_SelvageSolver& s) { set(s, "collision_on_intersection", "error"); }},
    {"EmptyConstraints",
     nothing,
     {"input 2", "no primitives", "no effect"},
     input(1, lone_point()),
     true},
    {"UnknownConstraintType",
     nothing,
     {"input 2", "primitive 1", "'velcro'", "pin, attach, distance"},
     input(1, constraint_geometry(sheet_geometry(6), {{"stitch", {42, 48}}, {"velcro", {0, 1}}})),
     true},
    {"StitchOfOnePoint",
     nothing,
     {"input 2", "primitive 0", "two or more"},
     input(1, constraint_geometry(sheet_geometry(6), {{"stitch", {42}}})),
     true},
    {"NegativeRestLength",
     nothing,
     {"input 2", "primitive 0", "restlength -1"},
     input(1, lines_with("restlength", -1))},
    {"NanConstraintStiffness",
     nothing,
     {"input 2", "primitive 0", "stiffness"},
     input(1, lines_with("stiffness", nan_value))},
    {"AttachedToNothing",
     nothing,
     {"input 2", "collider", "none"},
     input(1, constraint_geometry(sheet_geometry(6), {{"attach", {42}}}))},
    {"PackedConstraints",
     nothing,
     {"Input 2", "PackedGeometry", "Unpack"},
     [](Stage& stage, houdini::SOP_SelvageSolver& s) {
         s.setInput(1, &stage.add_source([](double, GU_Detail& g) {
             g.appendPointBlock(1);
             add_primitive(g, GA_PRIMPACKEDGEO);
         }));
     }},
};

class BadInputs : public testing::TestWithParam<BadInput>
{
};

} // namespace

TEST_P(BadInputs, AreNamedAndTheLastGoodFrameStays)
{
    const BadInput& bad = GetParam();
    Stage stage;
    bool spoilt = false;
    auto& source = stage.add_source([&](double, GU_Detail& gdp) {
        fill(sheet_geometry(6), gdp);
        if (spoilt) bad.spoil(gdp);
    });
    auto& solver = stage.add_solver(source);
    const auto good = stage.positions(solver, 2);
    ASSERT_FALSE(good.empty()) << messages(solver);
    spoilt = true;
    source.forceRecook();
    if (bad.also) bad.also(stage, solver);
    const GU_Detail* result = stage.cook(solver, 2);
    expect_says(messages(solver), bad.says);
    if (bad.only_warns) {
        EXPECT_NE(result, nullptr) << messages(solver);
        EXPECT_EQ(solver.error(), UT_ERROR_WARNING);
    } else {
        EXPECT_EQ(result, nullptr);
        EXPECT_EQ(positions_of(*solver.getLastGeo()), good);
    }
}

INSTANTIATE_TEST_SUITE_P(All, BadInputs, testing::ValuesIn(bad_inputs),
                         [](const auto& bad) { return bad.param.name; });
