// Constraint geometry: what each type does, and what is said of the others.
#include "core/session/session.h"
#include "tests/support/animated_source.h"
#include "tests/support/constraint_geometry.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr int n = 4; ///< cells of the sheet: points 0 … 4 are its upper row, 20 … 24 its lower one

/// The sheet hung by its top row, without air, and these constraints.
SessionSetup sheet_with(Geometry constraints)
{
    SessionSetup s = hanging_setup(n);
    s.shot.set("air_density", 0.0);
    s.constraints.emplace_back();
    s.constraints[0].constraints.set("name", std::string("lines"));
    s.constraints[0].geometry = std::make_shared<StaticSource>(std::move(constraints), "lines");
    return s;
}

VecX cooked(const SessionSetup& setup, double frame)
{
    NullLog log;
    Session s(setup, log);
    return s.cook(frame, NeverCancel()).objects.at(0).geometry.positions();
}

Vec3 point(const VecX& x, int p) { return x.segment<3>(3 * p); }

double distance(const VecX& x, int a, int b) { return (point(x, a) - point(x, b)).norm(); }

/// Words of all messages while the session is built.
std::string told(const SessionSetup& s)
{
    MessageLog log;
    Session session(s, log);
    return log.all;
}

std::string complaint(const SessionSetup& s)
{
    return message_of([&] { told(s); });
}

} // namespace

TEST(Constraints, PinsHoldTheirPointsExactlyOrSoftly)
{
    const Geometry sheet = sheet_geometry(n);
    SessionSetup s = sheet_with(constraint_geometry(sheet, {{"pin", {20}}, {"pin", {24, 23}}}));
    s.cloths[0].pins = ParameterSet("cloth.pins"); // no others
    const VecX x = cooked(s, 5);
    for (const int p : {20, 23, 24})
        EXPECT_LT((point(x, p) - point(sheet.positions(), p)).norm(), 1e-6);
    EXPECT_GT((point(x, 2) - point(sheet.positions(), 2)).norm(), 1e-3);

    Geometry soft = constraint_geometry(sheet, {{"pin", {20}}, {"pin", {24}}});
    set_numbers(soft, "stiffness", {2.0, 1e10}); // the second is rigid
    s.constraints[0].geometry = std::make_shared<StaticSource>(soft, "lines");
    const VecX y = cooked(s, 5);
    EXPECT_GT((point(y, 20) - point(sheet.positions(), 20)).norm(), 1e-3);
    EXPECT_LT((point(y, 24) - point(sheet.positions(), 24)).norm(), 1e-6);
}

TEST(Constraints, PinsJoinThoseOfTheCloth)
{
    const Geometry sheet = sheet_geometry(n);
    NullLog log;
    Session session(sheet_with(constraint_geometry(sheet, {{"pin", {20}}, {"pin", {0}}})), log);
    EXPECT_EQ(session.scene().pins.size(), 6u); // the upper row, and one more
    EXPECT_EQ(session.scene().pins.back().vertex, 20);
}

TEST(Constraints, StitchesDrawTogetherAndDistancesStay)
{
    const Geometry sheet = sheet_geometry(n);
    const VecX x_0 = sheet.positions();
    for (const char* type : {"stitch", "sew", "weld", "glue"}) {
        Geometry lines = constraint_geometry(sheet, {{type, {20, 24}}});
        const VecX x = cooked(sheet_with(lines), 10);
        EXPECT_LT(distance(x, 20, 24), 0.6 * distance(x_0, 20, 24)) << type;
    }
    // A strut that is longer than the cloth pushes its corners apart; a string does not.
    Geometry strut = constraint_geometry(sheet, {{"distance", {20, 24}}});
    set_numbers(strut, "restlength", {1.1});
    EXPECT_NEAR(distance(cooked(sheet_with(strut), 10), 20, 24), 1.1, 0.03);
    Geometry string = constraint_geometry(sheet, {{"string", {20, 24}}});
    set_numbers(string, "restlength", {1.1});
    EXPECT_LT(distance(cooked(sheet_with(string), 10), 20, 24), 1.02);
    set_numbers(strut, "compressstiffness", {0.0});
    EXPECT_EQ(cooked(sheet_with(strut), 10), cooked(sheet_with(string), 10));
}

TEST(Constraints, StiffnessIsReadPerPrimitiveAndBreakingForceIsNotScaledByIt)
{
    const Geometry sheet = sheet_geometry(n);
    Geometry lines = constraint_geometry(sheet, {{"stitch", {20, 24}}, {"stitch", {15, 19}}});
    set_numbers(lines, "stiffness", {10, 1e10});
    set_numbers(lines, "restlength", {0.9, 0.9});
    NullLog log;
    SessionSetup s = sheet_with(lines);
    s.constraints[0].constraints.set("break_force", 4.0);
    Session session(s, log);
    const std::vector<Link>& links = session.scene().links.at(0).links;
    EXPECT_EQ(links[0].stiffness, 10);
    EXPECT_EQ(links[1].stiffness, 1e6); // the limit
    const FrameResult r = session.cook(3, NeverCancel());
    EXPECT_EQ(r.report.broken_links, 1); // only the stiff one pulls with more than 4 N
}

TEST(Constraints, WhatTheClothDoesItselfIsLeftToIt)
{
    const Geometry sheet = sheet_geometry(n);
    const SessionSetup s = sheet_with(constraint_geometry(
        sheet, {{"distance", {0, 1}}, {"bend", {0, 1, 5, 6}}, {"distance", {1, 2}}}));
    expect_says(told(s),
                {"primitive 0 and 1 more", "'distance'", "material", "primitive 1 is", "'bend'"});
    NullLog log;
    EXPECT_TRUE(Session(s, log).scene().links.empty());
}

TEST(Constraints, AttachedPointsFollowTheCollider)
{
    const auto plate = std::make_shared<FunctionSource>([](double frame) {
        Geometry g;
        g.set_point_count(8);
        VecX x(24);
        const double s = 0.05 * (frame - 1);
        x << s - 2, 0, 0.1, s - 2, 2, 0.1, s + 2, 2, 0.1, s + 2, 0, 0.1, // and one farther away
            s - 2, 0, 3, s - 2, 2, 3, s + 2, 2, 3, s + 2, 0, 3;
        g.set_positions(x);
        g.add_polygon({0, 1, 2, 3});
        g.add_polygon({4, 5, 6, 7});
        return g;
    });
    const Geometry sheet = sheet_geometry(n);
    Geometry lines = constraint_geometry(sheet, {{"attach", {20}}, {"attach", {24}}});
    SessionSetup s = sheet_with(lines);
    EXPECT_NE(complaint(s).find("there is none"), std::string::npos);
    s.cloths[0].pins = ParameterSet("cloth.pins");
    s.constraints[0].constraints.set("stiffness", 1e5);
    s.collision.set("enabled", 0.0);
    s.colliders.emplace_back();
    s.colliders[0].collider.set("name", std::string("plate"));
    s.colliders[0].collider.set("geometry", std::string("plate.bgeo"));
    s.colliders[0].geometry = plate;
    const VecX x = cooked(s, 10), x_0 = sheet.positions();
    for (const int p : {20, 24}) {
        EXPECT_NEAR(point(x, p)[0], point(x_0, p)[0] + 0.45, 0.1);
        EXPECT_GT(point(x, p)[1], point(x_0, p)[1] - 0.15);
    }
    set_numbers(lines, "target_prim", {0, 7});
    s.constraints[0].geometry = std::make_shared<StaticSource>(lines, "lines");
    expect_says(complaint(s), {"Constraints 'lines'", "primitive 1", "target_prim 7"});
    set_numbers(lines, "target_prim", {0, 1});
    s.constraints[0].geometry = std::make_shared<StaticSource>(lines, "lines");
    NullLog log;
    Session far(s, log);
    EXPECT_NEAR(far.scene().links.at(0).links[1].rest_length, 3, 1e-6);
    s.constraints[0].constraints.set("collider", std::string("plat"));
    expect_says(complaint(s), {"no collider 'plat'", "Did you mean 'plate'"});
}

TEST(Constraints, PointsOnTrianglesStayThere)
{
    const Geometry sheet = sheet_geometry(n);
    NullLog log;
    Session s(sheet_with(constraint_geometry(sheet, {{"ptprim", {24, 0, 1, 5}}})), log);
    const Link& l = s.scene().links.at(0).links.at(0);
    EXPECT_EQ(l.to, Link::To::triangle);
    EXPECT_EQ(l.others[2], 5);
    EXPECT_NEAR(l.weights.sum(), 1, 1e-12);
}

TEST(Constraints, PointsAreFoundByIdThenByNumberThenByPlace)
{
    const auto ids = [](Geometry& g, const std::vector<int>& values) {
        Attribute id = make_attribute("id", Owner::point, Storage::int32, 1, g.point_count());
        for (std::size_t i = 0; i < values.size(); ++i) id.set_number(i, 0, values[i]);
        g.set(id);
    };
    Geometry sheet = sheet_geometry(n), lines;
    lines.set_point_count(2);
    VecX x(6);
    x.head<3>() = point(sheet.positions(), 24) + Vec3(0.01, 0, 0);
    x.tail<3>() = point(sheet.positions(), 20);
    lines.set_positions(x);
    lines.add_polygon({0, 1}, false);
    SessionSetup s = sheet_with(lines);
    NullLog log;
    const auto ends = [&] {
        Session session(s, log);
        const Link& l = session.scene().links.at(0).links.at(0);
        return Vec2i(l.vertex, l.others[0]);
    };
    EXPECT_EQ(ends(), Vec2i(24, 20)); // nearest
    std::vector<int> reversed;
    for (int i = 0; i < 25; ++i) reversed.push_back(100 + 24 - i);
    ids(sheet, reversed);
    ids(lines, {124, 117});
    s.cloths[0].geometry = std::make_shared<StaticSource>(sheet, "sheet");
    s.constraints[0].geometry = std::make_shared<StaticSource>(lines, "lines");
    EXPECT_EQ(ends(), Vec2i(0, 7)); // by id
}

TEST(Constraints, OtherTypesAreNamedWithWhatToDo)
{
    const Geometry sheet = sheet_geometry(n);
    const std::string text = told(sheet_with(constraint_geometry(
        sheet,
        {{"stitch", {0, 24}}, {"presure", {0, 1}}, {"pressure", {0, 1, 2}}, {"stitch", {3}}})));
    expect_says(text,
                {"Constraints 'lines'", "primitive 1", "'presure'", "no such type", "primitive 2",
                 "pressure parameters", "pin, attach, distance", "primitive 3", "two or more"});
}

TEST(Constraints, BadValuesNameThePrimitive)
{
    const Geometry sheet = sheet_geometry(n);
    Geometry lines = constraint_geometry(sheet, {{"stitch", {0, 24}}, {"stitch", {1, 23}}});
    set_numbers(lines, "restlength", {0.5, -1});
    expect_says(complaint(sheet_with(lines)), {"lines", "primitive 1", "restlength -1"});
    set_numbers(lines, "restlength", {0.5, 1});
    set_numbers(lines, "stiffness", {std::nan(""), 1});
    expect_says(complaint(sheet_with(lines)), {"lines", "primitive 0", "stiffness"});
}

namespace
{

/// A stitch between the lower corners and a strut between two points of the middle row, other at
/// each frame.
SessionSetup sheet_with_animated(const std::function<Geometry(double)>& constraints)
{
    SessionSetup s = sheet_with(constraints(1));
    s.shot.set("frames", Vec3(1, 24, 0));
    s.constraints[0].geometry = std::make_shared<FunctionSource>(constraints);
    return s;
}

Geometry stitch_and_strut(double stiffness, double length)
{
    Geometry g =
        constraint_geometry(sheet_geometry(n), {{"stitch", {20, 24}}, {"string", {10, 14}}});
    set_numbers(g, "stiffness", {stiffness, 200});
    set_numbers(g, "restlength", {0, length});
    return g;
}

} // namespace

TEST(AnimatedConstraints, EqualStillOnesWhereNothingChanges)
{
    const Geometry still = stitch_and_strut(30, 0.9);
    EXPECT_EQ(cooked(sheet_with_animated([&](double) { return still; }), 8),
              cooked(sheet_with(still), 8));
}

TEST(AnimatedConstraints, StiffnessAndRestLengthAreThoseOfTheFrame)
{
    // Off until frame 6, then on: the corners are together later.
    const auto late = [](double f) { return stitch_and_strut(f < 6 ? 0 : 60, 1); };
    const double before = distance(cooked(sheet_with_animated(late), 5), 20, 24);
    const double after = distance(cooked(sheet_with_animated(late), 20), 20, 24);
    EXPECT_GT(before, 0.9);
    EXPECT_LT(after, 0.5);
    EXPECT_GT(distance(cooked(sheet_with(stitch_and_strut(0, 1)), 24), 10, 14), 0.9);
    // A string that is wound up by half over twelve frames.
    SessionSetup wound = sheet_with_animated(
        [](double f) { return stitch_and_strut(0, f < 12 ? 1 - f / 24 : 0.5); });
    EXPECT_LT(distance(cooked(wound, 24), 10, 14), 0.65);
    wound.shot.set("substeps", 2.0);
    EXPECT_LT(distance(cooked(wound, 24), 10, 14), 0.65);
}

TEST(AnimatedConstraints, MissingPrimitivesLetGoInWhateverOrderTheOthersCome)
{
    const Geometry sheet = sheet_geometry(n);
    const auto falls = [&](double f) {
        Geometry g = f < 8
                         ? constraint_geometry(sheet, {{"stitch", {20, 24}}, {"string", {10, 14}}})
                         : constraint_geometry(sheet, {{"string", {10, 14}}});
        set_numbers(g, "stiffness",
                    f < 8 ? std::vector<double>{60, 200} : std::vector<double>{200});
        return g;
    };
    const auto swapped = [&](double f) {
        if (f < 8) return falls(f);
        Geometry g = constraint_geometry(sheet, {{"string", {10, 14}}, {"stitch", {20, 24}}});
        set_numbers(g, "stiffness", {200, 60});
        return g;
    };
    const double closed = distance(cooked(sheet_with_animated(falls), 7), 20, 24);
    EXPECT_LT(closed, 0.7);
    EXPECT_GT(distance(cooked(sheet_with_animated(falls), 24), 20, 24), closed + 0.1);
    EXPECT_LT(distance(cooked(sheet_with_animated(swapped), 24), 20, 24), closed);
}

TEST(AnimatedConstraints, NewPrimitivesAndPointsAreRefusedByFrame)
{
    const auto complaint_at = [&](const std::function<Geometry(double)>& geometry) {
        NullLog log;
        Session s(sheet_with_animated(geometry), log);
        return message_of([&] { s.cook(6, NeverCancel()); });
    };
    expect_says(complaint_at([](double f) {
                    Geometry g = stitch_and_strut(1, 1);
                    if (f < 4) return g;
                    return constraint_geometry(
                        sheet_geometry(n),
                        {{"stitch", {20, 24}}, {"string", {10, 14}}, {"stitch", {0, 4}}});
                }),
                {"lines", "frame 4", "primitive 2", "stiffness 0"});
    expect_says(complaint_at([](double f) {
                    return f < 4 ? stitch_and_strut(1, 1)
                                 : constraint_geometry(sheet_geometry(n + 1), {{"pin", {0}}});
                }),
                {"lines", "frame 4", "36 points but 25"});
}
