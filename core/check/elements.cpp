#include "core/check/elements.h"

#include "core/base/error.h"
#include "core/geometry/triangulate.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace selvage
{
namespace
{

std::int32_t object_of(const Elements& e, std::int32_t point)
{
    return std::int32_t(std::upper_bound(e.first_point.begin(), e.first_point.end() - 1, point) -
                        e.first_point.begin()) -
           1;
}

void add_points(Elements& e, const Geometry& geometry)
{
    const std::size_t first = e.x.size();
    if (geometry.point_count() > 0) {
        const VecX P = geometry.positions();
        for (Eigen::Index i = 0; i < P.size(); i += 3) e.x.push_back(P.segment<3>(i));
    }
    for (std::size_t i = first; i < e.x.size(); ++i)
        if (!e.x[i].allFinite()) e.non_finite.push_back(std::int32_t(i));
    e.first_point.push_back(std::int32_t(e.x.size()));
    e.point_primitive.resize(e.x.size(), -1);
    e.released.resize(e.x.size(), 0);
    const Attribute* released = geometry.find(Owner::point, "sv_released");
    if (!released || released->is_array || is_text(released->storage)) return;
    for (std::size_t i = first; i < e.x.size(); ++i)
        e.released[i] = released->number(i - first) != 0;
}

void note_primitive(Elements& e, std::int32_t point, std::int32_t primitive)
{
    std::int32_t& lowest = e.point_primitive[std::size_t(point)];
    if (lowest < 0 || primitive < lowest) lowest = primitive;
}

void add_triangles(Elements& e, const NamedGeometry& object, std::int32_t k)
{
    const int first = e.first_point[std::size_t(k)];
    if (object.geometry.point_count() == 0) return;
    const bool as_cut = object.cut_by && object.cut_by->same_topology(object.geometry);
    const Geometry& pose = object.rest ? *object.rest : as_cut ? *object.cut_by : object.geometry;
    const Triangulation mesh = triangulate(object.geometry, pose.positions());
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Vec3i points = mesh.triangles[i].array() + first;
        for (const int p : points) note_primitive(e, p, mesh.primitive[i]);
        const auto finite = [&](int p) { return e.x[std::size_t(p)].allFinite(); };
        if (std::all_of(points.begin(), points.end(), finite))
            e.triangles.push_back({points, k, mesh.primitive[i]});
    }
}

/// Each side of the triangles from `begin` on, once.
void add_triangle_edges(Elements& e, std::size_t begin, std::int32_t k)
{
    struct Side {
        int a, b;
        std::int32_t primitive;
        bool operator<(const Side& o) const
        {
            return std::tie(a, b, primitive) < std::tie(o.a, o.b, o.primitive);
        }
    };
    std::vector<Side> sides;
    sides.reserve(3 * (e.triangles.size() - begin));
    for (std::size_t i = begin; i < e.triangles.size(); ++i)
        for (int c = 0; c < 3; ++c) {
            const int a = e.triangles[i].points[c], b = e.triangles[i].points[(c + 1) % 3];
            if (a != b) sides.push_back({std::min(a, b), std::max(a, b), e.triangles[i].primitive});
        }
    std::sort(sides.begin(), sides.end());
    const auto same = [](const Side& s, const Side& t) { return s.a == t.a && s.b == t.b; };
    sides.erase(std::unique(sides.begin(), sides.end(), same), sides.end());
    for (const Side& s : sides) e.edges.push_back({{s.a, s.b}, k, s.primitive, false, false});
}

void add_curves(Elements& e, const Geometry& geometry, std::int32_t k)
{
    const int first = e.first_point[std::size_t(k)];
    for (std::size_t i = 0; i < geometry.primitive_count(); ++i) {
        const Primitive& p = geometry.primitives()[i];
        if (p.type != PrimitiveType::polygon || p.closed) continue;
        const auto point = [&](std::int64_t j) {
            const auto vertex = geometry.primitive_vertices()[std::size_t(p.first + j)];
            return first + geometry.vertex_point()[std::size_t(vertex)];
        };
        for (std::int64_t j = 0; j < p.count; ++j) note_primitive(e, point(j), std::int32_t(i));
        for (std::int64_t j = 0; j + 1 < p.count; ++j) {
            const Vec2i ends(point(j), point(j + 1));
            if (ends[0] != ends[1] && e.x[std::size_t(ends[0])].allFinite() &&
                e.x[std::size_t(ends[1])].allFinite())
                e.edges.push_back({ends, k, std::int32_t(i), true, j == 0});
        }
    }
}

/// −0 and 0 are one place; points that are not finite keep to themselves.
std::vector<std::int32_t> find_places(const std::vector<Vec3>& x)
{
    std::vector<std::int32_t> order, place(x.size());
    std::iota(place.begin(), place.end(), 0);
    for (const std::int32_t i : place)
        if (x[std::size_t(i)].allFinite()) order.push_back(i);
    const auto key = [&](std::int32_t i) {
        const Vec3& p = x[std::size_t(i)];
        return std::make_tuple(p.x(), p.y(), p.z());
    };
    std::sort(order.begin(), order.end(), [&](std::int32_t i, std::int32_t j) {
        return std::make_pair(key(i), i) < std::make_pair(key(j), j);
    });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (key(order[i]) == key(order[i - 1]))
            place[std::size_t(order[i])] = place[std::size_t(order[i - 1])];
    return place;
}

} // namespace

bool operator==(const ElementId& a, const ElementId& b)
{
    return a.object == b.object && a.primitive == b.primitive && a.points == b.points;
}

bool operator<(const ElementId& a, const ElementId& b)
{
    return std::tie(a.object, a.primitive, a.points) < std::tie(b.object, b.primitive, b.points);
}

ElementId Elements::id(const Edge& edge) const
{
    const std::int32_t first = first_point[std::size_t(edge.object)];
    return {edge.object, edge.primitive, {edge.points[0] - first, edge.points[1] - first, -1}};
}

ElementId Elements::id(const Triangle& t) const
{
    const std::int32_t first = first_point[std::size_t(t.object)];
    return {t.object, t.primitive, {t.points[0] - first, t.points[1] - first, t.points[2] - first}};
}

ElementId Elements::point_id(std::int32_t point) const
{
    const std::int32_t object = object_of(*this, point);
    return {object,
            point_primitive[std::size_t(point)],
            {point - first_point[std::size_t(object)], -1, -1}};
}

Elements gather_elements(const std::vector<NamedGeometry>& objects)
{
    Elements e;
    e.first_point = {0};
    for (const NamedGeometry& object : objects) {
        if (object.rest && !object.rest->same_topology(object.geometry))
            throw InputError("Object '" + object.name +
                             "': the rest geometry has other points or primitives than the "
                             "geometry. Give a rest pose of the same mesh.");
        const auto k = std::int32_t(e.objects.size());
        e.objects.push_back(object.name);
        add_points(e, object.geometry);
        const std::size_t begin = e.triangles.size();
        add_triangles(e, object, k);
        add_triangle_edges(e, begin, k);
        add_curves(e, object.geometry, k);
    }
    e.place = find_places(e.x);
    return e;
}

} // namespace selvage
