#include "core/session/attachment_assembly.h"

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/base/parallel.h"
#include "core/geometry/nearest_surface.h"
#include "core/geometry/triangulate.h"
#include "core/session/point_selection.h"
#include "core/session/seam_pairs.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <set>

namespace selvage
{
namespace
{

/// What a set is made from.
struct Inputs {
    const SessionSetup& setup;
    const std::vector<std::shared_ptr<const Geometry>>& geometry; ///< of the cloths
    const VecX& x;
    Scene& scene;
    LogSink& log;
};

template <class Object>
std::size_t named(const std::vector<Object>& objects, const std::string& name,
                  const std::string& who, const char* kind)
{
    std::vector<std::string> known;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (objects[i].name == name) return i;
        known.push_back(objects[i].name);
    }
    const std::string nearest = nearest_name(name, known);
    throw InputError(fmt::format("{}there is no {} '{}'.{}", who, kind, name,
                                 nearest.empty() ? "" : " Did you mean '" + nearest + "'?"));
}

/// Right-handed axes of a triangle: along its first edge, in its plane, along its normal.
Mat3 triangle_frame(const Vec3i& t, const VecX& x)
{
    const Vec3 a = x.segment<3>(3 * t[0]);
    const Vec3 e = Vec3(x.segment<3>(3 * t[1]) - a).normalized();
    const Vec3 n = e.cross(Vec3(x.segment<3>(3 * t[2]) - a)).normalized();
    Mat3 frame;
    frame << e, n.cross(e), n;
    return frame;
}

double break_limit(const ParameterSet& p, const char* name)
{
    return p.has(name) ? p.real(name) : infinity;
}

/// [m] What contact keeps free between layers of these thicknesses.
double room_between(const Scene& scene, double thickness_a, double thickness_b)
{
    if (!scene.collisions.enabled) return 0;
    return (thickness_a + thickness_b) / 2 + scene.collisions.gap / 2;
}

double thickest(const Scene& scene)
{
    double t = 0;
    for (const Cloth& c : scene.cloths) t = std::max(t, c.material.thickness);
    return t;
}

Vec3 other_end(const Link& l, const VecX& x)
{
    if (l.to == Link::To::vertex) return x.segment<3>(3 * l.others[0]);
    return place_at({l.others[0], l.others[1], l.others[2]}, l.weights, x);
}

/// Links along polylines. Points are the scene's by number where there are as many, else nearest.
std::vector<Link> links_of_polylines(const Inputs& in, GeometrySource& source,
                                     const std::string& map_name, const std::string& who)
{
    const auto geometry = read_input(source, in.setup.first_frame(), who + "constraints");
    const VecX at = geometry->positions();
    const bool by_number = int(geometry->point_count()) == in.scene.vertex_count();
    std::vector<int> vertex(geometry->point_count());
    parallel_for(vertex.size(), 64, [&](std::size_t p) {
        vertex[p] = int(p);
        if (by_number) return;
        const auto all = in.x.reshaped(3, in.x.size() / 3);
        Eigen::Index nearest = 0;
        (all.colwise() - at.segment<3>(3 * Eigen::Index(p)))
            .colwise()
            .squaredNorm()
            .minCoeff(&nearest);
        vertex[p] = int(nearest);
    });
    const VecX map = painted_map(*geometry, Owner::primitive, map_name, who + "stiffness_map");
    const Attribute* rest = geometry->find(Owner::primitive, "restlength");
    if (rest && (is_text(rest->storage) || rest->is_array)) rest = nullptr;

    std::vector<Link> links;
    for (std::size_t k = 0; k < geometry->primitive_count(); ++k) {
        const Primitive& line = geometry->primitives()[k];
        if (line.type != PrimitiveType::polygon || line.closed || line.count < 2) continue;
        for (std::int64_t i = line.first; i + 1 < line.first + line.count; ++i) {
            const auto end = [&](std::int64_t at_vertex) {
                const std::size_t v =
                    std::size_t(geometry->primitive_vertices()[std::size_t(at_vertex)]);
                return vertex[std::size_t(geometry->vertex_point()[v])];
            };
            Link l;
            l.vertex = end(i);
            l.to = Link::To::vertex;
            l.others[0] = end(i + 1);
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

Held held_points(const Inputs& in, const ParameterSet& p, const std::string& who)
{
    if (p.text("cloth").empty() || p.text("group").empty())
        throw InputError(who + "name the 'cloth' and the point 'group' that it holds, or give "
                               "'constraints'.");
    const std::size_t c = named(in.scene.cloths, p.text("cloth"), who, "cloth");
    Held held{
        &in.scene.cloths[c], group_points(*in.geometry[c], p.text("group"), who + "group"),
        painted_map(*in.geometry[c], Owner::point, p.text("stiffness_map"), who + "stiffness_map")};
    return held;
}

/// Nearest points or places of a cloth at the start.
std::vector<Link> links_to_cloth(const Inputs& in, const ParameterSet& p, const std::string& who)
{
    const Held held = held_points(in, p, who);
    const std::size_t other = named(in.scene.cloths, p.text("to_cloth"), who, "cloth");
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

/// The polygons that an attachment to an animated surface may choose from.
struct Surface {
    VecX x;
    Triangulation triangulation;
};

/// Nearest places on a collider or another animated mesh at the start.
std::vector<Link> links_to_surface(const Inputs& in, const AttachmentSetup& a,
                                   const std::string& who, LinkPlaces& places)
{
    const ParameterSet& p = a.attachment;
    const Held held = held_points(in, p, who);
    std::shared_ptr<GeometrySource> source = a.to_geometry;
    if (!p.text("to_collider").empty()) {
        places.collider = int(named(in.scene.colliders, p.text("to_collider"), who, "collider"));
        source = in.setup.colliders[std::size_t(places.collider)].geometry;
    }
    const auto geometry = read_input(*source, in.setup.first_frame(), who + "its target");
    places.source = source;
    places.points = geometry->point_count();
    const Surface s{geometry->positions(), triangulate(*geometry)};
    const std::vector<Vec3i>& triangles = s.triangulation.triangles;
    if (triangles.empty()) throw InputError(who + "its target has no closed polygons.");

    const std::size_t cloth = std::size_t(held.cloth - in.scene.cloths.data());
    const Attribute* chosen = in.geometry[cloth]->find(Owner::point, "attachprim");
    if (chosen && (!is_integer(chosen->storage) || chosen->is_array)) chosen = nullptr;
    std::vector<SurfacePlace> found(held.points.size());
    parallel_for(found.size(), 16, [&](std::size_t i) {
        const std::int64_t prim = chosen ? chosen->integer(std::size_t(held.points[i])) : -1;
        const Vec3 at = in.x.segment<3>(3 * (held.cloth->first_vertex + held.points[i]));
        found[i] = nearest_surface(at, triangles, s.x, [&](int t) {
            return prim < 0 || s.triangulation.primitive[std::size_t(t)] == prim;
        });
    });

    std::vector<Link> links;
    const double reach = break_limit(p, "max_distance");
    const bool keep_offset = p.real("keep_offset") != 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].triangle < 0)
            throw InputError(
                fmt::format("{}point {} has attachprim {}, which is no polygon of its target.", who,
                            held.points[i], chosen->integer(std::size_t(held.points[i]))));
        if (found[i].distance > reach) continue;
        Link l;
        l.vertex = held.cloth->first_vertex + held.points[i];
        l.share = held.share[held.points[i]];
        l.rest_length = keep_offset ? 0 : found[i].distance;
        const Vec3i& t = triangles[std::size_t(found[i].triangle)];
        places.triangles.push_back(t);
        places.weights.push_back(found[i].weights);
        if (keep_offset)
            places.offsets.push_back(
                triangle_frame(t, s.x).transpose() *
                (in.x.segment<3>(3 * l.vertex) - place_at(t, found[i].weights, s.x)));
        links.push_back(l);
    }
    return links;
}

LinkSet attachment(const Inputs& in, const AttachmentSetup& a, LinkPlaces& places)
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
                : on_surface  ? links_to_surface(in, a, who, places)
                              : links_to_cloth(in, p, who);
    if (!on_surface) {
        const double reach = std::min(break_limit(p, "max_distance"), 1e300);
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
    set.break_force = break_limit(p, "break_force");
    set.break_stretch = break_limit(p, "break_stretch");
    if (!on_surface) {
        const double t = thickest(in.scene);
        set.shortest = room_between(in.scene, t, t);
    } else if (places.collider >= 0 && places.offsets.empty()) {
        set.shortest = room_between(in.scene, thickest(in.scene),
                                    in.scene.colliders[std::size_t(places.collider)].thickness);
    }
    return set;
}

EdgeChain chain_of(const Inputs& in, std::size_t cloth, const std::string& group,
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

LinkSet seam(const Inputs& in, const SeamSetup& s)
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
        const std::size_t a = named(in.scene.cloths, p.text("cloth"), who, "cloth"),
                          b = named(in.scene.cloths, to, who, "cloth");
        set.links =
            sew(in.scene.cloths[a], chain_of(in, a, p.text("group"), who + "group"),
                in.scene.cloths[b], chain_of(in, b, p.text("to_group"), who + "to_group"), in.x);
        for (Link& l : set.links)
            l.rest_length = (in.x.segment<3>(3 * l.vertex) - other_end(l, in.x)).norm();
    }
    set.resists = LinkResists::stretch;
    set.damping = p.real("damping");
    set.final_length = p.real("rest_length");
    set.break_force = break_limit(p, "break_force");
    set.break_stretch = break_limit(p, "break_stretch");
    const double t = thickest(in.scene);
    set.shortest = room_between(in.scene, t, t);
    return set;
}

} // namespace

VecX LinkPlaces::at(const VecX& surface) const
{
    VecX out(3 * Eigen::Index(triangles.size()));
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        Vec3 p = place_at(triangles[i], weights[i], surface);
        if (!offsets.empty()) p += triangle_frame(triangles[i], surface) * offsets[i];
        out.segment<3>(3 * Eigen::Index(i)) = p;
    }
    return out;
}

void assemble_links(const SessionSetup& setup,
                    const std::vector<std::shared_ptr<const Geometry>>& cloth_geometry,
                    const VecX& x, Scene& scene, std::vector<LinkPlaces>& places, LogSink& log)
{
    const Inputs in{setup, cloth_geometry, x, scene, log};
    for (const AttachmentSetup& a : setup.attachments) {
        places.emplace_back();
        scene.links.push_back(attachment(in, a, places.back()));
    }
    for (const SeamSetup& s : setup.seams) {
        places.emplace_back();
        scene.links.push_back(seam(in, s));
    }
}

} // namespace selvage
