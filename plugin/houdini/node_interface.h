#pragma once

#include "core/session/parameter_table.h"
#include "core/session/session_setup.h"
#include "plugin/houdini/compat.h"

#include <memory>
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

/// The same as a dialog script, for assets: parameters only, between the outer braces.
std::string folders_dialog_script();

/// The node's templates: a reset button, the start frame and the folders. Lives as long as the
/// process, as PRM wants it.
PRM_Template* solver_templates(PRM_CallbackFunc reset);

/// Evaluates the parameters into a set-up without inputs: one cloth named `cloth`, and a collider
/// if asked for. Animated values are sampled at every frame from the start to `last_frame`. Throws
/// InputError on values out of range.
SessionSetup read_setup(const OP_Node& node, const std::string& cloth, bool collider,
                        int last_frame);

} // namespace selvage::houdini
