#pragma once

#include "core/contact/releases.h"

#include <string>

namespace selvage
{

enum class StepStatus {
    converged,
    out_of_budget, ///< stopped early by choice; free of intersections
    not_converged,
    cancelled,
    starts_intersecting,
    linear_solve_failed
};

const char* status_name(StepStatus status);
/// Whether a step that ended so has a state to go on with.
inline bool usable(StepStatus s)
{
    return s == StepStatus::converged || s == StepStatus::out_of_budget ||
           s == StepStatus::not_converged;
}

/// Where a step's time went [s].
struct TimeSplit {
    double assembly = 0;    ///< gradients and matrices
    double linear = 0;      ///< linear solves
    double broad_phase = 0; ///< searches for pairs that may touch
    double ccd = 0;         ///< continuous collision detection
    double line_search = 0; ///< energies along the search direction
    double total = 0;

    TimeSplit& operator+=(const TimeSplit& other);
};

/// The outcome of one step, as values.
struct StepReport {
    StepStatus status = StepStatus::converged;
    int iterations = 0;        ///< Newton
    int linear_iterations = 0; ///< conjugate gradients, summed
    int backtracks = 0;        ///< halvings of the line search, summed
    double residual = 0;       ///< [m/s] ‖p‖∞ / h of the last direction
    double tolerance = 0;      ///< [m/s] what it had to reach
    int worst_vertex = -1;     ///< the one with the largest correction, where not converged
    double energy = 0;         ///< [J] potential energy of all terms at the end
    double max_strain = 0;     ///< largest principal stretch − 1
    int rest_repairs = 0;      ///< triangles whose blended rest shape was flat and was opened
    int beyond_limit = 0;      ///< triangles that began the step beyond their limits of strain
    int broken_links = 0;      ///< of attachments and seams, since the start
    int contacts = 0;
    double min_gap = infinity;     ///< [m]
    int searches = 0;              ///< for pairs that may touch (broad phases)
    std::size_t contact_bytes = 0; ///< of contact's own data: trees, pairs, their forces
    double held_up = 0;            ///< [m] how far colliders or pins are from where they should be
    int released = 0;              ///< vertices that do not collide with some body, at the end
    int ignored_pairs = 0;         ///< pairs that do not collide, at the end
    std::vector<ReleasedVertex> let_go; ///< released in this step
    TimeSplit seconds;
    std::string linear_solver; ///< the one that `auto` picked
    std::string message;       ///< why not converged, or what was repaired

    /// Goes on with a further minimisation: its outcome, and the sum of all counts and times.
    void add(const StepReport& next);

    bool ok() const { return usable(status); }
    /// Failed, or so far from converged that shorter steps will do better.
    bool worth_a_retry() const
    {
        return status == StepStatus::linear_solve_failed ||
               (status == StepStatus::not_converged && residual > 10 * tolerance);
    }
};

} // namespace selvage
