#include "core/base/error.h"
#include "core/io/obj.h"
#include "tests/io/compare_geometry.h"
#include "tests/io/rich_geometry.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

std::string message(const std::string& text)
{
    try {
        read_obj(text);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

} // namespace

TEST(Obj, RoundTrip)
{
    const Geometry g = plain_geometry();
    EXPECT_EQ(difference(g, read_obj(write_obj(g))), "");
}

TEST(Obj, FacesLinesAndNegativeIndices)
{
    const Geometry g = read_obj(square + "vt 0.5 0.25\nvn 0 0 1\r\n"
                                         "f 1/1/1 2//1 3/1 -1\nl 1 2 -2\nf -4 -3 \\\n -2 # end\n");
    ASSERT_EQ(g.primitive_count(), 3u);
    EXPECT_EQ(g.primitives()[0].count, 4);
    EXPECT_FALSE(g.primitives()[1].closed);
    EXPECT_EQ(g.vertex_point(), (std::vector<std::int32_t>{0, 1, 2, 3, 0, 1, 2, 0, 1, 2}));
    EXPECT_EQ(g.get(Owner::vertex, "uv").number(0, 1), 0.25);
    EXPECT_EQ(g.get(Owner::vertex, "uv").number(1, 1), 0);
    EXPECT_EQ(g.get(Owner::vertex, "N").number(1, 2), 1);
}

TEST(Obj, NamesBecomePrimitiveGroups)
{
    const Geometry g = read_obj(square + "o shirt\ng a b\nf 1 2 3\nusemtl red\nf 1 3 4\n"
                                         "g\nf 1 2 4\n");
    const auto members = [&](const char* name) {
        return g.find_group(Owner::primitive, name)->member;
    };
    EXPECT_EQ(members("shirt"), (std::vector<std::uint8_t>{1, 1, 1}));
    EXPECT_EQ(members("a"), (std::vector<std::uint8_t>{1, 1, 0}));
    EXPECT_EQ(members("b"), members("a"));
    EXPECT_EQ(members("red"), (std::vector<std::uint8_t>{0, 1, 1}));
}

TEST(Obj, SoupsBecomeFaces)
{
    Geometry g;
    g.set_point_count(4);
    g.add_soup({{0, 1, 2}, {0, 2, 3}});
    EXPECT_EQ(read_obj(write_obj(g)).primitive_count(), 2u);
}

TEST(Obj, ErrorsNameTheLine)
{
    EXPECT_EQ(message(square + "f 1 2 5\n"), "Line 5: There is no vertex 5.");
    EXPECT_EQ(message(square + "f 1 2 0\n"), "Line 5: There is no vertex 0.");
    EXPECT_EQ(message(square + "f 1 2/1 3\n"), "Line 5: There is no texture coordinate 1.");
    EXPECT_EQ(message("v 1 2\n"), "Line 1: Too few coordinates.");
    EXPECT_EQ(message("v 1 2 x\n"), "Line 1: 'x' is not a number.");
    EXPECT_EQ(message(square + "f 1 2\n"), "Line 5: A face needs three corners.");
}

TEST(Obj, TetrahedraAreRefused)
{
    Geometry g;
    g.set_point_count(4);
    g.add_tetrahedron({0, 1, 2, 3});
    EXPECT_THROW(write_obj(g), InputError);
}
