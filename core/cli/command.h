#pragma once

#include "core/base/cancel.h"

#include <functional>
#include <string>

namespace CLI
{
class App;
}

namespace selvage::cli
{

/// Exit codes: part of the contract with shot pipelines.
enum ExitCode {
    exit_done = 0,
    exit_check_failed = 1,
    exit_bad_input = 2,
    exit_promise_broken = 3,
    exit_interrupted = 130,
};

/// What a chosen subcommand does; returns an ExitCode.
using Run = std::function<int()>;

/// Each adds one subcommand and sets `run` when that is the one on the command line. `cancel` is
/// set by Ctrl-C.
void add_simulate(CLI::App& app, Run& run, const Cancel& cancel);
void add_check(CLI::App& app, Run& run);
void add_render(CLI::App& app, Run& run, const Cancel& cancel);
void add_convert(CLI::App& app, Run& run);
void add_inspect(CLI::App& app, Run& run);
void add_materials(CLI::App& app, Run& run);
void add_parameters(CLI::App& app, Run& run);
void add_bench(CLI::App& app, Run& run);
void add_example(CLI::App& app, Run& run);

} // namespace selvage::cli
