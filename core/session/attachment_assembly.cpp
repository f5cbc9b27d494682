#include "core/session/attachment_assembly.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/geometry/nearest_surface.h"
#include "core/session/constraint_assembly.h"
#include "core/session/point_selection.h"
#include "core/session/seam_pairs.h"

#include <fmt/format.h>

#include <set>

namespace selvage
{
namespace
{

Vec3 other_end(const Link& l, const VecX& x)
{
    if (l.to == Link::To::vertex) return x.segment<3>(3 * l.others[0]);
    return place_at({l.others[0], l.others[1], l.others[2]}, l.weights, x);
}

/// Links along polylines, whatever their attributes say apart from `restlength`.
std::vector<Link> links_of_polylines(const LinkInputs& in, GeometrySource& source,
                                     const std::string& map_name, const std::string& who)
{
    const auto geometry = read_input(source, in.setup.first_frame(), who + "constraints");
    const std::vector<int> vertex_of_point = scene_vertices(in, *geometry);
    const VecX map = painted_map(*geometry, Owner::primitive, map_name, who + "stiffness_map");
    const Attribute* rest = geometry->find(Owner::primitive, "restlength");
    if (rest && (is_text(rest->storage) || rest->is_array)) rest = nullptr;

    std::vector<Link> links;
    for (std::size_t k = 0; k < geometry->primitive_count(); ++k) {
        const Primitive& line = geometry->primitives()[k];
        if (line.type != PrimitiveType::polygon || line.closed || line.count < 2) continue;
        const std::vector<int> vertices = primitive_vertices(*geometry, k, vertex_of_point);
        for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
            Link l;
            l.vertex = vertices[i];
            l.to = Link::To::vertex;
            l.others[0] = vertices[i + 1];
            l.share = map[Eigen::Index(k)];
            if (l.vertex == l.others[0]) continue;
            l.rest_length =
                rest ? rest->number(k)
                     : (in.x.segment<3>(3 * l.vertex) - in.x.segment<3>(3 * l.others[0])).norm();
            if (!(l.rest_length >= 0 && std::isfinite(l.rest_length)))
                throw InputError(fmt::format("{}constraints: primitive {} has restlength {}.", who,
                                             k, l.rest_length));
            links.push_back(l);
        }
    }
    if (links.empty())
        throw InputError(fmt::format(
            "{}the constraint geometry ({}) has no open polygons that connect two points.", who,
            source.describe(in.setup.first_frame())));
    return links;
}

/// The points that an attachment holds, with their shares.
struct Held {
    const Cloth* cloth;
    std::vector<int> points;
    VecX share;
};

Held held_points(const LinkInputs& in, const ParameterSet& p, const std::string& who)
{
    if (p.text("cloth").empty() || p.text("group").empty())
        throw InputError(who + "name the 'cloth' and the point 'group' that it holds, or give "
                               "'constraints'.");
    const std::size_t c = named_cloth(in, p.text("cloth"), who);
    Held held{
        &in.scene.cloths[c], group_points(*in.geometry[c], p.text("group"), who + "group"),
        painted_map(*in.geometry[c], Owner::point, p.text("stiffness_map"), who + "stiffness_map")};
    return held;
}

/// Nearest points or places of a cloth at the start.
std::vector<Link> links_to_cloth(const LinkInputs& in, const ParameterSet& p,
                                 const std::string& who)
{
    const Held held = held_points(in, p, who);
    const std::size_t other = named_cloth(in, p.text("to_cloth"), who);
    const Cloth& cloth = in.scene.cloths[other];
    const bool surface = p.text("on") == "surface", itself = &cloth == held.cloth;
    std::vector<std::uint8_t> allowed(std::size_t(cloth.point_count()), 1);
    if (!p.text("to_group").empty()) {
        allowed.assign(allowed.size(), 0);
        for (const int q : group_points(*in.geometry[other], p.text("to_group"), who + "to_group"))
            allowed[std::size_t(q)] = 1;
    } else if (itself) {
        for (const int q : held.points) allowed[std::size_t(q)] = 0;
    }
    const VecX x = in.x.segment(3 * cloth.first_vertex, 3 * cloth.point_count());
    std::vector<Link> links(held.points.size());
    parallel_for(held.points.size(), 16, [&](std::size_t i) {
        const int point = held.points[i];
        Link& l = links[i];
        l.vertex = held.cloth->first_vertex + point;
        l.share = held.share[point];
        l.rest_length = infinity; // until something is found
        const Vec3 at = in.x.segment<3>(3 * l.vertex);
        if (surface) {
            const std::vector<Vec3i>& triangles = cloth.mesh.triangles;
            const SurfacePlace place = nearest_surface(at, triangles, x, [&](int t) {
                const Vec3i& c = triangles[std::size_t(t)];
                for (int k = 0; k < 3; ++k)
                    if (!allowed[std::size_t(c[k])] || (itself && c[k] == point)) return false;
                return true;
            });
            if (place.triangle < 0) return;
            const Vec3i& t = triangles[std::size_t(place.triangle)];
            l.to = Link::To::triangle;
            l.weights = place.weights;
            for (int k = 0; k < 3; ++k) l.others[std::size_t(k)] = cloth.first_vertex + t[k];
            l.rest_length = place.distance;
            return;
        }
        l.to = Link::To::vertex;
        for (int q = 0; q < cloth.point_count(); ++q) {
            const double d = (at - x.segment<3>(3 * q)).norm();
            if (!allowed[std::size_t(q)] || (itself && q == point) || d >= l.rest_length) continue;
            l.rest_length = d;
            l.others[0] = cloth.first_vertex + q;
        }
    });
    // Two groups that face each other find the same pairs twice.
    std::set<std::pair<int, int>> seen;
    std::vector<Link> once;
    for (const Link& l : links)
        if (l.to != Link::To::vertex || seen.emplace(std::minmax(l.vertex, l.others[0])).second)
            once.push_back(l);
    return once;
}

/// Nearest places on a collider or another animated mesh at the start.
std::vector<Link> links_to_target(const LinkInputs& in, const AttachmentSetup& a,
                                  const std::string& who, LinkPlaces& places)
{
    const ParameterSet& p = a.attachment;
    const Held held = held_points(in, p, who);
    places.source = a.to_geometry;
    if (!p.text("to_collider").empty()) {
        places.collider = int(named_collider(in, p.text("to_collider"), who));
        places.source = in.setup.colliders[std::size_t(places.collider)].geometry;
    }
    const auto target = read_input(*places.source, in.setup.first_frame(), who + "its target");
    places.points = target->point_count();

    const std::size_t cloth = std::size_t(held.cloth - in.scene.cloths.data());
    const Attribute* chosen = in.geometry[cloth]->find(Owner::point, "attachprim");
    if (chosen && (!is_integer(chosen->storage) || chosen->is_array)) chosen = nullptr;
    std::vector<SurfaceHold> holds;
    for (const int point : held.points)
        holds.push_back({held.cloth->first_vertex + point,
                         chosen ? chosen->integer(std::size_t(point)) : -1, std::size_t(point),
                         held.share[point]});
    return links_to_surface(holds, *target, in.x, limit_of(p, "max_distance"),
                            p.real("keep_offset") != 0, {who, "point", "attachprim"}, places);
}

LinkSet attachment(const LinkInputs& in, const AttachmentSetup& a, LinkPlaces& places)
{
    const ParameterSet& p = a.attachment;
    LinkSet set;
    set.name = fmt::format("Attachment '{}'", a.name());
    const std::string who = set.name + ": ";
    const int targets = !p.text("to_cloth").empty() + !p.text("to_collider").empty() +
                        bool(a.to_geometry) + bool(a.constraints);
    if (targets != 1)
        throw InputError(fmt::format("{}give one of to_cloth, to_collider, to_geometry and "
                                     "constraints, not {}.",
                                     who, targets == 0 ? "none" : "several"));
    const bool on_surface = a.to_geometry || !p.text("to_collider").empty();
    set.links = a.constraints ? links_of_polylines(in, *a.constraints, p.text("stiffness_map"), who)
                : on_surface  ? links_to_target(in, a, who, places)
                              : links_to_cloth(in, p, who);
    if (!on_surface) {
        const double reach = std::min(limit_of(p, "max_distance"), 1e300);
        auto& l = set.links;
        const auto too_far = [&](const Link& link) {
            return !std::isfinite(link.rest_length) ||
                   (in.x.segment<3>(3 * link.vertex) - other_end(link, in.x)).norm() > reach;
        };
        l.erase(std::remove_if(l.begin(), l.end(), too_far), l.end());
    }
    if (set.links.empty())
        in.log.message(Severity::warning, who + "nothing is attached: no point is in reach.");
    if (p.has("rest_length"))
        for (Link& l : set.links) l.rest_length = p.real("rest_length");
    set.resists = p.text("resist") == "stretch"       ? LinkResists::stretch
                  : p.text("resist") == "compression" ? LinkResists::compression
                                                      : LinkResists::both;
    set.damping = p.real("damping");
    set.break_force = limit_of(p, "break_force");
    set.break_stretch = limit_of(p, "break_stretch");
    if (!on_surface)
        set.shortest = room_between_layers(in.scene);
    else if (places.collider >= 0 && places.offsets.empty())
        set.shortest = room_above_collider(in.scene, places.collider);
    return set;
}

EdgeChain chain_of(const LinkInputs& in, std::size_t cloth, const std::string& group,
                   const std::string& who)
{
    const Geometry& g = *in.geometry[cloth];
    for (const EdgeGroup& e : g.edge_groups())
        if (e.name == group && !g.find_group(Owner::point, group)) {
            std::vector<Vec2i> edges;
            std::set<int> points;
            for (const auto& [a, b] : e.edges) {
                edges.emplace_back(int(a), int(b));
                points.insert({int(a), int(b)});
            }
            return edge_chain(in.scene.cloths[cloth], {points.begin(), points.end()}, edges, who);
        }
    return edge_chain(in.scene.cloths[cloth], group_points(g, group, who), {},
                      fmt::format("{} '{}'", who, group));
}

LinkSet seam(const LinkInputs& in, const SeamSetup& s)
{
    const ParameterSet& p = s.seam;
    LinkSet set;
    set.name = fmt::format("Seam '{}'", s.name());
    const std::string who = set.name + ": ";
    if (s.constraints) {
        set.links = links_of_polylines(in, *s.constraints, "", who);
        const double share = 1.0 / double(set.links.size()); // of a seam of unknown length
        for (Link& l : set.links) l.share = share;
    } else {
        if (p.text("cloth").empty() || p.text("group").empty() || p.text("to_group").empty())
            throw InputError(who + "name the 'cloth' and the groups 'group' and 'to_group' of its "
                                   "two edges, or give 'constraints'.");
        const std::string& to = p.text(p.text("to_cloth").empty() ? "cloth" : "to_cloth");
        const std::size_t a = named_cloth(in, p.text("cloth"), who), b = named_cloth(in, to, who);
        set.links =
            sew(in.scene.cloths[a], chain_of(in, a, p.text("group"), who + "group"),
                in.scene.cloths[b], chain_of(in, b, p.text("to_group"), who + "to_group"), in.x);
        for (Link& l : set.links)
            l.rest_length = (in.x.segment<3>(3 * l.vertex) - other_end(l, in.x)).norm();
    }
    set.resists = LinkResists::stretch;
    set.damping = p.real("damping");
    set.final_length = p.real("rest_length");
    set.break_force = limit_of(p, "break_force");
    set.break_stretch = limit_of(p, "break_stretch");
    set.shortest = room_between_layers(in.scene);
    return set;
}

} // namespace

std::vector<Pin> assemble_links(const LinkInputs& in, std::vector<LinkPlaces>& places)
{
    for (std::size_t i = 0; i < in.setup.attachments.size(); ++i) {
        places.emplace_back(LinkOwner::attachment, i);
        in.scene.links.push_back(attachment(in, in.setup.attachments[i], places.back()));
    }
    for (std::size_t i = 0; i < in.setup.seams.size(); ++i) {
        places.emplace_back(LinkOwner::seam, i);
        in.scene.links.push_back(seam(in, in.setup.seams[i]));
    }
    std::vector<Pin> pins;
    for (std::size_t i = 0; i < in.setup.constraints.size(); ++i)
        for (const Pin& pin : assemble_constraints(in, i, places)) pins.push_back(pin);
    return pins;
}

} // namespace selvage
