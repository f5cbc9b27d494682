#include "core/contact/broad_phase.h"

#include "core/base/parallel.h"
#include "core/contact/distance.h"
#include "tests/contact/scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <iostream>
#include <set>

namespace selvage
{
namespace
{

using namespace test;
using Key = std::array<std::int32_t, 3>;

std::set<Key> keys(const Candidates& c)
{
    std::set<Key> out;
    std::size_t count = 0;
    for (int k = 0; k < 3; ++k)
        for (const CandidatePair& p : c.pairs[std::size_t(k)]) out.insert({k, p.a, p.b}), ++count;
    EXPECT_EQ(out.size(), count) << "a pair was reported twice";
    return out;
}

double distance(const ContactMesh& mesh, PairKind kind, const CandidatePair& pair, const VecX& x)
{
    std::int32_t v[4];
    const int n = pair_vertices(mesh, kind, pair, v);
    Vec3T<double> p[4];
    for (int i = 0; i < n; ++i) p[i] = {x[3 * v[i]], x[3 * v[i] + 1], x[3 * v[i] + 2]};
    const auto r =
        kind == PairKind::point_triangle ? point_triangle_separation(p) : edge_edge_separation(p);
    return std::sqrt(dot(r, r));
}

/// Pairs nearer than thickness + reach at x, by testing all.
std::set<Key> brute_force(const ContactMesh& mesh, const VecX& x, double reach)
{
    std::set<Key> out;
    const auto test = [&](PairKind kind, std::int32_t a, std::int32_t b) {
        std::int32_t v[4];
        pair_vertices(mesh, kind, {a, b}, v);
        std::set<std::int32_t> distinct(v, v + 4);
        bool prescribed = true;
        for (const std::int32_t i : v) prescribed = prescribed && !mesh.simulated(i);
        if (distinct.size() < 4 || prescribed) return;
        if (distance(mesh, kind, {a, b}, x) <= pair_thickness(mesh, kind, {a, b}) + reach)
            out.insert({std::int32_t(kind), a, b});
    };
    for (const std::int32_t p : mesh.points())
        for (std::size_t t = 0; t < mesh.triangles().size(); ++t)
            test(PairKind::point_triangle, p, std::int32_t(t));
    for (std::size_t a = 0; a < mesh.edges().size(); ++a)
        for (std::size_t b = a + 1; b < mesh.edges().size(); ++b)
            test(PairKind::edge_edge, std::int32_t(a), std::int32_t(b));
    return out;
}

bool includes(const std::set<Key>& all, const std::set<Key>& part)
{
    return std::includes(all.begin(), all.end(), part.begin(), part.end());
}

TEST(BroadPhase, FindsEveryPairOfASweep)
{
    const ContactScene s = stacked_sheets(6, 2, 0.05, 0.04, 0.01, true);
    BroadPhase broad(s.mesh);
    Candidates found;
    Random random(11);
    for (int round = 0; round < 4; ++round) {
        Sweep sweep{s.x, VecX(0.2 * random.vector(s.x.size())), 0.004};
        for (Eigen::Index i = 0; i < sweep.p.size(); i += 3) sweep.p[i + 1] -= 0.3 * round;
        broad.find(sweep, 0.02, found);
        const std::set<Key> all = keys(found);
        EXPECT_FALSE(all.empty());
        for (int k = 0; k <= 8; ++k) {
            // Anywhere along the path and within the margin of it.
            const VecX x = sweep.x_0 + k / 8.0 * sweep.p + 0.0039 * random.vector(s.x.size());
            EXPECT_TRUE(sweep.contains(x));
            const std::set<Key> near = brute_force(s.mesh, x, 0.02);
            EXPECT_FALSE(near.empty());
            EXPECT_TRUE(includes(all, near));
        }
    }
}

TEST(BroadPhase, ExitTimeStaysInside)
{
    Random random(12);
    const Sweep sweep{random.vector(30), random.vector(30), 0.05};
    const VecX x = sweep.x_0 + 0.3 * sweep.p + 0.04 * random.vector(30);
    ASSERT_TRUE(sweep.contains(x));
    EXPECT_EQ(sweep.exit_time(sweep.x_0, sweep.p), 1);
    for (int trial = 0; trial < 20; ++trial) {
        const VecX q = random.vector(30);
        const double t = sweep.exit_time(x, q);
        EXPECT_GT(t, 0);
        EXPECT_LT(t, 1);
        EXPECT_TRUE(sweep.contains(x + t * q));
    }
    EXPECT_EQ(sweep.exit_time(x + VecX::Ones(30), sweep.p), 0);
}

TEST(BroadPhase, BodiesAndPairsCanBeSwitchedOff)
{
    ContactScene s = stacked_sheets(6, 2, 0.05, 0.04, 0.01, true);
    const auto bodies_found = [&](BroadPhase& broad) {
        Candidates found;
        broad.find({s.x, VecX::Zero(s.x.size()), 0}, 0.1, found);
        std::set<std::pair<int, int>> pairs;
        for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge})
            for (const CandidatePair& p : found[kind]) {
                std::int32_t v[4];
                pair_vertices(s.mesh, kind, p, v);
                pairs.insert(std::minmax(s.mesh.body(v[0]), s.mesh.body(v[3])));
            }
        return pairs;
    };
    BroadPhase broad(s.mesh);
    EXPECT_EQ(bodies_found(broad),
              (std::set<std::pair<int, int>>{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}}));
    s.mesh.set_collide(0, 0, false);
    s.mesh.set_collide(2, 1, false);
    EXPECT_EQ(bodies_found(broad), (std::set<std::pair<int, int>>{{0, 1}, {0, 2}, {1, 1}}));
    broad.set_filter([](PairKind, std::int32_t, std::int32_t) { return false; });
    EXPECT_TRUE(bodies_found(broad).empty());
}

TEST(BroadPhase, SameOrderForAnyNumberOfThreads)
{
    const ContactScene s = stacked_sheets(40, 3, 0.02, 0.01, 0.001, true);
    const auto found = [&](int threads) {
        const ThreadLimit limit(threads);
        BroadPhase broad(s.mesh);
        Candidates c;
        broad.find({s.x, VecX::Zero(s.x.size()), 0.001}, 0.02, c);
        return c;
    };
    EXPECT_EQ(found(1).pairs, found(2).pairs);
}

TEST(BroadPhase, RefitsWhileTheShapeStandsAndRebuildsWhenItIsWorn)
{
    ContactScene s = stacked_sheets(20, 1, 0.02, 0.01, 0.001, false);
    BroadPhase broad(s.mesh);
    Candidates c;
    const Sweep still{s.x, VecX::Zero(s.x.size()), 0.001};
    broad.find(still, 0.001, c);
    const int built = broad.builds();
    broad.find(still, 0.001, c);
    EXPECT_EQ(broad.builds(), built);
    // Scatter the points: the old grouping is worthless.
    Random random(13);
    broad.find({random.vector(s.x.size()), still.p, 0.001}, 0.001, c);
    EXPECT_GT(broad.builds(), built);
    EXPECT_GT(broad.bytes(), 0u);
}

TEST(BroadPhase, WiresMeetPointAgainstEdge)
{
    ContactMesh mesh(4);
    VecX x(12);
    x << 0, 0, 0, 1, 0, 0, 0.2, 0.01, 0, 0.8, 0.01, 0;
    mesh.add_wires("hair", {{0, 1}, {2, 3}}, 0, x, 0.001, 0.2);
    BroadPhase broad(mesh);
    Candidates c;
    broad.find({x, VecX::Zero(12), 0}, 0.02, c);
    EXPECT_EQ(c[PairKind::edge_edge].size(), 1u);
    EXPECT_EQ(c[PairKind::point_edge].size(), 2u);
}

TEST(BroadPhaseFull, GrowsNearLinearly)
{
    // 12, 50 and 200 thousand triangles with neighbours, thickness and motion in proportion.
    struct Cost {
        double triangles, seconds, pairs, bytes;
    };
    std::vector<Cost> costs;
    for (const int n : {79, 158, 316}) {
        const ContactScene s = stacked_sheets(n, 1, 0.1, 0.3 / n, 0.1 / n, false);
        BroadPhase broad(s.mesh);
        Candidates c;
        const Sweep sweep{s.x, VecX::Constant(s.x.size(), 0.05), 0.1 / n};
        const auto timed = [&] { // CPU time, which other programs do not stretch much
            const std::clock_t start = std::clock();
            broad.find(sweep, 0.2 / n, c);
            return double(std::clock() - start) / CLOCKS_PER_SEC;
        };
        const double first = timed(), again = std::min(timed(), timed());
        const double bytes = double(broad.bytes() + c.bytes());
        std::cout << s.mesh.triangles().size() << " triangles: build and find " << 1e3 * first
                  << " ms, refit and find " << 1e3 * again << " ms of CPU, " << c.size()
                  << " pairs, " << bytes / 1e6 << " MB\n";
        EXPECT_EQ(broad.builds(), 3);
        costs.push_back({double(s.mesh.triangles().size()), again, double(c.size()), bytes});
    }
    const auto exponent = [&](double Cost::*what) {
        return std::log(costs.back().*what / costs.front().*what) /
               std::log(costs.back().triangles / costs.front().triangles);
    };
    EXPECT_LT(exponent(&Cost::seconds), 1.3);
    EXPECT_LT(exponent(&Cost::pairs), 1.05);
    EXPECT_LT(exponent(&Cost::bytes), 1.1);
}

} // namespace
} // namespace selvage
