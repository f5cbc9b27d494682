#pragma once

#include "core/solver/step_report.h"

#include <string>

namespace selvage
{

/// The reports of a frame's substeps, added up: what an artist sees and the log stores.
struct FrameReport {
    int frame = 0;
    int substeps = 0;
    int iterations = 0;
    int linear_iterations = 0;
    int rest_repairs = 0; ///< at the end
    int beyond_limit = 0; ///< at the start of the last substep
    int broken_links = 0; ///< at the end
    int contacts = 0;
    int released = 0;                          ///< at the end
    int ignored_pairs = 0;                     ///< at the end
    std::vector<ReleasedVertex> let_go;        ///< by all substeps
    int retries = 0;                           ///< substeps that were halved
    double held_up = 0;                        ///< [m] at the end
    double min_gap = infinity;                 ///< [m] smallest over the substeps
    int searches = 0;                          ///< broad phases
    std::size_t contact_bytes = 0;             ///< largest over the substeps
    double max_strain = 0;                     ///< largest over the substeps
    double energy = 0;                         ///< [J] at the end
    StepStatus status = StepStatus::converged; ///< the worst of the substeps
    TimeSplit seconds;
    std::string linear_solver;
    std::string message;

    void add(const StepReport& step);
    /// A step that is taken again in halves.
    void add_failed(const StepReport& step);
    /// One JSON object on one line, as `--log` writes it.
    std::string json() const;
};

} // namespace selvage
