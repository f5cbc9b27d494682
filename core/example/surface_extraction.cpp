#include "core/example/surface_extraction.h"

#include "core/base/error.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace selvage
{
namespace
{

using EdgeMap = std::unordered_map<std::uint64_t, int>; ///< directed edge -> 3 * triangle + corner

std::uint64_t edge_key(int a, int b) { return std::uint64_t(a) << 32 | std::uint32_t(b); }

EdgeMap directed_edges(const std::vector<Vec3i>& triangles)
{
    EdgeMap edges;
    edges.reserve(3 * triangles.size());
    for (int t = 0; t < int(triangles.size()); ++t)
        for (int c = 0; c < 3; ++c)
            edges.emplace(
                edge_key(triangles[std::size_t(t)][c], triangles[std::size_t(t)][(c + 1) % 3]),
                3 * t + c);
    return edges;
}

struct Grid {
    Vec3 origin;
    double cell;
    std::array<int, 3> nodes;
    std::vector<double> value; ///< x fastest

    std::size_t index(int i, int j, int k) const
    {
        return std::size_t(i) +
               std::size_t(nodes[0]) * (std::size_t(j) + std::size_t(nodes[1]) * std::size_t(k));
    }
    Vec3 position(int i, int j, int k) const { return origin + cell * Vec3(i, j, k); }
};

Grid sample(const DistanceFunction& field, const Eigen::AlignedBox3d& bounds, double cell)
{
    Grid g;
    g.cell = cell;
    for (int c = 0; c < 3; ++c) {
        g.nodes[std::size_t(c)] = int(std::ceil(bounds.sizes()[c] / cell)) + 3;
        // Centred, so that a symmetric shape gets a symmetric grid.
        g.origin[c] = bounds.center()[c] - 0.5 * cell * (g.nodes[std::size_t(c)] - 1);
    }
    g.value.resize(g.index(0, 0, g.nodes[2]));
    parallel_for(std::size_t(g.nodes[1]) * std::size_t(g.nodes[2]), 16, [&](std::size_t row) {
        const int j = int(row) % g.nodes[1], k = int(row) / g.nodes[1];
        for (int i = 0; i < g.nodes[0]; ++i) g.value[g.index(i, j, k)] = field(g.position(i, j, k));
    });
    return g;
}

/// Two opposite corners of a square (or a cube) inside and the others outside would make surface
/// nets pinch there. Change the sign of the corner nearest to the surface; returns whether any was.
bool untie_corners(Grid& g)
{
    bool changed = false;
    const auto flip_nearest = [&](std::initializer_list<std::size_t> corners) {
        const std::size_t nearest =
            *std::min_element(corners.begin(), corners.end(), [&](std::size_t a, std::size_t b) {
                return std::abs(g.value[a]) < std::abs(g.value[b]);
            });
        g.value[nearest] = std::copysign(1e-6 * g.cell, -g.value[nearest]);
        changed = true;
    };
    const std::array<std::size_t, 3> stride{g.index(1, 0, 0), g.index(0, 1, 0), g.index(0, 0, 1)};
    const auto inside = [&](std::size_t n) { return g.value[n] < 0; };
    for (int k = 0; k + 1 < g.nodes[2]; ++k)
        for (int j = 0; j + 1 < g.nodes[1]; ++j)
            for (int i = 0; i + 1 < g.nodes[0]; ++i) {
                const std::size_t n = g.index(i, j, k);
                int count = 0;
                for (std::size_t c = 0; c < 8; ++c)
                    count += inside(n + (c & 1) * stride[0] + (c >> 1 & 1) * stride[1] +
                                    (c >> 2) * stride[2]);
                if (count == 0 || count == 8) continue;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const std::size_t u = stride[(axis + 1) % 3], v = stride[(axis + 2) % 3];
                    if (inside(n) == inside(n + u + v) && inside(n + u) == inside(n + v) &&
                        inside(n) != inside(n + u))
                        flip_nearest({n, n + u, n + v, n + u + v});
                }
                if (count != 2 && count != 6) continue;
                for (std::size_t c = 0; c < 4; ++c) {
                    const std::size_t a = n + (c & 1) * stride[0] + (c >> 1) * stride[1];
                    const std::size_t b =
                        n + (~c & 1) * stride[0] + (~c >> 1 & 1) * stride[1] + stride[2];
                    if (inside(a) == inside(b) && inside(a) == (count == 2)) flip_nearest({a, b});
                }
            }
    return changed;
}

/// Mean of the points where the cell's edges cross the surface; false when none does.
bool net_point(const Grid& g, int i, int j, int k, Vec3& point)
{
    Vec3 sum = Vec3::Zero();
    int crossings = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (int corner = 0; corner < 4; ++corner) {
            std::array<int, 3> a{i, j, k};
            a[std::size_t((axis + 1) % 3)] += corner & 1;
            a[std::size_t((axis + 2) % 3)] += corner >> 1;
            std::array<int, 3> b = a;
            ++b[std::size_t(axis)];
            const double fa = g.value[g.index(a[0], a[1], a[2])];
            const double fb = g.value[g.index(b[0], b[1], b[2])];
            if ((fa < 0) == (fb < 0)) continue;
            const double x = fa / (fa - fb);
            sum += (1 - x) * g.position(a[0], a[1], a[2]) + x * g.position(b[0], b[1], b[2]);
            ++crossings;
        }
    if (crossings) point = sum / crossings;
    return crossings != 0;
}

/// One point per cell the surface passes through, one quadrilateral per grid edge it crosses.
TriangleMesh surface_nets(const Grid& g)
{
    TriangleMesh mesh;
    std::vector<int> cell_point(g.value.size(), -1);
    for (int k = 0; k + 1 < g.nodes[2]; ++k)
        for (int j = 0; j + 1 < g.nodes[1]; ++j)
            for (int i = 0; i + 1 < g.nodes[0]; ++i) {
                Vec3 p;
                if (!net_point(g, i, j, k, p)) continue;
                cell_point[g.index(i, j, k)] = int(mesh.points.size());
                mesh.points.push_back(p);
            }

    const auto add_quad = [&](std::array<int, 4> q) {
        const auto length = [&](int a, int b) {
            return (mesh.points[std::size_t(q[std::size_t(a)])] -
                    mesh.points[std::size_t(q[std::size_t(b)])])
                .norm();
        };
        if (length(1, 3) < length(0, 2)) q = {q[1], q[2], q[3], q[0]};
        mesh.triangles.emplace_back(q[0], q[1], q[2]);
        mesh.triangles.emplace_back(q[0], q[2], q[3]);
    };
    for (int k = 1; k + 1 < g.nodes[2]; ++k)
        for (int j = 1; j + 1 < g.nodes[1]; ++j)
            for (int i = 1; i + 1 < g.nodes[0]; ++i)
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const std::array<int, 3> a{i, j, k};
                    std::array<int, 3> b = a;
                    ++b[axis];
                    const bool inside_a = g.value[g.index(a[0], a[1], a[2])] < 0;
                    const bool inside_b = g.value[g.index(b[0], b[1], b[2])] < 0;
                    if (inside_a == inside_b) continue;
                    const auto at = [&](int du, int dv) {
                        std::array<int, 3> c = a;
                        c[(axis + 1) % 3] += du;
                        c[(axis + 2) % 3] += dv;
                        return cell_point[g.index(c[0], c[1], c[2])];
                    };
                    std::array<int, 4> q{at(-1, -1), at(0, -1), at(0, 0), at(-1, 0)};
                    if (inside_b) std::reverse(q.begin(), q.end());
                    add_quad(q);
                }
    return mesh;
}

Vec3 gradient(const DistanceFunction& field, const Vec3& p, double step)
{
    Vec3 g;
    for (int c = 0; c < 3; ++c) {
        const Vec3 e = step * Vec3::Unit(c);
        g[c] = (field(p + e) - field(p - e)) / (2 * step);
    }
    return g;
}

/// Newton steps along the gradient onto field = 0.
void project(TriangleMesh& mesh, const DistanceFunction& field, double cell, int steps)
{
    parallel_for(mesh.points.size(), 256, [&](std::size_t i) {
        Vec3& p = mesh.points[i];
        for (int s = 0; s < steps; ++s) {
            const Vec3 g = gradient(field, p, 1e-4 * cell);
            Vec3 move = -field(p) * g / std::max(g.squaredNorm(), 0.04);
            const double length = move.norm();
            if (length > 0.5 * cell) move *= 0.5 * cell / length;
            p += move;
        }
    });
}

/// Moves each point towards its neighbours' mean, along the surface only.
void even_out(TriangleMesh& mesh, double amount)
{
    const std::size_t n = mesh.points.size();
    std::vector<Vec3> sum(n, Vec3::Zero()), normal(n, Vec3::Zero());
    std::vector<int> count(n, 0);
    for (const Vec3i& t : mesh.triangles) {
        const Vec3 area =
            (mesh.points[std::size_t(t[1])] - mesh.points[std::size_t(t[0])])
                .cross(mesh.points[std::size_t(t[2])] - mesh.points[std::size_t(t[0])]);
        for (int c = 0; c < 3; ++c) {
            const auto i = std::size_t(t[c]);
            normal[i] += area;
            sum[i] += mesh.points[std::size_t(t[(c + 1) % 3])];
            ++count[i];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 m = normal[i].normalized();
        const Vec3 move = sum[i] / count[i] - mesh.points[i];
        mesh.points[i] += amount * (move - m.dot(move) * m);
    }
}

double angle_at(const Vec3& p, const Vec3& a, const Vec3& b)
{
    return std::atan2((a - p).cross(b - p).norm(), (a - p).dot(b - p));
}

/// One sweep of edge flips towards Delaunay (opposite angles sum to at most π); each triangle takes
/// part in at most one flip, so that the edge map stays valid where it is read.
void flip_edges(TriangleMesh& mesh)
{
    EdgeMap edges = directed_edges(mesh.triangles);
    std::vector<char> touched(mesh.triangles.size(), 0);
    const auto x = [&](int i) -> const Vec3& { return mesh.points[std::size_t(i)]; };
    const auto normal = [&](int a, int b, int c) {
        return Vec3((x(b) - x(a)).cross(x(c) - x(a)).normalized());
    };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int c = 0; c < 3 && !touched[t]; ++c) {
            const Vec3i T = mesh.triangles[t];
            const int a = T[c], b = T[(c + 1) % 3], p = T[(c + 2) % 3];
            const auto other = std::size_t(edges.at(edge_key(b, a))) / 3;
            const int q = mesh.triangles[other].sum() - a - b;
            if (touched[other] || p == q) continue;
            if (angle_at(x(p), x(a), x(b)) + angle_at(x(q), x(a), x(b)) < M_PI + 1e-6) continue;
            if (edges.count(edge_key(p, q)) || edges.count(edge_key(q, p))) continue;
            const Vec3 old = (normal(a, b, p) + normal(b, a, q)).normalized();
            if (old.dot(normal(p, a, q)) < 0.5 || old.dot(normal(q, b, p)) < 0.5) continue;
            mesh.triangles[t] = Vec3i(p, a, q);
            mesh.triangles[other] = Vec3i(q, b, p);
            edges[edge_key(p, q)] = edges[edge_key(q, p)] = -1; // taken
            touched[t] = touched[other] = 1;
        }
}

} // namespace

bool is_closed_manifold(const TriangleMesh& mesh)
{
    const EdgeMap edges = directed_edges(mesh.triangles);
    if (edges.size() != 3 * mesh.triangles.size()) return false; // an edge used twice one way
    std::vector<int> corners(mesh.points.size(), 0), start(mesh.points.size(), -1);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int c = 0; c < 3; ++c) {
            const auto i = std::size_t(mesh.triangles[t][c]);
            ++corners[i];
            start[i] = 3 * int(t) + c;
        }
    for (std::size_t i = 0; i < mesh.points.size(); ++i) { // walk once around each point
        int at = start[i], steps = 0;
        do {
            if (at < 0) return false;
            const Vec3i& T = mesh.triangles[std::size_t(at / 3)];
            const auto next = edges.find(edge_key(int(i), T[(at % 3 + 2) % 3]));
            if (next == edges.end()) return false;
            at = next->second;
            ++steps;
        } while (at != start[i] && steps <= corners[i]);
        if (steps != corners[i]) return false;
    }
    return true;
}

TriangleMesh extract_surface(const DistanceFunction& field, const Eigen::AlignedBox3d& bounds,
                             double cell)
{
    Grid grid = sample(field, bounds, cell);
    for (int sweep = 0; sweep < 20 && untie_corners(grid); ++sweep) {}
    TriangleMesh mesh = surface_nets(grid);
    if (mesh.points.empty() || !is_closed_manifold(mesh))
        throw InputError("Surface extraction with cells of " + std::to_string(cell) +
                         " m is too coarse for the shape: the mesh is not a closed manifold. "
                         "Choose smaller cells.");
    for (int round = 0; round < 8; ++round) {
        for (int i = 0; i < 2; ++i) even_out(mesh, 0.5);
        project(mesh, field, cell, 1);
        flip_edges(mesh);
    }
    project(mesh, field, cell, 3);
    flip_edges(mesh);
    return mesh;
}

} // namespace selvage
