// The `selvage` command: reads arguments, calls the core, turns outcomes into exit codes.
#include "core/base/error.h"
#include "core/cli/command.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>

namespace
{

selvage::CancelFlag interrupt;

extern "C" void on_interrupt(int signal)
{
    interrupt.request();
    std::signal(signal, SIG_DFL); // a second Ctrl-C ends it at once
}

} // namespace

int main(int argc, char** argv)
{
    using namespace selvage::cli;
    CLI::App app{"Selvage: cloth, thin shells and hair for animated characters"};
    app.set_version_flag("--version", "selvage " SELVAGE_VERSION);
    app.require_subcommand(1);
    app.failure_message(CLI::FailureMessage::help);

    Run run;
    add_simulate(app, run, interrupt);
    add_check(app, run);
    add_render(app, run, interrupt);
    add_convert(app, run);
    add_inspect(app, run);
    add_materials(app, run);
    add_parameters(app, run);
    add_bench(app, run);
    add_example(app, run);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        const bool asked = e.get_exit_code() == 0; // --help, --version
        app.exit(e);
        return asked ? exit_done : exit_bad_input;
    }

    // These look at the flag between steps; all others end at once, as any command does.
    if (app.got_subcommand("simulate") || app.got_subcommand("render")) {
        std::signal(SIGINT, on_interrupt);
        std::signal(SIGTERM, on_interrupt);
    }
    std::signal(SIGXFSZ, SIG_IGN); // a limit on file sizes is then an error of the write
    try {
        return run();
    } catch (const selvage::InputError& e) {
        std::fprintf(stderr, "selvage: %s\n", e.what());
        return exit_bad_input;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "selvage: out of memory\n");
        return exit_promise_broken;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "selvage: internal error: %s\n", e.what());
        return exit_promise_broken;
    }
}
