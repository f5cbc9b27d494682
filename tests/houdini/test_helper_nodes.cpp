#include "plugin/houdini/helper_nodes.h"
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"

#include <GA/GA_Handle.h>
#include <SOP/SOP_NodeVerb.h>

#include <gtest/gtest.h>

#include <map>

using namespace selvage;
using namespace selvage::test;

namespace
{

SOP_Node& helper(Stage& stage, const char* type, std::vector<SOP_Node*> inputs)
{
    auto& node = *static_cast<SOP_Node*>(stage.add(type));
    for (std::size_t i = 0; i < inputs.size(); ++i) node.setInput(unsigned(i), inputs[i]);
    return node;
}

Geometry shifted(const Geometry& g, const Vec3& by)
{
    Geometry out = g;
    VecX x = g.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) x.segment<3>(i) += by;
    out.set_positions(x);
    return out;
}

} // namespace

TEST(HelperNodes, AreVerbs)
{
    Stage stage;
    for (const char* type : {"selvage_material", "selvage_pin", "selvage_attach",
                             "selvage_restblend", "selvage_check", "selvage_transfer"}) {
        auto* node = static_cast<SOP_Node*>(stage.add(type));
        ASSERT_TRUE(node) << type;
        EXPECT_EQ(node->cookVerb(), SOP_NodeVerb::lookupVerb(type));
    }
}

TEST(HelperNodes, MaterialIsTakenByTheSolver)
{
    Stage stage;
    auto& sheet = stage.add_source(sheet_geometry(6));
    SOP_Node& material = helper(stage, "selvage_material", {&sheet});
    set(material, "material", "denim");
    auto& by_node = stage.add_solver(material);
    auto& by_parameter = stage.add_solver(sheet);
    set(by_parameter, "material", "denim");
    EXPECT_EQ(stage.positions(by_node, 4), stage.positions(by_parameter, 4));
    set(material, "material", "denin");
    EXPECT_EQ(stage.cook(by_node, 4), nullptr);
    expect_says(messages(material), {"denin", "denim"});
}

TEST(HelperNodes, MaterialPaintsMaps)
{
    Stage stage;
    auto& sheet = stage.add_source([](double, GU_Detail& gdp) {
        fill(sheet_geometry(6), gdp, /*holes*/ true);
        const GA_RWHandleF mask(gdp.addFloatTuple(GA_ATTRIB_POINT, "mask", 1));
        for (GA_Index i = 0; i < gdp.getNumPoints(); ++i)
            mask.set(gdp.pointOffset(i), 0.5f + 0.01f * float(i));
    });
    SOP_Node& material = helper(stage, "selvage_material", {&sheet});
    const auto painted = [&](const char* name, int point) {
        const GU_Detail* out = stage.cook(material, 1);
        const GA_ROHandleF values(out, GA_ATTRIB_POINT, name);
        return values.isValid() ? double(values.get(out->pointOffset(point))) : -1.0;
    };
    EXPECT_EQ(painted("stretch_scale", 3), -1); // nothing asked for, nothing written
    auto& solver = stage.add_solver(material);
    const auto plain = stage.positions(solver, 6);
    set(material, "stretch", 0.02);
    set(material, "stretchmap", "mask");
    set(material, "group", "7-48");
    EXPECT_EQ(painted("stretch_scale", 3), 1);
    EXPECT_NEAR(painted("stretch_scale", 20), 0.02 * 0.7, 1e-6);
    EXPECT_LT(stage.positions(solver, 6)[3 * 45 + 1], plain[3 * 45 + 1] - 0.005f);
    set(material, "bend", 3);
    set(material, "densitymap", "mask");
    set(material, "friction", 0.5);
    EXPECT_NEAR(painted("bend_scale", 20), 3, 1e-6);
    EXPECT_NEAR(painted("density_scale", 20), 0.7, 1e-6);
    EXPECT_NEAR(painted("friction", 20), 0.5, 1e-6);
    EXPECT_EQ(stage.positions(solver, 3).size(), plain.size()) << messages(solver);
    SOP_Node& second = helper(stage, "selvage_material", {&material});
    set(second, "bend", 2);
    EXPECT_NEAR(GA_ROHandleF(stage.cook(second, 1), GA_ATTRIB_POINT, "bend_scale")
                    .get(stage.cook(second, 1)->pointOffset(20)),
                6, 1e-6);
    set(material, "bendmap", "nowhere");
    EXPECT_EQ(stage.cook(material, 1), nullptr);
    expect_says(messages(material), {"nowhere", "Attribute Paint"});
    set(material, "bendmap", "");
    set(material, "stretch", -1);
    EXPECT_GE(painted("stretch_scale", 20), 0); // the field stops at 0
}

TEST(HelperNodes, PinsHoldPoints)
{
    Stage stage;
    auto& sheet = stage.add_source(sheet_geometry(6));
    SOP_Node& pin = helper(stage, "selvage_pin", {&sheet});
    set(pin, "group", "top");
    auto& by_group = stage.add_solver(sheet);
    const auto expected = stage.positions(by_group, 4);
    for (const char* type : {"stopped", "permanent", "group"}) {
        set(pin, "type", type);
        auto& solver = stage.add_solver(pin);
        set(solver, "pins_group", std::string(type) == "group" ? "pins" : "");
        EXPECT_EQ(stage.positions(solver, 4), expected) << type << messages(solver);
    }
    set(pin, "type", "permanent");
    auto& weighed = stage.add_source([](double, GU_Detail& gdp) {
        fill(sheet_geometry(6), gdp);
        gdp.addPointMassAttribute();
    });
    pin.setInput(0, &weighed);
    const GU_Detail* out = stage.cook(pin, 1);
    EXPECT_EQ(GA_ROHandleF(out, GA_ATTRIB_POINT, "mass").get(out->pointOffset(3)), 0);
    EXPECT_EQ(GA_ROHandleF(out, GA_ATTRIB_POINT, "mass").get(out->pointOffset(20)), 1);
    set(pin, "group", "nowhere");
    EXPECT_EQ(stage.cook(pin, 1), nullptr);
    expect_says(messages(pin), {"nowhere", "Group node"});
}

TEST(HelperNodes, AttachMakesVellumsConstraintGeometry)
{
    Stage stage;
    Geometry two = sheet_geometry(4);
    GU_Detail both, right;
    auto& sheets = stage.add_source([&](double, GU_Detail& gdp) {
        GU_Detail other;
        fill(sheet_geometry(4), gdp);
        fill(shifted(sheet_geometry(4), Vec3(1.01, 0, 0)), other);
        gdp.merge(other);
    });
    SOP_Node& attach = helper(stage, "selvage_attach", {&sheets});
    const GU_Detail* out = stage.cook(attach, 1);
    ASSERT_TRUE(out) << messages(attach);
    EXPECT_EQ(out->getNumPoints(), 50);
    ASSERT_EQ(out->getNumPrimitives(), 5); // one thread per row of the seam
    const GA_Offset thread = out->primitiveOffset(0);
    EXPECT_EQ(GA_ROHandleS(out, GA_ATTRIB_PRIMITIVE, "type").get(thread), "stitch");
    EXPECT_EQ(GA_ROHandleF(out, GA_ATTRIB_PRIMITIVE, "restlength").get(thread), 0);
    set(attach, "type", "attach");
    out = stage.cook(attach, 1);
    EXPECT_NEAR(GA_ROHandleF(out, GA_ATTRIB_PRIMITIVE, "restlength").get(out->primitiveOffset(0)),
                0.01, 1e-5);
    set(attach, "radius", 0.001);
    ASSERT_TRUE(stage.cook(attach, 1));
    expect_says(messages(attach), {"Enlarge Search Radius"});
}

TEST(HelperNodes, RestBlendLiesBetween)
{
    Stage stage;
    auto& a = stage.add_source(sheet_geometry(3), true);
    auto& b = stage.add_source(shifted(sheet_geometry(3), Vec3(0, 0, 2)));
    SOP_Node& blend = helper(stage, "selvage_restblend", {&a, &b});
    set(blend, "blend", 0.25);
    const GU_Detail* out = stage.cook(blend, 1);
    ASSERT_TRUE(out);
    EXPECT_NEAR(positions_of(*out, "rest")[2], 0.5, 1e-6);
    blend.setInput(1, &stage.add_source(sheet_geometry(4)));
    EXPECT_EQ(stage.cook(blend, 1), nullptr);
    expect_says(messages(blend), {"25 points", "16"});
}

/// Wired to the solver either way, the blend acts at every frame as the blended shape itself does.
TEST(HelperNodes, RestBlendActsOnTheSolverOverTheShot)
{
    Stage stage;
    auto& sheet = stage.add_source(sheet_geometry(6));
    Geometry wide = sheet_geometry(6);
    VecX x = wide.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) x[i] *= 1.3;
    wide.set_positions(x);
    SOP_Node& blend = helper(stage, "selvage_restblend", {&sheet, &stage.add_source(wide)});
    blend.animate("blend", 0, [](double t) { return t * 24 / 4; }); // all of it at frame 5
    std::map<double, std::vector<float>> rest;
    for (int f = 1; f <= 5; ++f) {
        const GU_Detail* out = stage.cook(blend, f);
        ASSERT_TRUE(out) << messages(blend);
        rest[f] = positions_of(*out, "rest");
    }
    auto& blended = stage.add_source(
        [&](double f, GU_Detail& gdp) {
            Geometry g = sheet_geometry(6);
            const std::vector<float>& at = rest.at(f);
            g.set_positions(Eigen::Map<const Eigen::VectorXf>(at.data(), Eigen::Index(at.size()))
                                .cast<double>());
            fill(g, gdp);
        },
        true);
    auto& expected = stage.add_solver(sheet);
    expected.setInput(3, &blended);
    auto& beside = stage.add_solver(sheet);
    beside.setInput(3, &blend);
    auto& above = stage.add_solver(blend);
    auto& without = stage.add_solver(sheet);
    for (const int f : {2, 5}) {
        const auto p = stage.positions(expected, f);
        ASSERT_FALSE(p.empty()) << messages(expected);
        EXPECT_EQ(stage.positions(beside, f), p) << f;
        EXPECT_EQ(stage.positions(above, f), p) << f;
        EXPECT_NE(stage.positions(without, f), p) << f;
    }
}

/// As the help of Selvage Pin says.
TEST(HelperNodes, WhichPointsAreStoppedIsReadAtTheStart)
{
    Stage stage;
    const auto stopped_until = [&](double until) -> SOP_Node& {
        return stage.add_source(
            [=](double f, GU_Detail& gdp) {
                fill(swinging_sheet(f), gdp);
                const GA_RWHandleI stopped(gdp.addIntTuple(GA_ATTRIB_POINT, "stopped", 1));
                for (GA_Index i = 0; i < 7; ++i) stopped.set(gdp.pointOffset(i), f <= until);
            },
            true);
    };
    auto &kept = stage.add_solver(stopped_until(100)),
         &dropped = stage.add_solver(stopped_until(3));
    for (SOP_Node* solver : {&kept, &dropped}) set(*solver, "pins_group", "");
    EXPECT_EQ(stage.positions(kept, 6), stage.positions(dropped, 6));
    const std::string help = houdini::PinWork::info.dialog_script;
    EXPECT_NE(help.find("read at the start frame"), std::string::npos);
    EXPECT_EQ(help.find("switched off by animating"), std::string::npos);
}

/// In a compiled block there is no node.
TEST(HelperNodes, CookAsVerbsWithoutANode)
{
    Stage stage;
    auto& sheet = stage.add_source(sheet_geometry(4));
    auto& moved = stage.add_source(shifted(sheet_geometry(4), Vec3(0, 0, 0.01)));
    const auto cook_compiled = [&](SOP_Node& node, std::vector<SOP_Node*> inputs, GU_Detail& out) {
        OP_Context context(0.0);
        const SOP_NodeVerb* verb = node.cookVerb();
        const std::unique_ptr<SOP_NodeParms> parms(verb->allocParms());
        const std::unique_ptr<SOP_NodeCache> cache(verb->allocCache());
        const SOP_GraphProxy graph(node);
        parms->loadFromOp(SOP_NodeParms::LoadParms(&graph, context));
        std::vector<GU_DetailHandle> sources;
        for (SOP_Node* input : inputs) sources.push_back(input->getCookedGeoHandle(context));
        out.replaceWith(*sources[0].gdp());
        GU_DetailHandle target;
        target.allocateAndSet(&out, false);
        UT_ErrorManager errors;
        verb->cook(SOP_NodeVerb::CookParms(target, sources, parms.get(), cache.get(), context,
                                           /*node*/ nullptr, &errors));
        UT_String text;
        errors.getErrorMessages(text, UT_ERROR_WARNING);
        return std::string(text.c_str());
    };
    const std::map<std::string, std::vector<SOP_Node*>> nodes = {
        {"selvage_material", {&sheet}}, {"selvage_pin", {&sheet}},
        {"selvage_attach", {&sheet}},   {"selvage_restblend", {&sheet, &moved}},
        {"selvage_check", {&sheet}},    {"selvage_transfer", {&sheet, &sheet, &moved}}};
    for (const auto& [type, inputs] : nodes) {
        SOP_Node& node = helper(stage, type.c_str(), inputs);
        if (type == "selvage_attach") set(node, "radius", 0.3); // across a cell
        GU_Detail out;
        EXPECT_EQ(cook_compiled(node, inputs, out), "") << type;
        const GU_Detail* by_node = stage.cook(node, 1);
        ASSERT_TRUE(by_node) << type;
        EXPECT_EQ(positions_of(out), positions_of(*by_node)) << type;
        EXPECT_EQ(out.pointAttribs().entries(), by_node->pointAttribs().entries()) << type;
        EXPECT_EQ(out.getNumPrimitives(), by_node->getNumPrimitives()) << type;
    }
    SOP_Node& pin = helper(stage, "selvage_pin", {&sheet});
    set(pin, "group", "nowhere");
    GU_Detail out;
    expect_says(cook_compiled(pin, {&sheet}, out), {"nowhere"});
}

TEST(HelperNodes, CheckMarksWhatCrosses)
{
    Stage stage;
    auto& good = stage.add_source(sheet_geometry(4));
    SOP_Node& fine = helper(stage, "selvage_check", {&good});
    ASSERT_TRUE(stage.cook(fine, 1));
    EXPECT_EQ(messages(fine), "");
    auto& crossed = stage.add_source([](double, GU_Detail& gdp) {
        fill(sheet_geometry(4), gdp);
        auto* p = GEO_PrimPoly::build(&gdp, 3);
        gdp.setPos3(p->getPointOffset(0), 0.4, 0.4, -1);
        gdp.setPos3(p->getPointOffset(1), 0.4, 0.6, 1);
        gdp.setPos3(p->getPointOffset(2), 0.6, 0.4, 1);
    });
    SOP_Node& check = helper(stage, "selvage_check", {&crossed});
    const GU_Detail* out = stage.cook(check, 1);
    ASSERT_TRUE(out);
    EXPECT_EQ(check.error(), UT_ERROR_WARNING);
    EXPECT_TRUE(out->findPointGroup("sv_intersecting")->containsIndex(25));
    EXPECT_GT(GA_ROHandleI(out, GA_ATTRIB_GLOBAL, "sv_crossing").get(0), 0);
    set(check, "fail", 1);
    EXPECT_EQ(stage.cook(check, 1), nullptr);
}

TEST(HelperNodes, TransferCarriesSeamsAndThickness)
{
    Stage stage;
    const Geometry sim = sheet_geometry(4), dense = sheet_geometry(16);
    auto& render = stage.add_source([&](double, GU_Detail& gdp) {
        GU_Detail back;
        fill(shifted(dense, Vec3(0, 0, 0.01)), gdp);
        fill(shifted(dense, Vec3(0, 0, -0.01)), back);
        gdp.merge(back);
    });
    // A quarter turn about y and a shift.
    Geometry turned = sim;
    VecX x = sim.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        x.segment<3>(i) = Vec3(x[i + 2] + 3, x[i + 1], -x[i]);
    turned.set_positions(x);
    SOP_Node& transfer = helper(stage, "selvage_transfer",
                                {&render, &stage.add_source(sim), &stage.add_source(turned)});
    const GU_Detail* out = stage.cook(transfer, 1);
    ASSERT_TRUE(out) << messages(transfer);
    const auto p = positions_of(*out);
    for (std::size_t i = 0; i < 289; ++i) {
        const double front = p[3 * i], back = p[3 * (i + 289)];
        EXPECT_NEAR(front - back, 0.02, 1e-5);
        EXPECT_NEAR(p[3 * i + 2], -double(i % 17) / 16, 1e-5);
    }
    set(transfer, "radius", 0.005);
    ASSERT_TRUE(stage.cook(transfer, 1));
    expect_says(messages(transfer), {"578 of 578", "Enlarge"});
}
