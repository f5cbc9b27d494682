#include "core/bench/bench.h"
#include "core/bench/braids.h"

#include <fmt/format.h>

namespace selvage
{

namespace
{

void add_braids(int rods, int steps, BenchReport& report)
{
    const StrandOutcome r = run_strands(braids(rods, 60, steps), 0.999 * 80e-6);
    report.add(
        {fmt::format("braids, 2 x {} rods x 60, {} steps: {} contacts, {:.1f} Newton, {:.0f} "
                     "conjugate gradients each; step",
                     rods, r.steps, r.most_contacts, double(r.sum.iterations) / r.steps,
                     double(r.sum.linear_iterations) / r.sum.iterations),
         r.sum.seconds.total / r.steps, "s", "", 0, ""});
    report.add({"  assembly", r.sum.seconds.assembly / r.steps, "s", "", 0, ""});
    report.add({"  linear solves", r.sum.seconds.linear / r.steps, "s", "", 0, ""});
    report.add({"  collision detection", (r.sum.seconds.broad_phase + r.sum.seconds.ccd) / r.steps,
                "s", "", 0, ""});
    report.add({"  pairs of segments that passed each other", double(r.passings), "", "", 0, "0"});
    report.add({"  frames below the thickness", double(r.too_near), "", "", 0, "0"});
    report.add({"  steps not converged", double(r.unconverged), "", "", 0, "0"});
}

} // namespace

/// Barrier hair: clusters of rods that are braided, at a thirteenth and at half of the size of the
/// source, which takes 120 to 180 s per step.
void bench_hair_braids(BenchReport& report) { add_braids(50, 100, report); }
void bench_hair_braids_half(BenchReport& report) { add_braids(325, 20, report); }

} // namespace selvage
