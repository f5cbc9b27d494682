#include "core/contact/contact_mesh.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace selvage
{

ContactMesh::ContactMesh(int simulated_count)
    : simulated_count_(simulated_count),
      body_(std::size_t(simulated_count), -1),
      thickness_(std::size_t(simulated_count), 0.0)
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
    const int first_vertex = vertex_count(), n = int(x.size() / 3);
    body_.resize(body_.size() + std::size_t(n), -1);
    thickness_.resize(body_.size(), 0.0);
    const int body = add_body(std::move(name), first_vertex, n, thickness, friction);
    add_elements(mesh.edges, mesh.triangles, first_vertex, x);
    return body;
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
    bodies_.push_back({std::move(name), first_vertex, point_count, friction});
    const int body = body_count() - 1, n = body_count();
    for (int v = first_vertex; v < first_vertex + point_count; ++v) {
        body_[std::size_t(v)] = body;
        thickness_[std::size_t(v)] = thickness;
    }
    // Enlarge the tables of pairs, keeping what was set.
    const std::vector<char> collide = std::move(collide_);
    const std::vector<double> mu = std::move(friction_);
    collide_.assign(std::size_t(n) * std::size_t(n), 1);
    friction_.resize(collide_.size());
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
            const bool old = a < n - 1 && b < n - 1;
            const std::size_t k = std::size_t(a) * std::size_t(n - 1) + std::size_t(b);
            if (old) collide_[pair(a, b)] = collide[k];
            friction_[pair(a, b)] = old ? mu[k]
                                        : std::sqrt(bodies_[std::size_t(a)].friction *
                                                    bodies_[std::size_t(b)].friction);
        }
    return body;
}

void ContactMesh::add_elements(const std::vector<Vec2i>& edges, const std::vector<Vec3i>& triangles,
                               int first_vertex, const VecX& x)
{
    const int n = int(x.size() / 3);
    std::vector<char> used(std::size_t(n), 0);
    for (const Vec2i& e : edges) {
        const Vec3 d = x.segment<3>(3 * e[1]) - x.segment<3>(3 * e[0]);
        edges_.push_back(e.array() + first_vertex);
        rest_squared_.push_back(d.squaredNorm());
        used[std::size_t(e[0])] = used[std::size_t(e[1])] = 1;
    }
    for (const Vec3i& t : triangles) triangles_.push_back(t.array() + first_vertex);
    for (int v = 0; v < n; ++v)
        if (used[std::size_t(v)] || edges.empty()) points_.push_back(first_vertex + v);
}

void ContactMesh::set_thickness(int body, const VecX& thickness)
{
    const Body& b = bodies_[std::size_t(body)];
    if (thickness.size() != b.point_count || !(thickness.array() >= 0).all())
        throw InputError("'" + b.name + "': thickness must be one number >= 0 per point.");
    for (int i = 0; i < b.point_count; ++i)
        thickness_[std::size_t(b.first_vertex + i)] = thickness[i];
}

void ContactMesh::set_collide(int body_a, int body_b, bool collide)
{
    collide_[pair(body_a, body_b)] = collide_[pair(body_b, body_a)] = collide;
}

void ContactMesh::set_friction(int body_a, int body_b, double mu)
{
    friction_[pair(body_a, body_b)] = friction_[pair(body_b, body_a)] = mu;
}

} // namespace selvage
