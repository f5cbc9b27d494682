#pragma once

#include "core/base/cancel.h"
#include "core/base/log.h"
#include "core/session/drive_sampler.h"
#include "core/session/frame_cache.h"
#include "core/session/local_space.h"
#include "core/session/scene_assembly.h"
#include "core/session/scene_units.h"
#include "core/session/session_setup.h"
#include "core/solver/stepper.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace selvage
{

/// One object's geometry at a frame, ready to be handed to the host.
struct NamedResult {
    std::string name;
    Geometry geometry;
};

/// What a cook returns. On `cancelled` and on failure there are no objects; finished frames stay.
struct FrameResult {
    StepStatus status = StepStatus::converged;
    FrameReport report;
    std::vector<NamedResult> objects;

    bool ok() const { return usable(status); }
};

/// What every host needs and no host should rewrite: frames, substeps, sampling of animated inputs,
/// reset, frame cache with scrubbing, cancellation, messages and reports.
///
/// Errors in the inputs are thrown as InputError, with all finished frames kept.
class Session
{
public:
    /// Reads and checks every input at the start frame.
    Session(SessionSetup setup, LogSink& log);

    int first_frame() const { return setup_.first_frame(); }
    const SessionSetup& setup() const { return setup_; }
    const Scene& scene() const { return *assembled_.scene; }

    /// The geometry at a frame: from the cache, or simulated from the last cached frame before it.
    /// A fractional frame interpolates the cache and never steps. Before the start: the start pose.
    FrameResult cook(double frame, const Cancel& cancel);

    /// Called after each finished frame while `cook` catches up.
    std::function<void(const FrameReport&)> on_frame;

    bool cached(int frame) const { return cache_.find(frame) != nullptr; }
    const FrameCache& cache() const { return cache_; }
    /// The state at a cached frame (null where there is none), for checkpoints.
    std::shared_ptr<const CachedFrame> frame(int frame) const { return cache_.find(frame); }
    /// Goes on from this state at this frame, as if it had just been simulated.
    void restore(int frame, State state);
    /// The same with the state of a scene that had other colliders; state.colliders says where
    /// those of this one are. What does not collide for now is found anew, as at a start, and
    /// strands find their contacts anew.
    void restore_among_others(int frame, State state);

    /// Forgets all frames, also the pre-roll, and reads the inputs again.
    void reset();
    /// Inputs or parameters differ after this frame: forgets what came of them.
    void invalidate_after(int frame);
    /// Replaces the shot, solver or object parameters; keeps the frames before the first one that
    /// the change can touch (those where old and new values agree).
    void set_parameters(const SessionSetup& changed);

private:
    std::shared_ptr<const CachedFrame> simulate_frame(int frame, const Cancel& cancel,
                                                      FrameReport& report);
    StepStatus run_substeps(double frame_0, double frame_1, bool hold_inputs, State& state,
                            FrameReport& report, const Cancel& cancel);
    /// One step of h seconds; one that fails is taken in two halves, and so on.
    StepStatus take_step(double frame_0, double frame_1, double h, int retries, State& state,
                         FrameReport& report, const Cancel& cancel);
    bool start(const Cancel& cancel, FrameReport& report);
    void assemble();
    void use_materials_of(int frame);
    /// The input at the start frame, in the host's units.
    std::shared_ptr<const Geometry> start_geometry(GeometrySource& source, const std::string& who,
                                                   std::shared_ptr<const Geometry> metric) const;
    FrameResult result_of(double frame, const State& state, const FrameReport& report) const;
    FrameResult interpolate(double frame) const;

    SessionSetup setup_;  ///< as the host gave it
    SessionSetup metric_; ///< the same in metres
    LogSink* log_;
    AssembledScene assembled_;
    std::unique_ptr<DriveSampler> drive_;
    std::unique_ptr<LocalSpace> local_space_;
    std::unique_ptr<Stepper> stepper_;
    FrameCache cache_;
};

} // namespace selvage
