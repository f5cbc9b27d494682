#include "core/base/error.h"
#include "core/cli/command.h"
#include "core/cli/sequence_input.h"
#include "core/render/film.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <unistd.h>

namespace selvage::cli
{
namespace
{

struct RenderArguments {
    std::string input, topology, size = "960x540";
    std::vector<std::string> with;
    std::vector<double> range;
    double frame = 0;
    bool one_frame = false, all_frames = false;
    double azimuth = 0, elevation = 0;
    bool no_ground = false;
    RenderOptions options;
};

void read_size(const std::string& text, RenderOptions& o)
{
    int end = 0;
    if (std::sscanf(text.c_str(), "%dx%d%n", &o.width, &o.height, &end) != 2 ||
        std::size_t(end) != text.size() || o.width < 16 || o.height < 16 || o.width > 16384 ||
        o.height > 16384)
        throw InputError(
            fmt::format("--size wants WIDTHxHEIGHT, for example 960x540, not '{}'.", text));
}

/// A movie, or a name with a frame number, shows all frames; a plain picture the last one.
void choose_frames(const RenderArguments& a, const SequenceInput& input, RenderOptions& o)
{
    const std::vector<double>& frames = input.frames();
    const bool many = o.output.size() > 4 && (o.output.substr(o.output.size() - 4) == ".mp4" ||
                                              o.output.find("$F") != std::string::npos ||
                                              o.output.find('%') != std::string::npos);
    o.first_frame = int(many ? frames.front() : frames.back());
    o.last_frame = int(frames.back());
    if (a.one_frame) o.first_frame = o.last_frame = int(a.frame);
    if (a.one_frame && input.is_sequence() &&
        std::find(frames.begin(), frames.end(), a.frame) == frames.end())
        throw InputError(fmt::format("'{}' has no frame {:g} (it has {:g} to {:g}).", a.input,
                                     a.frame, frames.front(), frames.back()));
}

void show_progress(const RenderProgress& p)
{
    if (p.stage != RenderProgress::Stage::drawing || !isatty(STDERR_FILENO)) return;
    std::fprintf(stderr, "\r\033[Krendering frame %d (%d of %d)%s", p.frame, p.done, p.total,
                 p.done == p.total ? "\n" : "");
}

int render(RenderArguments& a, const Cancel& cancel)
{
    RenderOptions& o = a.options;
    read_size(a.size, o);
    SequenceInput input(a.input);
    input.use_topology(a.topology);
    std::vector<SequenceInput> with;
    for (const std::string& w : a.with) with.emplace_back(w);
    choose_frames(a, input, o);
    o.framing.azimuth = a.azimuth * 3.14159265358979323846 / 180;
    o.framing.elevation = a.elevation * 3.14159265358979323846 / 180;
    o.ground = !a.no_ground;
    if (a.range.size() == 2) {
        o.coloring.low = a.range[0];
        o.coloring.high = a.range[1];
    }

    const auto first_pose = [](const SequenceInput& in) {
        const Geometry g = in.read(in.frames().front());
        return g.point_count() > 0 ? g.positions() : VecX();
    };
    std::vector<VecX> cut_by = {first_pose(input)};
    for (const SequenceInput& w : with) cut_by.push_back(first_pose(w));
    const FrameSource source = [&](int frame) {
        std::vector<RenderObject> objects(1 + with.size());
        objects[0].name = input.name();
        objects[0].geometry = input.read(frame);
        for (std::size_t i = 0; i < with.size(); ++i) {
            objects[i + 1].name = with[i].name();
            objects[i + 1].geometry = with[i].read(frame);
            objects[i + 1].role = RenderRole::collider;
            objects[i + 1].color = Color(0.6f, 0.6f, 0.62f);
        }
        for (std::size_t i = 0; i < objects.size(); ++i) objects[i].cut_by = cut_by[i];
        return objects;
    };
    const RenderReport report = render_sequence(o, source, cancel, show_progress);
    if (!report.message.empty()) fmt::print(stderr, "{}\n", report.message);
    if (report.skipped_primitives)
        fmt::print(stderr,
                   "warning: {} primitives with positions that are not numbers were not drawn "
                   "(first at frame {})\n",
                   report.skipped_primitives, report.first_skipped_frame);
    return report.cancelled ? exit_interrupted : exit_done;
}

} // namespace

void add_render(CLI::App& app, Run& run, const Cancel& cancel)
{
    auto a = std::make_shared<RenderArguments>();
    a->options.output = "render.png";
    a->azimuth = a->options.framing.azimuth * 180 / 3.14159265358979323846;
    a->elevation = a->options.framing.elevation * 180 / 3.14159265358979323846;
    CLI::App* c = app.add_subcommand("render", "Pictures and movies without a DCC");
    c->add_option("sequence", a->input, "File or sequence ('sim/cape.$F4.bgeo.sc')")->required();
    c->add_option("--topology", a->topology,
                  "Polygons and attributes from this file, positions from the sequence (.pc2)");
    c->add_option("--with", a->with, "Further geometry to show, for example the character")
        ->expected(1)
        ->take_all();
    c->add_option("--out", a->options.output, "x.mp4, x.png, or x.$F4.png (default render.png)");
    c->add_option("--color", a->options.color_attribute,
                  "Colour by this attribute (sv_strain, v, P.y, …)");
    c->add_option("--range", a->range, "Lowest and highest value of the colours")->expected(2);
    CLI::Option* frame = c->add_option("--frame", a->frame, "Only this frame");
    c->add_option("--size", a->size, "WIDTHxHEIGHT (default 960x540)");
    c->add_option("--samples", a->options.samples, "Rays per pixel")->check(CLI::Range(1, 4096));
    c->add_option("--azimuth", a->azimuth, "Camera: degrees around the vertical");
    c->add_option("--elevation", a->elevation, "Camera: degrees above the horizon");
    c->add_option("--fps", a->options.fps, "Frames per second of the movie")
        ->check(CLI::PositiveNumber);
    c->add_option("--caption", a->options.caption, "Text in the lower left; $F is the frame");
    c->add_flag("--no-ground", a->no_ground, "Leave the ground out");
    c->callback([a, frame, &run, &cancel] {
        a->one_frame = frame->count() > 0;
        run = [a, &cancel] { return render(*a, cancel); };
    });
}

} // namespace selvage::cli
