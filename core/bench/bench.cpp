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

const std::vector<Bench>& benches()
{
    static const std::vector<Bench> all = {
        {"materials", "one element of each energy, one core, and automatic differentiation",
         bench_materials},
        {"drape", "drape coefficients of fabrics (30 cm specimen, 18 cm disc)", bench_drape},
        {"assembly", "gradient and matrix of a 100k-vertex cloth", bench_assembly},
        {"linear", "multigrid, conjugate gradients and direct solvers on falling cloth",
         bench_linear},
        {"linear/large", "the same on 90k to 361k vertices (about 15 minutes)", bench_linear_large,
         true},
        {"cape", "whole steps of examples/cape", bench_cape},
        {"contact/sphere", "cotton falls on a ball that begins to turn", bench_contact_sphere},
        {"hair", "free motion of 1,000 to 16,000 curls", bench_hair},
        {"io", "reading and writing a 100k-point frame", bench_io},
    };
    return all;
}

double median_seconds(const std::function<void()>& body, double seconds, int most, BenchClock clock)
{
    const auto now = [&] {
        timespec t{};
        clock_gettime(clock == BenchClock::wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
        return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
    };
    std::vector<double> times;
    double sum = 0;
    while ((sum < seconds || times.size() < 3) && int(times.size()) < most) {
        const double start = now();
        body();
        times.push_back(now() - start);
        sum += times.back();
    }
    std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
    return times[times.size() / 2];
}

} // namespace selvage
