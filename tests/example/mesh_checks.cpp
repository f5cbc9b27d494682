#include "tests/example/mesh_checks.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace selvage
{
namespace
{

using Box = Eigen::AlignedBox3d;

std::map<std::pair<int, int>, int> directed_edges(const Geometry& g)
{
    std::map<std::pair<int, int>, int> count;
    for (const Primitive& p : g.primitives())
        for (std::int64_t c = 0; c < p.count; ++c) {
            const auto at = [&](std::int64_t k) {
                return g.vertex_point()[std::size_t(
                    g.primitive_vertices()[std::size_t(p.first + k % p.count)])];
            };
            ++count[{at(c), at(c + 1)}];
        }
    return count;
}

/// Buckets of a uniform grid, each with the triangles whose boxes touch it.
class Buckets
{
public:
    Buckets(const Triangles& mesh, double cell) : cell_(cell)
    {
        for (int f = 0; f < int(mesh.faces.size()); ++f)
            visit(box_of(mesh, f), [&](std::int64_t key) { bucket_[key].push_back(f); });
    }

    std::set<int> near(const Box& box) const
    {
        std::set<int> out;
        visit(box, [&](std::int64_t key) {
            const auto found = bucket_.find(key);
            if (found != bucket_.end()) out.insert(found->second.begin(), found->second.end());
        });
        return out;
    }

    static Box box_of(const Triangles& mesh, int f)
    {
        Box box;
        for (int c = 0; c < 3; ++c) box.extend(mesh.point(mesh.faces[std::size_t(f)][c]));
        return box;
    }

private:
    template <class Body> void visit(const Box& box, Body&& body) const
    {
        const auto at = [&](double v) { return std::int64_t(std::floor(v / cell_)) + 100000; };
        for (auto i = at(box.min().x()); i <= at(box.max().x()); ++i)
            for (auto j = at(box.min().y()); j <= at(box.max().y()); ++j)
                for (auto k = at(box.min().z()); k <= at(box.max().z()); ++k)
                    body(i << 40 | j << 20 | k);
    }

    double cell_;
    std::unordered_map<std::int64_t, std::vector<int>> bucket_;
};

bool segment_crosses(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const auto volume = [](const Vec3& o, const Vec3& u, const Vec3& v, const Vec3& w) {
        return (u - o).dot((v - o).cross(w - o));
    };
    if ((volume(p, a, b, c) > 0) == (volume(q, a, b, c) > 0)) return false;
    const bool side = volume(p, q, a, b) > 0;
    return (volume(p, q, b, c) > 0) == side && (volume(p, q, c, a) > 0) == side;
}

bool cross(const Triangles& m, int f, const Triangles& n, int g)
{
    const Vec3i &A = m.faces[std::size_t(f)], &B = n.faces[std::size_t(g)];
    for (int c = 0; c < 3; ++c) {
        if (segment_crosses(m.point(A[c]), m.point(A[(c + 1) % 3]), n.point(B[0]), n.point(B[1]),
                            n.point(B[2])) ||
            segment_crosses(n.point(B[c]), n.point(B[(c + 1) % 3]), m.point(A[0]), m.point(A[1]),
                            m.point(A[2])))
            return true;
    }
    return false;
}

double segment_distance(const Vec3& p, const Vec3& a, const Vec3& b)
{
    const Vec3 d = b - a;
    return (a + std::clamp((p - a).dot(d) / d.squaredNorm(), 0.0, 1.0) * d - p).norm();
}

double triangle_distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 n = (b - a).cross(c - a);
    const bool above = n.dot((b - a).cross(p - a)) >= 0 && n.dot((c - b).cross(p - b)) >= 0 &&
                       n.dot((a - c).cross(p - c)) >= 0;
    if (above) return std::abs(n.normalized().dot(p - a));
    return std::min(
        {segment_distance(p, a, b), segment_distance(p, b, c), segment_distance(p, c, a)});
}

} // namespace

Triangles triangles_of(const Geometry& g)
{
    Triangles out;
    out.x = g.positions();
    for (const Primitive& p : g.primitives())
        for (std::int64_t c = 1; c + 1 < p.count; ++c) {
            const auto at = [&](std::int64_t k) {
                return g
                    .vertex_point()[std::size_t(g.primitive_vertices()[std::size_t(p.first + k)])];
            };
            out.faces.emplace_back(at(0), at(c), at(c + 1));
        }
    return out;
}

int open_or_bad_edges(const Geometry& g)
{
    const auto edges = directed_edges(g);
    return int(std::count_if(edges.begin(), edges.end(), [&](const auto& e) {
        return e.second != 1 || !edges.count({e.first.second, e.first.first});
    }));
}

int bad_edges(const Geometry& g)
{
    const auto edges = directed_edges(g);
    return int(
        std::count_if(edges.begin(), edges.end(), [](const auto& e) { return e.second != 1; }));
}

int component_count(const Geometry& g)
{
    std::vector<int> parent(g.point_count());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int i) {
        while (parent[std::size_t(i)] != i) i = parent[std::size_t(i)];
        return i;
    };
    int components = int(parent.size());
    for (const auto& [edge, count] : directed_edges(g)) {
        const int a = root(edge.first), b = root(edge.second);
        if (a == b) continue;
        parent[std::size_t(std::max(a, b))] = std::min(a, b);
        --components;
    }
    return components;
}

int euler_characteristic(const Geometry& g)
{
    std::set<std::pair<int, int>> edges;
    for (const auto& [edge, count] : directed_edges(g))
        edges.insert(std::minmax(edge.first, edge.second));
    return int(g.point_count()) - int(edges.size()) + int(g.primitive_count());
}

double enclosed_volume(const Triangles& mesh)
{
    double sum = 0;
    for (const Vec3i& f : mesh.faces)
        sum += mesh.point(f[0]).dot(mesh.point(f[1]).cross(mesh.point(f[2]))) / 6;
    return sum;
}

double smallest_angle(const Triangles& mesh)
{
    double least = infinity;
    for (const Vec3i& f : mesh.faces)
        for (int c = 0; c < 3; ++c) {
            const Vec3 u = mesh.point(f[(c + 1) % 3]) - mesh.point(f[c]);
            const Vec3 v = mesh.point(f[(c + 2) % 3]) - mesh.point(f[c]);
            least = std::min(least, std::atan2(u.cross(v).norm(), u.dot(v)));
        }
    return least;
}

int self_intersections(const Triangles& mesh)
{
    const Buckets buckets(mesh, 0.02);
    int count = 0;
    for (int f = 0; f < int(mesh.faces.size()); ++f)
        for (const int g : buckets.near(Buckets::box_of(mesh, f))) {
            if (g <= f) continue;
            const Vec3i &A = mesh.faces[std::size_t(f)], &B = mesh.faces[std::size_t(g)];
            bool share = false;
            for (int c = 0; c < 3; ++c) share = share || (A.array() == B[c]).any();
            count += !share && cross(mesh, f, mesh, g);
        }
    return count;
}

int intersections(const Triangles& a, const Triangles& b)
{
    const Buckets buckets(b, 0.02);
    int count = 0;
    for (int f = 0; f < int(a.faces.size()); ++f)
        for (const int g : buckets.near(Buckets::box_of(a, f))) count += cross(a, f, b, g);
    return count;
}

double least_distance(const VecX& points, const Triangles& mesh, double reach)
{
    const Buckets buckets(mesh, 0.02);
    double least = reach;
    for (Eigen::Index i = 0; i < points.size(); i += 3) {
        const Vec3 p = points.segment<3>(i);
        const Vec3 r = Vec3::Constant(least);
        for (const int f : buckets.near(Box(Vec3(p - r), Vec3(p + r)))) {
            const Vec3i& t = mesh.faces[std::size_t(f)];
            least = std::min(
                least, triangle_distance(p, mesh.point(t[0]), mesh.point(t[1]), mesh.point(t[2])));
        }
    }
    return least;
}

} // namespace selvage
