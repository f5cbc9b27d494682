#include "core/base/error.h"
#include "core/cli/command.h"
#include "core/cli/sequence_input.h"
#include "core/geometry/triangulate.h"
#include "core/geometry/vdb_collider.h"
#include "core/io/geometry_sequence_writer.h"
#include "core/io/sequence.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>

namespace selvage::cli
{
namespace
{

struct ConvertArguments {
    std::string input, output, topology;
    double fps = 24;
    double voxel = 0, band = 3;
};

/// Polygons become a signed distance; volumes stay as they are.
Geometry as_volume(const ConvertArguments& a, const Geometry& geometry, const std::string& name)
{
    const std::vector<Vec3i> triangles = triangulate(geometry).triangles;
    if (triangles.empty()) return geometry;
    if (!(a.voxel > 0))
        throw InputError(fmt::format("'{}' has polygons: give --voxel, the size of a voxel in its "
                                     "unit, to make a volume of them.",
                                     a.input));
    Geometry out;
    out.volumes.push_back({name, Volume::Kind::signed_distance,
                           std::make_shared<DistanceField>(distance_of_surface(
                               geometry.positions(), triangles, a.voxel, a.band))});
    return out;
}

int convert(const ConvertArguments& a)
{
    SequenceInput input(a.input);
    input.use_topology(a.topology);
    const bool one_file = GeometrySequenceWriter::is_single_file(a.output);
    if (input.is_sequence() && !one_file && !is_sequence(a.output))
        throw InputError(fmt::format(
            "'{}' is a sequence, '{}' a single file. Put $F4 into its name.", a.input, a.output));
    GeometrySequenceWriter writer(a.output, input.name(), a.fps);
    const bool volume = std::filesystem::path(a.output).extension() == ".vdb";
    for (const double frame : input.frames()) {
        const Geometry geometry = input.read(frame);
        writer.add(frame, volume ? as_volume(a, geometry, input.name()) : geometry);
    }
    writer.finish();
    return exit_done;
}

} // namespace

void add_convert(CLI::App& app, Run& run)
{
    auto a = std::make_shared<ConvertArguments>();
    CLI::App* c = app.add_subcommand("convert", "Convert geometry files and sequences");
    c->add_option("in", a->input, ".geo .bgeo .bgeo.sc .obj .pc2; a sequence with $F4")->required();
    c->add_option("out", a->output,
                  ".geo .bgeo .bgeo.sc .obj, .vdb (signed distance of closed polygons), or .usda "
                  ".pc2 for a whole sequence")
        ->required();
    c->add_option("--topology", a->topology,
                  "Polygons and attributes from this file, positions from the input (.pc2)");
    c->add_option("--voxel", a->voxel, "Size of a voxel (.vdb)")->check(CLI::PositiveNumber);
    c->add_option("--band", a->band, "Voxels of the narrow band on each side (.vdb)")
        ->check(CLI::Range(2.0, 100.0));
    c->add_option("--fps", a->fps, "Frames per second (.usda)")->check(CLI::PositiveNumber);
    c->callback([a, &run] { run = [a] { return convert(*a); }; });
}

} // namespace selvage::cli
