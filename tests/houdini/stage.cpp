#include "tests/houdini/stage.h"

#include "plugin/houdini/register.h"
#include "tests/hdk_standin/standin.h"
#include "tests/support/animated_source.h"
#include "tests/support/tet_block.h"

#include <GA/GA_Handle.h>
#include <GEO/GEO_PrimPolySoup.h>
#include <OP/OP_Director.h>
#include <UT/UT_DSOVersion.h>

#include <cmath>
#include <map>

namespace selvage::test
{
namespace
{

OP_Node* create_source(OP_Network* net, const char* name, OP_Operator* op)
{
    return new SOP_TestSource(net, name, op);
}

PRM_Template no_parameters[] = {PRM_Template()};

void load_plugin_once()
{
    static const bool loaded = [] {
        OP_OperatorTable& table = OPgetDirector()->sop_table();
        newSopOperator(&table);
        table.addOperator(
            new OP_Operator("test_source", "Test Source", create_source, no_parameters, 0u, 0u));
        return true;
    }();
    (void)loaded;
}

GA_Storage storage_of(Storage s)
{
    switch (s) {
    case Storage::boolean: return GA_STORE_BOOL;
    case Storage::int8: return GA_STORE_INT8;
    case Storage::uint8: return GA_STORE_UINT8;
    case Storage::int16: return GA_STORE_INT16;
    case Storage::int64: return GA_STORE_INT64;
    case Storage::real64: return GA_STORE_REAL64;
    case Storage::int32: return GA_STORE_INT32;
    default: return GA_STORE_REAL32;
    }
}

/// `vertices`: where the vertices of the geometry went.
void copy_attribute(const Attribute& a, const std::vector<GA_Offset>& vertices, GU_Detail& gdp)
{
    if (a.is_array) return;
    const GA_AttributeOwner owner = a.owner == Owner::point       ? GA_ATTRIB_POINT
                                    : a.owner == Owner::vertex    ? GA_ATTRIB_VERTEX
                                    : a.owner == Owner::primitive ? GA_ATTRIB_PRIMITIVE
                                                                  : GA_ATTRIB_DETAIL;
    const auto offset = [&](std::size_t i) {
        switch (a.owner) {
        case Owner::point: return gdp.pointOffset(GA_Index(i));
        case Owner::vertex: return vertices[i];
        case Owner::primitive: return gdp.primitiveOffset(GA_Index(i));
        case Owner::detail: break;
        }
        return GA_Offset(0);
    };
    if (is_text(a.storage)) {
        const GA_RWHandleS to(gdp.addStringTuple(owner, a.name.c_str(), 1));
        for (std::size_t i = 0; i < a.size(); ++i) to.set(offset(i), a.text(i));
        return;
    }
    GA_Attribute* to =
        gdp.addTuple(storage_of(a.storage), owner, a.name.c_str(), a.tuple_size, GA_Defaults(0.0));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (int c = 0; c < a.tuple_size; ++c) GA_RWHandleD(to).set(offset(i), c, a.number(i, c));
}

/// As Houdini's polygon soups by default: corners at the same point are one vertex where all vertex
/// attributes agree.
void fill_soup(const Geometry& g, const Primitive& p, GA_Offset first_point,
               std::vector<GA_Offset>& vertices, GU_Detail& gdp)
{
    auto* soup = static_cast<GEO_PrimPolySoup*>(gdp.appendPrimitive(GA_PRIMPOLYSOUP));
    std::map<std::vector<double>, GA_Offset> known;
    const auto vertex_of = [&](std::size_t v) {
        std::vector<double> key = {double(g.vertex_point()[v])};
        for (const auto& a : g.attributes())
            if (a->owner == Owner::vertex && !a->is_array && !is_text(a->storage))
                for (int c = 0; c < a->tuple_size; ++c) key.push_back(a->number(v, c));
        const auto [it, fresh] = known.emplace(std::move(key), GA_INVALID_OFFSET);
        if (fresh) {
            it->second = gdp.appendVertexBlock(1);
            gdp.wire(it->second, first_point + g.vertex_point()[v]);
        }
        return it->second;
    };
    std::int64_t at = p.first;
    for (std::int64_t k = 0; k < p.soup_count; ++k) {
        UT_Array<GA_Offset> corners;
        for (int i = 0; i < g.soup_polygon_sizes()[std::size_t(p.soup_first + k)]; ++i) {
            const std::size_t v = std::size_t(g.primitive_vertices()[std::size_t(at++)]);
            corners.append(vertices[v] = vertex_of(v));
        }
        soup->appendPolygon(corners);
    }
}

} // namespace

SOP_TestSource::SOP_TestSource(OP_Network* net, const char* name, OP_Operator* op)
    : SOP_Node(net, name, op)
{
    mySopFlags.setManagesDataIDs(true);
}

OP_ERROR SOP_TestSource::cookMySop(OP_Context& context)
{
    if (!fails_with.empty()) return addError(SOP_MESSAGE, fails_with.c_str());
    if (animated) flags().setTimeDep(true);
    gdp->clearAndDestroy();
    make(std::round(context.getFloatFrame() * 1e6) / 1e6, *gdp);
    gdp->bumpAllDataIds();
    return error();
}

void fill(const Geometry& g, GU_Detail& gdp, bool holes)
{
    std::vector<GA_Offset> extra;
    GEO_PrimPoly* dummy = nullptr;
    if (holes) {
        dummy = GEO_PrimPoly::build(&gdp, 3);
        for (int i = 0; i < 1500; ++i) extra.push_back(gdp.appendPointOffset());
    }
    const GA_Offset first = gdp.appendPointBlock(GA_Size(g.point_count()));
    std::vector<GA_Offset> vertices(g.vertex_count(), GA_INVALID_OFFSET);
    for (const Primitive& p : g.primitives()) {
        const auto point = [&](std::int64_t k) {
            const std::int32_t v = g.primitive_vertices()[std::size_t(p.first + k)];
            return first + g.vertex_point()[std::size_t(v)];
        };
        if (p.type == PrimitiveType::polygon_soup) {
            fill_soup(g, p, first, vertices, gdp);
            continue;
        }
        GA_Offset v;
        gdp.appendPrimitivesAndVertices(p.type == PrimitiveType::tetrahedron ? GA_PRIMTETRAHEDRON
                                                                             : GA_PRIMPOLY,
                                        1, p.count, v, p.closed);
        for (std::int64_t k = 0; k < p.count; ++k) {
            gdp.wire(v + k, point(k));
            vertices[std::size_t(g.primitive_vertices()[std::size_t(p.first + k)])] = v + k;
        }
    }
    if (holes) {
        gdp.destroyPrimitive(*dummy, true);
        for (const GA_Offset o : extra) gdp.destroyPointOffset(o);
    }
    for (const auto& a : g.attributes()) copy_attribute(*a, vertices, gdp);
    for (const Group& group : g.groups())
        if (group.owner == Owner::point) {
            GA_PointGroup* to = gdp.newPointGroup(group.name);
            for (std::size_t i = 0; i < group.member.size(); ++i)
                if (group.member[i]) to->addIndex(GA_Index(i));
        } else if (group.owner == Owner::primitive) {
            GA_PrimitiveGroup* to = gdp.newPrimitiveGroup(group.name);
            for (std::size_t i = 0; i < group.member.size(); ++i)
                if (group.member[i]) to->addIndex(GA_Index(i));
        }
}

std::vector<float> positions_of(const GU_Detail& gdp, const char* attribute)
{
    const GA_ROHandleV3 h(&gdp, GA_ATTRIB_POINT, attribute);
    std::vector<float> out(std::size_t(3 * gdp.getNumPoints()));
    if (h.isValid())
        h.getBlockFromIndices(0, gdp.getNumPoints(), reinterpret_cast<UT_Vector3F*>(out.data()));
    return out;
}

Geometry hung_block()
{
    const TetMesh mesh = tet_block(2, 1, 1, 0.5);
    Geometry block;
    block.set_point_count(mesh.points.size());
    block.set_positions(mesh.stacked());
    for (std::size_t t = 0; t < mesh.tets.size(); t += 4)
        block.add_tetrahedron({mesh.tets[t], mesh.tets[t + 1], mesh.tets[t + 2], mesh.tets[t + 3]});
    Group top;
    top.name = "top";
    const VecX x = block.positions();
    for (std::size_t i = 0; i < block.point_count(); ++i)
        top.member.push_back(x[3 * Eigen::Index(i) + 1] > 0.49);
    block.set_group(top);
    return block;
}

std::vector<std::vector<int>> quads_of(const Geometry& sheet)
{
    std::vector<std::vector<int>> quads;
    for (const Primitive& p : sheet.primitives()) {
        quads.emplace_back();
        for (int k = 0; k < 4; ++k)
            quads.back().push_back(sheet.vertex_point()[std::size_t(p.first + k)]);
    }
    return quads;
}

Geometry swinging_sheet(double frame, int n)
{
    Geometry g = sheet_geometry(n);
    VecX x = g.positions();
    for (Eigen::Index i = 2; i < x.size(); i += 3) x[i] += 0.2 * std::sin(0.5 * (frame - 1));
    g.set_positions(x);
    return g;
}

Stage::Stage() { load_plugin_once(); }

SOP_TestSource& Stage::add_source(std::function<void(double, GU_Detail&)> make, bool animated)
{
    auto& node = *static_cast<SOP_TestSource*>(network.createNode("test_source"));
    node.make = std::move(make);
    node.animated = animated;
    return node;
}
SOP_TestSource& Stage::add_source(const Geometry& geometry, bool holes)
{
    return add_source([=](double, GU_Detail& gdp) { fill(geometry, gdp, holes); });
}

houdini::SOP_SelvageSolver& Stage::add_solver(SOP_Node& geometry)
{
    auto& node = *static_cast<houdini::SOP_SelvageSolver*>(network.createNode("selvage_solver"));
    node.setInput(0, &geometry);
    set(node, "solver_linear", "ldlt");
    set(node, "pins_group", "top");
    return node;
}

const GU_Detail* Stage::cook(SOP_Node& node, double frame)
{
    OP_Context context(CHgetTimeFromFrame(frame));
    return node.getCookedGeo(context);
}

std::vector<float> Stage::positions(SOP_Node& node, double frame)
{
    const GU_Detail* gdp = cook(node, frame);
    return gdp ? positions_of(*gdp) : std::vector<float>();
}

std::string messages(const SOP_Node& node, UT_ErrorSeverity at_least)
{
    UT_String text;
    node.getErrorMessages(text, at_least);
    return text.c_str();
}
void set(OP_Node& node, const char* parm, double value) { node.setFloat(parm, 0, 0, value); }
void set(OP_Node& node, const char* parm, const char* text)
{
    node.setString(text, CH_STRING_LITERAL, parm, 0, 0);
}

} // namespace selvage::test
