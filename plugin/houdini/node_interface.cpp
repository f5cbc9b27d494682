#include "plugin/houdini/node_interface.h"

#include "core/base/error.h"
#include "core/model/material.h"

#include <OP/OP_Director.h>
#include <PRM/PRM_Include.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <deque>
#include <map>
#include <set>

namespace selvage::houdini
{

std::vector<std::string> choices_of(const Parameter& p)
{
    std::vector<std::string> out;
    if (p.scope == "cloth" && p.name == "material") {
        for (const MaterialPreset& m : cloth_presets()) out.push_back(m.name);
        return out;
    }
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

namespace
{

using T = ParameterType;

/// Rows that only shot files have.
const std::set<std::string> shot_only = {"selvage", "fps",      "frames",  "output",
                                         "name",    "geometry", "initial", "target"};

std::string token_of(const Parameter& p)
{
    const std::string scope(p.scope), name(p.name);
    if (scope.empty() || scope == "cloth") return name;
    const auto dot = scope.rfind('.');
    return (dot == std::string::npos ? scope : scope.substr(dot + 1)) + "_" + name;
}

NodeFolder folder(const char* label, std::initializer_list<const char*> scopes)
{
    NodeFolder f{label, {}};
    for (const char* scope : scopes)
        for (const Parameter& p : parameter_table()) {
            if (p.scope != scope || p.type == T::path || shot_only.count(std::string(p.name)) ||
                (p.scope == "constraints" && p.name == "collider")) // there is one at most
                continue;
            f.parameters.push_back({&p, token_of(p), p.default_value.empty() && p.type != T::text});
        }
    return f;
}

std::string label_of(const std::string& choice)
{
    for (const MaterialPreset& m : cloth_presets())
        if (m.name == choice) return m.label;
    std::string label = choice;
    if (!label.empty()) label[0] = char(std::toupper(static_cast<unsigned char>(label[0])));
    for (char& c : label)
        if (c == '_') c = ' ';
    return label;
}

bool is_menu(const Parameter& p) { return !choices_of(p).empty(); }

/// Default numbers; those that the material gives show cotton's.
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

/// Keeps what templates point at.
class TemplateList
{
public:
    void add(const PRM_Type& type, int size, const std::string& token, const std::string& label,
             const std::vector<double>& defaults, const std::string& help,
             PRM_ChoiceList* menu = nullptr, PRM_Range* range = nullptr,
             PRM_ConditionalBase* condition = nullptr, PRM_CallbackFunc callback = nullptr)
    {
        names_.emplace_back(token.c_str(), label.c_str());
        helps_.push_back(help);
        defaults_.emplace_back();
        for (const double d : defaults) defaults_.back().emplace_back(d);
        while (int(defaults_.back().size()) < size) defaults_.back().emplace_back(0);
        list.emplace_back(type, size, &names_.back(), defaults_.back().data(), menu, range,
                          PRM_Callback(callback), nullptr, 1, helps_.back().c_str(), condition);
    }
    PRM_ChoiceList* menu(const std::vector<std::string>& choices)
    {
        items_.emplace_back();
        for (const std::string& c : choices)
            items_.back().emplace_back(c.c_str(), label_of(c).c_str());
        items_.back().emplace_back();
        menus_.emplace_back(PRM_CHOICELIST_SINGLE, items_.back().data());
        return &menus_.back();
    }
    PRM_Range* range(const Parameter& p)
    {
        const bool low = p.low > -infinity, high = p.high < infinity;
        if (!low && !high) return nullptr;
        ranges_.emplace_back(low ? PRM_RANGE_RESTRICTED : PRM_RANGE_UI,
                             low ? std::max(p.low, -1e9) : 0,
                             high ? PRM_RANGE_RESTRICTED : PRM_RANGE_UI,
                             high ? std::min(p.high, 1e9) : std::max(1.0, 10 * p.low));
        return &ranges_.back();
    }
    PRM_ConditionalBase* unless(const std::string& toggle)
    {
        conditions_.emplace_back(fmt::format("{{ {} == 0 }}", toggle).c_str(),
                                 PRM_CONDTYPE_DISABLE);
        return &conditions_.back();
    }
    std::vector<PRM_Template> list;

private:
    std::deque<PRM_Name> names_;
    std::deque<std::string> helps_;
    std::deque<std::vector<PRM_Default>> defaults_;
    std::deque<std::vector<PRM_Name>> items_;
    std::deque<PRM_ChoiceList> menus_;
    std::deque<PRM_Range> ranges_;
    std::deque<PRM_Conditional> conditions_;
};

void add_row(const NodeParameter& row, TemplateList& out)
{
    const Parameter& p = *row.parameter;
    const std::string label(p.label);
    PRM_ConditionalBase* condition = nullptr;
    if (row.optional) {
        out.add(PRM_TOGGLE, 1, "use_" + row.token, "Set " + label, {0},
                "Off: the material gives the value.");
        condition = out.unless("use_" + row.token);
    }
    const auto defaults = default_numbers(p);
    if (is_menu(p))
        return out.add(PRM_ORD, 1, row.token, label, defaults, help_of(p), out.menu(choices_of(p)),
                       nullptr, condition);
    switch (p.type) {
    case T::boolean: return out.add(PRM_TOGGLE, 1, row.token, label, defaults, help_of(p));
    case T::integer:
        return out.add(PRM_INT_J, 1, row.token, label, defaults, help_of(p), nullptr, out.range(p),
                       condition);
    case T::vector3: return out.add(PRM_XYZ_J, 3, row.token, label, defaults, help_of(p));
    case T::real:
        return out.add(PRM_FLT_J, 1, row.token, label, defaults, help_of(p), nullptr, out.range(p),
                       condition);
    default:
        return out.add(PRM_STRING, 1, row.token, label, {}, help_of(p),
                       row.token == "pins_group" ? &SOP_Node::pointGroupMenu : nullptr);
    }
}

/// Rows that Houdini alone has.
void add_head(TemplateList& out, PRM_CallbackFunc reset)
{
    out.add(PRM_CALLBACK, 1, "reset", "Reset Simulation", {0},
            "Forgets all simulated frames and reads the inputs again.", nullptr, nullptr, nullptr,
            reset);
    out.add(PRM_INT_J, 1, "start_frame", "Start Frame", {1},
            "The first input's shape at this frame is the start pose.");
    out.add(
        PRM_TOGGLE, 1, "sample_subframes", "Sample Inputs at Substeps", {0},
        "Cooks animated inputs at every substep. Off: whole frames are cooked and interpolated, "
        "which is faster and the same as in shot files.");
    out.add(PRM_TOGGLE, 1, "guide_pins", "Show Pins", {0}, "Draws pinned points as guides.");
    out.add(PRM_TOGGLE, 1, "guide_contacts", "Show Contacts", {0},
            "Draws points that are in contact: yellow, and red where the gap is nearly used up.");
    out.add(PRM_TOGGLE, 1, "contact_attributes", "Contact Attributes", {0},
            "Writes point attributes sv_contact (1 in contact) and sv_gap (metres beyond the "
            "thickness; -1 without contact). Searches for contacts anew: costs playback speed.");
    out.add(PRM_TOGGLE, 1, "guide_intersections", "Show Intersections", {0},
            "Draws edges that pass through polygons. Looks at every pair: for finding out, not for "
            "playback.");
}

ParameterValue sampled(const ValueReader& values, const NodeParameter& row, int first, int last)
{
    const Parameter& p = *row.parameter;
    const int size = p.type == T::vector3 ? 3 : 1;
    const auto at = [&](double frame) {
        Vec3 v = Vec3::Zero();
        for (int c = 0; c < size; ++c) v[c] = values.number(row.token, c, frame);
        return v;
    };
    if (!p.animatable || !values.animated(row.token)) {
        const Vec3 v = at(first);
        return size == 3 ? ParameterValue(v) : ParameterValue(v[0]);
    }
    AnimatedValue keys;
    for (int f = first; f <= last; ++f) keys.keys.emplace_back(f, at(f));
    return keys;
}

void read_row(const ValueReader& values, const NodeParameter& row, int first, int last,
              ParameterSet& to)
{
    const Parameter& p = *row.parameter;
    if (row.optional && values.number("use_" + row.token, 0, first) == 0) return;
    const std::string where = fmt::format("Parameter '{}': ", p.label), name(p.name);
    const auto choices = choices_of(p);
    if (!choices.empty()) {
        const int i = int(values.number(row.token, 0, first));
        if (i < 0 || std::size_t(i) >= choices.size())
            throw InputError(fmt::format("{}{} is no choice of its menu.", where, i));
        to.set(name, choices[std::size_t(i)], where);
    } else if (p.type == T::text) {
        to.set(name, values.text(row.token), where);
    } else if (p.type == T::integer || p.type == T::boolean) {
        to.set(name, std::floor(values.number(row.token, 0, first)), where);
    } else {
        to.set(name, sampled(values, row, first, last), where);
    }
}

class NodeValues final : public ValueReader
{
public:
    explicit NodeValues(const OP_Node& node) : node_(node) {}
    double number(const std::string& token, int component, double frame) const override
    {
        return node_.evalFloat(token.c_str(), component,
                               OPgetDirector()->getChannelManager()->getTime(frame));
    }
    std::string text(const std::string& token) const override
    {
        UT_String s;
        node_.evalString(s, token.c_str(), 0, 0);
        return s.c_str();
    }
    bool animated(const std::string& token) const override
    {
        return compat::time_dependent(node_, token.c_str());
    }

private:
    const OP_Node& node_;
};

} // namespace

const std::vector<NodeFolder>& node_folders()
{
    static const std::vector<NodeFolder> all = {folder("Simulation", {"", "preroll", "turbulence"}),
                                                folder("Cloth", {"cloth"}),
                                                folder("Solid", {"solid"}),
                                                folder("Pins", {"cloth.pins"}),
                                                folder("Rest Shape", {"cloth.rest"}),
                                                folder("Pressure", {"cloth.pressure"}),
                                                folder("Collisions", {"collision"}),
                                                folder("Colliders", {"collider"}),
                                                folder("Constraints", {"constraints"}),
                                                folder("Solver", {"solver"})};
    return all;
}

PRM_Template* solver_templates(PRM_CallbackFunc reset)
{
    struct Lists {
        TemplateList out;
        std::vector<PRM_Default> tabs;
    };
    static std::map<PRM_CallbackFunc, Lists> all; // one for the SOP, one for the DOP
    static PRM_Name switcher("folders", "Folders");
    auto& [out, tabs] = all[reset];
    if (!out.list.empty()) return out.list.data();
    add_head(out, reset);
    for (const NodeFolder& f : node_folders()) {
        int count = 0;
        for (const NodeParameter& row : f.parameters) count += row.optional ? 2 : 1;
        tabs.emplace_back(count, f.label.c_str());
    }
    out.list.emplace_back(PRM_SWITCHER, int(tabs.size()), &switcher, tabs.data());
    for (const NodeFolder& f : node_folders())
        for (const NodeParameter& row : f.parameters) add_row(row, out);
    out.list.emplace_back();
    return out.list.data();
}

SessionSetup read_setup(const OP_Node& node, const NodeShape& shape, int last_frame)
{
    return read_setup(NodeValues(node), shape,
                      OPgetDirector()->getChannelManager()->getSamplesPerSec(),
                      node.evalInt("start_frame", 0, 0), last_frame);
}

SessionSetup read_setup(const ValueReader& values, const NodeShape& shape, double fps, int first,
                        int last_frame)
{
    SessionSetup s;
    s.shot.set("fps", fps);
    s.shot.set("frames", Vec3(first, std::max(first, last_frame), 0));
    std::map<std::string_view, ParameterSet*> scopes = {{"", &s.shot},
                                                        {"solver", &s.solver},
                                                        {"collision", &s.collision},
                                                        {"preroll", &s.preroll},
                                                        {"turbulence", &s.turbulence}};
    const auto add_object = [&](ParameterSet& set, const std::string& name) {
        scopes[set.scope()] = &set;
        set.set("name", name);
        set.set("geometry", std::string("input"));
    };
    if (shape.kind == ObjectKind::solid) {
        SolidSetup& solid = s.solids.emplace_back();
        add_object(solid.solid, shape.name);
        scopes["cloth.pins"] = &solid.pins; // the same rows of the node
    } else {
        ClothSetup& cloth = s.cloths.emplace_back();
        add_object(cloth.cloth, shape.name);
        for (ParameterSet* set : {&cloth.pins, &cloth.rest_parameters, &cloth.pressure})
            scopes[set->scope()] = set;
    }
    if (shape.colliders) add_object(s.colliders.emplace_back().collider, "input 3");
    if (shape.constraints) add_object(s.constraints.emplace_back().constraints, "input 2");
    for (const NodeFolder& f : node_folders())
        for (const NodeParameter& row : f.parameters)
            if (const auto to = scopes.find(row.parameter->scope); to != scopes.end())
                read_row(values, row, first, last_frame, *to->second);
    return s;
}

std::string folders_dialog_script()
{
    const auto quoted = [](const std::string& s) {
        std::string out = "\"";
        for (const char c : s) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        return out + "\"";
    };
    std::string ds;
    int folder_number = 0;
    for (const NodeFolder& f : node_folders()) {
        ds += fmt::format("    group {{\n        name    \"folder{}\"\n        label   {}\n",
                          folder_number++, quoted(f.label));
        for (const NodeParameter& row : f.parameters) {
            const Parameter& p = *row.parameter;
            if (row.optional)
                ds += fmt::format("        parm {{\n            name    \"use_{}\"\n"
                                  "            label   {}\n            type    toggle\n"
                                  "            default {{ \"0\" }}\n        }}\n",
                                  row.token, quoted("Set " + std::string(p.label)));
            const bool menu = is_menu(p);
            const char* type = menu                   ? "ordinal"
                               : p.type == T::boolean ? "toggle"
                               : p.type == T::integer ? "integer"
                               : p.type == T::vector3 ? "vector"
                               : p.type == T::real    ? "float"
                                                      : "string";
            ds += fmt::format("        parm {{\n            name    {}\n            label   {}\n"
                              "            type    {}\n",
                              quoted(row.token), quoted(std::string(p.label)), type);
            if (p.type == T::vector3) ds += "            size    3\n";
            ds += "            default {";
            if (p.type == T::text && !menu)
                ds += " \"\"";
            else
                for (const double d : default_numbers(p)) ds += fmt::format(" \"{:g}\"", d);
            ds += " }\n";
            if (row.optional)
                ds += fmt::format("            disablewhen \"{{ use_{} == 0 }}\"\n", row.token);
            if (menu) {
                ds += "            menu {\n";
                for (const std::string& c : choices_of(p))
                    ds += fmt::format("                {} {}\n", quoted(c), quoted(label_of(c)));
                ds += "            }\n";
            }
            ds += fmt::format("            help    {}\n        }}\n", quoted(help_of(p)));
        }
        ds += "    }\n";
    }
    return ds;
}

} // namespace selvage::houdini
