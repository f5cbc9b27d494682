// What can be chosen and set: `selvage materials`, `selvage parameters`.
#include "core/cli/command.h"
#include "core/model/hair_material.h"
#include "core/model/material.h"
#include "core/session/parameter_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace selvage::cli
{
namespace
{

void add_hair_presets(nlohmann::ordered_json& all)
{
    for (const HairPreset& p : hair_presets()) {
        const HairMaterial& m = p.material;
        all.push_back({{"name", p.name},
                       {"label", p.label},
                       {"kind", "hair"},
                       {"source", p.source},
                       {"density", m.density},
                       {"young", m.young},
                       {"shear", m.shear},
                       {"radius", m.radius},
                       {"flatness", m.flatness},
                       {"stretch_damping", m.stretch_damping},
                       {"bend_damping", m.bend_damping},
                       {"twist_damping", m.twist_damping},
                       {"damping_frequency", m.damping_frequency},
                       {"mass_damping", m.mass_damping},
                       {"friction", m.friction},
                       {"drag", m.drag}});
    }
}

void print_hair_presets()
{
    fmt::print("\n{:<14} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "hair", "density", "young",
               "shear", "radius", "flat", "damping", "friction");
    fmt::print("{:<14} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "", "kg/m3", "MPa", "MPa",
               "um", "", "", "");
    for (const HairPreset& p : hair_presets()) {
        const HairMaterial& m = p.material;
        fmt::print("{:<14} {:>8.0f} {:>8.1f} {:>8.1f} {:>8.0f} {:>8.2f} {:>8.2f} {:>8.2f}   {}\n",
                   p.name, m.density, 1e-6 * m.young, 1e-6 * m.shear, 1e6 * m.radius, m.flatness,
                   m.bend_damping, m.friction, p.label);
    }
}

int list_materials(bool json)
{
    if (!json) {
        fmt::print("{:<15} {:>8} {:>9} {:>9} {:>9} {:>9} {:>7} {:>10} {:>10} {:>8}\n", "name",
                   "density", "thickness", "warp", "weft", "shear", "poisson", "bend warp",
                   "bend weft", "friction");
        fmt::print("{:<15} {:>8} {:>9} {:>9} {:>9} {:>9} {:>7} {:>10} {:>10} {:>8}\n", "", "kg/m2",
                   "mm", "N/m", "N/m", "N/m", "", "uN m", "uN m", "");
    }
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const MaterialPreset& p : cloth_presets()) {
        const ClothMaterial& m = p.material;
        nlohmann::ordered_json entry = {{"name", p.name}, {"label", p.label}, {"source", p.source}};
        for (const MaterialValue& v : material_values()) entry[v.name] = m.*v.value;
        all.push_back(std::move(entry));
        if (!json)
            fmt::print("{:<15} {:>8.3f} {:>9.3f} {:>9.0f} {:>9.0f} {:>9.0f} {:>7.2f} {:>10.2f} "
                       "{:>10.2f} {:>8.2f}   {}\n",
                       p.name, m.density, 1e3 * m.thickness, m.young_warp, m.young_weft, m.shear,
                       m.poisson, 1e6 * m.bend_warp, 1e6 * m.bend_weft, m.friction, p.label);
    }
    if (json) {
        add_hair_presets(all);
        fmt::print("{}\n", all.dump(2));
        return exit_done;
    }
    print_hair_presets();
    fmt::print("\nSources\n");
    for (const MaterialPreset& p : cloth_presets()) fmt::print("{:<15} {}\n", p.name, p.source);
    for (const HairPreset& p : hair_presets()) fmt::print("{:<15} {}\n", p.name, p.source);
    return exit_done;
}

int list_parameters(bool json, bool markdown)
{
    if (json)
        fmt::print("{}\n", parameters_json());
    else if (markdown)
        fmt::print("{}", parameters_markdown());
    else
        for (const Parameter& p : parameter_table())
            fmt::print("{:<32} {:<11} {:<26} {:<6} {}\n",
                       p.scope.empty() ? std::string(p.name)
                                       : fmt::format("{}.{}", p.scope, p.name),
                       type_name(p.type), p.default_value, p.unit, p.help);
    return exit_done;
}

} // namespace

void add_materials(CLI::App& app, Run& run)
{
    auto json = std::make_shared<bool>(false);
    CLI::App* c = app.add_subcommand("materials", "List the material presets");
    c->add_flag("--json", *json, "As JSON, with sources");
    c->callback([json, &run] { run = [json] { return list_materials(*json); }; });
}

void add_parameters(CLI::App& app, Run& run)
{
    struct Flags {
        bool json = false, markdown = false;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App* c = app.add_subcommand("parameters", "List everything a shot file can set");
    c->add_flag("--json", flags->json, "As JSON");
    c->add_flag("--markdown", flags->markdown, "As the reference page docs/parameters.md");
    c->callback(
        [flags, &run] { run = [flags] { return list_parameters(flags->json, flags->markdown); }; });
}

} // namespace selvage::cli
