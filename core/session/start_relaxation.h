#pragma once

#include "core/base/log.h"
#include "core/solver/stepper.h"

namespace selvage
{

/// What a relaxation of the start needs besides its state.
struct StartRelaxation {
    Stepper& stepper;
    const Scene& scene;
    Drive drive; ///< at the first frame, at rest
    double h;    ///< [s]
    StepSettings settings;
    int frame; ///< for messages
};

/// Draws apart what is released in the state: steps from rest, without gravity and wind, with every
/// input held, until all collides or nothing gets better. Velocities and time stay those of the
/// start. What could not be drawn apart stays released; the log says how it went. Returns the
/// status of the last step.
StepStatus relax_start(StartRelaxation relaxation, State& state, LogSink& log,
                       const Cancel& cancel);

} // namespace selvage
