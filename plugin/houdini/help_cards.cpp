#include "plugin/houdini/help_cards.h"

#include "core/model/material.h"
#include "core/session/scene_assembly.h"
#include "plugin/houdini/SOP_SelvageSolver.h"
#include "plugin/houdini/helper_nodes.h"
#include "plugin/houdini/node_interface.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace selvage::houdini
{
namespace
{

/// Square brackets are links in help cards.
std::string escaped(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        if (c == '[')
            out += "&#91;";
        else if (c == ']')
            out += "&#93;";
        else
            out += c;
    }
    return out;
}

std::string parameter_rows(const PRM_Template* list)
{
    std::string text;
    for (; list->getType() != PRM_LIST_TERMINATOR; ++list) {
        if (list->getType() == PRM_SWITCHER || list->getType() == PRM_SEPARATOR) continue;
        text += fmt::format("{}:\n    #id: {}\n\n    {}\n\n", list->getLabel(), list->getToken(),
                            escaped(list->getHelpText() ? list->getHelpText() : ""));
        if (const PRM_Template* rows = list->getMultiParmTemplate()) text += parameter_rows(rows);
    }
    return text;
}

std::string parameter_section(const PRM_Template* list)
{
    return "@parameters\n\n" + parameter_rows(list);
}

std::string input_section(const char* const* labels, int count)
{
    std::string text = "@inputs\n\n";
    const char* const names[] = {"First", "Second", "Third", "Fourth"};
    for (int i = 0; i < count && labels[i]; ++i)
        text += fmt::format("{} Input:\n    {}.\n\n", names[i], labels[i]);
    return text;
}

std::string head(const char* title, const char* context, const char* type, const char* summary)
{
    return fmt::format("= {} =\n\n#type: node\n#context: {}\n#internal: {}\n#icon: SOP/{}\n"
                       "#tags: cloth, simulation, selvage\n\n\"\"\"{}\"\"\"\n\n",
                       title, context, type, type, summary);
}

template <class Work> PackageFile helper_card()
{
    const HelperInfo& i = Work::info;
    return {fmt::format("help/nodes/sop/{}.txt", i.type),
            head(i.label, "sop", i.type, i.help) + parameter_section(helper_templates(i)) +
                input_section(i.input_labels, i.max_inputs) +
                "@related\n\n- [Node:sop/selvage_solver]\n"};
}

constexpr const char* solver_introduction =
    "Wire the animated garment or groom into the first input and press play. Polygons are "
    "simulated as cloth, tetrahedra as solids, open curves as hair. At the start frame their shape "
    "is the start pose; later it drives pinned points and the roots of hair. Materials are "
    "physical, so that the look does "
    "not depend on resolution, substeps or iterations.\n\n"
    "The node keeps finished frames: scrubbing back shows them without solving. A changed "
    "parameter "
    "or input is simulated again from the first frame that it touches. Escape stops and keeps what "
    "is finished; the info window (middle mouse button) shows iterations, contacts, the largest "
    "stretch and where the time went.\n\n"
    "TIP: Press Reset Simulation if in doubt. It costs only time.\n\n";

constexpr const char* solver_attributes =
    "@attributes\n\n"
    "P, v:\n    Start positions and velocities are read; results are written.\n\n"
    "mass:\n    Replaces the density; 0 pins the point.\n\n"
    "stopped:\n    Bit 0 pins the point.\n\n"
    "rest:\n    Rest shape, unless the fourth input gives one.\n\n"
    "rest_blend, rest_scale:\n    Follow an animated rest shape by this weight; grow or shrink.\n\n"
    "materialuv, uv:\n    The pattern: the warp runs along v.\n\n"
    "pscale, width:\n    Of hair: radius, or diameter, of the strand.\n\n"
    "orient:\n    Of hair: axes of the section at the start, x across and z along the strand; "
    "written for every frame.\n\n"
    "skinprim, skinprimuv:\n    Of hair, on curves: the polygon of the third input that the root "
    "goes with, and the place on it.\n\n"
    "stiffness_scale, target_scale:\n    Of hair: multiply bending and twist, and the pull to the "
    "groom.\n\n"
    "sv_material:\n    Primitive attribute of Selvage Material: the preset.\n\n"
    "restlength, stiffness, type:\n    Primitive attributes of the second input: what its lines "
    "and "
    "points do, as in Vellum.\n\n"
    "sv_strain:\n    Written: largest principal stretch − 1 around the point.\n\n"
    "sv_contact, sv_gap:\n    Written where Contact Attributes is on: 1 in contact, and metres "
    "beyond the thickness.\n\n";

} // namespace

std::vector<PackageFile> help_cards()
{
    const char* summary =
        "Simulates cloth and thin shells that do not pass through themselves, solids and hair.";
    return {
        {"help/nodes/sop/selvage_solver.txt",
         head("Selvage Solver", "sop", "selvage_solver", summary) + solver_introduction +
             parameter_section(SOP_SelvageSolver::templates()) +
             input_section(SOP_SelvageSolver::input_labels, input_count) + solver_attributes +
             "@related\n\n- [Node:sop/selvage_material]\n- [Node:sop/selvage_pin]\n"
             "- [Node:sop/selvage_check]\n"},
        {"help/nodes/dop/selvage_dopsolver.txt",
         head("Selvage Solver", "dop", "selvage_dopsolver", summary) +
             "Solves the Geometry of an object. Gravity comes from gravity forces on it, else from "
             "the parameter; colliders are the objects that collide with it. Pinned points follow "
             "the point attribute `targetP`.\n\n" +
             parameter_section(solver_templates(nullptr))},
        helper_card<MaterialWork>(),
        helper_card<PinWork>(),
        helper_card<AttachWork>(),
        helper_card<RestBlendWork>(),
        helper_card<CheckWork>(),
        helper_card<TransferWork>(),
    };
}

std::vector<PackageFile> material_presets()
{
    std::vector<PackageFile> files;
    for (const MaterialPreset& preset : cloth_presets()) {
        nlohmann::ordered_json parms = {{"material", preset.name}};
        const auto numbers = material_numbers(preset.material);
        for (const NodeFolder& folder : node_folders())
            for (const NodeParameter& row : folder.parameters) {
                if (row.parameter->scope != "cloth" || !row.optional) continue;
                const auto value = numbers.find(std::string(row.parameter->name));
                if (value == numbers.end()) continue;
                parms["use_" + row.token] = 1;
                parms[row.token] = value->second;
            }
        const nlohmann::ordered_json file = {
            {"label", preset.label}, {"source", preset.source}, {"parms", parms}};
        files.push_back({fmt::format("presets/selvage/{}.json", preset.name), file.dump(2) + "\n"});
    }
    return files;
}

const std::vector<SolverAsset>& solver_assets()
{
    static const std::vector<SolverAsset> all = {
        {"cloth", "Selvage Cloth", "Geometry to simulate", {"Hair"}},
        {"hair",
         "Selvage Hair",
         "Curves to simulate",
         {"Cloth", "Solid", "Pins", "Rest Shape", "Pressure", "Constraints"}}};
    return all;
}

std::string SolverAsset::folder() const
{
    return fmt::format("otls/selvage_{0}.hda/selvage_8_8Sop_1{0}_8_81.0", name);
}

std::string asset_dialog_script(const SolverAsset& asset)
{
    std::string ds = fmt::format(
        "# Dialog script for selvage::{0}, written from the parameter table.\n{{\n"
        "    name    selvage::{0}\n    script  selvage::{0}::1.0\n    label   \"{1}\"\n\n",
        asset.name, asset.label);
    for (int i = 0; i < input_count; ++i)
        ds += fmt::format("    inputlabel  {}   \"{}\"\n", i + 1,
                          i == input_geometry ? asset.first_input.c_str()
                                              : SOP_SelvageSolver::input_labels[i]);
    return ds + "\n" + head_dialog_script() + folders_dialog_script(asset.left_out) + "}\n";
}

} // namespace selvage::houdini
