// Collision detection of single pairs: microseconds per query.
#include "core/bench/bench.h"
#include "core/contact/ccd.h"

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <tuple>
#include <vector>

namespace selvage
{
namespace
{

struct CcdQuery {
    Vec3T<double> x[4], p[4];
};

/// Pairs of unit size: an edge or triangle about `gap` from the other element, moved by up to
/// `speed` in any direction.
std::vector<CcdQuery> random_queries(bool edges, double gap, double speed)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> symmetric(-1, 1);
    const auto any = [&](double size) {
        return Vec3T<double>{size * symmetric(random), size * symmetric(random),
                             size * symmetric(random)};
    };
    std::vector<CcdQuery> out(20000);
    for (CcdQuery& q : out) {
        const double apart = gap * (1 + symmetric(random) * 0.9);
        const double a = 3.2 * symmetric(random);
        if (edges) {
            q.x[0] = {-0.5, 0, 0}, q.x[1] = {0.5, 0, 0};
            q.x[2] = {-0.5 * std::cos(a), apart, -0.5 * std::sin(a)};
            q.x[3] = {0.5 * std::cos(a), apart, 0.5 * std::sin(a)};
        } else {
            q.x[0] = {0.3 * symmetric(random), apart, 0.3 * symmetric(random)};
            q.x[1] = {-0.5, 0, -0.5}, q.x[2] = {0.5, 0, -0.5}, q.x[3] = {0, 0, 0.5};
        }
        for (Vec3T<double>& p : q.p) p = any(speed);
    }
    return out;
}

} // namespace

void bench_contact_ccd(BenchReport& report)
{
    for (const bool edges : {false, true})
        for (const auto& [gap, speed, what] :
             {std::tuple{1e-3, 1e-3, "a thousandth of their size apart, slow"},
              std::tuple{1e-3, 1.0, "the same, as fast as they are large"},
              std::tuple{1.0, 1.0, "far and fast"}}) {
            const std::vector<CcdQuery> all = random_queries(edges, gap, speed);
            int hits = 0, iterations = 0;
            const double seconds = median_seconds(
                [&] {
                    hits = iterations = 0;
                    for (const CcdQuery& q : all) {
                        const CcdResult r =
                            edges ? edge_edge_ccd(q.x, q.p) : point_triangle_ccd(q.x, q.p);
                        hits += r.hit;
                        iterations += r.iterations;
                    }
                },
                0.3, 1000, BenchClock::thread);
            const double n = double(all.size());
            report.add({fmt::format("{}, {}: {:.0f} % collide, {:.1f} distances",
                                    edges ? "edges" : "point and triangle", what, 100 * hits / n,
                                    1 + iterations / n),
                        1e6 * seconds / n, "us a query", "", 0, "<= 5"});
        }
}

} // namespace selvage
