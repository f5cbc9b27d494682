#include "core/shot/shot_runner.h"

#include "core/shot/frame_log.h"
#include "core/shot/shot_output.h"
#include "core/shot/state_checkpoint.h"

#include <fmt/format.h>

#include <limits>

namespace selvage
{
namespace
{

/// The frame to go on from, or the one before the first when there is nothing to resume.
int resume(const Shot& shot, const ShotOutput& output, Session& session, LogSink& log)
{
    const auto saved = load_latest_state(output.work_folder(), shot.setup.last_frame());
    if (!saved || saved->frame < session.first_frame()) {
        log.message(Severity::info, "Nothing to resume: starting at the first frame.");
        return session.first_frame() - 1;
    }
    if (saved->fingerprint != shot.fingerprint())
        log.message(Severity::warning, fmt::format("The shot's parameters have changed since frame "
                                                   "{} was simulated; frames up to {} are "
                                                   "kept as they are.",
                                                   saved->frame, saved->frame));
    session.restore(saved->frame, saved->state);
    return saved->frame;
}

} // namespace

RunReport run_shot(const Shot& shot, const RunOptions& options, LogSink& log, const Cancel& cancel,
                   const std::function<void(const FrameReport&)>& on_frame)
{
    SessionSetup setup = shot.setup;
    setup.shot.set("cache_limit",
                   0.0); // nobody scrubs here: the start and the newest frame will do
    Session session(std::move(setup), log);
    ShotOutput output(shot);
    RunReport report;
    const int first = session.first_frame(), last = shot.setup.last_frame();
    const int done = options.resume ? resume(shot, output, session, log) : first - 1;
    report.resumed_at = done >= first ? done + 1 : 0;
    if (done >= first) output.check_resume(first, done, last);

    // Nothing has been touched so far, and the log is the last that may refuse.
    FrameLog frame_log(options.log_file);
    frame_log.keep_until(report.resumed_at ? done : std::numeric_limits<int>::min());
    output.remove_leftovers();
    if (done < last) remove_states_after(output.work_folder(), done);

    for (int frame = done + 1; frame <= last; ++frame) {
        const FrameResult result = session.cook(frame, cancel);
        if (!result.ok()) {
            report.outcome =
                result.status == StepStatus::cancelled ? RunOutcome::cancelled : RunOutcome::failed;
            report.message = fmt::format("Frame {}: {}", frame,
                                         result.report.message.empty() ? status_name(result.status)
                                                                       : result.report.message);
            frame_log.add(result.report);
            return report;
        }
        // The checkpoint comes last: with it a frame is finished, and what a kill before it left in
        // the log is dropped when the run goes on.
        output.write(frame, result);
        frame_log.add(result.report);
        save_state(output.work_folder(), {frame, session.frame(frame)->state, shot.fingerprint()});
        ++report.frames_written;
        if (on_frame) on_frame(result.report);
    }
    output.finish(first, last);
    return report;
}

} // namespace selvage
