#include "core/contact/contact_mesh.h"

#include "core/base/error.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace selvage
{

namespace
{

/// Of a side of an element; more would cost more than a finer cloth.
constexpr int most_parts = 16;

int parts_of(double length, double spacing)
{
    const double parts = std::ceil(length / spacing);
    return std::isfinite(parts) ? std::clamp(int(std::min(parts, 1e3)), 1, most_parts) : 1;
}

} // namespace

ContactMesh::ContactMesh(int simulated_count)
    : simulated_count_(simulated_count),
      body_(std::size_t(simulated_count), -1),
      thickness_(std::size_t(simulated_count), 0.0),
      group_(std::size_t(simulated_count), 0),
      rest_(VecX::Zero(3 * simulated_count))
{
}

int ContactMesh::add_surface(std::string name, const MeshTopology& mesh, int first_vertex,
                             const VecX& x_rest, double thickness, double friction)
{
    const int n = int(x_rest.size() / 3);
    if (first_vertex < 0 || first_vertex + n > simulated_count_)
        throw InputError("'" + name + "': its points lie outside the simulated vertices.");
    const int body = add_body(std::move(name), first_vertex, n, thickness, friction);
    add_elements(mesh.edges, mesh.triangles, first_vertex, x_rest);
    return body;
}

int ContactMesh::add_collider(std::string name, const MeshTopology& mesh, const VecX& x,
                              double thickness, double friction)
{
    const int body = add_prescribed(std::move(name), int(x.size() / 3), thickness, friction);
    add_elements(mesh.edges, mesh.triangles, first_vertex(body), x);
    return body;
}

int ContactMesh::add_plane(std::string name, const Vec9& x, double thickness, double friction)
{
    const Vec3 a = x.head<3>(), u = x.segment<3>(3) - a, v = x.tail<3>() - a;
    if (!(u.cross(v).norm() > 0))
        throw InputError("'" + name + "': three points of a plane must not lie on one line.");
    const int body = add_prescribed(std::move(name), 3, thickness, friction);
    planes_.push_back(first_vertex(body));
    return body;
}

int ContactMesh::add_field(std::string name, std::shared_ptr<const MovingField> field,
                           double thickness, double friction)
{
    const int body = add_prescribed(std::move(name), 1, thickness, friction);
    fields_.push_back({first_vertex(body), std::move(field)});
    place_probes();
    return body;
}

void ContactMesh::set_field(int body, std::shared_ptr<const MovingField> field)
{
    fields_[std::size_t(field_of(body))].field = std::move(field);
}

int ContactMesh::field_of(int body) const
{
    for (std::size_t k = 0; k < fields_.size(); ++k)
        if (fields_[k].vertex == first_vertex(body)) return int(k);
    return -1;
}

/// Points first, then places within edges, then within triangles.
void ContactMesh::place_probes()
{
    probes_.clear();
    if (fields_.empty()) return;
    double spacing = infinity;
    for (const Field& f : fields_) spacing = std::min(spacing, f.field->voxel_size());
    for (const std::int32_t v : points_)
        if (simulated(v)) probes_.push_back({{v, -1, -1}, {1, 0, 0}, 1});
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        if (!simulated(edges_[e][0])) continue;
        const int n = parts_of(std::sqrt(rest_squared_[e]), spacing);
        for (int i = 1; i < n; ++i)
            probes_.push_back(
                {{edges_[e][0], edges_[e][1], -1}, {1 - double(i) / n, double(i) / n, 0}, 2});
    }
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
        const Vec3i& v = triangles_[t];
        if (!simulated(v[0])) continue;
        const int n = parts_of(longest_[t], spacing);
        for (int i = 1; i < n; ++i)
            for (int j = 1; i + j < n; ++j)
                probes_.push_back(
                    {{v[0], v[1], v[2]}, {double(n - i - j) / n, double(i) / n, double(j) / n}, 3});
    }
}

bool ContactMesh::is_plane(int body) const
{
    return std::find(planes_.begin(), planes_.end(), first_vertex(body)) != planes_.end();
}

int ContactMesh::add_prescribed(std::string name, int point_count, double thickness,
                                double friction)
{
    const int first_vertex = vertex_count();
    body_.resize(body_.size() + std::size_t(point_count), -1);
    thickness_.resize(body_.size(), 0.0);
    group_.resize(body_.size(), 0);
    if (!friction_scale_.empty()) friction_scale_.resize(body_.size(), Vec2(1, 1));
    if (!layer_.empty()) layer_.resize(body_.size(), 0);
    return add_body(std::move(name), first_vertex, point_count, thickness, friction);
}

int ContactMesh::add_wires(std::string name, const std::vector<Vec2i>& edges, int first_vertex,
                           const VecX& x_rest, double thickness, double friction)
{
    const int n = int(x_rest.size() / 3);
    if (first_vertex < 0 || first_vertex + n > simulated_count_)
        throw InputError("'" + name + "': its points lie outside the simulated vertices.");
    const std::size_t first_edge = edges_.size(), first_point = points_.size();
    const int body = add_body(std::move(name), first_vertex, n, thickness, friction);
    add_elements(edges, {}, first_vertex, x_rest);
    for (std::size_t e = first_edge; e < edges_.size(); ++e) wire_edges_.push_back(std::int32_t(e));
    wire_points_.insert(wire_points_.end(), points_.begin() + std::ptrdiff_t(first_point),
                        points_.end());
    return body;
}

int ContactMesh::add_body(std::string name, int first_vertex, int point_count, double thickness,
                          double friction)
{
    if (!(thickness >= 0) || !(friction >= 0))
        throw InputError("'" + name + "': thickness and friction must not be negative.");
    const std::int32_t group = new_group(-1);
    bodies_.push_back(
        {std::move(name), first_vertex, point_count, {friction, friction}, {group}, false});
    for (int v = first_vertex; v < first_vertex + point_count; ++v) {
        body_[std::size_t(v)] = body_count() - 1;
        thickness_[std::size_t(v)] = thickness;
        group_[std::size_t(v)] = group;
    }
    // Enlarge the table of pairs, keeping what was set.
    const std::size_t n = bodies_.size();
    const std::vector<Friction> known = std::move(friction_);
    friction_.assign(n * n, {});
    for (std::size_t a = 0; a + 1 < n; ++a)
        for (std::size_t b = 0; b + 1 < n; ++b) friction_[a * n + b] = known[a * (n - 1) + b];
    mix_friction(int(n) - 1);
    return int(n) - 1;
}

void ContactMesh::mix_friction(int body)
{
    const Friction& own = bodies_[std::size_t(body)].friction;
    for (int b = 0; b < body_count(); ++b) {
        const Friction& other = bodies_[std::size_t(b)].friction;
        set_friction(
            body, b,
            {std::sqrt(own.resting * other.resting), std::sqrt(own.sliding * other.sliding)});
    }
}

std::int32_t ContactMesh::new_group(std::int32_t like)
{
    const std::size_t n = group_count_ + 1;
    const std::vector<char> known = std::move(collide_);
    collide_.assign(n * n, 1);
    const auto row = [&](std::size_t g) { return g + 1 < n ? g : std::size_t(like); };
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
            if (like >= 0 || (a + 1 < n && b + 1 < n))
                collide_[a * n + b] = known[row(a) * (n - 1) + row(b)];
    group_count_ = n;
    return std::int32_t(n - 1);
}

void ContactMesh::add_elements(const std::vector<Vec2i>& edges, const std::vector<Vec3i>& triangles,
                               int first_vertex, const VecX& x)
{
    const int n = int(x.size() / 3);
    if (first_vertex < simulated_count_) rest_.segment(3 * first_vertex, x.size()) = x;
    std::vector<char> used(std::size_t(n), 0);
    for (const Vec2i& e : edges) {
        const Vec3 d = x.segment<3>(3 * e[1]) - x.segment<3>(3 * e[0]);
        edges_.push_back(e.array() + first_vertex);
        rest_squared_.push_back(d.squaredNorm());
        used[std::size_t(e[0])] = used[std::size_t(e[1])] = 1;
    }
    for (const Vec3i& t : triangles) {
        triangles_.push_back(t.array() + first_vertex);
        double longest = 0;
        for (int i = 0; i < 3; ++i)
            longest = std::max(longest,
                               (x.segment<3>(3 * t[i]) - x.segment<3>(3 * t[(i + 1) % 3])).norm());
        longest_.push_back(longest);
    }
    for (int v = 0; v < n; ++v)
        if (used[std::size_t(v)] || edges.empty()) points_.push_back(first_vertex + v);
    place_probes();
}

void ContactMesh::set_thickness(int body, const VecX& thickness)
{
    const Body& b = bodies_[std::size_t(body)];
    if (thickness.size() != b.point_count || !(thickness.array() >= 0).all())
        throw InputError("'" + b.name + "': thickness must be one number >= 0 per point.");
    for (int i = 0; i < b.point_count; ++i)
        thickness_[std::size_t(b.first_vertex + i)] = thickness[i];
}

void ContactMesh::set_friction_scale(int body, const VecX& resting, const VecX& sliding)
{
    const Body& b = bodies_[std::size_t(body)];
    friction_scale_.resize(body_.size(), Vec2(1, 1));
    for (int i = 0; i < b.point_count; ++i)
        friction_scale_[std::size_t(b.first_vertex + i)] = {resting.size() ? resting[i] : 1,
                                                            sliding.size() ? sliding[i] : 1};
}

void ContactMesh::set_sliding_friction(int body, double sliding)
{
    Body& b = bodies_[std::size_t(body)];
    if (!(sliding >= 0 && sliding <= b.friction.resting))
        throw InputError(fmt::format(
            "'{}': dynamic friction {:g} must lie between 0 and the friction at rest, {:g}.",
            b.name, sliding, b.friction.resting));
    b.friction.sliding = sliding;
    mix_friction(body);
}

void ContactMesh::set_layer(int body, const std::vector<int>& layer)
{
    const Body& b = bodies_[std::size_t(body)];
    assert(int(layer.size()) == b.point_count);
    layer_.resize(body_.size(), 0);
    std::copy(layer.begin(), layer.end(), layer_.begin() + b.first_vertex);
}

void ContactMesh::set_rest_neighbours(RestNeighbours points, RestNeighbours edges)
{
    near_points_ = std::move(points);
    near_edges_ = std::move(edges);
}

int ContactMesh::add_group(int body)
{
    const std::int32_t group = new_group(bodies_[std::size_t(body)].groups[0]);
    bodies_[std::size_t(body)].groups.push_back(group);
    return int(bodies_[std::size_t(body)].groups.size()) - 1;
}

void ContactMesh::set_group(int body, int point, int group)
{
    const Body& b = bodies_[std::size_t(body)];
    assert(point >= 0 && point < b.point_count);
    group_[std::size_t(b.first_vertex + point)] = b.groups[std::size_t(group)];
}

void ContactMesh::set_collide(int body_a, int group_a, int body_b, int group_b, bool collide)
{
    const auto a = std::size_t(bodies_[std::size_t(body_a)].groups[std::size_t(group_a)]);
    const auto b = std::size_t(bodies_[std::size_t(body_b)].groups[std::size_t(group_b)]);
    collide_[a * group_count_ + b] = collide_[b * group_count_ + a] = collide;
}

void ContactMesh::set_collide(int body_a, int body_b, bool collide)
{
    const auto count = [&](int body) { return int(bodies_[std::size_t(body)].groups.size()); };
    for (int a = 0; a < count(body_a); ++a)
        for (int b = 0; b < count(body_b); ++b) set_collide(body_a, a, body_b, b, collide);
}

void ContactMesh::set_friction(int body_a, int body_b, Friction friction)
{
    friction_[pair(body_a, body_b)] = friction_[pair(body_b, body_a)] = friction;
}

} // namespace selvage
