#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/cli/command.h"
#include "core/cli/terminal.h"
#include "core/shot/shot_runner.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>

namespace selvage::cli
{
namespace
{

struct SimulateArguments {
    std::string shot, frames, out, log, progress = "auto";
    std::vector<std::string> sets;
    int threads = 0;
    bool resume = false;
};

std::pair<std::string, std::string> split_assignment(const std::string& text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw InputError(fmt::format("--set wants key=value, not '{}'.", text));
    return {text.substr(0, equals), text.substr(equals + 1)};
}

/// "1-96" or "12"; negative frames as in "-5-20".
std::string frame_range_json(const std::string& text)
{
    const std::size_t dash = text.find('-', 1);
    const std::string a = text.substr(0, dash),
                      b = dash == std::string::npos ? a : text.substr(dash + 1);
    int first = 0, last = 0;
    std::size_t used_a = 0, used_b = 0;
    try {
        first = std::stoi(a, &used_a);
        last = std::stoi(b, &used_b);
    } catch (const std::exception&) {
    }
    if (used_a == 0 || used_b == 0 || used_a != a.size() || used_b != b.size())
        throw InputError(fmt::format("--frames wants A-B, for example 1-96, not '{}'.", text));
    return fmt::format("[{}, {}]", first, last);
}

Overrides overrides_of(const SimulateArguments& a)
{
    Overrides overrides;
    for (const std::string& s : a.sets) overrides.push_back(split_assignment(s));
    if (!a.frames.empty()) overrides.emplace_back("frames", frame_range_json(a.frames));
    return overrides;
}

/// --out DIR keeps the file's name and replaces its folder.
void redirect_output(Shot& shot, const std::string& folder)
{
    if (folder.empty()) return;
    const std::string name =
        std::filesystem::path(shot.setup.shot.text("output")).filename().string();
    shot.setup.shot.set("output", (std::filesystem::absolute(folder) / name).string());
}

int simulate(const SimulateArguments& a, const Cancel& cancel)
{
    Shot shot = read_shot(a.shot, overrides_of(a));
    redirect_output(shot, a.out);
    const ThreadLimit limit(a.threads);
    Terminal terminal(progress_style(a.progress), shot.setup.first_frame(),
                      shot.setup.last_frame());
    const RunReport report = run_shot(shot, {a.resume, a.log}, terminal, cancel,
                                      [&](const FrameReport& r) { terminal.frame_done(r); });
    switch (report.outcome) {
    case RunOutcome::done: return exit_done;
    case RunOutcome::cancelled:
        terminal.message(Severity::info,
                         "Interrupted; finished frames are kept, --resume goes on from there.");
        return exit_interrupted;
    case RunOutcome::failed:
        terminal.message(Severity::error, report.message);
        return exit_promise_broken;
    }
    return exit_promise_broken;
}

} // namespace

void add_simulate(CLI::App& app, Run& run, const Cancel& cancel)
{
    auto a = std::make_shared<SimulateArguments>();
    CLI::App* c = app.add_subcommand("simulate", "Simulate a shot file and write its frames");
    c->add_option("shot", a->shot, "Shot file (.json)")->required();
    c->add_option("--frames", a->frames, "Frame range A-B instead of the shot's");
    c->add_option("--set", a->sets, "key=value; see 'selvage parameters'. May be repeated")
        ->expected(1)
        ->take_all();
    c->add_option("--out", a->out, "Folder for the output instead of the shot's");
    c->add_option("--threads", a->threads, "Threads (0: all)")->check(CLI::Range(0, 4096));
    c->add_option("--log", a->log, "Write one JSON object per frame to this file");
    c->add_option("--progress", a->progress, "auto, bar, plain, alf or none")
        ->check(CLI::IsMember({"auto", "bar", "plain", "alf", "none"}));
    c->add_flag("--resume", a->resume, "Go on after the last finished frame");
    c->callback([a, &run, &cancel] { run = [a, &cancel] { return simulate(*a, cancel); }; });
}

} // namespace selvage::cli
