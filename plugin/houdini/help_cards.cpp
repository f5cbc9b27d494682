#include "plugin/houdini/help_cards.h"

#include "core/model/material.h"
#include "core/session/scene_assembly.h"
#include "plugin/houdini/SOP_SelvageSolver.h"
#include "plugin/houdini/helper_nodes.h"
#include "plugin/houdini/node_interface.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

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

/// `only`: the rows to take; all where it is null.
std::string parameter_rows(const PRM_Template* list, const std::set<std::string>* only = nullptr)
{
    std::string text;
    for (; list->getType() != PRM_LIST_TERMINATOR; ++list) {
        if (list->getType() == PRM_SWITCHER || list->getType() == PRM_SEPARATOR) continue;
        if (only && !only->count(list->getToken())) continue;
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

/// `icon`: of an operator in config/Icons.
std::string head(const std::string& title, const char* context, const std::string& type,
                 const std::string& icon, const std::string& summary)
{
    return fmt::format("= {} =\n\n#type: node\n#context: {}\n#internal: {}\n#icon: SOP/{}\n"
                       "#tags: cloth, simulation, selvage\n\n\"\"\"{}\"\"\"\n\n",
                       title, context, type, icon, summary);
}

template <class Work> PackageFile helper_card()
{
    const HelperInfo& i = Work::info;
    return {fmt::format("help/nodes/sop/{}.txt", i.type),
            head(i.label, "sop", i.type, i.type, i.help) + parameter_section(helper_templates(i)) +
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
    "Read of the first input at the start frame, of points where nothing else is said; "
    "`P`, `orient` and `rest` are followed over the shot.\n\n"
    "P, v:\n    Start positions and velocities; positions later drive pins and roots. Results are "
    "written. `P` comes in 64 bits where 32 would let surfaces touch.\n\n"
    "mass:\n    Replaces the density; 0 pins the point.\n\n"
    "stopped:\n    Bit 0 pins the point.\n\n"
    "rest:\n    Rest shape, unless the fourth input gives one. Where the input is animated, the "
    "rest shape follows it. On the fourth input it counts before `P`.\n\n"
    "rest_blend, rest_scale:\n    Follow an animated rest shape by this weight; grow or shrink.\n\n"
    "materialuv, uv:\n    The pattern, of points or vertices: the warp runs along v.\n\n"
    "pscale:\n    Radius that is kept clear around the point: of cloth and colliders half the "
    "thickness, of hair the radius of the strand.\n\n"
    "width:\n    Of hair: diameter of the strand.\n\n"
    "id:\n    Points of the second input are found by it.\n\n"
    "friction, dynamicfriction:\n    Factors of the friction; also on colliders.\n\n"
    "layer:\n    Whole number: what lies over what.\n\n"
    "disableself, disableexternal:\n    1: no collision with the point's own object, or with "
    "colliders.\n\n"
    "collisionignore, collisiongroup:\n    Names or patterns of what the point passes through, and "
    "a name for those of others; also on colliders, and as detail attributes.\n\n"
    "young_warp, bend_scale, …:\n    Painted materials: every number of the material by its name, "
    "times its name with `_scale`; `stretch_scale` and `density_scale` multiply several. Also "
    "every map that a parameter names.\n\n"
    "orient:\n    Of hair: axes of the section, x across and z along the strand; of roots over the "
    "shot. Written for every frame.\n\n"
    "skinprim, skinprimuv:\n    Of hair, on curves: the polygon of the third input that the root "
    "goes with, and the place on it.\n\n"
    "stiffness_scale, target_scale:\n    Of hair: multiply bending and twist, and the pull to the "
    "groom.\n\n"
    "sv_material:\n    Primitive attribute of Selvage Material: the preset.\n\n"
    "type, restlength, stiffness, compressstiffness:\n    Primitive attributes of the second "
    "input, at every frame: what its lines and points do, as in Vellum.\n\n"
    "target_prim:\n    Primitive attribute of the second input: the polygon of the third that a "
    "point is attached to.\n\n"
    "sv_strain:\n    Written: largest principal stretch − 1 around the point.\n\n"
    "sv_contact, sv_gap:\n    Written where Contact Attributes is on: 1 in contact, and metres "
    "beyond the thickness.\n\n";

std::set<std::string> parameters_of(const SolverAsset& asset)
{
    std::set<std::string> tokens;
    for (const NodeHeadRow& row : node_head()) tokens.insert(row.token);
    for (const NodeFolder& f : node_folders()) {
        if (!f.list.empty() ||
            std::count(asset.left_out.begin(), asset.left_out.end(), f.label) > 0)
            continue;
        for (const NodeParameter& row : f.parameters) {
            tokens.insert(row.token);
            if (row.optional) tokens.insert("use_" + row.token);
        }
    }
    return tokens;
}

} // namespace

std::vector<PackageFile> help_cards()
{
    const char* summary =
        "Simulates cloth and thin shells that do not pass through themselves, solids and hair.";
    return {
        {"help/nodes/sop/selvage_solver.txt",
         head("Selvage Solver", "sop", "selvage_solver", "selvage_solver", summary) +
             solver_introduction + parameter_section(SOP_SelvageSolver::templates()) +
             input_section(SOP_SelvageSolver::input_labels, input_count) + solver_attributes +
             "@related\n\n- [Node:sop/selvage_material]\n- [Node:sop/selvage_pin]\n"
             "- [Node:sop/selvage_check]\n"},
        {"help/nodes/dop/selvage_dopsolver.txt",
         head("Selvage Solver", "dop", "selvage_dopsolver", "selvage_solver", summary) +
             "Solves the Geometry of an object. Gravity comes from gravity forces on it, else from "
             "the parameter; wind from forces that depend on velocity: the velocity at which all "
             "of them together vanish. Colliders are the objects that collide with it; they may "
             "come and go at any step. Pinned points follow the point attribute `targetP`. "
             "Attach constraint geometry as data `ConstraintGeometry`, and a rest shape, which may "
             "be animated, as `RestGeometry` from the creation frame on; without one the rest "
             "shape follows the geometry's own attribute `rest`. Open curves among polygons are "
             "hair, together with them, where Method is set to barrier.\n\n" +
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
        {"cloth",
         "Selvage Cloth",
         "Geometry to simulate",
         {"Hair"},
         "selvage_solver",
         "Simulates polygons as cloth that does not pass through itself, and tetrahedra as solids.",
         "Wire the animated garment into the first input and name the points that follow it in "
         "Pins."},
        {"hair",
         "Selvage Hair",
         "Curves to simulate",
         {"Cloth", "Solid", "Pins", "Rest Shape", "Pressure", "Constraints"},
         "selvage_hair",
         "Simulates open curves as elastic rods.",
         "Wire guide curves, root first, into the first input. Their roots follow the curves' own "
         "animation; or, where the curves stand still and have the primitive attribute `skinprim`, "
         "the polygons of the third input."}};
    return all;
}

std::string SolverAsset::folder() const
{
    return fmt::format("otls/selvage_{0}.hda/selvage_8_8Sop_1{0}_8_81.0", name);
}

std::string asset_help(const SolverAsset& asset)
{
    const char* labels[input_count + 1] = {};
    for (int i = 0; i < input_count; ++i)
        labels[i] =
            i == input_geometry ? asset.first_input.c_str() : SOP_SelvageSolver::input_labels[i];
    const std::set<std::string> rows = parameters_of(asset);
    return head(asset.label, "sop", fmt::format("selvage::{}::1.0", asset.name), asset.icon,
                asset.summary) +
           asset.use +
           " When it is created it builds its network: a Selvage Solver with the parameters below, "
           "and a Selvage Check that is bypassed. Attributes are those of "
           "[Node:sop/selvage_solver].\n\n" +
           input_section(labels, input_count) + "@parameters\n\n" +
           parameter_rows(SOP_SelvageSolver::templates(), &rows) +
           "@related\n\n- [Node:sop/selvage_solver]\n- [Node:sop/selvage_check]\n";
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
