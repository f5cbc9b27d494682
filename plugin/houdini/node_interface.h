#pragma once

#include "core/session/parameter_table.h"
#include "core/session/session_setup.h"
#include "plugin/houdini/compat.h"
#include "plugin/houdini/geometry_input.h"

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

/// Where parameter values come from: a node, or the options of simulation data.
class ValueReader
{
public:
    virtual ~ValueReader() = default;
    virtual double number(const std::string& token, int component, double frame) const = 0;
    virtual std::string text(const std::string& token) const = 0;
    virtual bool animated(const std::string&) const { return false; }
};

/// What a node simulates, and with which inputs besides.
struct NodeShape {
    std::string name; ///< of the object, in messages
    ObjectKind kind = ObjectKind::cloth;
    bool colliders = false, constraints = false;
};

/// Evaluates the parameters into a set-up whose sources are still to be given: the object, a
/// collider and constraints where they are connected. Animated values are sampled at
/// every frame from the start to `last_frame`. Throws InputError on values out of range.
SessionSetup read_setup(const ValueReader& values, const NodeShape& shape, double fps,
                        int first_frame, int last_frame);

/// The same from a node's parameters, with the scene's frame rate and the node's start frame.
SessionSetup read_setup(const OP_Node& node, const NodeShape& shape, int last_frame);

/// Choices of a menu, in the order of its numbers; empty where the parameter has none.
std::vector<std::string> choices_of(const Parameter& parameter);

} // namespace selvage::houdini
