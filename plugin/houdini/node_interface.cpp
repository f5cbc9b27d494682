#include "plugin/houdini/node_interface.h"

#include "core/model/hair_material.h"
#include "core/model/material.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace selvage::houdini
{
namespace
{

using T = ParameterType;

/// Rows that only shot files have.
const std::set<std::string> shot_only = {"selvage", "fps",      "frames",  "output",
                                         "name",    "geometry", "initial", "target"};

/// Rows that the wiring of the node answers.
bool is_wired(const Parameter& p)
{
    return (p.scope == "constraints" && p.name == "collider") || // there is one at most
           (p.scope == "hair" && p.name == "root_surface");      // likewise
}

/// Rows that the first input answers unless the artist does.
bool is_automatic(const Parameter& p) { return p.scope == "solver" && p.name == "method"; }

std::string token_of(const Parameter& p)
{
    const std::string scope(p.scope), name(p.name);
    if (scope.empty() || scope == "cloth") return name;
    const auto dot = scope.rfind('.');
    return (dot == std::string::npos ? scope : scope.substr(dot + 1)) + "_" + name;
}

NodeFolder folder(const char* label, std::initializer_list<const char*> scopes,
                  const char* list = "")
{
    NodeFolder f{label, list, {}};
    for (const char* scope : scopes)
        for (const Parameter& p : parameter_table()) {
            if (p.scope != scope || p.type == T::path || shot_only.count(std::string(p.name)) ||
                is_wired(p))
                continue;
            f.parameters.push_back(
                {&p, token_of(p) + (f.list.empty() ? "" : "#"),
                 is_automatic(p) || (p.default_value.empty() && p.type != T::text)});
        }
    return f;
}

template <class Presets> std::vector<std::string> names_of(const Presets& presets)
{
    std::vector<std::string> names;
    for (const auto& p : presets) names.push_back(p.name);
    return names;
}

} // namespace

std::vector<std::string> choices_of(const Parameter& p)
{
    if (p.scope == "cloth" && p.name == "material") return names_of(cloth_presets());
    if (p.scope == "hair" && p.name == "material") return names_of(hair_presets());
    std::vector<std::string> out;
    std::string word;
    for (const char c : std::string(p.choices) + ",") {
        if (c != ',') {
            word += c;
        } else if (!word.empty()) {
            out.push_back(word);
            word.clear();
        }
    }
    return out;
}

std::string label_of(const std::string& choice)
{
    for (const MaterialPreset& m : cloth_presets())
        if (m.name == choice) return m.label;
    for (const HairPreset& m : hair_presets())
        if (m.name == choice) return m.label;
    std::string label = choice;
    if (!label.empty()) label[0] = char(std::toupper(static_cast<unsigned char>(label[0])));
    for (char& c : label)
        if (c == '_') c = ' ';
    return label;
}

std::vector<double> default_numbers(const Parameter& p)
{
    if (p.default_value.empty()) return {0};
    const auto json = nlohmann::json::parse(p.default_value);
    if (json.is_array()) return json.get<std::vector<double>>();
    if (json.is_boolean()) return {json.get<bool>() ? 1.0 : 0.0};
    if (json.is_number()) return {json.get<double>()};
    const auto choices = choices_of(p);
    for (std::size_t i = 0; i < choices.size(); ++i)
        if (choices[i] == json.get<std::string>()) return {double(i)};
    return {0};
}

std::string help_of(const Parameter& p)
{
    return p.unit.empty() ? std::string(p.help) : fmt::format("[{}] {}", p.unit, p.help);
}

const std::vector<NodeFolder>& node_folders()
{
    static const std::vector<NodeFolder> all = {folder("Simulation", {"", "preroll", "turbulence"}),
                                                folder("Cloth", {"cloth"}),
                                                folder("Solid", {"solid"}),
                                                folder("Hair", {"hair"}),
                                                folder("Pins", {"cloth.pins"}),
                                                folder("Rest Shape", {"cloth.rest"}),
                                                folder("Pressure", {"cloth.pressure"}),
                                                folder("Collisions", {"collision"}),
                                                folder("Colliders", {"collider", "collider.plane"}),
                                                folder("Pairs", {"pair"}, "pairs"),
                                                folder("Constraints", {"constraints"}),
                                                folder("Solver", {"solver"})};
    return all;
}

const std::vector<NodeHeadRow>& node_head()
{
    using Row = NodeHeadRow;
    static const std::vector<NodeHeadRow> all = {
        {Row::button, "reset", "Reset Simulation", 0,
         "Forgets all simulated frames and reads the inputs again."},
        {Row::frame, "start_frame", "Start Frame", 1,
         "The first input's shape at this frame is the start pose."},
        {Row::toggle, "sample_subframes", "Sample Inputs at Substeps", 0,
         "Cooks animated inputs at every substep. Off: whole frames are cooked and interpolated, "
         "which is faster and the same as in shot files."},
        {Row::toggle, "ground", "Ground Plane", 0,
         "Collides with a plane as well: Point and Normal in the folder Colliders, which also "
         "gives its thickness and friction."},
        {Row::toggle, "guide_pins", "Show Pins", 0, "Draws pinned points as guides."},
        {Row::toggle, "guide_contacts", "Show Contacts", 0,
         "Draws points that are in contact: yellow, and red where the gap is nearly used up."},
        {Row::toggle, "contact_attributes", "Contact Attributes", 0,
         "Writes point attributes sv_contact (1 in contact) and sv_gap (metres beyond the "
         "thickness; -1 without contact). Searches for contacts anew: costs playback speed."},
        {Row::toggle, "guide_intersections", "Show Intersections", 0,
         "Draws edges that pass through polygons, of the simulated geometry and of colliders. "
         "Looks at every pair: for finding out, not for playback."},
    };
    return all;
}

bool acts_in_dops(const NodeParameter& row) { return row.token != "cache_limit"; }

bool names_points(const NodeParameter& row)
{
    return row.token == "pins_group" || row.token == "hair_pin_group";
}

const std::vector<NodeParameter>& list_rows(const std::string& list)
{
    for (const NodeFolder& f : node_folders())
        if (f.list == list) return f.parameters;
    static const std::vector<NodeParameter> none;
    return none;
}

} // namespace selvage::houdini
