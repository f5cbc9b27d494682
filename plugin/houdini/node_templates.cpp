// The solver's parameters as PRM templates.
#include "plugin/houdini/node_interface.h"

#include "core/base/types.h"

#include <PRM/PRM_Include.h>

#include <fmt/format.h>

#include <deque>
#include <map>

namespace selvage::houdini
{
namespace
{

using T = ParameterType;

constexpr const char* list_help =
    "How two things touch. Names: geometry (the first input; also where the first name is empty), "
    "colliders (the third; also where the second name is empty), ground; or a point group or "
    "collisiongroup of either, to switch a part of it.";

/// Keeps what templates point at.
class TemplateList
{
public:
    void add(const PRM_Type& type, int size, const std::string& token, const std::string& label,
             const std::vector<double>& defaults, const std::string& help,
             PRM_ChoiceList* menu = nullptr, PRM_Range* range = nullptr,
             PRM_ConditionalBase* condition = nullptr, ButtonCallback callback = nullptr)
    {
        names_.emplace_back(token.c_str(), label.c_str());
        names_.back().harden();
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
        for (const std::string& c : choices) {
            const std::string label = label_of(c);
            items_.back().emplace_back(c.c_str(), label.c_str()).harden();
        }
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
    /// Rows in any number, from 0.
    void add_list(const NodeFolder& folder, std::vector<PRM_Template>& rows)
    {
        names_.emplace_back(folder.list.c_str(), folder.label.c_str());
        names_.back().harden();
        helps_.push_back(list_help);
        list.emplace_back(PRM_MULTITYPE_LIST, rows.data(), 2, &names_.back(), PRMzeroDefaults,
                          nullptr, nullptr, helps_.back().c_str());
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

/// `on_sop`: group menus ask a SOP for its geometry, which other nodes are not.
void add_row(const NodeParameter& row, bool on_sop, TemplateList& out)
{
    const Parameter& p = *row.parameter;
    const std::string label(p.label);
    PRM_ConditionalBase* condition = nullptr;
    if (row.optional) {
        out.add(PRM_TOGGLE, 1, "use_" + row.token, "Set " + label, {0},
                row.token.back() == '#' ? "Off: as the two objects have it."
                : p.scope == "solver"
                    ? "Off: open curves alone are solved as hair, all else by barrier. On: barrier "
                      "simulates open curves among polygons as hair, together with them."
                    : "Off: the material gives the value.");
        condition = out.unless("use_" + row.token);
    }
    const auto defaults = default_numbers(p);
    if (const auto choices = choices_of(p); !choices.empty())
        return out.add(PRM_ORD, 1, row.token, label, defaults, help_of(p), out.menu(choices),
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
                       on_sop && names_points(row) ? &SOP_Node::pointGroupMenu : nullptr);
    }
}

void add_head(TemplateList& out, ButtonCallback reset)
{
    for (const NodeHeadRow& row : node_head()) {
        if (!reset && std::string(row.token) != "ground") continue;
        const bool button = row.kind == NodeHeadRow::button;
        const PRM_Type& type = button                           ? PRM_CALLBACK
                               : row.kind == NodeHeadRow::frame ? PRM_INT_J
                                                                : PRM_TOGGLE;
        out.add(type, 1, row.token, row.label, {double(row.default_value)}, row.help, nullptr,
                nullptr, nullptr, button ? reset : nullptr);
    }
}

} // namespace

PRM_Template* solver_templates(ButtonCallback reset)
{
    struct Lists {
        TemplateList out, instance;
        std::vector<PRM_Default> tabs;
    };
    static std::map<ButtonCallback, Lists> all; // one for the SOP, one for the DOP
    static PRM_Name switcher("folders", "Folders");
    auto& [out, instance, tabs] = all[reset];
    if (!out.list.empty()) return out.list.data();
    add_head(out, reset);
    const auto shown = [&](const NodeParameter& row) { return reset || acts_in_dops(row); };
    std::vector<const NodeFolder*> folders;
    for (const NodeFolder& f : node_folders())
        if (f.list.empty() || reset) folders.push_back(&f);
    for (const NodeFolder* f : folders) {
        int count = 0;
        for (const NodeParameter& row : f->parameters)
            if (shown(row)) count += row.optional ? 2 : 1;
        tabs.emplace_back(f->list.empty() ? count : 1, f->label.c_str());
    }
    out.list.emplace_back(PRM_SWITCHER, int(tabs.size()), &switcher, tabs.data());
    for (const NodeFolder* f : folders) {
        for (const NodeParameter& row : f->parameters)
            if (shown(row)) add_row(row, reset != nullptr, f->list.empty() ? out : instance);
        if (f->list.empty()) continue;
        instance.list.emplace_back();
        out.add_list(*f, instance.list);
    }
    out.list.emplace_back();
    return out.list.data();
}

} // namespace selvage::houdini
