#include "plugin/houdini/geometry_input.h"
#include "plugin/houdini/geometry_output.h"
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"

#include <GA/GA_Handle.h>

#include <gtest/gtest.h>

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
