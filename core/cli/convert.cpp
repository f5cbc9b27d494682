#include "core/base/error.h"
#include "core/cli/command.h"
#include "core/cli/sequence_input.h"
#include "core/io/geometry_sequence_writer.h"
#include "core/io/sequence.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace selvage::cli
{
namespace
{

struct Arguments {
    std::string input, output;
    double fps = 24;
};

int convert(const Arguments& a)
{
    const SequenceInput input(a.input);
    const bool one_file = GeometrySequenceWriter::is_single_file(a.output);
    if (input.is_sequence() && !one_file && !is_sequence(a.output))
        throw InputError(fmt::format(
            "'{}' is a sequence, '{}' a single file. Put $F4 into its name.", a.input, a.output));
    GeometrySequenceWriter writer(a.output, input.name(), a.fps);
    for (const double frame : input.frames()) writer.add(frame, input.read(frame));
    writer.finish();
    return exit_done;
}

} // namespace

void add_convert(CLI::App& app, Run& run)
{
    auto a = std::make_shared<Arguments>();
    CLI::App* c = app.add_subcommand("convert", "Convert geometry files and sequences");
    c->add_option("in", a->input, ".geo .bgeo .bgeo.sc .obj; a sequence with $F4")->required();
    c->add_option("out", a->output, ".geo .bgeo .bgeo.sc .obj, or .usda .pc2 for a whole sequence")
        ->required();
    c->add_option("--fps", a->fps, "Frames per second (.usda)")->check(CLI::PositiveNumber);
    c->callback([a, &run] { run = [a] { return convert(*a); }; });
}

} // namespace selvage::cli
