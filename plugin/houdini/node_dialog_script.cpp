// The solver's parameters as a dialog script, for assets.
#include "plugin/houdini/node_interface.h"

#include <fmt/format.h>

namespace selvage::houdini
{
namespace
{

using T = ParameterType;

std::string quoted(const std::string& s)
{
    std::string out = "\"";
    for (const char c : s) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

const char* type_of(const Parameter& p)
{
    if (!choices_of(p).empty()) return "ordinal";
    switch (p.type) {
    case T::boolean: return "toggle";
    case T::integer: return "integer";
    case T::vector3: return "vector";
    case T::real: return "float";
    default: return "string";
    }
}

std::string row_script(const NodeParameter& row)
{
    const Parameter& p = *row.parameter;
    const auto choices = choices_of(p);
    std::string ds;
    if (row.optional)
        ds += fmt::format("        parm {{\n            name    \"use_{}\"\n"
                          "            label   {}\n            type    toggle\n"
                          "            default {{ \"0\" }}\n        }}\n",
                          row.token, quoted("Set " + std::string(p.label)));
    ds += fmt::format("        parm {{\n            name    {}\n            label   {}\n"
                      "            type    {}\n",
                      quoted(row.token), quoted(std::string(p.label)), type_of(p));
    if (p.type == T::vector3) ds += "            size    3\n";
    ds += "            default {";
    if (p.type == T::text && choices.empty())
        ds += " \"\"";
    else
        for (const double d : default_numbers(p)) ds += fmt::format(" \"{:g}\"", d);
    ds += " }\n";
    if (row.optional)
        ds += fmt::format("            disablewhen \"{{ use_{} == 0 }}\"\n", row.token);
    if (!choices.empty()) {
        ds += "            menu {\n";
        for (const std::string& c : choices)
            ds += fmt::format("                {} {}\n", quoted(c), quoted(label_of(c)));
        ds += "            }\n";
    }
    return ds + fmt::format("            help    {}\n        }}\n", quoted(help_of(p)));
}

} // namespace

std::string head_dialog_script()
{
    std::string ds;
    for (const NodeHeadRow& row : node_head()) {
        const bool button = row.kind == NodeHeadRow::button;
        ds += fmt::format("    parm {{\n        name    {}\n        label   {}\n"
                          "        type    {}\n        default {{ \"{}\" }}\n"
                          "        help    {}\n",
                          quoted(row.token), quoted(row.label),
                          button                           ? "button"
                          : row.kind == NodeHeadRow::frame ? "integer"
                                                           : "toggle",
                          row.default_value, quoted(row.help));
        if (button)
            ds += "        parmtag { \"script_callback\" "
                  "\"kwargs['node'].node('solver').parm('reset').pressButton()\" }\n"
                  "        parmtag { \"script_callback_language\" \"python\" }\n";
        ds += "    }\n";
    }
    return ds;
}

std::string folders_dialog_script(const std::vector<std::string>& left_out)
{
    std::string ds;
    int number = 0;
    for (const NodeFolder& f : node_folders()) {
        if (!f.list.empty()) continue;
        if (std::find(left_out.begin(), left_out.end(), f.label) != left_out.end()) continue;
        ds += fmt::format("    group {{\n        name    \"folder{}\"\n        label   {}\n",
                          number++, quoted(f.label));
        for (const NodeParameter& row : f.parameters) ds += row_script(row);
        ds += "    }\n";
    }
    return ds;
}

} // namespace selvage::houdini
