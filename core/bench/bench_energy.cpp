#include "core/base/parallel.h"
#include "core/bench/bench.h"
#include "core/bench/bench_cloth.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

struct Wanted {
    const char* name;
    Want want;
    const char* goal;
};

constexpr Wanted wanted[] = {
    {"energy", {true, false, false, Psd::clamp}, ""},
    {"gradient", {false, true, false, Psd::clamp}, ""},
    {"energy + gradient + clamped Hessian", {true, true, true, Psd::clamp}, "<= 300 ns"},
};

void measure(BenchReport& report, const std::string& what, std::size_t elements, const char* goal,
             const std::function<void()>& pass)
{
    const double ns = 1e9 * median_seconds(pass, 0.3, 20000, BenchClock::thread) / double(elements);
    report.add({what, ns, "ns/element", "", 0, goal});
}

} // namespace

/// In cache, on one core; the scatter into gradient and matrix is part of the time.
void bench_energy(BenchReport& report)
{
    const ThreadLimit one(1);
    for (const BendingForm form : {BendingForm::tangent, BendingForm::angle}) {
        BenchCloth cloth(24, form);
        if (form == BendingForm::tangent)
            for (const Wanted& w : wanted)
                measure(report, fmt::format("membrane, {}", w.name), cloth.triangles(), w.goal,
                        [&] { cloth.evaluate_membrane(w.want); });
        for (const Wanted& w : wanted)
            measure(report,
                    fmt::format("hinge ({}), {}", form == BendingForm::tangent ? "tan" : "angle",
                                w.name),
                    cloth.hinges(), w.goal, [&] { cloth.evaluate_bending(w.want); });
    }
}

} // namespace selvage
