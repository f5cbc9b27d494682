#pragma once

#include "core/base/cancel.h"
#include "core/contact/strand_cohesion.h"
#include "core/solver/hair_contact.h"
#include "core/solver/step_report.h"

namespace selvage
{

/// Brings strands from the start of a step to its end: each to its own minimum, then, where they
/// meet on the way, by HairContactSolver. New meetings on the corrected way are looked for until
/// there are none, at most a few times. Islands that fail take two steps of half the length, on
/// their own; all else moves past them as found.
class HairAdvance
{
public:
    /// All must outlive it. `search` is over `mesh`, which has the scene's hairs and colliders;
    /// `cohesion` (may be null) is over the scene's vertices.
    HairAdvance(const Scene& scene, const ContactMesh& mesh, StrandContactSearch& search,
                StrandCohesion* cohesion, const StepSettings& settings, const Cancel& cancel);

    struct Outcome {
        StepReport report;
        int stuck = 0;         ///< strands whose own minimum was not found
        int overstretched = 0; ///< strands in islands that failed to the last
        StrandNumber first_stuck{-1, -1}, first_overstretched{-1, -1};
        int halved = 0; ///< strands that took shorter steps
        /// Velocities of vertices that took shorter steps: the end of the last one's.
        std::vector<std::pair<int, Vec3>> velocities;
        std::vector<std::uint64_t> contacts; ///< keys, ascending
        VecX forces;                         ///< [N] three each
        VecX loads;                          ///< [N] their sums at vertices of strands at rest
    };

    /// `next` comes with the end positions of all that is not in `groups` and goes with theirs,
    /// frames and spins.
    Outcome advance(const std::vector<RodGroup>& groups, const Drive& drive, const State& state,
                    const TimeScheme& scheme, double h, State& next, int halvings = 0);

private:
    void resolve_contacts(const std::vector<RodGroup>& groups, std::vector<RodStep>& steps,
                          const Drive& drive, const State& state, double h, State& next,
                          Outcome& out, std::vector<int>& failed);
    void ignore_contacts(const std::vector<RodGroup>& groups, const std::vector<int>& failed,
                         const Drive& drive, const State& state, const TimeScheme& scheme, double h,
                         State& next) const;
    void take_halves(const std::vector<RodGroup>& groups, const std::vector<int>& failed,
                     const Drive& drive, const State& state, double h, State& next, int halvings,
                     Outcome& out);

    const Scene& scene_;
    const ContactMesh& mesh_;
    StrandContactSearch& search_;
    StrandCohesion* cohesion_;
    const StepSettings& settings_;
    const Cancel& cancel_;
};

} // namespace selvage
