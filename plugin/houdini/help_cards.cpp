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

std::string parameter_section(const PRM_Template* list)
{
    std::string text = "@parameters\n\n";
    for (; list->getType() != PRM_LIST_TERMINATOR; ++list) {
        if (list->getType() == PRM_SWITCHER || list->getType() == PRM_SEPARATOR) continue;
        text += fmt::format("{}:\n    #id: {}\n\n    {}\n\n", list->getLabel(), list->getToken(),
                            escaped(list->getHelpText() ? list->getHelpText() : ""));
    }
    return text;
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
    "Wire the animated garment into the first input and press play. At the start frame its shape "
    "is "
    "the start pose; later it drives pinned points. Materials are physical, so that the look does "
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
    const char* summary = "Simulates cloth and thin shells that do not pass through themselves.";
    const std::string parameters = parameter_section(SOP_SelvageSolver::templates());
    return {
        {"help/nodes/sop/selvage_solver.txt",
         head("Selvage Solver", "sop", "selvage_solver", summary) + solver_introduction +
             parameters + input_section(SOP_SelvageSolver::input_labels, input_count) +
             solver_attributes +
             "@related\n\n- [Node:sop/selvage_material]\n- [Node:sop/selvage_pin]\n"
             "- [Node:sop/selvage_check]\n"},
        {"help/nodes/dop/selvage_dopsolver.txt",
         head("Selvage Solver", "dop", "selvage_dopsolver", summary) +
             "Solves the Geometry of an object. Gravity comes from gravity forces on it, else from "
             "the parameter; colliders are the objects that collide with it. Pinned points follow "
             "the point attribute `targetP`.\n\n" +
             parameters},
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

std::string cloth_asset_dialog_script()
{
    std::string ds = "# Dialog script for selvage::cloth, written from the parameter table.\n{\n"
                     "    name    selvage::cloth\n    script  selvage::cloth::1.0\n"
                     "    label   \"Selvage Cloth\"\n\n";
    for (int i = 0; i < input_count; ++i)
        ds +=
            fmt::format("    inputlabel  {}   \"{}\"\n", i + 1, SOP_SelvageSolver::input_labels[i]);
    ds += "\n    parm {\n        name    \"start_frame\"\n        label   \"Start Frame\"\n"
          "        type    integer\n        default { \"1\" }\n    }\n";
    return ds + folders_dialog_script() + "}\n";
}

} // namespace selvage::houdini
