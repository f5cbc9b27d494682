#pragma once

#include "core/geometry/geometry.h"
#include "core/solver/hair_stepper.h"

#include <functional>
#include <memory>

namespace selvage
{

/// A scene of strands with a script, run at any step length: the scenes that hair contact is
/// measured by.
class HairRun
{
public:
    /// Drives roots and colliders to where they are at time t.
    using Script = std::function<void(double t, Drive&)>;
    HairRun(std::shared_ptr<Scene> scene, const Geometry& groom, Script script);

    StepReport step(double h, const StepSettings& settings);
    const State& state() const { return state_; }

private:
    std::shared_ptr<Scene> scene_;
    Script script_;
    std::unique_ptr<HairStepper> stepper_;
    Drive drive_;
    State state_;
};

/// Strands that stand off the upper half of a ball of 18 cm, which turns about three axes by 90°
/// each within half a second, with rests between.
HairRun hair_ball(int strands, int points);

/// The same strands, released from their groom on roots that rest, without the ball.
HairRun free_curls(int strands, int points);

/// A rod of 30 cm on a handle that swings to and fro and strikes the edge of a thin wall; rod and
/// materials of [Tamstorf 2016, §9.2.1]; `frequency` [Hz] of the swing.
HairRun whip(double frequency);

/// Whether a run of `seconds` never stretched an edge by more than `limit`, and its largest strain,
/// contacts and so on.
struct HairRunResult {
    bool stable = true;
    double max_strain = 0;
    int steps = 0, unconverged = 0;
    std::string message;                         ///< the last step's that had one
    double contacts = 0, sweeps = 0, newton = 0; ///< mean per step
    double bytes_per_contact = 0;                ///< at the step with most contacts
    TimeSplit seconds;                           ///< summed
    double processor_seconds = 0; ///< of all threads: the same on a busy machine as on an idle one
};
HairRunResult run_hair(HairRun run, double seconds, double h, const StepSettings& settings,
                       double limit = 0.5);

} // namespace selvage
