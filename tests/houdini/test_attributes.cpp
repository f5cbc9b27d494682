// Each attribute that the solver says it reads, through the node: what it does to the result.
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"
#include "tests/support/constraint_geometry.h"
#include "tests/support/messages.h"

#include <GA/GA_Handle.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace selvage;
using namespace selvage::test;

namespace
{

using Paint = std::function<void(GU_Detail&)>;
using Tune = std::function<void(Stage&, houdini::SOP_SelvageSolver&)>;

const Paint nothing = [](GU_Detail&) {};

/// A point attribute with one value everywhere.
Paint painted(const char* name, double value)
{
    return [=](GU_Detail& gdp) { gdp.addFloatTuple(GA_ATTRIB_POINT, name, 1, GA_Defaults(value)); };
}
Paint painted(const char* name, const char* text)
{
    return [=](GU_Detail& gdp) {
        const GA_RWHandleS to(gdp.addStringTuple(GA_ATTRIB_POINT, name, 1));
        for (GA_Iterator it(gdp.getPointRange()); !it.atEnd(); ++it) to.set(*it, text);
    };
}

/// Positions of a sheet of 6 × 6 cells that hangs by its top row, unless `tune` says otherwise.
std::vector<float> simulated(const Paint& paint, int frame, const Tune& tune = {},
                             const Geometry& start = sheet_geometry(6))
{
    Stage stage;
    auto& source = stage.add_source([&](double, GU_Detail& gdp) {
        fill(start, gdp, /*holes*/ true);
        paint(gdp);
    });
    auto& solver = stage.add_solver(source);
    if (tune) tune(stage, solver);
    const auto x = stage.positions(solver, frame);
    EXPECT_EQ(x.size(), 3 * start.point_count()) << messages(solver);
    EXPECT_EQ(messages(solver), "");
    return x;
}

double mean(const std::vector<float>& x, int component)
{
    double sum = 0;
    for (std::size_t i = std::size_t(component); i < x.size(); i += 3) sum += x[i];
    return 3 * sum / double(x.size());
}

/// The sheet laid flat at a height, `slope` uphill along z.
Geometry flat_sheet(double height, double slope = 0, int n = 6)
{
    Geometry g = sheet_geometry(n);
    VecX x = g.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) {
        const double along = x[i + 1];
        x[i + 1] = height + slope * along;
        x[i + 2] = along;
    }
    g.set_positions(x);
    return g;
}

Geometry floor_of(double slope = 0)
{
    Geometry g;
    g.set_point_count(4);
    VecX x(12);
    const double s = slope * 4;
    x << -4, -s, -4, -4, s, 4, 4, s, 4, 4, -s, -4;
    g.set_positions(x);
    g.add_polygon({0, 1, 2, 3});
    return g;
}

Tune on_floor(double slope = 0, double friction = 0.5)
{
    return [=](Stage& stage, houdini::SOP_SelvageSolver& s) {
        set(s, "pins_group", "");
        set(s, "collider_friction", friction);
        s.setInput(2, &stage.add_source(floor_of(slope)));
    };
}

} // namespace

TEST(Attributes, VelocityIsWhatItStartsWith)
{
    const auto drifting = simulated(
        [](GU_Detail& gdp) {
            const GA_RWHandleV3 v(gdp.addVelocityAttribute(GA_ATTRIB_POINT));
            for (GA_Iterator it(gdp.getPointRange()); !it.atEnd(); ++it)
                v.set(*it, UT_Vector3(2, 0, 0)); // along itself: hardly any drag
        },
        4,
        [](Stage&, houdini::SOP_SelvageSolver& s) {
            set(s, "pins_group", "");
            s.setFloat("gravity", 1, 0, 0);
        });
    EXPECT_NEAR(mean(drifting, 0), 0.5 + 2 * 3 / 24.0, 5e-3);
}

TEST(Attributes, MassReplacesTheDensity)
{
    const auto light = simulated(nothing, 8), heavy = simulated(painted("mass", 1.0), 8);
    EXPECT_LT(heavy[3 * 45 + 1], light[3 * 45 + 1] - 0.01f); // 49 kg stretch it
    const auto zero = simulated(painted("mass", 0.0), 4);    // pins all of it
    EXPECT_NEAR(mean(zero, 1), 0.5, 1e-6);
}

TEST(Attributes, PscaleIsTheRadiusThatIsKeptClear)
{
    const auto rests_at = [](const Paint& paint) {
        return mean(simulated(paint, 24, on_floor(), flat_sheet(0.03)), 1);
    };
    const double thin = rests_at(painted("pscale", 0.0005)),
                 thick = rests_at(painted("pscale", 0.01));
    EXPECT_LT(thin, 0.003);
    EXPECT_NEAR(thick - thin, 0.0095, 0.0005);
}

TEST(Attributes, IdsTellWhichPointAConstraintMeans)
{
    const Geometry sheet = sheet_geometry(6);
    const auto number = [](GU_Detail& gdp) {
        const GA_RWHandleI id(gdp.addIntTuple(GA_ATTRIB_POINT, "id", 1));
        for (GA_Index i = 0; i < gdp.getNumPoints(); ++i) id.set(gdp.pointOffset(i), int(1000 + i));
    };
    const auto stitched = [&](bool reversed) {
        return simulated(number, 6, [&](Stage& stage, houdini::SOP_SelvageSolver& s) {
            const std::size_t n = sheet.point_count();
            const auto at = [&](int p) { return reversed ? int(n) - 1 - p : p; };
            Geometry lines = constraint_geometry(sheet, {{"stitch", {at(42), at(48)}}});
            Attribute id = make_attribute("id", Owner::point, Storage::int32, 1, n);
            for (std::size_t p = 0; p < n; ++p)
                id.set_number(std::size_t(at(int(p))), 0, 1000.0 + double(p));
            lines.set(id);
            s.setInput(1, &stage.add_source(lines));
        });
    };
    const auto in_order = stitched(false);
    EXPECT_EQ(stitched(true), in_order);
    EXPECT_NE(simulated(number, 6), in_order);
}

TEST(Attributes, ConstraintsHaveTheirRestLengthAndStiffness)
{
    const Geometry sheet = sheet_geometry(6);
    const auto width = [&](double length, double stiffness) {
        const auto x = simulated(nothing, 12, [&](Stage& stage, houdini::SOP_SelvageSolver& s) {
            Geometry lines = constraint_geometry(sheet, {{"distance", {42, 48}}});
            set_numbers(lines, "restlength", {length});
            set_numbers(lines, "stiffness", {stiffness});
            s.setInput(1, &stage.add_source(lines));
        });
        return std::hypot(x[3 * 48] - x[3 * 42], x[3 * 48 + 1] - x[3 * 42 + 1],
                          x[3 * 48 + 2] - x[3 * 42 + 2]);
    };
    EXPECT_NEAR(width(0.6, 1e12), 0.6, 1e-3);
    EXPECT_NEAR(width(0.8, 1e12), 0.8, 1e-3);
    EXPECT_GT(width(0.6, 1), 0.9);
}

TEST(Attributes, RestIsTheShapeThatItTriesToHave)
{
    const auto shrunk = simulated(
        [](GU_Detail& gdp) {
            const GA_RWHandleV3 rest(gdp.addRestAttribute(GA_ATTRIB_POINT));
            for (GA_Iterator it(gdp.getPointRange()); !it.atEnd(); ++it)
                rest.set(*it, gdp.getPos3(*it) * 0.8f);
        },
        24);
    const auto as_it_is = simulated(nothing, 24);
    EXPECT_NEAR(as_it_is[3 * 45 + 1], 0.0f, 0.02f);
    EXPECT_NEAR(shrunk[3 * 45 + 1], 0.2f, 0.05f);
}

TEST(Attributes, TheWarpRunsAlongVOfMaterialuvElseOfUv)
{
    const auto pattern = [](const char* name, bool turned, GA_AttributeOwner owner) {
        return [=](GU_Detail& gdp) {
            const GA_RWHandleV3 uv(gdp.addFloatTuple(owner, name, 3));
            for (GA_Iterator it(gdp.getPrimitiveRange()); !it.atEnd(); ++it)
                for (GA_Size k = 0; k < gdp.getPrimitiveVertexCount(*it); ++k) {
                    const GA_Offset vertex = gdp.getPrimitiveVertexOffset(*it, k),
                                    point = gdp.vertexPoint(vertex);
                    const UT_Vector3 p = gdp.getPos3(point);
                    uv.set(owner == GA_ATTRIB_POINT ? point : vertex,
                           turned ? UT_Vector3(p.y(), p.x(), 0) : UT_Vector3(p.x(), p.y(), 0));
                }
        };
    };
    const Tune stiff_warp = [](Stage&, houdini::SOP_SelvageSolver& s) {
        set(s, "use_young_warp", 1);
        set(s, "young_warp", 2000);
        set(s, "use_young_weft", 1);
        set(s, "young_weft", 5);
    };
    const auto lowest = [&](const Paint& paint) {
        return simulated(paint, 16, stiff_warp)[3 * 45 + 1];
    };
    const float upright = lowest(pattern("uv", false, GA_ATTRIB_VERTEX));
    const float across = lowest(pattern("uv", true, GA_ATTRIB_VERTEX));
    EXPECT_LT(across, upright - 0.05f); // the soft weft carries it
    EXPECT_EQ(lowest(pattern("uv", true, GA_ATTRIB_POINT)), across);
    EXPECT_EQ(lowest(pattern("materialuv", true, GA_ATTRIB_VERTEX)), across);
    EXPECT_EQ(lowest([&](GU_Detail& gdp) {
                  pattern("uv", false, GA_ATTRIB_VERTEX)(gdp);
                  pattern("materialuv", true, GA_ATTRIB_VERTEX)(gdp);
              }),
              across);
}

TEST(Attributes, FrictionIsAFactorWhereItIsPainted)
{
    const auto slides = [](double factor) { // down a slope of 0.2
        const auto x =
            simulated(painted("friction", factor), 16, on_floor(0.2, 0.5), flat_sheet(0.005, 0.2));
        return 0.5 - mean(x, 2);
    };
    EXPECT_LT(slides(1), 0.01);
    EXPECT_GT(slides(0), 0.2);
}

TEST(Attributes, WhatIgnoresCollidersFallsThroughThem)
{
    const auto falls_to = [](const Paint& paint) {
        return mean(simulated(paint, 12, on_floor(), flat_sheet(0.01)), 1);
    };
    const double free_fall = falls_to(painted("collisionignore", "*"));
    EXPECT_LT(free_fall, -0.5);
    EXPECT_GT(falls_to(nothing), 0);
    EXPECT_EQ(falls_to(painted("collisionignore", "colliders")), free_fall);
    EXPECT_EQ(falls_to(painted("disableexternal", 1)), free_fall);
}

/// Two sheets in one geometry, the lower one pinned.
TEST(Attributes, WhatDoesNotCollideWithItselfPassesThroughItself)
{
    Geometry two = flat_sheet(0.01);
    {
        const VecX x = two.positions();
        const std::size_t n = two.point_count();
        two.set_point_count(2 * n);
        for (int row = 0; row < 6; ++row)
            for (int c = 0; c < 6; ++c) {
                const int p = int(n) + 7 * row + c;
                two.add_polygon({p, p + 1, p + 8, p + 7});
            }
        VecX both(2 * x.size());
        both << x, x;
        for (Eigen::Index i = 1; i < x.size(); i += 3) both[i] += 0.01; // the first lies above
        two.set_positions(both);
    }
    const Paint hold_lower = [](GU_Detail& gdp) {
        const GA_RWHandleI stopped(gdp.addIntTuple(GA_ATTRIB_POINT, "stopped", 1));
        for (GA_Index i = 49; i < 98; ++i) stopped.set(gdp.pointOffset(i), 1);
    };
    const auto upper = [&](const Paint& paint) {
        auto x = simulated(
            [&](GU_Detail& gdp) {
                hold_lower(gdp);
                paint(gdp);
            },
            10, [](Stage&, houdini::SOP_SelvageSolver& s) { set(s, "pins_group", ""); }, two);
        x.resize(3 * 49);
        return mean(x, 1);
    };
    EXPECT_GT(upper(nothing), 0.01);
    EXPECT_LT(upper(painted("disableself", 1)), -0.3);
}

/// Layers matter where cloth is tangled: the higher one comes out on top.
TEST(Attributes, LayersAreRead)
{
    Stage stage;
    auto& source = stage.add_source([](double, GU_Detail& gdp) {
        fill(sheet_geometry(6), gdp, /*holes*/ true);
        const GA_RWHandleI layer(gdp.addIntTuple(GA_ATTRIB_POINT, "layer", 1));
        for (GA_Index i = 0; i < gdp.getNumPoints(); ++i)
            layer.set(gdp.pointOffset(i), i < 7 ? 2 : 1);
    });
    auto& solver = stage.add_solver(source);
    ASSERT_FALSE(stage.positions(solver, 2).empty()) << messages(solver);
    const std::vector<int>& layer = solver.session()->scene().cloths[0].contact.layer;
    ASSERT_EQ(layer.size(), 49u);
    EXPECT_EQ(layer[6], 2);
    EXPECT_EQ(layer[7], 1);
}

TEST(Attributes, GroupsOfPointsMayBeNumbersNamesAndPatterns)
{
    const auto pinned = [](const char* group) {
        return simulated(nothing, 4, [=](Stage&, houdini::SOP_SelvageSolver& s) {
            set(s, "pins_group", group);
        });
    };
    EXPECT_EQ(pinned("0-6"), pinned("top"));
    EXPECT_EQ(pinned("t*"), pinned("top"));
    EXPECT_EQ(pinned("0-9 ^7-9"), pinned("top"));
    EXPECT_NE(pinned("0 6"), pinned("top"));
    Stage stage; // and be changed
    auto& solver = stage.add_solver(stage.add_source(sheet_geometry(6)));
    for (const char* group : {"0-6", "0 6", "top"}) {
        set(solver, "pins_group", group);
        EXPECT_EQ(stage.positions(solver, 4), pinned(group));
    }
}
