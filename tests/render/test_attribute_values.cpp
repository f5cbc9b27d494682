#include "core/base/error.h"
#include "core/render/attribute_values.h"
#include "tests/render/scenes.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

Geometry sheet()
{
    Geometry g = test::square_sheet(1, 3);
    VecX v(12);
    v << 3, 4, 0, 0, 0, 2, 0, 0, 0, 1, 2, 2;
    g.set_vectors("v", v);
    Attribute layer = make_attribute("layer", Owner::primitive, Storage::int32, 1, 1);
    layer.set_number(0, 0, 7);
    g.set(layer);
    g.set(make_attribute("name", Owner::primitive, Storage::string, 1, 1));
    return g;
}

} // namespace

TEST(AttributeValues, VectorsByLengthOrComponent)
{
    const Geometry g = sheet();
    EXPECT_EQ(attribute_values(g, "v")->number, (std::vector<float>{5, 2, 0, 3}));
    EXPECT_EQ(attribute_values(g, "v.y")->number, (std::vector<float>{4, 0, 0, 2}));
    EXPECT_EQ(attribute_values(g, "v.2")->number, (std::vector<float>{0, 2, 0, 2}));
    EXPECT_EQ(attribute_values(g, "P.y")->number, (std::vector<float>{3, 3, 3, 3}));
}

TEST(AttributeValues, PrimitiveValuesAreFoundByPrimitive)
{
    const auto layer = attribute_values(sheet(), "layer");
    EXPECT_EQ(layer->owner, Owner::primitive);
    EXPECT_EQ(layer->at({3, 3}, 0), 7);
}

TEST(AttributeValues, WhatCannotBeShownIsExplained)
{
    const Geometry g = sheet();
    EXPECT_FALSE(attribute_values(g, "none").has_value());
    EXPECT_THROW(attribute_values(g, "name"), InputError);
    EXPECT_THROW(attribute_values(g, "v.w"), InputError);
    EXPECT_EQ(colorable_attributes(g), "P, v, layer");
}

TEST(AttributeValues, StrainIsShownInPercent)
{
    EXPECT_EQ(attribute_unit("sv_strain").unit, "%");
    EXPECT_EQ(attribute_unit("sv_strain").scale, 100);
    EXPECT_EQ(attribute_unit("v.x").unit, "m/s");
    EXPECT_EQ(attribute_unit("anything").unit, "");
}

TEST(AttributeValues, RangeLeavesOutliersOut)
{
    AttributeValues values;
    for (int i = 0; i < 1000; ++i) values.number.push_back(float(i) / 999);
    values.number[500] = 1e6f;
    values.number[501] = std::nanf("");
    RangeFinder finder;
    finder.add(values);
    const auto [low, high] = finder.range(ColorMapKind::sequential);
    EXPECT_NEAR(low, 0.01, 0.003);
    EXPECT_NEAR(high, 0.99, 0.003);
}

TEST(AttributeValues, SignedNumbersGetTheDivergingMap)
{
    AttributeValues values;
    for (int i = 0; i <= 100; ++i) values.number.push_back(float(i) * 0.03f - 1);
    RangeFinder finder;
    finder.add(values);
    const Coloring c = resolve_coloring({}, finder);
    EXPECT_EQ(c.map, ColorMapKind::diverging);
    EXPECT_EQ(*c.low, -*c.high);
    Coloring given;
    given.low = 0;
    given.high = 0.5;
    EXPECT_EQ(resolve_coloring(given, finder).map, ColorMapKind::sequential);
    EXPECT_EQ(*resolve_coloring(given, finder).high, 0.5);
}

TEST(AttributeValues, ConstantAndEmptyDataHaveARange)
{
    RangeFinder finder;
    EXPECT_LT(finder.range(ColorMapKind::sequential).first,
              finder.range(ColorMapKind::sequential).second);
    AttributeValues values;
    values.number = {4, 4, 4};
    finder.add(values);
    const auto [low, high] = finder.range(ColorMapKind::sequential);
    EXPECT_LT(low, 4);
    EXPECT_GT(high, 4);
    Coloring wrong;
    wrong.low = 5;
    wrong.high = 2;
    EXPECT_THROW(resolve_coloring(wrong, finder), InputError);
}
