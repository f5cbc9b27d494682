#pragma once

#include <string>
#include <utility>
#include <vector>

namespace standin
{

/// A parameter, a folder or a multi-parameter block of a dialog script.
struct DialogEntry {
    enum Kind { parm, group, multiparm } kind = parm;
    int line = 0;
    std::string name, label, type, cpp_name, help, hide_when, disable_when;
    int size = 1;
    std::vector<std::string> defaults;
    bool has_range = false, low_locked = false, high_locked = false;
    double low = 0, high = 1;
    std::vector<std::pair<std::string, std::string>> menu; ///< token, label
    std::vector<std::pair<std::string, std::string>> tags;
    std::vector<DialogEntry> children;
};

struct DialogScript {
    std::string name, script, label;
    std::vector<std::pair<int, std::string>> input_labels;
    std::vector<DialogEntry> entries;
};

/// Reads the dialog-script language of DS files and of assets' DialogScript sections. Throws
/// std::runtime_error "line 12: …" on what does not belong there.
DialogScript parse_dialog_script(const std::string& text);

/// All parameters, folders opened.
std::vector<const DialogEntry*> all_parms(const DialogScript& script);

} // namespace standin
