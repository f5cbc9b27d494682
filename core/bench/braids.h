#pragma once

#include "core/bench/scene_run.h"

namespace selvage
{

/// The rods of example/braids.h, whose ends turn against each other, which braids them [Li 2020,
/// ch. 5]: radius 40 µm, E = 4e8 Pa, friction 0.1, d̂ = 0.1 mm, as in examples/braids. Steps of
/// 10 ms, one frame each.
SessionSetup braids(int rods_per_cluster, int segments, int steps);

/// What a shot of strands came to, judged on the positions as written.
struct StrandOutcome {
    int steps = 0, unconverged = 0, most_contacts = 0;
    std::size_t passings = 0; ///< pairs of segments that passed each other from frame to frame
    int too_near = 0;         ///< frames with strands nearer than their thickness
    double smallest_gap = infinity; ///< [m] between axes
    FrameReport sum;                ///< of all steps
};
StrandOutcome run_strands(const SessionSetup& setup, double thickness);

} // namespace selvage
