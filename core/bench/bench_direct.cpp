#include "core/base/parallel.h"
#include "core/bench/bench.h"
#include "core/bench/bench_cloth.h"
#include "core/linear/linear_solver.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

/// What a direct solver takes for one Newton system, one thread, by the thread's own clock.
struct DirectTiming {
    double symbolic = 0, factor = 0, solve = 0; ///< [s]
    double factor_and_solve() const { return factor + solve; }
};

DirectTiming time_direct(const std::string& name, const LinearSystem& system, const VecX& b)
{
    const ThreadLimit one(1);
    const auto seconds = [](const std::function<void()>& body) {
        return median_seconds(body, 0, 1, BenchClock::thread);
    };
    const auto solver = make_linear_solver(name);
    VecX x;
    DirectTiming t;
    const double first = seconds([&] { solver->prepare(system); });
    t.factor = seconds([&] { solver->prepare(system); }); // the pattern is known by now
    t.solve = seconds([&] { solver->solve(b, nullptr, x); });
    t.symbolic = std::max(0.0, first - t.factor);
    return t;
}

} // namespace

/// One Newton system of hanging cloth (h = 1/48 s, 0.2 kg/m²) per size; the same matrix for all.
void bench_direct(BenchReport& report)
{
    for (const int n : {100, 200, 300}) {
        BenchCloth cloth(n);
        cloth.make_system(1.0 / 48, 0.2);
        VertexFilter filter(n * n);
        for (int i = 0; i < n; ++i) filter.fix(n * n - 1 - i); // the last row
        double fastest = 0;
        for (const std::string& name : available_linear_solvers()) {
            if (name == "pcg" || name == "multigrid") continue; // bench linear has them
            const DirectTiming t =
                time_direct(name, {&cloth.matrix, nullptr, &filter}, -cloth.gradient);
            if (fastest == 0) fastest = t.factor_and_solve();
            report.add(
                {fmt::format("{:>6} vertices, {:<12} factor {:.0f} + solve {:.0f} ms (pattern "
                             "{:.0f} ms once)",
                             n * n, name + ",", 1e3 * t.factor, 1e3 * t.solve, 1e3 * t.symbolic),
                 1e3 * t.factor_and_solve(), "ms", available_linear_solvers().front(),
                 t.factor_and_solve() / fastest, ""});
        }
    }
}

} // namespace selvage
