#include "core/cli/command.h"
#include "core/example/write_example.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace selvage::cli
{

void add_example(CLI::App& app, Run& run)
{
    struct Arguments {
        std::string name, folder = ".";
    };
    auto a = std::make_shared<Arguments>();
    CLI::App* c = app.add_subcommand("example", "Generate the geometry of an example");
    c->add_option("name", a->name, "cape, cushion, skirt, stack")
        ->required()
        ->check(CLI::IsMember(example_names()));
    c->add_option("--out", a->folder, "Folder to write it to");
    c->callback([a, &run] {
        run = [a] {
            write_example(a->name, a->folder);
            return int(exit_done);
        };
    });
}

} // namespace selvage::cli
