#include "core/base/error.h"
#include "core/io/geo_reader.h"
#include "core/io/geo_writer.h"
#include "tests/io/compare_geometry.h"
#include "tests/io/rich_geometry.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// A file of 4 points, 2 triangles over 6 vertices and these further sections.
std::string file_with(const std::string& point_attributes, const std::string& primitives,
                      const std::string& rest = "", const std::string& counts = "4,6,2")
{
    const auto c = counts.find(','), d = counts.rfind(',');
    return R"(["fileversion","18.0","pointcount",)" + counts.substr(0, c) + R"(,"vertexcount",)" +
           counts.substr(c + 1, d - c - 1) + R"(,"primitivecount",)" + counts.substr(d + 1) +
           R"(,"topology",["pointref",["indices",[0,1,2,0,2,3]]],"attributes",["pointattributes",[)"
           R"([["scope","public","type","numeric","name","P","options",{}],["size",3,"storage",)"
           R"("fpreal32","values",["size",3,"storage","fpreal32","tuples",)"
           R"([[0,0,0],[1,0,0],[1,1,0],[0,1,0]]]]])" +
           point_attributes + R"(]],"primitives",[)" + primitives + "]" + rest + "]";
}

const std::string two_triangles =
    R"([["type","Polygon_run"],["startvertex",0,"nprimitives",2,"nvertices_rle",[3,2]]])";

std::string numeric(const std::string& values, int size = 1, const char* storage = "int32")
{
    return R"(,[["scope","public","type","numeric","name","a","options",{}],["size",)" +
           std::to_string(size) + R"(,"storage",")" + storage + R"(","values",["size",)" +
           std::to_string(size) + R"(,"storage",")" + storage + "\"," + values + "]]]";
}

std::vector<std::int64_t> integers(const Geometry& g, const char* name = "a")
{
    const Attribute& a = g.get(Owner::point, name);
    std::vector<std::int64_t> out;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (int c = 0; c < a.tuple_size; ++c) out.push_back(a.integer(i, c));
    return out;
}

std::string message(const std::string& file)
{
    try {
        read_geo(file);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST(Geo, EverythingSurvivesText)
{
    const Geometry g = rich_geometry();
    EXPECT_EQ(difference(g, read_geo(write_geo(g, GeoEncoding::text))), "");
}

TEST(Geo, EverythingSurvivesBinary)
{
    const Geometry g = rich_geometry();
    EXPECT_EQ(difference(g, read_geo(write_geo(g, GeoEncoding::binary))), "");
}

TEST(Geo, WritingAgainGivesTheSameBytes)
{
    for (const auto encoding : {GeoEncoding::text, GeoEncoding::binary}) {
        const std::string once = write_geo(rich_geometry(), encoding);
        EXPECT_EQ(write_geo(read_geo(once), encoding), once);
    }
}

TEST(Geo, EmptyGeometryAndBarePoints)
{
    Geometry points;
    points.set_point_count(3);
    for (const Geometry& g : {Geometry(), points})
        for (const auto encoding : {GeoEncoding::text, GeoEncoding::binary}) {
            const Geometry back = read_geo(write_geo(g, encoding));
            EXPECT_EQ(back.point_count(), g.point_count());
            EXPECT_EQ(back.primitive_count(), 0u);
        }
}

TEST(Geo, NotANumberSurvives)
{
    Geometry g;
    g.set_point_count(1);
    g.set_positions(VecX::Constant(3, std::nan("")));
    for (const auto encoding : {GeoEncoding::text, GeoEncoding::binary})
        EXPECT_TRUE(std::isnan(read_geo(write_geo(g, encoding)).positions()[0]));
}

TEST(Geo, ComponentArrays)
{
    const auto g =
        read_geo(file_with(numeric(R"("arrays",[[1,2,3,4],[5,6,7,8]])", 2), two_triangles));
    EXPECT_EQ(integers(g), (std::vector<std::int64_t>{1, 5, 2, 6, 3, 7, 4, 8}));
}

TEST(Geo, PagesWithPackingAndConstants)
{
    // Pages of two elements; xy before z; xy constant on the second page.
    const auto g = read_geo(
        file_with(numeric(R"("pagesize",2,"packing",[2,1],"constantpageflags",[[false,true],[]],)"
                          R"("rawpagedata",[1,2,3,4,5,6,7,8,9,10])",
                          3),
                  two_triangles));
    EXPECT_EQ(integers(g), (std::vector<std::int64_t>{1, 2, 5, 3, 4, 6, 7, 8, 9, 7, 8, 10}));
}

TEST(Geo, PagesThatDoNotFitAreRefused)
{
    const char* bad[] = {
        R"("pagesize",2,"packing",[2,2],"rawpagedata",[1,2,3,4,5,6,7,8,9,10,11,12])",
        R"("pagesize",2,"packing",[2,1],"rawpagedata",[1,2,3])",
        R"("pagesize",2,"rawpagedata",[1,2,3,4,5,6,7,8,9,10,11,12,13])",
        R"("pagesize",0,"packing",[1,2],"rawpagedata",[1,2,3,4,5,6,7,8,9,10,11,12])",
        R"("packing",[3])"};
    for (const char* values : bad)
        EXPECT_NE(message(file_with(numeric(values, 3), two_triangles)), "") << values;
}

TEST(Geo, PrimitivesInAllSpellings)
{
    const char* spellings[] = {
        R"([["type","Polygon_run"],["startvertex",0,"nprimitives",2,"nvertices",[3,3]]])",
        R"([["type","p_r"],["s_v",0,"n_p",2,"r_v",[3,2]]])",
        R"([["type","p_r"],["s_v",0,"n_p",2,"n_v",[3,3]]])",
        R"([["type","run","runtype","Poly","varyingfields",["vertex"],"uniformfields",)"
        R"({"closed":true}],[[[0,1,2]],[[3,4,5]]]])",
        R"([["type","run","runtype","Poly","varyingfields",["vertex","closed"],"uniformfields",{}],)"
        R"([[[0,1,2],true],[[3,4,5],true]]])",
        R"([["type","Poly"],["vertex",[0,1,2],"closed",true]],[["type","Poly"],["vertex",[3,4,5]]])"};
    const Geometry expected = read_geo(file_with("", two_triangles));
    EXPECT_EQ(expected.primitives()[1].first, 3);
    for (const char* p : spellings)
        EXPECT_EQ(difference(expected, read_geo(file_with("", p))), "") << p;
}

TEST(Geo, OpenCurves)
{
    const char* spellings[] = {
        R"([["type","PolygonCurve_run"],["startvertex",0,"nprimitives",2,"nvertices_rle",[3,2]]])",
        R"([["type","c_r"],["s_v",0,"n_p",2,"r_v",[3,2]]])",
        R"([["type","run","runtype","Poly","varyingfields",["vertex"],"uniformfields",)"
        R"({"closed":false}],[[[0,1,2]],[[3,4,5]]]])"};
    for (const char* p : spellings) {
        const Geometry g = read_geo(file_with("", p));
        EXPECT_FALSE(g.primitives()[0].closed) << p;
        EXPECT_FALSE(g.primitives()[1].closed) << p;
    }
}

TEST(Geo, SoupSharesVertices)
{
    const Geometry g = read_geo(file_with(
        "", R"([["type","PolySoup"],["vertex",[0,1,2,5],"polyinfo",[[3],[2],[0,1,2,0,2,3]]]])", "",
        "4,6,1"));
    ASSERT_EQ(g.primitive_count(), 1u);
    EXPECT_EQ(g.primitives()[0].soup_count, 2);
    EXPECT_EQ(g.primitive_vertices(), (std::vector<std::int32_t>{0, 1, 2, 0, 2, 5}));
    EXPECT_EQ(difference(g, read_geo(write_geo(g, GeoEncoding::binary))), "");
}

TEST(Geo, Tetrahedra)
{
    for (const char* p : {R"([["type","Tetrahedron_run"],["startvertex",1,"nprimitives",1]])",
                          R"([["type","t_r"],["s_v",1,"n_p",1]])",
                          R"([["type","Tetrahedron"],["vertex",[1,2,3,4]]])"}) {
        const Geometry g = read_geo(file_with("", p, "", "4,6,1"));
        EXPECT_EQ(g.primitives()[0].type, PrimitiveType::tetrahedron);
        EXPECT_EQ(g.primitive_vertices(), (std::vector<std::int32_t>{1, 2, 3, 4}));
    }
}

TEST(Geo, GroupsInAllSpellings)
{
    const char* spellings[] = {R"("unordered",["boolRLE",[1,false,2,true,1,false]])",
                               R"("unordered",["i8",[0,1,1,0]])", R"("unordered",["i8",[6]])",
                               R"("defaults",[],"unordered",["boolRLE",[1,0,2,1,1,0]])"};
    for (const char* s : spellings) {
        const Geometry g =
            read_geo(file_with("", two_triangles,
                               R"(,"pointgroups",[[["name","g","type","point"],["selection",[)" +
                                   std::string(s) + "]]]]"));
        ASSERT_TRUE(g.find_group(Owner::point, "g"));
        EXPECT_EQ(g.find_group(Owner::point, "g")->member, (std::vector<std::uint8_t>{0, 1, 1, 0}))
            << s;
    }
    const Geometry g = read_geo(
        file_with("", two_triangles,
                  R"(,"primitivegroups",[[["name","o"],["selection",["ordered",[1,0]]]]])"));
    EXPECT_EQ(g.find_group(Owner::primitive, "o")->order, (std::vector<std::int64_t>{1, 0}));
    EXPECT_NE(message(file_with("", two_triangles,
                                R"(,"pointgroups",[[["name","g"],["selection",["unordered",)"
                                R"(["boolRLE",[5,true]]]]]])")),
              "");
}

TEST(Geo, EdgeGroups)
{
    const Geometry g = read_geo(
        file_with("", two_triangles, R"(,"edgegroups",[[["name","seam"],["points",[0,1,2,3]]]])"));
    ASSERT_EQ(g.edge_groups().size(), 1u);
    EXPECT_EQ(g.edge_groups()[0].edges[1], (std::array<std::int64_t, 2>{2, 3}));
}

TEST(Geo, OldPositionsHaveAWeight)
{
    std::string file = file_with("", two_triangles);
    const auto swap = [&](const std::string& from, const std::string& to) {
        for (std::size_t at; (at = file.find(from)) != std::string::npos;)
            file.replace(at, from.size(), to);
    };
    swap(R"("size",3)", R"("size",4)");
    swap("[[0,0,0],[1,0,0],[1,1,0],[0,1,0]]", "[[0,0,0,1],[1,0,0,1],[1,1,0,0.5],[0,1,0,1]]");
    const Geometry g = read_geo(file);
    EXPECT_EQ(g.get(Owner::point, "P").tuple_size, 3);
    EXPECT_EQ(g.positions().segment<3>(6), Vec3(1, 1, 0));
    EXPECT_EQ(g.get(Owner::point, "Pw").number(2), 0.5);
    swap("0.5]", "1]");
    EXPECT_FALSE(read_geo(file).find(Owner::point, "Pw"));
}

TEST(Geo, StringArraysAndDictionaries)
{
    const std::string arrays =
        R"(,[["scope","public","type","arraydata","name","n","options",{}],["size",2,"storage",)"
        R"("fpreal32","values",[[1,2,3,4],[],[5,6],[[7,8],[9,10]]]]])"
        R"(,[["scope","public","type","stringarray","name","s","options",{}],["size",1,"storage",)"
        R"("int32","strings",["x","y"],"indices",[[0,1],[1],[],[0]]]])"
        R"(,[["scope","public","type","dict","name","d","options",{}],["size",1,"storage","int32",)"
        R"("dicts",[{"k":1}],"indices",["size",1,"storage","int32","arrays",[[0,-1,0,0]]]]])";
    const Geometry g = read_geo(file_with(arrays, two_triangles));
    EXPECT_EQ(g.get(Owner::point, "n").array_offsets, (std::vector<std::int64_t>{0, 4, 4, 6, 10}));
    EXPECT_EQ(g.get(Owner::point, "s").array_offsets, (std::vector<std::int64_t>{0, 2, 3, 3, 4}));
    EXPECT_EQ(g.get(Owner::point, "s").texts[1], "y");
    EXPECT_EQ(g.get(Owner::point, "d").text(0), R"({"k":1})");
    EXPECT_EQ(g.get(Owner::point, "d").text(1), "");
    EXPECT_EQ(difference(g, read_geo(write_geo(g, GeoEncoding::text))), "");
}

TEST(Geo, UnknownPrimitivesNameTheRemedy)
{
    const auto refused = [&](const std::string& type) {
        return message(file_with("", R"([["type","Poly"],["vertex",[0,1,2]]],[["type",")" + type +
                                         R"("],["vertex",3]])"));
    };
    EXPECT_NE(refused("PackedGeometry").find("Primitive 1 is of type 'PackedGeometry'"),
              std::string::npos);
    EXPECT_NE(refused("PackedGeometry").find("Add an Unpack SOP"), std::string::npos);
    EXPECT_NE(refused("VDB").find("Convert VDB SOP"), std::string::npos);
    EXPECT_NE(refused("Volume").find("Convert VDB SOP"), std::string::npos);
    EXPECT_NE(refused("NURBCurve").find("Convert SOP"), std::string::npos);
}

TEST(Geo, OtherAttributesPassThrough)
{
    const char* capture = R"(,[["scope","public","type","indexpair","name","boneCapture",
        "options",{"type":{"type":"string","value":"x"},"other":3}],
        ["size",2,"values",[[0,0.1],[1,0.30000001192092896]],{"path":"hips"}]])";
    Geometry g = read_geo(file_with(capture, two_triangles));
    EXPECT_EQ(g.attributes().size(), 1u);
    ASSERT_EQ(g.opaque_attributes().size(), 1u);
    EXPECT_EQ(g.opaque_attributes()[0].kind, "indexpair");
    for (const GeoEncoding encoding : {GeoEncoding::text, GeoEncoding::binary}) {
        const Geometry back = read_geo(write_geo(g, encoding));
        ASSERT_EQ(back.opaque_attributes().size(), 1u);
        const OpaqueAttribute &a = g.opaque_attributes()[0], &b = back.opaque_attributes()[0];
        EXPECT_EQ(b.name, "boneCapture");
        EXPECT_EQ(b.kind, a.kind);
        EXPECT_EQ(b.type_info, "x");
        EXPECT_EQ(b.options_json, a.options_json);
        EXPECT_EQ(b.data_json, a.data_json);
        EXPECT_NE(b.data_json.find("0.30000001192092896"), std::string::npos) << b.data_json;
    }
    // It says nothing about points that were added since.
    g.set_point_count(g.point_count() + 1);
    EXPECT_TRUE(read_geo(write_geo(g, GeoEncoding::binary)).opaque_attributes().empty());
}

TEST(Geo, WrongCountsAreRefused)
{
    for (const char* counts :
         {"5,6,2", "4,7,2", "4,6,3", "3,6,2", "4,6,-1", "99999999999,6,2", "2000000000,6,2"})
        EXPECT_NE(message(file_with("", two_triangles, "", counts)), "") << counts;
}

TEST(Geo, RunLengthsAreBounded)
{
    EXPECT_NE(
        message(file_with("", R"([["type","p_r"],["s_v",0,"n_p",2,"r_v",[0,4000000000000]]])")),
        "");
    EXPECT_NE(message(file_with("", R"([["type","p_r"],["s_v",0,"n_p",2,"r_v",[3,2000000]]])")),
              "");
}

TEST(Geo, OldFormatsSaySo)
{
    EXPECT_NE(message("PGEOMETRY V5\nNPoints 4").find("Houdini 11"), std::string::npos);
    EXPECT_NE(message("BgeoV\0\0\0").find("Houdini 11"), std::string::npos);
    EXPECT_NE(message("hello").find("(at byte 0)"), std::string::npos);
}
