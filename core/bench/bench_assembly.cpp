#include "core/base/parallel.h"
#include "core/bench/bench.h"
#include "core/bench/bench_cloth.h"
#include "core/energy/batch_loop.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

constexpr Want everything{true, true, true, Psd::clamp};

/// The batch loop with a kernel that computes nothing.
template <int N> void scatter_only(const Batches& batches, const VecX& x, Sink& sink)
{
    for_each_batch<N>(
        batches, x, {false, false, true, Psd::clamp}, sink,
        [](std::size_t, const Vec3T<Real4>(&)[N], Want, ElementResult<Real4, N>& result) {
            for (auto& block : result.hessian) // keep the compiler from hoisting it
                asm volatile("" : : "r"(&block) : "memory");
        });
}

/// One read and one write of every number of the matrix.
double memory_pass_seconds(BlockMatrix& matrix)
{
    Eigen::Map<VecX> values(matrix.values.data(), Eigen::Index(matrix.values.size()));
    return median_seconds([&] { values *= 1.0000001; }, 0.5, 1000, BenchClock::thread);
}

/// Both terms on patches that stay in cache, per element, times the number of elements.
double element_seconds(const BenchCloth& large)
{
    BenchCloth small(24);
    const double membrane = median_seconds([&] { small.evaluate_membrane(everything); }, 0.3, 20000,
                                           BenchClock::thread);
    const double bending =
        median_seconds([&] { small.evaluate_bending(everything); }, 0.3, 20000, BenchClock::thread);
    return membrane * double(large.triangles()) / double(small.triangles()) +
           bending * double(large.hinges()) / double(small.hinges());
}

} // namespace

void bench_assembly(BenchReport& report)
{
    BenchCloth cloth(316);
    double one_thread = 0;
    {
        const ThreadLimit one(1);
        const double elements = element_seconds(cloth);
        one_thread = median_seconds([&] { cloth.assemble(); }, 2, 1000, BenchClock::thread);
        report.add({"99,856 vertices, whole, 1 thread", 1e3 * one_thread, "ms",
                    "sum of element times", one_thread / elements, "<= 1.3"});
        const double pass = memory_pass_seconds(cloth.matrix);
        const double scatter = median_seconds(
            [&] {
                cloth.sink.scatter = &cloth.membrane_map;
                scatter_only<3>(cloth.membrane->stencils(), cloth.x, cloth.sink);
                cloth.sink.scatter = &cloth.bending_map;
                scatter_only<4>(cloth.bending->stencils(), cloth.x, cloth.sink);
            },
            2, 1000, BenchClock::thread);
        report.add({fmt::format("scatter alone, 1 thread (matrix {:.0f} MB)",
                                8e-6 * double(cloth.matrix.values.size())),
                    1e3 * scatter, "ms", "memory passes over the matrix", scatter / pass, "<= 6"});
    }
    const ThreadLimit two(2);
    const double two_threads = median_seconds([&] { cloth.assemble(); }, 2);
    report.add({"whole, 2 threads", 1e3 * two_threads, "ms", "times faster than 1 thread",
                one_thread / two_threads, ">= 1.7"});
}

} // namespace selvage
