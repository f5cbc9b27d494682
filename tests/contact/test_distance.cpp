#include "core/contact/distance.h"

#include "tests/contact/stencils.h"
#include "tests/support/finite_difference.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace selvage
{
namespace
{

using namespace test;

/// Case number: kind and vertices.
using Case = std::pair<StencilKind, std::array<std::int8_t, 4>>;

/// Random pairs until every case was seen `per_case` times away from its borders; derivatives are
/// compared with differences of the closed-set distance itself.
void compare_derivatives(PairDistance (*pair)(const Vec12&), std::size_t cases, unsigned seed)
{
    constexpr int per_case = 20;
    std::map<Case, int> seen;
    Random random(seed);
    const double h = 2e-3;
    for (int trial = 0; trial < 20000; ++trial) {
        const Vec12 x = random.vector(12);
        const PairDistance d = pair(x);
        int& count = seen[{d.feature.kind, d.feature.vertices}];
        if (count >= per_case) continue;
        bool stable = d.value > 0.01;
        for (int i = 0; i < 12 && stable; ++i)
            for (const double s : {-3 * h, 3 * h}) {
                Vec12 y = x;
                y[i] += s;
                stable = stable && pair(y).feature.vertices == d.feature.vertices;
            }
        // Thin triangles and near-parallel edges vary faster than the difference step resolves.
        if (!stable || d.hessian.norm() > 30) continue;
        ++count;
        const VecX g = fd_gradient([&](const VecX& y) { return pair(y).value; }, x, h);
        const MatX H = fd_jacobian([&](const VecX& y) { return pair(y).gradient; }, x, h);
        EXPECT_LE(relative_error(d.gradient, g), 1e-8);
        EXPECT_LE(relative_error(d.hessian, H), 1e-8);
        EXPECT_NEAR(d.value, d.feature.squared_distance, 1e-13);
    }
    EXPECT_EQ(seen.size(), cases);
    for (const auto& [which, count] : seen) EXPECT_EQ(count, per_case) << int(which.first);
}

double sampled_point_triangle(const Vec12& x)
{
    double best = infinity;
    constexpr int n = 400;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; i + j <= n; ++j) {
            const double a = double(i) / n, b = double(j) / n;
            best = std::min(best, (x.head<3>() - (1 - a - b) * x.segment<3>(3) -
                                   a * x.segment<3>(6) - b * x.tail<3>())
                                      .squaredNorm());
        }
    return best;
}

double sampled_edge_edge(const Vec12& x)
{
    double best = infinity;
    constexpr int n = 400;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
            const double a = double(i) / n, b = double(j) / n;
            best = std::min(best, ((1 - a) * x.head<3>() + a * x.segment<3>(3) -
                                   (1 - b) * x.segment<3>(6) - b * x.tail<3>())
                                      .squaredNorm());
        }
    return best;
}

Vec12 crossed_edges(double sine, double gap)
{
    Vec12 x;
    const double c = std::sqrt(1 - sine * sine);
    x << -0.5, 0, 0, 0.5, 0, 0, -0.5 * c, -0.5 * sine, gap, 0.5 * c, 0.5 * sine, gap;
    return x;
}

TEST(Distance, PointTriangleDerivativesInAllSevenCases)
{
    compare_derivatives(point_triangle_pair, 7, 1);
}

TEST(Distance, EdgeEdgeDerivativesInAllNineCases) { compare_derivatives(edge_edge_pair, 9, 2); }

TEST(Distance, AgreesWithSampledMinimum)
{
    Random random(3);
    for (int trial = 0; trial < 60; ++trial) {
        const Vec12 x = random.vector(12);
        const double pt = point_triangle_pair(x).value, ee = edge_edge_pair(x).value;
        const double pt_sampled = sampled_point_triangle(x), ee_sampled = sampled_edge_edge(x);
        EXPECT_LE(pt, pt_sampled * (1 + 1e-12));
        EXPECT_LE(ee, ee_sampled * (1 + 1e-12));
        EXPECT_NEAR(std::sqrt(pt), std::sqrt(pt_sampled), 0.01);
        EXPECT_NEAR(std::sqrt(ee), std::sqrt(ee_sampled), 0.01);
    }
}

TEST(Distance, DegenerateSetsStillHaveADistance)
{
    Vec12 needle; // triangle collapsed to a segment, point above its middle
    needle << 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0.3, 0, 0;
    EXPECT_DOUBLE_EQ(point_triangle_pair(needle).value, 1);
    Vec12 dot; // triangle collapsed to a point
    dot << 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0;
    EXPECT_DOUBLE_EQ(point_triangle_pair(dot).value, 4);
    Vec12 point_edges; // both edges of zero length
    point_edges << 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 3, 0;
    EXPECT_DOUBLE_EQ(edge_edge_pair(point_edges).value, 9);
}

TEST(Distance, EdgesFromCrossedToParallelStayWithinOnePercent)
{
    for (const double gap : {1e-3, 1e-6})
        for (int k = 0; k <= 170; ++k) {
            const double sine = std::pow(10.0, -0.1 * k);
            const PairDistance d = edge_edge_pair(crossed_edges(sine, gap));
            // An end point may stand in where the sine is tiny: (½ sine)² is all that it adds.
            EXPECT_NEAR(std::sqrt(d.value), gap, 0.01 * gap) << "sine " << sine << " gap " << gap;
            if (sine < parallel_sine) {
                EXPECT_NE(d.feature.kind, StencilKind::edge_edge);
            }
        }
}

TEST(Distance, SeparationsAreTheClassifiedDistancesAndPointFromSecondToFirst)
{
    Random random(4);
    for (int trial = 0; trial < 1000; ++trial) {
        const Vec12 x = random.vector(12);
        Point p[4], q[3];
        unstack<4>(x, p);
        std::copy(p, p + 3, q);
        const Point pt = point_triangle_separation(p), ee = edge_edge_separation(p);
        const Point pe = point_edge_separation(q);
        EXPECT_NEAR(dot(pt, pt), point_triangle_feature(p).squared_distance, 1e-14);
        EXPECT_NEAR(dot(ee, ee), edge_edge_feature(p).squared_distance, 1e-14);
        EXPECT_NEAR(dot(pe, pe), point_edge_feature(q).squared_distance, 1e-14);
        // r is normal to a plane that keeps the two convex sets apart by ‖r‖.
        for (int j = 1; j < 4; ++j) EXPECT_GE(dot(p[0] - p[j], pt), dot(pt, pt) - 1e-12);
        for (int i = 0; i < 2; ++i)
            for (int j = 2; j < 4; ++j) EXPECT_GE(dot(p[i] - p[j], ee), dot(ee, ee) - 1e-12);
    }
}

} // namespace
} // namespace selvage
