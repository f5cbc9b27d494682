#include "core/io/geometry_file.h"
#include "plugin/houdini/geometry_input.h"
#include "plugin/houdini/geometry_output.h"
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"
#include "tests/support/places.h"

#include <GA/GA_AIFTuple.h>
#include <GA/GA_Handle.h>

#include <gtest/gtest.h>

#include <filesystem>

using namespace selvage;
using namespace selvage::test;
using houdini::convert_input;
using houdini::ConvertedInput;

TEST(GeometryExchange, HolesAndPagesDoNotShow)
{
    const Geometry sheet = sheet_geometry(40); // 1681 points: two pages, more with the holes
    GU_Detail plain, holed;
    fill(sheet, plain);
    fill(sheet, holed, true);
    ASSERT_NE(holed.pointOffset(0), 0);
    const ConvertedInput a = convert_input(plain, nullptr, "x"),
                         b = convert_input(holed, nullptr, "x");
    EXPECT_EQ(a.content_hash, b.content_hash);
    EXPECT_EQ(b.geometry->positions(), sheet.positions());
    EXPECT_EQ(b.geometry->vertex_point(), a.geometry->vertex_point());
    EXPECT_EQ(b.geometry->find_group(Owner::point, "top")->member,
              sheet.find_group(Owner::point, "top")->member);
}

TEST(GeometryExchange, TopologyIsSharedWhileItsDataIdsStand)
{
    GU_Detail gdp;
    fill(sheet_geometry(4), gdp);
    const ConvertedInput a = convert_input(gdp, nullptr, "x");
    gdp.setPos3(gdp.pointOffset(7), 3, 4, 5);
    gdp.getP()->bumpDataId();
    const ConvertedInput b = convert_input(gdp, &a, "x");
    EXPECT_EQ(&b.geometry->vertex_point(), &a.geometry->vertex_point());
    EXPECT_EQ(b.topology_hash, a.topology_hash);
    EXPECT_NE(b.content_hash, a.content_hash);
    EXPECT_EQ(b.geometry->positions()[3 * 7 + 2], 5);
    gdp.destroyPrimitive(*gdp.getPrimitiveByIndex(0));
    gdp.bumpDataIdsForAddOrRemove(false, true, true);
    EXPECT_NE(convert_input(gdp, &b, "x").topology_hash, a.topology_hash);
}

TEST(GeometryExchange, VertexPatternsFollowTheirCorners)
{
    GU_Detail gdp;
    fill(sheet_geometry(3), gdp, true);
    const GA_RWHandleV3 uv(gdp.addFloatTuple(GA_ATTRIB_VERTEX, "uv", 3));
    for (GA_Index p = 0; p < gdp.getNumPrimitives(); ++p)
        for (int k = 0; k < 4; ++k)
            uv.set(gdp.getPrimitiveVertexOffset(gdp.primitiveOffset(p), k),
                   UT_Vector3(float(p), float(k), 0));
    const ConvertedInput a = convert_input(gdp, nullptr, "x");
    const Attribute& read = a.geometry->get(Owner::vertex, "uv");
    for (std::size_t p = 0; p < 9; ++p)
        for (std::size_t k = 0; k < 4; ++k) {
            EXPECT_EQ(read.number(4 * p + k, 0), double(p));
            EXPECT_EQ(read.number(4 * p + k, 1), double(k));
        }
}

/// A soup's vertex list has each vertex once; its polygons say which.
TEST(GeometryExchange, SoupsWhosePolygonsShareVerticesAreReadCornerByCorner)
{
    Geometry soup;
    const Geometry sheet = sheet_geometry(3);
    soup.set_point_count(sheet.point_count());
    soup.set_positions(sheet.positions());
    std::vector<std::vector<int>> polygons = quads_of(sheet);
    polygons.back().erase(polygons.back().begin()); // a triangle among quads
    soup.add_soup(polygons);
    Attribute uv = make_attribute("uv", Owner::vertex, Storage::real32, 3, soup.vertex_count());
    for (std::size_t v = 0; v < uv.size(); ++v) { // a seam: the last row is a shell of its own
        uv.set_number(v, 0, soup.vertex_point()[v] % 4);
        uv.set_number(v, 1, soup.vertex_point()[v] / 4 + (v >= 24 ? 10 : 0));
    }
    soup.set(uv);
    for (const bool holes : {false, true}) {
        GU_Detail gdp;
        fill(soup, gdp, holes);
        EXPECT_EQ(gdp.getNumVertices(), 16 + 4); // those of the seam twice
        const ConvertedInput read = convert_input(gdp, nullptr, "x");
        EXPECT_EQ(read.geometry->vertex_point(), soup.vertex_point());
        EXPECT_EQ(read.geometry->soup_polygon_sizes(), soup.soup_polygon_sizes());
        ASSERT_EQ(read.geometry->vertex_count(), soup.vertex_count());
        for (std::size_t v = 0; v < uv.size(); ++v)
            for (int c = 0; c < 3; ++c)
                EXPECT_EQ(read.geometry->get(Owner::vertex, "uv").number(v, c), uv.number(v, c));
    }
}

/// Everything the solver may read comes through in its own type, from files that Houdini wrote too.
TEST(GeometryExchange, AttributesOfEveryKindAreReadAsTheyAre)
{
    Geometry g = sheet_geometry(4);
    const auto number = [&](const char* name, Owner owner, Storage storage, double value) {
        Attribute a = make_attribute(name, owner, storage, 1, g.element_count(owner));
        a.set_number(0, 0, value);
        g.set(a);
    };
    const auto text = [&](const char* name, Owner owner, const char* value) {
        Attribute a = make_attribute(name, owner, Storage::string, 1, g.element_count(owner));
        a.set_text(0, 0, value);
        g.set(a);
    };
    number("id", Owner::point, Storage::int64, 9007199254740990.0);
    number("small", Owner::point, Storage::int8, -7);
    number("fine", Owner::primitive, Storage::real64, 1 / 3.0);
    number("corner", Owner::vertex, Storage::int32, 5);
    number("friction", Owner::detail, Storage::real32, 0.5);
    text("collisionignore", Owner::point, "body");
    text("collisiongroup", Owner::detail, "wet");
    text("type", Owner::primitive, "pin");
    std::vector<Geometry> all = {g};
    const auto folder = fixtures_folder() / "bgeo";
    if (std::filesystem::is_directory(folder))
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".bgeo" &&
                entry.path().stem().string().substr(0, 4) != "pack")
                all.push_back(read_geometry(entry.path().string()));
    for (const Geometry& from : all) {
        GU_Detail gdp;
        fill(from, gdp, true);
        const ConvertedInput converted = convert_input(gdp, nullptr, "x");
        const Geometry& read = *converted.geometry;
        EXPECT_EQ(read.primitive_count(), from.primitive_count());
        for (const auto& a : from.attributes()) {
            const bool known =
                !is_text(a->storage) || a->name.rfind("collision", 0) == 0 || a->name == "type";
            if (!known || a->is_array || a->name == "N" || a->name == "Cd") continue;
            const Attribute* b = read.find(a->owner, a->name);
            ASSERT_TRUE(b) << a->name;
            EXPECT_EQ(b->storage, a->storage) << a->name;
            ASSERT_EQ(b->size(), a->size()) << a->name;
            ASSERT_EQ(b->tuple_size, a->tuple_size) << a->name;
            // Vertices are numbered as primitives have them.
            for (std::size_t i = 0; i < a->size(); ++i) {
                const std::size_t k =
                    a->owner == Owner::vertex ? std::size_t(from.primitive_vertices()[i]) : i;
                if (is_text(a->storage)) {
                    EXPECT_EQ(b->text(i), a->text(i)) << a->name;
                    continue;
                }
                for (int c = 0; c < a->tuple_size; ++c)
                    EXPECT_EQ(b->number(i, c), a->number(k, c)) << a->name << " " << i;
            }
        }
        for (const Group& group : from.groups())
            if (group.owner == Owner::point) {
                EXPECT_EQ(read.find_group(Owner::point, group.name)->member, group.member);
            }
    }
}

TEST(GeometryExchange, PositionsThatNeed64BitsGetThem)
{
    GU_Detail gdp;
    fill(sheet_geometry(40), gdp, true);
    GU_Detail before(&gdp);
    Geometry result = sheet_geometry(40);
    const VecX x = result.positions().array() + 1e-12;
    result.set_vectors("P", x, "point", Storage::real64);
    houdini::write_result(result, gdp);
    EXPECT_EQ(gdp.getP()->getAIFTuple()->getStorage(gdp.getP()), GA_STORE_REAL64);
    EXPECT_EQ(convert_input(gdp, nullptr, "x").geometry->positions(), x);
    EXPECT_NE(gdp.getP()->getDataId(), before.getP()->getDataId());
    EXPECT_EQ(before.getP()->getAIFTuple()->getStorage(before.getP()), GA_STORE_REAL32);
}

TEST(GeometryExchange, WritesIndexByIndexAndBumpsWhatItWrote)
{
    GU_Detail gdp;
    fill(sheet_geometry(40), gdp, true);
    GU_Detail before(&gdp);
    Geometry result = sheet_geometry(40);
    result.set_positions(2 * result.positions());
    result.set_vectors("v", result.positions());
    result.set_scalars("sv_strain", VecX::Constant(Eigen::Index(result.point_count()), 0.25));
    houdini::write_result(result, gdp);
    EXPECT_EQ(convert_input(gdp, nullptr, "x").geometry->positions(), result.positions());
    EXPECT_EQ(GA_ROHandleF(&gdp, GA_ATTRIB_POINT, "sv_strain").get(gdp.pointOffset(1000)), 0.25f);
    EXPECT_NE(gdp.getP()->getDataId(), before.getP()->getDataId());
    EXPECT_EQ(gdp.getTopology().getDataId(), before.getTopology().getDataId());
    // The copy kept its own pages.
    EXPECT_EQ(convert_input(before, nullptr, "x").geometry->positions(),
              sheet_geometry(40).positions());
}
