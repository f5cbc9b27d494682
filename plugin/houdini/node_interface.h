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
    std::string token;     ///< "pins_group": the scope's last word and the name; '#' in lists
    bool optional = false; ///< has a switch "use_<token>"; off: the material gives the value, or
                           ///< what the first input holds
};

/// The folders of the node, in order, each with its part of the parameter table. Paths, names and
/// the frame rate are Houdini's business and left out.
struct NodeFolder {
    std::string label;
    std::string list; ///< name of the multi-parameter whose instances these rows are; may be empty
    std::vector<NodeParameter> parameters;
};
const std::vector<NodeFolder>& node_folders();

/// A row that Houdini alone has, above the folders.
struct NodeHeadRow {
    enum Kind { button, frame, toggle } kind;
    const char *token, *label;
    int default_value;
    const char* help;
};
const std::vector<NodeHeadRow>& node_head();

/// Both as a dialog script, for assets: parameters only, between the outer braces, without the
/// folders of these labels and without lists, whose instances an asset could not link. The button
/// presses that of the node "solver" inside.
std::string head_dialog_script();
std::string folders_dialog_script(const std::vector<std::string>& left_out = {});

/// Rows of the folder whose list has this name.
const std::vector<NodeParameter>& list_rows(const std::string& list);

/// What a button does; 1 asks for a redraw.
using ButtonCallback = int (*)(void* node, int index, fpreal time, const PRM_Template*);

/// Whether the row does something in DOPs, too, which have a cache of their own.
bool acts_in_dops(const NodeParameter& row);

/// Whether the row names points of the first input.
bool names_points(const NodeParameter& row);

/// The node's templates: a reset button, the start frame and the folders; without a reset button
/// (the DOP's) only what acts there: of the head the ground, and no lists. Lives as long as the
/// process, as PRM wants it.
PRM_Template* solver_templates(ButtonCallback reset);

/// Choices of a menu, in the order of its numbers; empty where the parameter has none.
std::vector<std::string> choices_of(const Parameter& parameter);

/// A choice as menus show it.
std::string label_of(const std::string& choice);

/// Default numbers, of a menu its choice; 0 where the material gives the value.
std::vector<double> default_numbers(const Parameter& parameter);

/// The tooltip, with the unit in front.
std::string help_of(const Parameter& parameter);

} // namespace selvage::houdini
