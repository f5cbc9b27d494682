#include "core/base/parallel.h"
#include "core/check/distance.h"
#include "core/check/gap.h"
#include "tests/check/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

/// All pairs, no tree.
std::vector<double> all_gaps(const Elements& e)
{
    std::vector<double> gaps;
    const auto x = [&](int p) { return e.x[std::size_t(p)]; };
    const auto apart = [&](int p, int q) {
        return e.place[std::size_t(p)] != e.place[std::size_t(q)];
    };
    for (int p = 0; p < int(e.x.size()); ++p)
        for (const auto& t : e.triangles)
            if (apart(p, t.points[0]) && apart(p, t.points[1]) && apart(p, t.points[2]))
                gaps.push_back(check_distance::point_triangle(x(p), x(t.points[0]), x(t.points[1]),
                                                              x(t.points[2])));
    for (std::size_t i = 0; i < e.edges.size(); ++i)
        for (std::size_t j = i + 1; j < e.edges.size(); ++j) {
            const Vec2i &s = e.edges[i].points, &t = e.edges[j].points;
            if (apart(s[0], t[0]) && apart(s[0], t[1]) && apart(s[1], t[0]) && apart(s[1], t[1]))
                gaps.push_back(check_distance::segment_segment(x(s[0]), x(s[1]), x(t[0]), x(t[1])));
        }
    std::sort(gaps.begin(), gaps.end());
    return gaps;
}

} // namespace

TEST(Gap, AgreesWithTryingAllPairs)
{
    for (unsigned seed = 0; seed < 4; ++seed) {
        const Elements e =
            gather_elements({named("a", make_triangle_soup(60, 0.1, 2 * seed)),
                             named("b", make_triangle_soup(40, 0.05, 2 * seed + 1))});
        const std::vector<double> gaps = all_gaps(e);
        const auto smallest = smallest_gap(e);
        ASSERT_TRUE(smallest);
        EXPECT_EQ(smallest->distance, gaps.front());

        const double thickness = 1.001 * gaps[30];
        const auto first_above = std::lower_bound(gaps.begin(), gaps.end(), thickness);
        const GapReport below = gaps_below(e, thickness, 20);
        EXPECT_EQ(std::ptrdiff_t(below.count), first_above - gaps.begin());
        ASSERT_EQ(below.closest.size(), 20u);
        for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(below.closest[i].distance, gaps[i]);
    }
}

TEST(Gap, ParallelSheets)
{
    const Elements e = gather_elements(
        {named("low", make_grid(6, o, X, Y)), named("high", make_grid(5, 0.01 * Z, X, Y))});
    const auto gap = smallest_gap(e);
    ASSERT_TRUE(gap);
    EXPECT_DOUBLE_EQ(gap->distance, 0.01);
    EXPECT_EQ(gap->a.object, 0);
    EXPECT_EQ(gap->b.object, 1);
}

TEST(Gap, NothingBelowTheBound)
{
    const Elements e = gather_elements(
        {named("low", make_grid(4, o, X, Y)), named("high", make_grid(4, 0.01 * Z, X, Y))});
    EXPECT_FALSE(smallest_gap(e, 0.01));
    EXPECT_TRUE(smallest_gap(e, 0.0101));
    EXPECT_EQ(gaps_below(e, 0.01, 10).count, 0u);
    EXPECT_GT(gaps_below(e, 0.0101, 10).count, 10u);
}

TEST(Gap, NeighboursAndUnfusedSeamsDoNotCount)
{
    // Two grids side by side with doubled points along the seam: the nearest non-neighbours are as
    // far apart as in one fused grid.
    const Elements fused = gather_elements({named("one", make_grid(4, o, X, Y))});
    const Elements seam = gather_elements(
        {named("left", make_grid(4, o, X, Y)), named("right", make_grid(4, X, X, Y))});
    ASSERT_TRUE(smallest_gap(fused));
    EXPECT_NEAR(smallest_gap(fused)->distance, 0.25 / std::sqrt(2), 1e-12);
    EXPECT_NEAR(smallest_gap(seam)->distance, 0.25 / std::sqrt(2), 1e-12);
}

TEST(Gap, CurvesAgainstCurvesAndTriangles)
{
    const Geometry hair = make_geometry({{0.3, 0.3, 0.5}, {0.3, 0.3, 0.1}, {0.9, 0.3, 0.4}},
                                        {{0, 1, 2}}, /*closed*/ false);
    const Geometry other = make_geometry({{-1, 0.35, 0.3}, {1, 0.35, 0.3}}, {{0, 1}}, false);
    const Geometry sheet = make_geometry({o, X, Y}, {{0, 1, 2}});
    const auto tip = smallest_gap(gather_elements({named("hair", hair), named("sheet", sheet)}));
    ASSERT_TRUE(tip);
    EXPECT_DOUBLE_EQ(tip->distance, 0.1);
    EXPECT_EQ(tip->a, (ElementId{0, 0, {1, -1, -1}}));
    EXPECT_EQ(tip->b, (ElementId{1, 0, {0, 1, 2}}));
    const auto cross = smallest_gap(gather_elements({named("hair", hair), named("other", other)}));
    ASSERT_TRUE(cross);
    EXPECT_NEAR(cross->distance, 0.05, 1e-15);
    EXPECT_EQ(cross->a.points[0], 0);
    EXPECT_EQ(cross->b.object, 1);
}

TEST(Gap, HairRootsCanBeLeftOut)
{
    const Geometry hair =
        make_geometry({{0.25, 0.25, 0}, {0.25, 0.25, 0.5}, {0.25, 0.25, 1}}, {{0, 1, 2}}, false);
    const Geometry sheet = make_geometry({o, X, Y}, {{0, 1, 2}});
    const Elements e = gather_elements({named("hair", hair), named("sheet", sheet)});
    EXPECT_EQ(smallest_gap(e)->distance, 0);
    EXPECT_DOUBLE_EQ(smallest_gap(e, infinity, {/*skip_curve_roots*/ true})->distance, 0.5);
}

TEST(Gap, SameResultForOneAndTwoThreads)
{
    // Regular sheets: thousands of pairs tie for the smallest distance.
    const Elements e = gather_elements(
        {named("low", make_grid(40, o, X, Y)), named("high", make_grid(40, 0.001 * Z, X, Y))});
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return std::make_pair(*smallest_gap(e), gaps_below(e, 0.0011, 50));
    };
    const auto [gap_1, below_1] = run(1);
    for (int repeat = 0; repeat < 5; ++repeat) {
        const auto [gap_2, below_2] = run(2);
        EXPECT_EQ(gap_1.distance, gap_2.distance);
        EXPECT_EQ(gap_1.a, gap_2.a);
        EXPECT_EQ(gap_1.b, gap_2.b);
        EXPECT_EQ(below_1.count, below_2.count);
        for (std::size_t i = 0; i < 50; ++i) {
            EXPECT_EQ(below_1.closest[i].a, below_2.closest[i].a);
            EXPECT_EQ(below_1.closest[i].b, below_2.closest[i].b);
        }
    }
}

TEST(Gap, NothingToCompare)
{
    EXPECT_FALSE(smallest_gap(gather_elements({})));
    EXPECT_FALSE(
        smallest_gap(gather_elements({named("t", make_geometry({o, X, Y}, {{0, 1, 2}}))})));
}
