#include "core/check/report.h"

#include "core/cli/command.h"
#include "core/cli/sequence_input.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace selvage::cli
{
namespace
{

struct CheckArguments {
    std::string input, rest;
    std::vector<std::string> with, planes;
    CheckOptions options;
    bool json = false;
    bool allow_with = false;
    bool passing = false;
};

/// All objects at a frame; polygons are cut as they were in the `first` frame, which may be empty.
std::vector<NamedGeometry> objects_at(const SequenceInput& input,
                                      const std::vector<SequenceInput>& with,
                                      const std::optional<Geometry>& rest,
                                      const std::vector<NamedGeometry>& first, double frame)
{
    std::vector<NamedGeometry> objects;
    objects.push_back({input.name(), input.read(frame), rest});
    for (const SequenceInput& w : with) objects.push_back({w.name(), w.read(frame), std::nullopt});
    for (std::size_t i = 0; i < first.size(); ++i) objects[i].cut_by = first[i].geometry;
    return objects;
}

int check(const CheckArguments& a)
{
    const SequenceInput input(a.input);
    std::vector<SequenceInput> with;
    for (const std::string& w : a.with) with.emplace_back(w);
    std::optional<Geometry> rest;
    if (!a.rest.empty()) rest = SequenceInput(a.rest).read(input.frames().front());

    CheckOptions options = a.options;
    if (a.allow_with) options.judged_objects = 1;
    for (const std::string& p : a.planes) options.planes.push_back(parse_plane(p));

    bool ok = true;
    std::vector<NamedGeometry> first, before;
    nlohmann::ordered_json frames = nlohmann::ordered_json::array();
    for (const double frame : input.frames()) {
        const std::vector<NamedGeometry> objects = objects_at(input, with, rest, first, frame);
        if (first.empty()) first = objects;
        const CheckReport report =
            check_geometry(objects, options, before.empty() ? nullptr : &before);
        if (a.passing) before = objects;
        ok = ok && report.ok;
        if (a.json) {
            auto entry = nlohmann::ordered_json::parse(report_json(report));
            if (input.is_sequence()) entry["frame"] = frame;
            frames.push_back(std::move(entry));
        } else {
            if (input.is_sequence()) fmt::print("frame {:g}: ", frame);
            fmt::print("{}\n", report_text(report));
        }
    }
    if (a.json)
        fmt::print("{}\n",
                   (input.is_sequence() ? nlohmann::ordered_json{{"ok", ok}, {"frames", frames}}
                                        : frames[0])
                       .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return ok ? exit_done : exit_check_failed;
}

} // namespace

void add_check(CLI::App& app, Run& run)
{
    auto a = std::make_shared<CheckArguments>();
    CLI::App* c = app.add_subcommand(
        "check", "Judge geometry: intersections, gaps, strain, NaN; exit 1 where bad");
    c->add_option("geometry", a->input, "File or sequence ('sim/cape.$F4.bgeo.sc')")->required();
    c->add_option("--with", a->with, "Further objects to check against, for example the character")
        ->expected(1)
        ->take_all();
    c->add_option("--plane", a->planes,
                  "Half-space that no point may be in: \"a,b,c,d\" is solid where ax + by + cz < d")
        ->expected(1)
        ->take_all();
    c->add_option("--thickness", a->options.thickness, "Smallest allowed gap [m]")
        ->check(CLI::NonNegativeNumber);
    c->add_option("--rest", a->rest, "Rest geometry with the same topology, for strain");
    c->add_option("--strain-limit", a->options.strain_limit, "Largest allowed strain (0.1: 10 %)");
    c->add_flag("--allow-released", a->options.allow_released,
                "Allow crossings of points that the solver released (sv_released)");
    c->add_flag(
        "--allow-with", a->allow_with,
        "Judge the objects of --with against the geometry only: characters cross themselves");
    c->add_flag(
        "--passing", a->passing,
        "Curves must not pass each other or surfaces from frame to frame, on straight ways");
    c->add_flag("--skip-roots", a->options.skip_curve_roots,
                "Leave first segments of curves out against surfaces: hair grows out of the skin");
    c->add_flag("--json", a->json, "Report as JSON");
    c->callback([a, &run] { run = [a] { return check(*a); }; });
}

} // namespace selvage::cli
