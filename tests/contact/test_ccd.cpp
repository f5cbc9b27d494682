#include "core/contact/ccd.h"

#include "core/contact/distance.h"
#include "tests/contact/stencils.h"
#include "tests/support/places.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace selvage
{
namespace
{

using namespace test;

/// A pair and its motion.
struct Query {
    Point x[4], p[4];
    bool edges = false, collides = false;
};

CcdResult run(const Query& q, const CcdSettings& settings = {})
{
    return q.edges ? edge_edge_ccd(q.x, q.p, settings) : point_triangle_ccd(q.x, q.p, settings);
}

double distance_at(const Query& q, double t)
{
    Point y[4];
    for (int i = 0; i < 4; ++i) y[i] = q.x[i] + t * q.p[i];
    const Point r = q.edges ? edge_edge_separation(y) : point_triangle_separation(y);
    return std::sqrt(dot(r, r));
}

/// Edge along x at z = 0 moving up by 1, edge along `second` at z = 1 moving down by 1.
Query approaching_edges(const Point& second)
{
    return {{{-1, 0, 0}, {1, 0, 0}, Point{0, 0, 1} - second, Point{0, 0, 1} + second},
            {{0, 0, 1}, {0, 0, 1}, {0, 0, -1}, {0, 0, -1}},
            true,
            true};
}

Query random_query(Random& random, bool edges)
{
    Query q;
    q.edges = edges;
    for (int i = 0; i < 4; ++i)
        q.x[i] = {random(), random(), random()}, q.p[i] = {random(), random(), random()};
    return q;
}

TEST(Ccd, CrossingEdgesStopAtNineTenths)
{
    const Query q = approaching_edges({0, 1, 0});
    const CcdResult thin = run(q), thick = run(q, {0.5});
    EXPECT_TRUE(thin.hit);
    EXPECT_DOUBLE_EQ(thin.t, 0.45);
    EXPECT_EQ(thin.iterations, 2);
    EXPECT_TRUE(thick.hit);
    EXPECT_DOUBLE_EQ(thick.t, 0.225);
    EXPECT_EQ(thick.iterations, 2);
}

TEST(Ccd, ExactlyParallelEdgesStopAtNineTenths)
{
    const CcdResult r = run(approaching_edges({1, 0, 0}));
    EXPECT_TRUE(r.hit);
    EXPECT_DOUBLE_EQ(r.t, 0.45);
}

TEST(Ccd, FastPointDoesNotPassATriangle)
{
    const Query q = {{{0, 1, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}, {{0, -20, 0}}, false, true};
    EXPECT_DOUBLE_EQ(run(q).t, 0.045);
    EXPECT_NEAR(run(q, {1e-3}).t, 0.044955, 1e-15);
}

TEST(Ccd, ResolvesGapsFarBelowTheThickness)
{
    Query q = approaching_edges({0, 1, 0});
    for (int i = 0; i < 4; ++i) q.x[i].z *= 1e-4 + 1e-8, q.p[i].z *= 0.5e-3;
    const CcdResult r = run(q, {1e-4});
    EXPECT_TRUE(r.hit);
    EXPECT_NEAR(r.t, 9.0e-6, 1e-12);
    EXPECT_NEAR(distance_at(q, r.t) - 1e-4, 1e-9, 1e-14);
}

TEST(Ccd, CommonTranslationIsNoCollision)
{
    Query q = approaching_edges({0, 1, 0});
    for (Point& p : q.p) p = {3, -4, 5};
    const CcdResult r = run(q);
    EXPECT_FALSE(r.hit);
    EXPECT_EQ(r.t, 1);
    EXPECT_EQ(r.iterations, 0);
}

TEST(Ccd, TouchingPairsAndBrokenNumbersGiveNoStep)
{
    Query q = approaching_edges({0, 1, 0});
    for (Point& x : q.x) x.z = 0;
    EXPECT_TRUE(run(q).hit);
    EXPECT_EQ(run(q).t, 0);
    q = approaching_edges({0, 1, 0});
    EXPECT_EQ(run(q, {1.0}).t, 0) << "at the thickness";
    EXPECT_EQ(run(q, {2.0}).t, 0) << "below the thickness";
    q.p[0].x = std::nan("");
    EXPECT_EQ(run(q).t, 0);
    q = approaching_edges({0, 1, 0});
    q.x[2].y = infinity;
    EXPECT_EQ(run(q).t, 0);
}

TEST(Ccd, SlidingAtATinyGapIsCheap)
{
    // The speed bound alone needs 111112 distances here.
    Query q = approaching_edges({0, 1, 0});
    for (int i = 0; i < 4; ++i) q.x[i].z *= 1e-5, q.p[i] = {};
    q.p[0] = q.p[1] = {1, 0, 0};
    const CcdResult r = run(q);
    EXPECT_FALSE(r.hit);
    EXPECT_LE(r.iterations, 5);
}

TEST(Ccd, CappedSearchReturnsASafeTime)
{
    Random random(6);
    for (int trial = 0; trial < 200; ++trial) {
        const Query q = random_query(random, trial % 2 == 0);
        CcdSettings settings;
        settings.max_iterations = 1;
        const CcdResult r = run(q, settings);
        EXPECT_GT(distance_at(q, r.t), 0);
        EXPECT_LE(r.t, run(q).t);
    }
}

TEST(Ccd, NeverBelowTheLowerBoundNorPastTheContact)
{
    Random random(7);
    double evaluations = 0;
    int hits = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        const Query q = random_query(random, trial % 2 == 0);
        const double xi = trial % 4 < 2 ? 0 : 0.05, d = distance_at(q, 0);
        if (d <= xi) continue;
        const CcdResult r = run(q, {xi});
        evaluations += r.iterations;
        hits += r.hit;
        // Eq. 5.12: no result below gap / (sum of the sides' largest speeds).
        double speed_a = 0, speed_b = 0;
        Point mean = 0.25 * (q.p[0] + q.p[1] + q.p[2] + q.p[3]);
        for (int i = 0; i < 4; ++i) {
            const Point p = q.p[i] - mean;
            double& s = i < (q.edges ? 2 : 1) ? speed_a : speed_b;
            s = std::max(s, std::sqrt(dot(p, p)));
        }
        if (r.hit) {
            EXPECT_GE(r.t, 0.9 * (d - xi) / (speed_a + speed_b) * (1 - 1e-12));
        }
        // All along the way, and at its end with a tenth of the first gap.
        for (int k = 0; k <= 64; ++k) EXPECT_GT(distance_at(q, r.t * k / 64), xi);
        if (r.hit) {
            EXPECT_GE(distance_at(q, r.t) - xi, 0.1 * (d - xi) * (1 - 1e-12));
        }
    }
    EXPECT_GT(hits, 100);
    EXPECT_LT(evaluations / 4000, 10);
}

TEST(Ccd, PointAndEdgeStencilsAgreeWithDegenerateTriangles)
{
    Random random(8);
    for (int trial = 0; trial < 200; ++trial) {
        const Query q = random_query(random, false);
        const Point x3[3] = {q.x[0], q.x[1], q.x[2]}, p3[3] = {q.p[0], q.p[1], q.p[2]};
        const Point x2[2] = {q.x[0], q.x[1]}, p2[2] = {q.p[0], q.p[1]};
        const CcdResult edge = point_edge_ccd(x3, p3), point = point_point_ccd(x2, p2);
        for (int k = 0; k <= 16; ++k) {
            const auto along = [&](double t) {
                const Point y[3] = {x3[0] + t * p3[0], x3[1] + t * p3[1], x3[2] + t * p3[2]};
                const Point r = point_edge_separation(y), s = y[0] - y[1];
                return Vec2(dot(r, r), dot(s, s));
            };
            EXPECT_GT(along(edge.t * k / 16)[0], 0);
            EXPECT_GT(along(point.t * k / 16)[1], 0);
        }
    }
}

/// numerator / denominator where the quotient is a double: exact, or the test fails.
double exact_quotient(const std::string& numerator, const std::string& denominator)
{
    const long double n = std::strtold(numerator.c_str(), nullptr);
    const long double d = std::strtold(denominator.c_str(), nullptr);
    const double q = double(n / d);
    EXPECT_EQ(static_cast<long double>(q) * d, n) << numerator << " / " << denominator;
    return q;
}

std::vector<Query> read_queries(const std::filesystem::path& file, bool edges)
{
    std::vector<Query> queries;
    std::ifstream in(file);
    int row = 0;
    for (std::string line; std::getline(in, line); ++row) {
        std::stringstream fields(line);
        std::string f[7];
        for (std::string& s : f) std::getline(fields, s, ',');
        if (row % 8 == 0) queries.push_back({{}, {}, edges, f[6][0] == '1'});
        const Point v = {exact_quotient(f[0], f[1]), exact_quotient(f[2], f[3]),
                         exact_quotient(f[4], f[5])};
        Query& q = queries.back();
        if (row % 8 < 4)
            q.x[row % 8] = v;
        else
            q.p[row % 8 - 4] = v - q.x[row % 8 - 4];
    }
    return queries;
}

TEST(Ccd, NoFalseNegativesOnExactQueries)
{
    const std::filesystem::path root = fixtures_folder() / "ccd";
    if (!std::filesystem::exists(root)) GTEST_SKIP() << "no CCD fixtures at " << root;
    int queries = 0, truths = 0, positives = 0, capped = 0, iterations = 0;
    double seconds = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
        if (entry.path().extension() != ".csv") continue;
        const bool edges = entry.path().parent_path().filename() == "edge-edge";
        const std::vector<Query> all = read_queries(entry.path(), edges);
        // CPU time, which other programs do not stretch much.
        const std::clock_t start = std::clock();
        std::vector<CcdResult> results;
        for (const Query& q : all) results.push_back(run(q));
        seconds += double(std::clock() - start) / CLOCKS_PER_SEC;
        for (std::size_t i = 0; i < all.size(); ++i) {
            ++queries;
            truths += all[i].collides, positives += results[i].hit, capped += results[i].capped;
            iterations += results[i].iterations;
            if (all[i].collides) {
                EXPECT_TRUE(results[i].hit) << entry.path() << " query " << i;
            }
        }
    }
    std::cout << queries << " queries, " << truths << " collide, " << positives << " reported, "
              << capped << " capped, " << double(iterations) / queries << " iterations, "
              << 1e6 * seconds / queries << " us each\n";
    EXPECT_GT(truths, 0);
    EXPECT_EQ(capped, 0);
}

} // namespace
} // namespace selvage
