#include "core/session/contact_assembly.h"

#include "core/base/error.h"
#include "core/base/name_pattern.h"
#include "core/base/nearest_name.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace selvage
{
namespace
{

/// More are surely an attribute that was not meant for this.
constexpr std::size_t most_groups = 2000;

/// An object of any kind, in the order in which contact counts them.
struct Touching {
    std::string who; ///< "Cloth 'cape'"
    std::string name;
    const Geometry* geometry;
    const MeshTopology* mesh;
    const VecX* x;
    ContactMaps* maps;
    double friction, dynamic_friction;
    bool collider;
    int layer = 0;
};

/// Names by which points of a group are known, and what they pass through.
struct PointClass {
    std::vector<std::string> names;
    std::string ignore;
    bool disable_self, disable_external;
};

/// An attribute of points, or of the whole geometry.
class Painted
{
public:
    Painted(const Geometry& geometry, const std::string& name)
        : on_points_(geometry.find(Owner::point, name)),
          attribute_(on_points_ ? on_points_ : geometry.find(Owner::detail, name))
    {
        if (attribute_ && attribute_->is_array) attribute_ = nullptr;
    }
    bool has_numbers() const { return attribute_ && !is_text(attribute_->storage); }
    bool has_texts() const { return attribute_ && attribute_->storage == Storage::string; }
    double number(int point) const { return attribute_->number(element(point)); }
    const std::string& text(int point) const { return attribute_->text(element(point)); }

private:
    std::size_t element(int point) const { return on_points_ ? std::size_t(point) : 0; }
    const Attribute* on_points_;
    const Attribute* attribute_;
};

/// Numbers >= 0 of an attribute, times `factor`; empty where there is none.
VecX painted_numbers(const Touching& object, const std::string& name, double factor)
{
    const Painted painted(*object.geometry, name);
    if (!painted.has_numbers()) return {};
    VecX out(Eigen::Index(object.geometry->point_count()));
    for (Eigen::Index i = 0; i < out.size(); ++i) {
        out[i] = factor * painted.number(int(i));
        if (!(out[i] >= 0 && std::isfinite(out[i])))
            throw InputError(fmt::format("{}: point {} has {} {}; it must not be negative.",
                                         object.who, i, name, painted.number(int(i))));
    }
    return out;
}

void read_thickness(Touching& object, LogSink& log)
{
    const Painted painted(*object.geometry, "pscale");
    if (!painted.has_numbers()) return;
    object.maps->thickness = painted_numbers(object, "pscale", 2);
    double mean = 0;
    for (const Vec2i& e : object.mesh->edges)
        mean += (object.x->segment<3>(3 * e[0]) - object.x->segment<3>(3 * e[1])).norm() /
                double(object.mesh->edges.size());
    Eigen::Index thickest = 0;
    const double most = object.maps->thickness.maxCoeff(&thickest);
    if (!object.mesh->edges.empty() && most > mean)
        log.message(Severity::warning,
                    fmt::format("{}: pscale {:g} at point {} makes it {:g} m thick, more than the "
                                "mean edge of {:.3g} m. Scale pscale down, or remove it to use the "
                                "object's thickness.",
                                object.who, most / 2, thickest, most, mean));
}

/// Whole numbers per point; the object's own where nothing is painted.
void read_layers(Touching& object, int own)
{
    const Painted painted(*object.geometry, "layer");
    if (!painted.has_numbers() && own == 0) return;
    std::vector<int>& layer = object.maps->layer;
    layer.assign(object.geometry->point_count(), own);
    if (!painted.has_numbers()) return;
    for (std::size_t i = 0; i < layer.size(); ++i) {
        const double value = painted.number(int(i));
        layer[i] = int(value);
        if (double(layer[i]) != value)
            throw InputError(fmt::format("{}: point {} has layer {:g}; layers are whole numbers.",
                                         object.who, i, value));
    }
}

/// Point groups whose names some pattern matches.
std::vector<const Group*> mentioned_groups(const Geometry& geometry,
                                           const std::vector<NamePattern>& patterns)
{
    std::vector<const Group*> groups;
    for (const Group& g : geometry.groups())
        if (g.owner == Owner::point)
            for (const NamePattern& p : patterns)
                if (p.matches(g.name)) {
                    groups.push_back(&g);
                    break;
                }
    return groups;
}

/// Divides the points of an object by all that decides what they collide with.
std::vector<PointClass> divide(Touching& object, const std::vector<NamePattern>& patterns)
{
    const Geometry& g = *object.geometry;
    const Painted ignore(g, "collisionignore"), named(g, "collisiongroup"), self(g, "disableself"),
        external(g, "disableexternal");
    const std::vector<const Group*> groups = mentioned_groups(g, patterns);
    using Key = std::tuple<std::string, std::string, bool, bool, std::vector<bool>>;
    std::map<Key, int> known;
    std::vector<PointClass> classes;
    std::vector<int> of_point;
    for (int p = 0; p < int(g.point_count()); ++p) {
        std::vector<bool> member;
        for (const Group* group : groups) member.push_back(group->member[std::size_t(p)]);
        const Key key = {ignore.has_texts() ? ignore.text(p) : "",
                         named.has_texts() ? named.text(p) : "",
                         self.has_numbers() && self.number(p) != 0,
                         external.has_numbers() && external.number(p) != 0, member};
        const auto [it, fresh] = known.emplace(key, int(classes.size()));
        of_point.push_back(it->second);
        if (!fresh) continue;
        if (classes.size() == most_groups)
            throw InputError(fmt::format(
                "{}: collisionignore, collisiongroup and groups divide its points into more than "
                "{} kinds. Use fewer different values.",
                object.who, most_groups));
        PointClass c = {{object.name}, std::get<0>(key), std::get<2>(key), std::get<3>(key)};
        if (!std::get<1>(key).empty()) c.names.push_back(std::get<1>(key));
        for (std::size_t i = 0; i < groups.size(); ++i)
            if (member[i]) c.names.push_back(groups[i]->name);
        classes.push_back(std::move(c));
    }
    if (classes.empty()) classes.push_back({{object.name}, "", false, false});
    if (classes.size() > 1) object.maps->group = std::move(of_point);
    return classes;
}

/// Every distinct collisionignore of an object.
std::set<std::string> ignore_texts(const Touching& object)
{
    const Painted ignore(*object.geometry, "collisionignore");
    std::set<std::string> texts;
    if (ignore.has_texts())
        for (int p = 0; p < int(object.geometry->point_count()); ++p) texts.insert(ignore.text(p));
    texts.erase("");
    return texts;
}

void warn_of_unknown_names(const Touching& object, const std::set<std::string>& known, LogSink& log)
{
    for (const std::string& text : ignore_texts(object))
        for (const std::string& name : NamePattern(text).plain_names()) {
            if (known.count(name)) continue;
            const std::string nearest = nearest_name(name, {known.begin(), known.end()});
            log.message(Severity::warning,
                        fmt::format("{}: collisionignore names '{}', which is no object, "
                                    "collisiongroup or point group.{}",
                                    object.who, name,
                                    nearest.empty() ? "" : " Did you mean '" + nearest + "'?"));
        }
}

/// Every name that collisionignore and pairs may mean: objects, point groups, collisiongroups.
std::set<std::string> known_names(const std::vector<Touching>& objects)
{
    std::set<std::string> names;
    for (const Touching& o : objects) {
        names.insert(o.name);
        for (const Group& g : o.geometry->groups())
            if (g.owner == Owner::point) names.insert(g.name);
        const Painted named(*o.geometry, "collisiongroup");
        if (named.has_texts())
            for (int p = 0; p < int(o.geometry->point_count()); ++p) names.insert(named.text(p));
    }
    names.erase("");
    return names;
}

/// Objects that a name or pattern of a pair means.
std::vector<std::size_t> objects_named(const std::vector<Touching>& objects,
                                       const std::string& text)
{
    const NamePattern pattern(text);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < objects.size(); ++i)
        if (objects[i].name == text || pattern.matches(objects[i].name)) found.push_back(i);
    return found;
}

using Classes = std::vector<std::vector<PointClass>>; ///< of every object

Classes assemble_groups(const SessionSetup& setup, std::vector<Touching>& objects,
                        Collisions& collisions, LogSink& log)
{
    std::vector<NamePattern> patterns;
    for (const PairSetup& p : setup.pairs)
        for (const char* side : {"a", "b"})
            if (objects_named(objects, p.pair.text(side)).empty())
                patterns.emplace_back(p.pair.text(side));
    for (const Touching& o : objects)
        for (const std::string& text : ignore_texts(o)) patterns.emplace_back(text);
    const std::set<std::string> names = known_names(objects);
    for (const Touching& o : objects) warn_of_unknown_names(o, names, log);

    Classes classes;
    for (Touching& o : objects) classes.push_back(divide(o, patterns));
    for (std::size_t a = 0; a < objects.size(); ++a)
        for (std::size_t i = 0; i < classes[a].size(); ++i) {
            const PointClass& one = classes[a][i];
            const NamePattern ignore(one.ignore);
            if (ignore.empty() && !one.disable_self && !one.disable_external) continue;
            for (std::size_t b = 0; b < objects.size(); ++b)
                for (std::size_t j = 0; j < classes[b].size(); ++j)
                    if (ignore.matches_any(classes[b][j].names) || (one.disable_self && a == b) ||
                        (one.disable_external && objects[b].collider))
                        collisions.ignored.push_back({int(a), int(i), int(b), int(j)});
        }
    return classes;
}

/// What a name of a pair means of one object: all of it, or some of its classes of points.
struct Meant {
    std::size_t object;
    std::vector<std::size_t> classes;
    bool whole;
};

std::vector<Meant> meant(const std::vector<Touching>& objects, const Classes& classes,
                         const std::string& text, const std::string& where)
{
    const NamePattern pattern(text);
    std::vector<Meant> found;
    for (const std::size_t i : objects_named(objects, text)) {
        found.push_back({i, {}, true});
        for (std::size_t c = 0; c < classes[i].size(); ++c) found.back().classes.push_back(c);
    }
    if (!found.empty()) return found;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        Meant m = {i, {}, false};
        for (std::size_t c = 0; c < classes[i].size(); ++c)
            if (pattern.matches_any(classes[i][c].names)) m.classes.push_back(c);
        if (!m.classes.empty()) found.push_back(std::move(m));
    }
    if (!found.empty()) return found;
    const std::set<std::string> known = known_names(objects);
    const std::string nearest = nearest_name(text, {known.begin(), known.end()});
    throw InputError(fmt::format("{}there is no object, point group or collisiongroup '{}'.{}",
                                 where, text,
                                 nearest.empty() ? "" : " Did you mean '" + nearest + "'?"));
}

/// Friction of a pair: what it says itself, else the mean of its two.
Friction friction_of(const ParameterSet& pair, const Touching& a, const Touching& b,
                     const std::string& where)
{
    const auto mean = [](double s, double t) { return std::sqrt(s * t); };
    const auto sliding = [](const Touching& o) {
        return o.dynamic_friction >= 0 ? o.dynamic_friction : o.friction;
    };
    Friction f = {mean(a.friction, b.friction), mean(sliding(a), sliding(b))};
    if (pair.has("friction")) f.resting = f.sliding = pair.real("friction");
    if (pair.has("dynamic_friction")) f.sliding = pair.real("dynamic_friction");
    if (f.sliding > f.resting)
        throw InputError(fmt::format(
            "{}dynamic_friction {:g} exceeds the friction at rest, {:g}. Lower it or raise "
            "friction.",
            where, f.sliding, f.resting));
    return f;
}

void assemble_pairs(const SessionSetup& setup, const std::vector<Touching>& objects,
                    const Classes& classes, Collisions& collisions)
{
    for (const PairSetup& p : setup.pairs) {
        const std::string where =
            fmt::format("Pair '{}', '{}': ", p.pair.text("a"), p.pair.text("b"));
        const bool rubs = p.pair.has("friction") || p.pair.has("dynamic_friction");
        for (const Meant& a : meant(objects, classes, p.pair.text("a"), where))
            for (const Meant& b : meant(objects, classes, p.pair.text("b"), where)) {
                if (rubs && !(a.whole && b.whole))
                    throw InputError(where + "friction of a pair is that of two whole objects. "
                                             "Paint point attribute friction for a part of one.");
                if (rubs)
                    collisions.friction.push_back(
                        {int(a.object), int(b.object),
                         friction_of(p.pair, objects[a.object], objects[b.object], where)});
                if (p.pair.real("collide") != 0) continue;
                for (const std::size_t i : a.classes)
                    for (const std::size_t j : b.classes)
                        collisions.ignored.push_back(
                            {int(a.object), int(i), int(b.object), int(j)});
            }
    }
}

void require_ordered_friction(const Touching& object)
{
    if (object.dynamic_friction > object.friction)
        throw InputError(fmt::format("{}: dynamic_friction {:g} exceeds friction {:g}. Lower it or "
                                     "raise friction.",
                                     object.who, object.dynamic_friction, object.friction));
}

} // namespace

void assemble_contact(const SessionSetup& setup, const ContactInputs& inputs, Scene& scene,
                      LogSink& log)
{
    std::vector<Touching> objects;
    for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
        Cloth& c = scene.cloths[i];
        objects.push_back({fmt::format("Cloth '{}'", c.name), c.name, inputs.cloths[i].get(),
                           &c.mesh, &c.x_rest, &c.contact, c.material.friction,
                           c.material.dynamic_friction, false,
                           setup.cloths[i].cloth.integer("layer")});
    }
    for (std::size_t i = 0; i < scene.solids.size(); ++i) {
        Solid& s = scene.solids[i];
        objects.push_back({fmt::format("Solid '{}'", s.name), s.name, inputs.solids[i].get(),
                           &s.surface, &s.x_rest, &s.contact, s.material.friction,
                           s.material.dynamic_friction, false, 0});
    }
    for (std::size_t i = 0; i < scene.colliders.size(); ++i) {
        Collider& c = scene.colliders[i];
        objects.push_back({fmt::format("Collider '{}'", c.name), c.name, inputs.colliders[i].get(),
                           &c.mesh, &c.x_start, &c.contact, c.friction, c.dynamic_friction, true,
                           0});
    }
    for (Touching& o : objects) {
        require_ordered_friction(o);
        read_thickness(o, log);
        read_layers(o, o.layer);
        o.maps->friction = painted_numbers(o, "friction", 1);
        o.maps->dynamic_friction = painted_numbers(o, "dynamicfriction", 1);
    }
    const Classes classes = assemble_groups(setup, objects, scene.collisions, log);
    assemble_pairs(setup, objects, classes, scene.collisions);
}

} // namespace selvage
