#include "core/shot/shot_runner.h"

#include "core/base/error.h"
#include "core/shot/shot_output.h"
#include "core/shot/state_checkpoint.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace selvage
{
namespace
{

/// One JSON line per frame, complete after every frame.
class FrameLog
{
public:
    FrameLog(const std::string& path, bool append)
    {
        if (path.empty()) return;
        const auto folder = std::filesystem::path(path).parent_path();
        if (!folder.empty()) std::filesystem::create_directories(folder);
        out_.open(path, append ? std::ios::app : std::ios::trunc);
        if (!out_) throw FileError(fmt::format("Cannot write the log file '{}'.", path));
    }
    void add(const FrameReport& report)
    {
        if (out_.is_open()) out_ << report.json() << std::endl;
    }

private:
    std::ofstream out_;
};

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
    int done = first - 1;
    if (options.resume)
        done = resume(shot, output, session, log);
    else
        remove_states(output.work_folder());
    report.resumed_at = done >= first ? done + 1 : 0;
    FrameLog frame_log(options.log_file, /*append*/ report.resumed_at != 0);

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
        output.write(frame, result);
        save_state(output.work_folder(), {frame, session.frame(frame)->state, shot.fingerprint()});
        frame_log.add(result.report);
        ++report.frames_written;
        if (on_frame) on_frame(result.report);
    }
    output.finish(first, last);
    return report;
}

} // namespace selvage
