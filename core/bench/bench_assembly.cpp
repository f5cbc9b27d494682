#include "core/base/parallel.h"
#include "core/bench/bench.h"
#include "core/bench/bench_cloth.h"
#include "core/energy/batch_loop.h"

#include <fmt/format.h>

#include <functional>

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

/// Larger than any cache; walking through it leaves nothing else there, as a linear solve between
/// two assemblies does.
class ColdCaches
{
public:
    void operator()() { other_ *= 1.0000001; }

private:
    VecX other_ = VecX::Ones(32 << 20); // 256 MB
};

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
        ColdCaches cold;
        const auto cold_seconds = [&](const std::function<void()>& body) {
            return median_seconds(body, 1, 1000, BenchClock::thread, std::ref(cold));
        };
        Eigen::Map<VecX> values(cloth.matrix.values.data(),
                                Eigen::Index(cloth.matrix.values.size()));
        const double pass = cold_seconds([&] { values *= 1.0000001; });
        report.add({fmt::format("one read and write of the matrix ({:.0f} MB), cold caches",
                                8e-6 * double(values.size())),
                    1e3 * pass, "ms", "", 0, ""});
        const double membrane = cold_seconds([&] {
            cloth.sink.scatter = &cloth.membrane_map;
            scatter_only<3>(cloth.membrane->stencils(), cloth.x, cloth.sink);
        });
        const double bending = cold_seconds([&] {
            cloth.sink.scatter = &cloth.bending_map;
            scatter_only<4>(cloth.bending->stencils(), cloth.x, cloth.sink);
        });
        report.add({fmt::format("scatter alone (6 × {} + 10 × {} blocks), cold caches",
                                cloth.triangles(), cloth.hinges()),
                    1e3 * (membrane + bending), "ms", "reads and writes of the matrix",
                    (membrane + bending) / pass, "<= 6"});
    }
    const ThreadLimit two(2);
    const double two_threads = median_seconds([&] { cloth.assemble(); }, 2);
    report.add({"whole, 2 threads", 1e3 * two_threads, "ms", "times faster than 1 thread",
                one_thread / two_threads, ">= 1.7"});
}

} // namespace selvage
