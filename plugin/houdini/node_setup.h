#pragma once

#include "core/session/session_setup.h"
#include "plugin/houdini/compat.h"
#include "plugin/houdini/geometry_input.h"

#include <memory>
#include <string>

namespace selvage::houdini
{

/// Where parameter values come from: a node, or the options of simulation data.
class ValueReader
{
public:
    virtual ~ValueReader() = default;
    /// Rows that are not there keep their defaults.
    virtual bool has(const std::string& /*token*/) const { return true; }
    virtual double number(const std::string& token, int component, double frame) const = 0;
    virtual std::string text(const std::string& token) const = 0;
    virtual bool animated(const std::string&) const { return false; }
    /// How many instances a multi-parameter has, and their values, from 1 on.
    virtual int count(const std::string& /*list*/) const { return 0; }
    virtual std::unique_ptr<ValueReader> instance(int) const { return nullptr; }
};

/// What a node simulates, and with which inputs besides.
struct NodeShape {
    std::string name; ///< of the object, in messages
    ObjectKind kind = ObjectKind::cloth;
    bool colliders = false, constraints = false;
    bool rooted = false;  ///< hair whose roots go with the colliders
    bool coupled = false; ///< with open curves, as hair, beside what `kind` says
};

/// Evaluates the parameters into a set-up whose sources are still to be given: the object, a
/// collider and constraints where they are connected. Animated values are sampled at
/// every frame from the start to `last_frame`. Throws InputError on values out of range.
SessionSetup read_setup(const ValueReader& values, const NodeShape& shape, double fps,
                        int first_frame, int last_frame);

/// The same from a node's parameters, with the scene's frame rate and the node's start frame.
SessionSetup read_setup(const OP_Node& node, const NodeShape& shape, int last_frame);

} // namespace selvage::houdini
