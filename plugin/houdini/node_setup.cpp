#include "plugin/houdini/node_setup.h"

#include "core/base/error.h"
#include "plugin/houdini/node_interface.h"

#include <CH/CH_Manager.h>
#include <OP/OP_Director.h>
#include <OP/OP_Node.h>
#include <UT/UT_String.h>

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace selvage::houdini
{
namespace
{

using T = ParameterType;

const std::string collider_name = "colliders"; ///< for pairs and collisionignore

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
    if (!values.has(row.token)) return;
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

/// Instance i of a multi-parameter; names end in '#'.
class InstanceValues final : public ValueReader
{
public:
    InstanceValues(const OP_Node& node, int i) : node_(node), i_(i) {}
    double number(const std::string& token, int component, double frame) const override
    {
        return node_.evalFloatInst(token.c_str(), &i_, component,
                                   OPgetDirector()->getChannelManager()->getTime(frame));
    }
    std::string text(const std::string& token) const override
    {
        UT_String s;
        node_.evalStringInst(token.c_str(), &i_, s, 0, 0);
        return compat::text_of(s);
    }

private:
    const OP_Node& node_;
    int i_;
};

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
        return compat::text_of(s);
    }
    bool animated(const std::string& token) const override
    {
        return compat::time_dependent(node_, token.c_str());
    }
    int count(const std::string& list) const override
    {
        return int(node_.evalInt(list.c_str(), 0, 0));
    }
    std::unique_ptr<ValueReader> instance(int i) const override
    {
        return std::make_unique<InstanceValues>(node_, i);
    }

private:
    const OP_Node& node_;
};

/// Pairs in the node's words; one with something that is not there has nothing to say.
void read_pairs(const ValueReader& values, const NodeShape& shape, bool ground, int first,
                SessionSetup& s)
{
    const std::map<std::string, std::string> names = {
        {"geometry", shape.name},
        {"colliders", shape.colliders ? collider_name : ""},
        {"ground", ground ? "ground" : ""}};
    for (int i = 1; i <= values.count("pairs"); ++i) {
        PairSetup pair;
        for (const NodeParameter& row : list_rows("pairs"))
            read_row(*values.instance(i), row, first, first, pair.pair);
        bool there = true;
        const auto translate = [&](const char* side, const char* if_empty) {
            std::string name = pair.pair.text(side);
            if (name.empty()) name = if_empty;
            if (const auto own = names.find(name); own != names.end()) name = own->second;
            there = there && !name.empty();
            pair.pair.set(side, name);
        };
        translate("a", "geometry");
        translate("b", "colliders");
        if (there) s.pairs.push_back(std::move(pair));
    }
}

} // namespace

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
    switch (shape.kind) {
    case ObjectKind::solid: {
        SolidSetup& solid = s.solids.emplace_back();
        add_object(solid.solid, shape.name);
        scopes["cloth.pins"] = &solid.pins; // the same rows of the node
        break;
    }
    case ObjectKind::hair:
        add_object(s.hairs.emplace_back().hair, shape.name);
        s.solver.set("method", std::string("hair"));
        break;
    case ObjectKind::cloth: {
        ClothSetup& cloth = s.cloths.emplace_back();
        add_object(cloth.cloth, shape.name);
        for (ParameterSet* set : {&cloth.pins, &cloth.rest_parameters, &cloth.pressure})
            scopes[set->scope()] = set;
        break;
    }
    }
    if (shape.coupled) add_object(s.hairs.emplace_back().hair, shape.name + "_hair");
    if (!s.hairs.empty() && shape.colliders && shape.rooted)
        s.hairs[0].hair.set("root_surface", collider_name);
    const bool ground = values.number("ground", 0, first) != 0;
    s.colliders.reserve(2); // scopes point into it
    if (shape.colliders) add_object(s.colliders.emplace_back().collider, collider_name);
    if (ground) {
        ColliderSetup& plane = s.colliders.emplace_back();
        if (!shape.colliders) scopes["collider"] = &plane.collider;
        scopes["collider.plane"] = &plane.plane;
    }
    if (shape.constraints) add_object(s.constraints.emplace_back().constraints, "input 2");
    for (const NodeFolder& f : node_folders())
        for (const NodeParameter& row : f.parameters)
            if (const auto to = scopes.find(row.parameter->scope); to != scopes.end())
                read_row(values, row, first, last_frame, *to->second);
    if (shape.constraints && shape.colliders)
        s.constraints[0].constraints.set("collider", collider_name);
    if (ground) {
        ColliderSetup& plane = s.colliders.back();
        if (shape.colliders) plane.collider = s.colliders.front().collider; // the same rows
        plane.collider.set("name", std::string("ground"));
    }
    if (shape.kind != ObjectKind::hair) read_pairs(values, shape, ground, first, s);
    return s;
}

} // namespace selvage::houdini
