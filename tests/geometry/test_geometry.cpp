#include "core/base/error.h"
#include "core/geometry/geometry.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

Geometry square()
{
    Geometry g;
    g.set_point_count(4);
    g.add_polygon({0, 1, 2, 3});
    return g;
}

} // namespace

TEST(Geometry, PositionsRoundTrip)
{
    Geometry g = square();
    const VecX x = VecX::LinSpaced(12, 0, 11);
    g.set_positions(x);
    EXPECT_EQ(g.positions(), x);
}

TEST(Geometry, CopiesShareAttributesUntilChanged)
{
    Geometry a = square();
    Geometry b = a;
    EXPECT_EQ(a.find(Owner::point, "P"), b.find(Owner::point, "P"));
    b.set_positions(VecX::Ones(12));
    EXPECT_EQ(a.positions(), VecX::Zero(12));
}

TEST(Geometry, AddingPrimitivesToACopyLeavesTheOriginal)
{
    const Geometry a = square();
    Geometry b = a;
    b.add_polygon({0, 1, 2});
    EXPECT_EQ(a.primitive_count(), 1u);
    EXPECT_EQ(b.vertex_count(), 7u);
    EXPECT_FALSE(a.same_topology(b));
}

TEST(Geometry, AttributesGrowWithTheirElements)
{
    Geometry g = square();
    g.set(make_attribute("Cd", Owner::primitive, Storage::real32, 3, 1));
    g.add_polygon({0, 1, 2});
    EXPECT_EQ(g.get(Owner::primitive, "Cd").size(), 2u);
}

TEST(Geometry, AttributeOfWrongLengthIsRefused)
{
    Geometry g = square();
    EXPECT_THROW(g.set(make_attribute("w", Owner::point, Storage::real32, 1, 5)), InputError);
}

TEST(Geometry, PolygonOnMissingPointIsRefused)
{
    Geometry g = square();
    EXPECT_THROW(g.add_polygon({0, 1, 4}), InputError);
}

TEST(Geometry, TextsAreShared)
{
    Attribute a = make_attribute("name", Owner::point, Storage::string, 1, 3);
    EXPECT_EQ(a.text(0), "");
    a.set_text(0, 0, "left");
    a.set_text(2, 0, "left");
    EXPECT_EQ(a.texts.size(), 1u);
    EXPECT_EQ(a.text(2), "left");
}

TEST(Geometry, HalfFloatsConvert)
{
    Attribute a = make_attribute("h", Owner::point, Storage::real16, 1, 1);
    a.set_number(0, 0, 0.5);
    EXPECT_EQ(a.number(0), 0.5);
}
