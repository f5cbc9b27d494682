#include "core/geometry/mesh_topology.h"

#include <cmath>
#include <numeric>
#include <unordered_map>

namespace selvage
{
namespace
{

/// One side of a triangle: the edge from a to b as the triangle runs through it.
struct Side {
    int low, high;
    int triangle;
    int opposite;
    bool forward; ///< low → high in the triangle's order
};

std::vector<Side> sides_of(const std::vector<Vec3i>& triangles)
{
    std::vector<Side> sides;
    sides.reserve(3 * triangles.size());
    for (int t = 0; t < int(triangles.size()); ++t)
        for (int i = 0; i < 3; ++i) {
            const int a = triangles[std::size_t(t)][(i + 1) % 3],
                      b = triangles[std::size_t(t)][(i + 2) % 3];
            sides.push_back(
                {std::min(a, b), std::max(a, b), t, triangles[std::size_t(t)][i], a < b});
        }
    return sides;
}

Vec4i hinge_of(const Side& first, const Side& second)
{
    const int a = first.forward ? first.low : first.high,
              b = first.forward ? first.high : first.low;
    return {first.opposite, a, b, second.opposite};
}

/// Buckets of points on a lattice, for finding near neighbours.
class PointLattice
{
public:
    PointLattice(const VecX& x, double cell) : x_(x), cell_(cell) {}

    void insert(int point) { buckets_[key(cell_of(x_.segment<3>(3 * point)))].push_back(point); }

    template <class Visit> void for_each_in(const Vec3& low, const Vec3& high, Visit&& visit) const
    {
        const Eigen::Matrix<long, 3, 1> a = cell_of(low), b = cell_of(high);
        for (long i = a[0]; i <= b[0]; ++i)
            for (long j = a[1]; j <= b[1]; ++j)
                for (long k = a[2]; k <= b[2]; ++k) {
                    const auto it = buckets_.find(key({i, j, k}));
                    if (it == buckets_.end()) continue;
                    for (const int p : it->second) visit(p);
                }
    }

private:
    Eigen::Matrix<long, 3, 1> cell_of(const Vec3& p) const
    {
        return (p / cell_).array().floor().matrix().cast<long>();
    }
    static std::uint64_t key(const Eigen::Matrix<long, 3, 1>& c)
    {
        return std::uint64_t(c[0]) * 73856093u ^ std::uint64_t(c[1]) * 19349663u ^
               std::uint64_t(c[2]) * 83492791u;
    }

    const VecX& x_;
    double cell_;
    std::unordered_map<std::uint64_t, std::vector<int>> buckets_;
};

double mean_edge_length(const std::vector<Vec2i>& edges, const VecX& x)
{
    double sum = 0;
    for (const Vec2i& e : edges) sum += (x.segment<3>(3 * e[0]) - x.segment<3>(3 * e[1])).norm();
    return edges.empty() ? 0 : sum / double(edges.size());
}

} // namespace

MeshTopology mesh_topology(std::vector<Vec3i> triangles)
{
    MeshTopology mesh;
    mesh.triangles = std::move(triangles);
    const std::vector<Side> sides = sides_of(mesh.triangles);

    // Bring the sides of one edge together; edges keep the order in which they first appear.
    std::vector<int> order(sides.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        const Side &s = sides[std::size_t(a)], &t = sides[std::size_t(b)];
        return std::tie(s.low, s.high, a) < std::tie(t.low, t.high, b);
    });
    std::vector<std::pair<int, int>> runs; // (first side in order of appearance, position in order)
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Side& s = sides[std::size_t(order[i])];
        if (i == 0 || sides[std::size_t(order[i - 1])].low != s.low ||
            sides[std::size_t(order[i - 1])].high != s.high)
            runs.emplace_back(order[i], int(i));
    }
    std::sort(runs.begin(), runs.end());

    for (const auto& [first_side, begin] : runs) {
        const Side& first = sides[std::size_t(first_side)];
        if (first.low == first.high) continue; // a collapsed side is no edge
        const Vec2i edge(first.low, first.high);
        std::size_t end = std::size_t(begin);
        while (end < order.size() && sides[std::size_t(order[end])].low == first.low &&
               sides[std::size_t(order[end])].high == first.high)
            ++end;
        mesh.edges.push_back(edge);
        const std::size_t triangle_count = end - std::size_t(begin);
        if (triangle_count == 1) mesh.boundary_edges.push_back(edge);
        if (triangle_count > 2) mesh.nonmanifold_edges.push_back(edge);
        if (triangle_count != 2) continue;
        const Side& second = sides[std::size_t(order[std::size_t(begin) + 1])];
        if (first.forward == second.forward) mesh.flipped_edges.push_back(edge);
        mesh.hinges.push_back(hinge_of(first, second));
        mesh.hinge_triangles.emplace_back(first.triangle, second.triangle);
    }
    return mesh;
}

std::vector<std::vector<int>> strands(const Geometry& geometry)
{
    std::vector<std::vector<int>> out;
    for (const Primitive& p : geometry.primitives()) {
        if (p.type != PrimitiveType::polygon || p.closed || p.count < 2) continue;
        std::vector<int> points;
        for (std::int64_t k = p.first; k < p.first + p.count; ++k)
            points.push_back(
                geometry
                    .vertex_point()[std::size_t(geometry.primitive_vertices()[std::size_t(k)])]);
        out.push_back(std::move(points));
    }
    return out;
}

SeamReport find_open_seams(const MeshTopology& mesh, const VecX& x, double tolerance)
{
    SeamReport report;
    std::vector<int> points;
    for (const Vec2i& e : mesh.boundary_edges) points.insert(points.end(), {e[0], e[1]});
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.empty()) return report;

    const double cell = std::max(mean_edge_length(mesh.boundary_edges, x), tolerance);
    if (!(cell > 0) || !std::isfinite(cell)) return report;
    PointLattice lattice(x, cell);
    for (const int p : points) lattice.insert(p);

    const Vec3 margin = Vec3::Constant(tolerance);
    for (const int p : points) {
        const Vec3 at = x.segment<3>(3 * p);
        lattice.for_each_in(at - margin, at + margin, [&](int q) {
            if (q > p && (x.segment<3>(3 * q) - at).norm() <= tolerance)
                report.coincident_points.emplace_back(p, q);
        });
    }
    for (const Vec2i& e : mesh.boundary_edges) {
        const Vec3 a = x.segment<3>(3 * e[0]), b = x.segment<3>(3 * e[1]);
        const double length = (b - a).norm();
        if (length <= 2 * tolerance) continue;
        lattice.for_each_in(a.cwiseMin(b) - margin, a.cwiseMax(b) + margin, [&](int p) {
            const Vec3 d = x.segment<3>(3 * p) - a;
            const double along = d.dot(b - a) / length;
            const bool inside = along > tolerance && along < length - tolerance;
            if (inside && (d - along / length * (b - a)).norm() <= tolerance)
                report.t_junctions.emplace_back(p, e[0], e[1]);
        });
    }
    return report;
}

} // namespace selvage
