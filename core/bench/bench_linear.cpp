#include "core/bench/bench.h"
#include "core/bench/bench_cloth.h"
#include "core/linear/linear_solver.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

/// Pinned along the last row of the grid.
VertexFilter hung(int n)
{
    VertexFilter filter(n * n);
    for (int i = 0; i < n; ++i) filter.fix(n * n - 1 - i);
    return filter;
}

} // namespace

/// One Newton system (h = 1/48 s, 0.2 kg/m²) per size; every solver gets the same matrix,
/// factorised anew with the symbolic work kept. LDLT is left out where it would take minutes.
void bench_linear(BenchReport& report)
{
    for (const int n : {100, 200, 300}) {
        BenchCloth cloth(n);
        cloth.make_system(1.0 / 48, 0.2);
        const VertexFilter filter = hung(n);
        const VecX b = -cloth.gradient;
        double fastest_direct = 0;
        for (const std::string& name : available_linear_solvers()) {
            if (name == "ldlt" && n > 200) continue;
            const auto solver = make_linear_solver(name);
            LinearReport last = solver->prepare({&cloth.matrix, nullptr, &filter}); // symbolic
            VecX x;
            const double seconds = median_seconds(
                [&] {
                    last = solver->prepare({&cloth.matrix, nullptr, &filter});
                    if (last.ok()) last = solver->solve(b, nullptr, x, {1e-5, 20000});
                },
                1, 5);
            if (fastest_direct == 0) fastest_direct = seconds;
            report.add({fmt::format("{:>6} vertices, factor + solve, {}{}", n * n, name,
                                    name == "pcg"
                                        ? fmt::format(" to 1e-5 ({} iterations)", last.iterations)
                                        : ""),
                        1e3 * seconds, "ms", available_linear_solvers().front(),
                        seconds / fastest_direct, ""});
        }
    }
}

} // namespace selvage
