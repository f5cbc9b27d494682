#include "tests/hdk_standin/dialog_script.h"

#include <PRM/PRM_TemplateBuilder.h>

#include <list>

struct PRM_TemplateBuilder::Impl {
    standin::DialogScript script;
    std::vector<PRM_Template> templates;
    // Templates point at these.
    std::list<PRM_Name> names;
    std::list<std::vector<PRM_Default>> defaults;
    std::list<PRM_Range> ranges;
    std::list<PRM_ChoiceList> menus;
    std::list<PRM_Conditional> conditions;
    std::list<std::vector<PRM_Template>> instances;

    void add(const std::vector<standin::DialogEntry>& entries, std::vector<PRM_Template>& out);
    void add_parm(const standin::DialogEntry& e, std::vector<PRM_Template>& out);
};

namespace
{

PRM_Type type_of(const std::string& t)
{
    if (t == "integer" || t == "intvector" || t == "intvector2" || t == "intvector3")
        return PRM_INT_J;
    if (t == "toggle") return PRM_TOGGLE_J;
    if (t == "ordinal") return PRM_ORD;
    if (t == "button") return PRM_CALLBACK;
    if (t == "separator") return PRM_SEPARATOR;
    if (t == "label") return PRM_LABEL;
    if (t == "string" || t == "file" || t == "oppath" || t == "geometry" || t == "group")
        return PRM_STRING;
    return PRM_FLT_J;
}

} // namespace

void PRM_TemplateBuilder::Impl::add_parm(const standin::DialogEntry& e,
                                         std::vector<PRM_Template>& out)
{
    names.emplace_back(e.name.c_str(), e.label.c_str()).harden();
    const PRM_Type type = type_of(e.type);
    defaults.emplace_back();
    std::vector<PRM_Default>& own = defaults.back();
    for (const std::string& d : e.defaults) {
        char* end = nullptr;
        fpreal value = std::strtod(d.c_str(), &end);
        const bool number = !d.empty() && *end == '\0';
        if (type.kind() == PRM_Type::ordinal && !number)
            for (std::size_t i = 0; i < e.menu.size(); ++i)
                if (e.menu[i].first == d) value = fpreal(i);
        const bool text = type.isStringType() || (!number && type.kind() != PRM_Type::ordinal);
        own.emplace_back(number || !text ? value : 0, text ? d.c_str() : nullptr);
    }
    while (int(own.size()) < std::max(e.size, 1)) own.emplace_back(0);
    PRM_Range* range = nullptr;
    if (e.has_range) {
        ranges.emplace_back(e.low_locked ? PRM_RANGE_RESTRICTED : PRM_RANGE_UI, e.low,
                            e.high_locked ? PRM_RANGE_RESTRICTED : PRM_RANGE_UI, e.high);
        range = &ranges.back();
    }
    PRM_ChoiceList* menu = nullptr;
    if (!e.menu.empty()) {
        std::vector<PRM_Name> items;
        for (const auto& [token, label] : e.menu)
            items.emplace_back(token.c_str(), label.c_str()).harden();
        items.emplace_back();
        menus.emplace_back(PRM_CHOICELIST_SINGLE, items.data());
        menu = &menus.back();
    }
    PRM_Conditional* condition = nullptr;
    if (!e.hide_when.empty() || !e.disable_when.empty()) {
        const bool hide = !e.hide_when.empty();
        conditions.emplace_back((hide ? e.hide_when : e.disable_when).c_str(),
                                hide ? PRM_CONDTYPE_HIDE : PRM_CONDTYPE_DISABLE);
        condition = &conditions.back();
    }
    out.emplace_back(type, std::max(e.size, 1), &names.back(), own.data(), menu, range,
                     PRM_Callback(), nullptr, 1, e.help.c_str(), condition);
}

void PRM_TemplateBuilder::Impl::add(const std::vector<standin::DialogEntry>& entries,
                                    std::vector<PRM_Template>& out)
{
    for (const standin::DialogEntry& e : entries) {
        if (e.kind == standin::DialogEntry::parm) {
            add_parm(e, out);
        } else if (e.kind == standin::DialogEntry::group) {
            add(e.children, out); // folders change the layout only
        } else {
            instances.emplace_back();
            std::vector<PRM_Template>& inside = instances.back();
            add(e.children, inside);
            inside.emplace_back();
            names.emplace_back(e.name.c_str(), e.label.c_str()).harden();
            defaults.push_back({PRM_Default(
                e.defaults.empty() ? 0 : std::strtod(e.defaults[0].c_str(), nullptr))});
            out.emplace_back(PRM_MULTITYPE_LIST, inside.data(), 1, &names.back(),
                             defaults.back().data());
        }
    }
}

PRM_TemplateBuilder::PRM_TemplateBuilder(const UT_StringHolder&, const char* text, const char**,
                                         int)
    : impl_(std::make_unique<Impl>())
{
    impl_->script = standin::parse_dialog_script(text);
    impl_->add(impl_->script.entries, impl_->templates);
    impl_->templates.emplace_back();
}
PRM_TemplateBuilder::~PRM_TemplateBuilder() = default;
PRM_Template* PRM_TemplateBuilder::templates() const { return impl_->templates.data(); }

void PRM_TemplateBuilder::setCallback(const char* parm, PRM_CallbackFunc callback)
{
    for (PRM_Template& t : impl_->templates)
        if (std::string(t.getToken()) == parm) t.setCallback(callback);
}
void PRM_TemplateBuilder::setChoiceListPtr(const UT_StringRef&, PRM_ChoiceList*) {}
