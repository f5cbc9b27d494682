#pragma once

#include "core/base/cancel.h"
#include "core/base/log.h"
#include "core/session/frame_report.h"
#include "core/session/session.h"
#include "core/shot/shot_file.h"

#include <functional>
#include <string>

namespace selvage
{

struct RunOptions {
    bool resume = false;
    std::string log_file; ///< one JSON object per frame; empty: none
};

enum class RunOutcome { done, cancelled, failed };

struct RunReport {
    RunOutcome outcome = RunOutcome::done;
    int frames_written = 0;
    int resumed_at = 0; ///< first frame that was simulated after a resume; 0 without
    std::string message;
};

/// Simulates a shot's frame range and writes every frame when it is finished, so that a run can be
/// killed at any moment: files appear under their final names complete or not at all, and a
/// checkpoint (all of the state, in doubles) beside them lets --resume go on with the same bits.
///
/// Inputs that turn bad are thrown as InputError; frames before stay.
RunReport run_shot(const Shot& shot, const RunOptions& options, LogSink& log, const Cancel& cancel,
                   const std::function<void(const FrameReport&)>& on_frame = {});

} // namespace selvage
