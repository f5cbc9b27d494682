#pragma once

#include "core/session/parameter_table.h"
#include "plugin/houdini/compat.h"

#include <string>
#include <vector>

namespace selvage::houdini
{

/// A row of the solver's interface that comes from the parameter table.
struct NodeParameter {
    const Parameter* parameter;
    std::string token;     ///< "pins_group": the scope's last word and the name
    bool optional = false; ///< has a switch "use_<token>"; off: the material gives the value
};

/// The folders of the node, in order, each with its part of the parameter table. Paths, names and
/// the frame rate are Houdini's business and left out.
struct NodeFolder {
    std::string label;
    std::vector<NodeParameter> parameters;
};
const std::vector<NodeFolder>& node_folders();

/// The same as a dialog script, for assets: parameters only, between the outer braces, without
/// the folders of these labels.
std::string folders_dialog_script(const std::vector<std::string>& left_out = {});

/// The node's templates: a reset button, the start frame and the folders. Lives as long as the
/// process, as PRM wants it.
PRM_Template* solver_templates(PRM_CallbackFunc reset);

/// Choices of a menu, in the order of its numbers; empty where the parameter has none.
std::vector<std::string> choices_of(const Parameter& parameter);

/// A choice as menus show it.
std::string label_of(const std::string& choice);

/// Default numbers, of a menu its choice; 0 where the material gives the value.
std::vector<double> default_numbers(const Parameter& parameter);

/// The tooltip, with the unit in front.
std::string help_of(const Parameter& parameter);

} // namespace selvage::houdini
