#include "core/base/parallel.h"
#include "core/check/intersections.h"
#include "tests/check/meshes.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace selvage;

namespace
{

/// All pairs, no tree.
IntersectionReport try_all(const Elements& e)
{
    IntersectionReport report;
    for (const auto& edge : e.edges)
        for (const auto& t : e.triangles) {
            const Vec2i& s = edge.points;
            if ((t.points.array() == s[0]).any() || (t.points.array() == s[1]).any()) continue;
            const auto x = [&](int p) { return e.x[std::size_t(p)]; };
            const Contact contact = edge_triangle_contact(x(s[0]), x(s[1]), x(t.points[0]),
                                                          x(t.points[1]), x(t.points[2]));
            if (contact == Contact::crossing) report.crossing.push_back({e.id(edge), e.id(t)});
            if (contact == Contact::touching) report.touching.push_back({e.id(edge), e.id(t)});
        }
    report.crossing_count = report.crossing.size();
    report.touching_count = report.touching.size();
    return report;
}

void expect_same(const IntersectionReport& a, const IntersectionReport& b)
{
    EXPECT_EQ(a.crossing_count, b.crossing_count);
    EXPECT_EQ(a.touching_count, b.touching_count);
    const auto same = [](const std::vector<IntersectionPair>& s,
                         const std::vector<IntersectionPair>& t) {
        return std::equal(s.begin(), s.end(), t.begin(), t.end(), [](auto& p, auto& q) {
            return p.edge == q.edge && p.triangle == q.triangle;
        });
    };
    EXPECT_TRUE(same(a.crossing, b.crossing));
    EXPECT_TRUE(same(a.touching, b.touching));
}

constexpr std::size_t all = 1000000;

} // namespace

TEST(Intersections, SoupsAgreeWithTryingAllPairs)
{
    for (unsigned seed = 0; seed < 3; ++seed) {
        const Elements e = gather_elements({named("a", make_triangle_soup(300, 0.15, 31 + seed)),
                                            named("b", make_triangle_soup(200, 0.2, 41 + seed))});
        const IntersectionReport expected = try_all(e);
        EXPECT_GT(expected.crossing_count, 100u);
        expect_same(find_intersections(e, {all}), expected);
    }
}

/// Whole coordinates: coplanar overlaps, coinciding points and edges everywhere.
TEST(Intersections, LatticeSoupsAgreeWithTryingAllPairs)
{
    std::mt19937 random(51);
    std::uniform_int_distribution<int> lattice(0, 4);
    std::vector<Vec3> points;
    std::vector<std::vector<int>> triangles;
    for (int i = 0; i < 150; ++i) {
        for (int c = 0; c < 3; ++c)
            points.emplace_back(lattice(random), lattice(random), lattice(random));
        triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    const Elements e = gather_elements({named("soup", make_geometry(points, triangles))});
    const IntersectionReport expected = try_all(e);
    EXPECT_GT(expected.crossing_count, 1000u);
    EXPECT_GT(expected.touching_count, 100u);
    expect_same(find_intersections(e, {all}), expected);
}

TEST(Intersections, CrossedGrids)
{
    // The upright sheet cuts the flat one along y = 0.45, between its rows of points.
    const NamedGeometry flat = named("flat", make_grid(10, o, X, Y));
    const NamedGeometry upright = named("upright", make_grid(10, {0.013, 0.45, -0.47}, 0.9 * X, Z));
    const Elements e = gather_elements({flat, upright});
    const IntersectionReport found = find_intersections(e, {all});
    expect_same(found, try_all(e));
    EXPECT_GT(found.crossing_count, 20u);
    EXPECT_EQ(found.touching_count, 0u);
    for (const auto& pair : found.crossing) EXPECT_NE(pair.edge.object, pair.triangle.object);

    EXPECT_EQ(find_intersections(gather_elements({flat})).crossing_count, 0u);
    EXPECT_EQ(find_intersections(gather_elements({upright})).crossing_count, 0u);
}

TEST(Intersections, NumbersAreTheArtists)
{
    // Quads and a lone point first, so that points, triangles and primitives count differently.
    const Geometry sheet = make_geometry({{9, 9, 9}, o, X, X + Y, Y, {2, 0, 0}, {2, 1, 0}},
                                         {{1, 2, 3, 4}, {2, 5, 6, 3}});
    const Geometry spike =
        make_geometry({{5, 5, 5}, {1.9, 0.3, -1}, {1.9, 0.3, 1}, {9, 0.3, 1}}, {{1, 2, 3}});
    const IntersectionReport found =
        find_intersections(gather_elements({named("sheet", sheet), named("spike", spike)}));
    bool seen = false;
    for (const auto& pair : found.crossing)
        seen = seen || (pair.edge == ElementId{1, 0, {1, 2, -1}} && pair.triangle.object == 0 &&
                        pair.triangle.primitive == 1);
    EXPECT_TRUE(seen);
}

TEST(Intersections, NeighboursInOneMeshAreLeftOut)
{
    // A fan folded flat onto itself: all triangles share the middle point.
    const Geometry fan =
        make_geometry({o, X, X + Y, Y, {0.9, 0.2, 0}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}});
    EXPECT_EQ(find_intersections(gather_elements({named("fan", fan)})).crossing_count, 1u)
        << "only edge 3-4 and triangle 0 1 2 have no point in common";
}

TEST(Intersections, CoplanarOverlapOfSheetsIsFound)
{
    const IntersectionReport found = find_intersections(gather_elements(
        {named("a", make_grid(3, o, X, Y)), named("b", make_grid(3, {0.1, 0.07, 0}, X, Y))}));
    EXPECT_GT(found.crossing_count, 20u);
    const IntersectionReport apart = find_intersections(gather_elements(
        {named("a", make_grid(3, o, X, Y)), named("b", make_grid(3, {1.1, 0.07, 0}, X, Y))}));
    EXPECT_EQ(apart.crossing_count, 0u);
}

TEST(Intersections, UnfusedSeamTouches)
{
    const Elements e = gather_elements(
        {named("left", make_grid(4, o, X, Y)), named("right", make_grid(4, X, X, Y + Z))});
    // The seam's points do not coincide here but at the first one: it was sewn askew.
    EXPECT_EQ(find_intersections(e).crossing_count, 0u);
    EXPECT_GT(find_intersections(e).touching_count, 0u);

    const Elements sewn = gather_elements(
        {named("left", make_grid(4, o, X, Y)), named("right", make_grid(4, X, X + Z, Y))});
    const IntersectionReport found = find_intersections(sewn, {all});
    EXPECT_EQ(found.crossing_count, 0u);
    EXPECT_GT(found.touching_count, 8u);
    expect_same(found, try_all(sewn));
}

TEST(Intersections, ShiftedSeamCrosses)
{
    // T-junctions: points of one side lie inside the other side's edges.
    const IntersectionReport found = find_intersections(gather_elements(
        {named("left", make_grid(4, o, X, Y)), named("right", make_grid(3, X, X + Z, Y))}));
    EXPECT_GT(found.crossing_count, 0u);
}

TEST(Intersections, DoubledSheetIsCoincident)
{
    const NamedGeometry sheet = named("sheet", make_grid(3, o, X, Y));
    const auto pairs = find_coincident_triangles(gather_elements({sheet, sheet}));
    EXPECT_EQ(pairs.size(), 18u);
    EXPECT_EQ(pairs[0].a.object, 0);
    EXPECT_EQ(pairs[0].b.object, 1);
    EXPECT_TRUE(find_coincident_triangles(gather_elements({sheet})).empty());
    // Two faces over the same points are one place by construction.
    const Geometry both_sides = make_geometry({o, X, Y}, {{0, 1, 2}, {2, 1, 0}});
    EXPECT_TRUE(find_coincident_triangles(gather_elements({named("b", both_sides)})).empty());
}

TEST(Intersections, CurvesAgainstTriangles)
{
    const Geometry hair = make_geometry(
        {{0.2, 0.2, -0.5}, {0.2, 0.2, 0.5}, {0.3, 0.2, 0.5}, {0.3, 0.2, -0.5}}, {{0, 1, 2, 3}},
        /*closed*/ false);
    const Elements e = gather_elements(
        {named("hair", hair), named("sheet", make_geometry({o, X, Y}, {{0, 1, 2}}))});
    const IntersectionReport found = find_intersections(e);
    ASSERT_EQ(found.crossing_count, 2u);
    EXPECT_EQ(found.crossing[0].edge, (ElementId{0, 0, {0, 1, -1}}));
    EXPECT_EQ(found.crossing[1].edge, (ElementId{0, 0, {2, 3, -1}}));
    EXPECT_EQ(found.crossing[0].triangle, (ElementId{1, 0, {0, 1, 2}}));
    EXPECT_EQ(find_intersections(e, {10, /*skip_curve_roots*/ true}).crossing_count, 1u);
}

TEST(Intersections, ListIsCappedAndCountIsNot)
{
    const Elements e = gather_elements({named("a", make_triangle_soup(300, 0.15, 61))});
    const IntersectionReport full = find_intersections(e, {all}),
                             capped = find_intersections(e, {7});
    EXPECT_EQ(capped.crossing_count, full.crossing_count);
    ASSERT_EQ(capped.crossing.size(), 7u);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(capped.crossing[i].edge, full.crossing[i].edge);
}

TEST(Intersections, SameResultForOneAndTwoThreads)
{
    const Elements e = gather_elements({named("a", make_triangle_soup(4000, 0.05, 71))});
    IntersectionReport one, two;
    {
        const ThreadLimit limit(1);
        one = find_intersections(e, {500});
    }
    {
        const ThreadLimit limit(2);
        two = find_intersections(e, {500});
    }
    EXPECT_GT(one.crossing_count, 500u);
    expect_same(one, two);
}

/// 200 000 triangles in two layers; times are recorded, not judged.
TEST(IntersectionsFull, LargeSheets)
{
    const auto wavy = [](double height, double tilt) {
        Geometry g = make_grid(224, {0.1, 0.2, height}, X + tilt * Z, Y + 0.5 * tilt * Z);
        VecX P = g.positions();
        for (Eigen::Index i = 0; i < P.size() && tilt == 0; i += 3)
            P[i + 2] += 0.05 * std::sin(20 * P[i]) * std::cos(17 * P[i + 1]);
        g.set_positions(P);
        return g;
    };
    const auto timed = [this](const char* name, const NamedGeometry& a, const NamedGeometry& b) {
        const Elements e = gather_elements({a, b});
        const auto start = std::chrono::steady_clock::now();
        const std::size_t count = find_intersections(e).crossing_count;
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        RecordProperty(name, std::to_string(seconds.count()));
        return count;
    };
    const NamedGeometry low = named("low", wavy(0, 0)), tilted = named("tilted", wavy(0, 0.3));
    EXPECT_EQ(timed("layers_seconds", low, named("high", wavy(0.001, 0))), 0u);
    EXPECT_GT(timed("crossed_seconds", low, tilted), 100u);
    // All in one plane but for rounding: filters decide little.
    const Geometry finer = make_grid(225, {0.1, 0.2, 0}, X + 0.3 * Z, Y + 0.15 * Z);
    EXPECT_GT(timed("coplanar_seconds", tilted, named("finer", finer)), 100000u);
}
