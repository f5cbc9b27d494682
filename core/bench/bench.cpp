#include "core/bench/bench.h"

#include <algorithm>
#include <ctime>

namespace selvage
{

void BenchReport::add(BenchRow row)
{
    if (on_row_) on_row_(row);
    rows_.push_back(std::move(row));
}

namespace
{

/// The drape of one fabric from 5k to 40k vertices, a few minutes each.
void add_drapes(std::vector<Bench>& all)
{
    for (const char* fabric : {"silk", "wool", "cotton", "denim"})
        for (const bool seeded : {true, false})
            all.push_back({std::string("drape/") + fabric + (seeded ? "" : "/unseeded"),
                           std::string(fabric) + " at 5k and 40k vertices, 1 to 8 substeps" +
                               (seeded ? "" : ", no folds hinted at"),
                           [=](BenchReport& r) { bench_drape_fabric(fabric, seeded, r); }, true});
}

void add_large_cases(std::vector<Bench>& all)
{
    for (const std::string name :
         {"pinned", "drooping", "reentrant", "dropHorizontal", "dropVertical"})
        all.push_back({"linear/large/" + name, "the same of one case: 40k, 90k, 361k vertices",
                       [=](BenchReport& r) { bench_linear_large(name, r); }, true});
}

std::vector<Bench> make_benches()
{
    std::vector<Bench> all = {
        {"materials", "one element of each energy, one core, and automatic differentiation",
         bench_materials},
        {"drape", "drape coefficients of fabrics (30 cm specimen, 18 cm disc)", bench_drape},
        {"assembly", "gradient and matrix of a 100k-vertex cloth", bench_assembly},
        {"linear/direct",
         "factorisations and solves of direct solvers at 10k, 40k and 90k vertices", bench_direct},
        {"linear", "multigrid, conjugate gradients and direct solvers on falling cloth",
         bench_linear},
        {"linear/large", "the same on 90k to 361k vertices (about ten minutes)",
         [](BenchReport& r) { bench_linear_large(r); }, true},
        {"linear/million", "the same on a million vertices, without PARDISO", bench_linear_million,
         true},
        {"cape", "whole steps of examples/cape", bench_cape},
        {"contact/sphere", "cotton falls on a ball that begins to turn", bench_contact_sphere},
        {"contact/sphere/large", "the same with 200×200 points (about 15 minutes)",
         bench_contact_sphere_large, true},
        {"contact/colliders", "floors and balls as polygons, half-spaces and volumes",
         bench_contact_colliders},
        {"contact/solids", "chain, twisted rods, card house, arch", bench_contact_solids, true},
        {"contact/ccd", "collision detection of single pairs", bench_contact_ccd},
        {"contact/drape", "8,100 points on a ball, three stiffnesses, with and without a limit",
         bench_contact_drape, true},
        {"contact/limits", "stretch limits of 1 and 0.1 %, draped and hung", bench_contact_limits,
         true},
        {"contact/needles", "25,600 points pulled over 400 needles", bench_contact_needles, true},
        {"contact/tablecloth", "pulled from under four bodies at 1, 2 and 4 m/s",
         bench_contact_tablecloth, true},
        {"contact/cards", "a stack of 54 cards", bench_contact_cards, true},
        {"contact/stack", "ten layers of 2,025 points", bench_contact_stack, true},
        {"contact/stack/large", "ten layers of 8,100 points", bench_contact_stack_large, true},
        {"contact/sweep", "twisted rods at ten time steps", bench_contact_sweep, true},
        {"hair", "free motion of 1,000 to 16,000 curls; a ball of curls that turns", bench_hair},
        {"hair/whip", "longest steps of a rod that strikes an edge, three methods", bench_hair_whip,
         true},
        {"hair/braids", "two clusters of 50 rods that are braided, by the barrier method",
         bench_hair_braids, true},
        {"hair/braids/half", "two clusters of 325 rods, the first steps in contact",
         bench_hair_braids_half, true},
        {"hair/ball",
         "the ball of 1,000 curls to the end of its script, three methods (about ten minutes)",
         bench_hair_ball, true},
        {"hair/ball/4k", "the same with 4,000 curls, `hair` against linear compliance (hours)",
         bench_hair_ball_4k, true},
        {"hair/ball/large", "steps of 4,000 and 16,000 curls in contact (about five minutes)",
         bench_hair_ball_large, true},
        {"io", "reading and writing a 100k-point frame", bench_io},
    };
    add_drapes(all);
    add_large_cases(all);
    return all;
}

} // namespace

const std::vector<Bench>& benches()
{
    static const std::vector<Bench> all = make_benches();
    return all;
}

double median_seconds(const std::function<void()>& body, double seconds, int most, BenchClock clock,
                      const std::function<void()>& before)
{
    const auto now = [&] {
        timespec t{};
        clock_gettime(clock == BenchClock::wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
        return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
    };
    std::vector<double> times;
    double sum = 0;
    while ((sum < seconds || times.size() < 3) && int(times.size()) < most) {
        if (before) before();
        const double start = now();
        body();
        times.push_back(now() - start);
        sum += times.back();
    }
    std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
    return times[times.size() / 2];
}

} // namespace selvage
