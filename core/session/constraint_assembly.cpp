#include "core/session/constraint_assembly.h"

#include "core/base/error.h"
#include "core/geometry/nearest_surface.h"
#include "core/session/constraint_values.h"

#include <fmt/format.h>

#include <map>
#include <unordered_set>

namespace selvage
{
namespace
{

enum class Rule { pin, attach, distance, string, draw_together, on_triangle, material, elsewhere };

struct TypeRule {
    const char* type;
    Rule rule;
    const char* remedy; ///< for what belongs elsewhere
};

constexpr TypeRule rules[] = {
    {"pin", Rule::pin, ""},
    {"attach", Rule::attach, ""},
    {"distance", Rule::distance, ""},
    {"string", Rule::string, ""},
    {"stitch", Rule::draw_together, ""},
    {"sew", Rule::draw_together, ""},
    {"weld", Rule::draw_together, ""},
    {"glue", Rule::draw_together, ""},
    {"ptprim", Rule::on_triangle, ""},
    {"bend", Rule::material, ""},
    {"angle", Rule::material, ""},
    {"triarap", Rule::material, ""},
    {"stretchshear", Rule::material, ""},
    {"bendtwist", Rule::material, ""},
    {"attachnormal", Rule::elsewhere, "Use type attach."},
    {"pinorient", Rule::elsewhere, "Use type pin: cloth has no orientations."},
    {"pressure", Rule::elsewhere, "Set the cloth's pressure parameters."},
    {"tetvolume", Rule::elsewhere, "Give the tetrahedra a solid material."},
    {"tetarap", Rule::elsewhere, "Give the tetrahedra a solid material."},
    {"tetfiber", Rule::elsewhere, "Give the tetrahedra a solid material with fibres."},
    {"shapematch", Rule::elsewhere, "Raise the stiffness instead."},
};

const TypeRule* rule_of(const std::string& type)
{
    for (const TypeRule& r : rules)
        if (type == r.type) return &r;
    return nullptr;
}

std::string taken_types()
{
    std::string list;
    for (const TypeRule& r : rules)
        if (r.rule != Rule::material && r.rule != Rule::elsewhere)
            list += (list.empty() ? "" : ", ") + std::string(r.type);
    return list;
}

class Reader
{
public:
    Reader(const LinkInputs& in, std::size_t index)
        : in_(in),
          setup_(in.setup.constraints[index]),
          who_(fmt::format("Constraints '{}': ", setup_.name())),
          geometry_(*(source_ = read_input(*setup_.geometry, in.setup.first_frame(),
                                           who_ + "the geometry"))),
          values_(geometry_, setup_.constraints, who_),
          vertex_of_point_(scene_vertices(in, geometry_))
    {
        for (const Cloth& c : in.scene.cloths)
            for (const Vec2i& e : c.mesh.edges)
                edges_.insert(edge_key(c.first_vertex + e[0], c.first_vertex + e[1]));
    }

    void read()
    {
        if (geometry_.primitive_count() == 0)
            in_.log.message(Severity::warning,
                            who_ + "the geometry has no primitives and has no effect.");
        for (std::size_t k = 0; k < geometry_.primitive_count(); ++k) read_primitive(k);
        report();
    }

    const std::string& who() const { return who_; }
    std::vector<Pin> pins;
    struct Links {
        std::vector<Link> links;
        std::vector<LinkOrigin> origins;
        void add(const Link& link, std::size_t primitive)
        {
            links.push_back(link);
            origins.push_back({primitive, infinity});
        }
    };
    Links keep, pull; ///< that push and pull, and that only pull
    std::vector<SurfaceHold> holds;
    std::vector<Link> held; ///< what the attributes say of each hold

private:
    static std::int64_t edge_key(int a, int b)
    {
        return (std::int64_t(std::min(a, b)) << 32) | std::max(a, b);
    }

    Link link(std::size_t k, int vertex, double distance) const
    {
        Link l;
        l.vertex = vertex;
        l.rest_length = values_.length(k, distance);
        l.stiffness = values_.spring(k);
        return l;
    }

    void read_primitive(std::size_t k)
    {
        const std::string type = values_.type(k);
        const TypeRule* found = rule_of(type);
        const Rule rule = found ? found->rule : Rule::elsewhere;
        const std::vector<int> v = primitive_vertices(geometry_, k, vertex_of_point_);
        if (rule == Rule::material || rule == Rule::elsewhere) {
            left_out(rule == Rule::material ? material_ : unknown_, type, k);
        } else if (rule == Rule::pin) {
            for (const int vertex : v) add_pin(k, vertex);
        } else if (rule == Rule::attach && v.size() == 1) {
            held.push_back(link(k, v[0], 0));
            if (!values_.has_length()) held.back().rest_length = infinity; // as far as it is
            holds.push_back({v[0], values_.target(k), k, 1});
        } else if (rule == Rule::on_triangle && v.size() == 4) {
            add_on_triangle(k, v);
        } else if (v.size() < 2 || rule == Rule::on_triangle) {
            left_out(too_short_, type, k);
        } else if (!add_line(k, v, rule)) {
            left_out(material_, type, k);
        }
    }

    void add_pin(std::size_t k, int vertex)
    {
        const double stiffness = values_.stiffness(k, 0);
        pins.push_back({vertex, stiffness < values_.stiffness_limit() ? stiffness : 0,
                        setup_.constraints.real("damping")});
    }

    Vec3 at(int vertex) const { return in_.x.segment<3>(3 * vertex); }

    void add_on_triangle(std::size_t k, const std::vector<int>& v)
    {
        const Vec3 w = nearest_in_triangle(at(v[0]), at(v[1]), at(v[2]), at(v[3]));
        const Vec3 place = w[0] * at(v[1]) + w[1] * at(v[2]) + w[2] * at(v[3]);
        Link l = link(k, v[0], (at(v[0]) - place).norm());
        l.to = Link::To::triangle;
        l.others = {v[1], v[2], v[3]};
        l.weights = w;
        keep.add(l, k);
    }

    /// False where every piece lies along an edge of cloth and only keeps its length.
    bool add_line(std::size_t k, const std::vector<int>& v, Rule rule)
    {
        bool added = false;
        const bool slack = rule == Rule::string || values_.does_not_push(k);
        for (std::size_t i = 0; i + 1 < v.size(); ++i) {
            const int a = v[i], b = v[i + 1];
            if (a == b || (rule == Rule::distance && edges_.count(edge_key(a, b)))) continue;
            Link l = link(k, a, rule == Rule::draw_together ? 0 : (at(a) - at(b)).norm());
            l.to = Link::To::vertex;
            l.others[0] = b;
            (slack || rule == Rule::draw_together ? pull : keep).add(l, k);
            added = true;
        }
        return added;
    }

    struct LeftOut {
        std::size_t first = 0, count = 0;
    };
    using ByType = std::map<std::string, LeftOut>;
    static void left_out(ByType& list, const std::string& type, std::size_t k)
    {
        LeftOut& entry = list.try_emplace(type, LeftOut{k, 0}).first->second;
        ++entry.count;
    }

    void report() const
    {
        const auto say = [&](Severity severity, const ByType& list, const auto& why) {
            for (const auto& [type, entry] : list)
                in_.log.message(severity,
                                fmt::format("{}primitive {}{} of type '{}' {}", who_, entry.first,
                                            entry.count == 1
                                                ? " is"
                                                : fmt::format(" and {} more are", entry.count - 1),
                                            type, why(type)));
        };
        say(Severity::info, material_, [](const std::string&) {
            return "and left to the cloth's material, which resists stretch and bending itself.";
        });
        say(Severity::warning, too_short_, [](const std::string& type) {
            return fmt::format("and left out: it runs through too few points. Give it {}.",
                               type == "ptprim" ? "a point and three corners" : "two or more");
        });
        say(Severity::warning, unknown_, [](const std::string& type) {
            const TypeRule* rule = rule_of(type);
            return fmt::format("and left out. {} Taken are: {}.",
                               rule ? rule->remedy : "There is no such type.", taken_types());
        });
    }

    const LinkInputs& in_;
    const ConstraintsSetup& setup_;
    std::string who_;
    std::shared_ptr<const Geometry> source_;
    const Geometry& geometry_;
    ConstraintValues values_;
    std::vector<int> vertex_of_point_;
    std::unordered_set<std::int64_t> edges_; ///< of the cloths
    ByType material_, too_short_, unknown_;
};

LinkSet set_of(const ConstraintsSetup& setup, std::vector<Link> links)
{
    LinkSet set;
    set.name = fmt::format("Constraints '{}'", setup.name());
    set.links = std::move(links);
    set.damping = setup.constraints.real("damping");
    set.break_force = limit_of(setup.constraints, "break_force");
    set.break_stretch = limit_of(setup.constraints, "break_stretch");
    return set;
}

/// The collider that points are attached to: the named one, else the only one.
std::size_t target_collider(const LinkInputs& in, const ConstraintsSetup& setup,
                            const std::string& who)
{
    const std::string& name = setup.constraints.text("collider");
    if (!name.empty()) return named_collider(in, name, who);
    if (in.scene.colliders.size() != 1)
        throw InputError(fmt::format("{}points are attached to a collider, and there {}. {}", who,
                                     in.scene.colliders.empty() ? "is none" : "are several",
                                     in.scene.colliders.empty() ? "Add it, or use type pin."
                                                                : "Name it with 'collider'."));
    return 0;
}

} // namespace

std::vector<Pin> assemble_constraints(const LinkInputs& in, std::size_t index,
                                      std::vector<LinkPlaces>& places)
{
    const ConstraintsSetup& setup = in.setup.constraints[index];
    Reader reader(in, index);
    reader.read();
    const auto add = [&](Reader::Links from, LinkResists resists) {
        if (from.links.empty()) return;
        LinkSet set = set_of(setup, std::move(from.links));
        set.resists = resists;
        set.shortest = room_between_layers(in.scene);
        in.scene.links.push_back(std::move(set));
        places.emplace_back(LinkOwner::constraints, index).origins = std::move(from.origins);
    };
    add(std::move(reader.keep), LinkResists::both);
    add(std::move(reader.pull), LinkResists::stretch);
    if (reader.holds.empty()) return std::move(reader.pins);

    LinkPlaces on{LinkOwner::constraints, index};
    on.collider = int(target_collider(in, setup, reader.who()));
    on.source = in.setup.colliders[std::size_t(on.collider)].geometry;
    const auto target =
        read_input(*on.source, in.setup.first_frame(), reader.who() + "the collider");
    on.points = target->point_count();
    std::vector<Link> links =
        links_to_surface(reader.holds, *target, in.x, infinity, /*keep_offset*/ false,
                         {reader.who(), "primitive", "target_prim"}, on);
    for (std::size_t i = 0; i < links.size(); ++i) {
        on.origins.push_back({reader.holds[i].element, links[i].rest_length});
        links[i].stiffness = reader.held[i].stiffness;
        links[i].rest_length = std::min(links[i].rest_length, reader.held[i].rest_length);
    }
    LinkSet set = set_of(setup, std::move(links));
    set.shortest = room_above_collider(in.scene, on.collider);
    in.scene.links.push_back(std::move(set));
    places.push_back(std::move(on));
    return std::move(reader.pins);
}

} // namespace selvage
