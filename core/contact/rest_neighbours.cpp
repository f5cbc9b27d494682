#include "core/contact/rest_neighbours.h"

#include "core/base/parallel.h"
#include "core/contact/contact_mesh.h"
#include "core/contact/distance.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

using V = Vec3T<double>;
using Lists = std::vector<std::vector<RestNeighbours::Neighbour>>;

/// Elements per task: each has a mark for every element.
constexpr std::size_t flood_grain = 8192;
/// Turns rounding to floats into rounding down.
constexpr double downwards = 1 - 1e-7;

V rest_place(const ContactMesh& mesh, int vertex)
{
    const double* p = mesh.rest().data() + 3 * std::ptrdiff_t(vertex);
    return {p[0], p[1], p[2]};
}

double length(const V& r) { return std::sqrt(dot(r, r)); }

/// Up to which distance at rest a pair of such a thickness is held in check.
double reach_at_rest(double thickness, double d_hat)
{
    return std::max(2 * thickness, thickness + 2 * d_hat);
}

template <class Element> double thickest(const ContactMesh& mesh, const Element& e)
{
    double t = 0;
    for (Eigen::Index i = 0; i < e.size(); ++i) t = std::max(t, mesh.thickness(e[i]));
    return t;
}

template <class A, class B> bool share_vertex(const A& a, const B& b)
{
    for (Eigen::Index i = 0; i < a.size(); ++i)
        for (Eigen::Index j = 0; j < b.size(); ++j)
            if (a[i] == b[j]) return true;
    return false;
}

/// Elements at each vertex.
class Incidence
{
public:
    template <class Element, class Wanted>
    Incidence(const std::vector<Element>& elements, int vertex_count, Wanted&& wanted)
        : begin_(std::size_t(vertex_count) + 1, 0)
    {
        const auto each = [&](auto&& visit) {
            for (std::size_t e = 0; e < elements.size(); ++e)
                for (Eigen::Index i = 0; wanted(elements[e]) && i < elements[e].size(); ++i)
                    visit(std::size_t(elements[e][i]), std::int32_t(e));
        };
        each([&](std::size_t v, std::int32_t) { ++begin_[v + 1]; });
        for (std::size_t v = 0; v + 1 < begin_.size(); ++v) begin_[v + 1] += begin_[v];
        elements_.resize(begin_.back());
        std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
        each([&](std::size_t v, std::int32_t e) { elements_[next[v]++] = e; });
    }
    template <class Visit> void each(int vertex, Visit&& visit) const
    {
        for (std::size_t k = begin_[std::size_t(vertex)]; k < begin_[std::size_t(vertex) + 1]; ++k)
            visit(elements_[k]);
    }

private:
    std::vector<std::size_t> begin_;
    std::vector<std::int32_t> elements_;
};

/// For each first element, all elements within `reach` that are connected with it by such ones and
/// share no vertex with it; `wanted(a, b, distance)` picks.
template <class First, class Element, class Distance, class Wanted>
Lists flood(const std::vector<First>& first, const std::vector<Element>& elements,
            const Incidence& at, double reach, Distance&& distance, Wanted&& wanted)
{
    Lists lists(first.size());
    parallel_chunks(first.size(), flood_grain, [&](std::size_t begin, std::size_t end) {
        std::vector<std::size_t> mark(elements.size(), 0);
        std::vector<std::int32_t> stack;
        for (std::size_t a = begin; a < end; ++a) {
            const auto push = [&](std::int32_t e) {
                if (mark[std::size_t(e)] == a + 1) return;
                mark[std::size_t(e)] = a + 1;
                stack.push_back(e);
            };
            const auto spread = [&](const auto& vertices) {
                for (Eigen::Index i = 0; i < vertices.size(); ++i) at.each(vertices[i], push);
            };
            spread(first[a]);
            while (!stack.empty()) {
                const std::int32_t b = stack.back();
                stack.pop_back();
                const Element& e = elements[std::size_t(b)];
                if (!share_vertex(first[a], e)) {
                    const double d = distance(first[a], e);
                    if (!(d < reach)) continue;
                    if (d > 0 && wanted(a, b, d)) lists[a].push_back({b, float(d * downwards)});
                }
                spread(e);
            }
            std::sort(lists[a].begin(), lists[a].end(),
                      [](const auto& p, const auto& q) { return p.element < q.element; });
        }
    });
    return lists;
}

/// Whether any point is within reach of the side of a triangle opposite to it: else no elements
/// that share no vertex are.
bool finer_than(const ContactMesh& mesh, double reach)
{
    for (const Vec3i& t : mesh.triangles())
        for (int k = 0; mesh.simulated(t[0]) && k < 3; ++k) {
            const V r =
                point_edge_separation({rest_place(mesh, t[k]), rest_place(mesh, t[(k + 1) % 3]),
                                       rest_place(mesh, t[(k + 2) % 3])});
            if (length(r) < reach) return true;
        }
    return false;
}

} // namespace

RestNeighbours::RestNeighbours(const std::vector<std::vector<Neighbour>>& lists)
{
    std::size_t count = 0;
    for (const auto& l : lists) count += l.size();
    if (count == 0) return;
    begin_.reserve(lists.size() + 1);
    neighbours_.reserve(count);
    for (const auto& l : lists) {
        begin_.push_back(neighbours_.size());
        neighbours_.insert(neighbours_.end(), l.begin(), l.end());
    }
    begin_.push_back(neighbours_.size());
}

void find_rest_neighbours(ContactMesh& mesh, double d_hat)
{
    std::vector<char> surface(std::size_t(mesh.body_count()), 0); // not wires and strands
    double reach = 0;
    for (const Vec3i& t : mesh.triangles())
        if (mesh.simulated(t[0])) {
            surface[std::size_t(mesh.body(t[0]))] = 1;
            reach = std::max(reach, reach_at_rest(thickest(mesh, t), d_hat));
        }
    RestNeighbours points, edges;
    if (finer_than(mesh, reach)) {
        const auto on_surface = [&](const auto& e) {
            return mesh.simulated(e[0]) && surface[std::size_t(mesh.body(e[0]))];
        };
        const auto apart = [&](const auto& a, const auto& b) {
            return reach_at_rest(0.5 * (thickest(mesh, a) + thickest(mesh, b)), d_hat);
        };
        using Point = Eigen::Matrix<int, 1, 1>;
        std::vector<Point> vertices;
        for (int v = 0; v < mesh.simulated_count(); ++v) vertices.emplace_back(v);
        points = RestNeighbours(flood(
            vertices, mesh.triangles(),
            Incidence(mesh.triangles(), mesh.vertex_count(), on_surface), reach,
            [&](const Point& p, const Vec3i& t) {
                return length(
                    point_triangle_separation({rest_place(mesh, p[0]), rest_place(mesh, t[0]),
                                               rest_place(mesh, t[1]), rest_place(mesh, t[2])}));
            },
            [&](std::size_t a, std::int32_t b, double d) {
                return d < apart(vertices[a], mesh.triangles()[std::size_t(b)]);
            }));
        edges = RestNeighbours(flood(
            mesh.edges(), mesh.edges(), Incidence(mesh.edges(), mesh.vertex_count(), on_surface),
            reach,
            [&](const Vec2i& e, const Vec2i& f) {
                return length(
                    edge_edge_separation({rest_place(mesh, e[0]), rest_place(mesh, e[1]),
                                          rest_place(mesh, f[0]), rest_place(mesh, f[1])}));
            },
            [&](std::size_t a, std::int32_t b, double d) {
                return std::int32_t(a) < b &&
                       d < apart(mesh.edges()[a], mesh.edges()[std::size_t(b)]);
            }));
    }
    mesh.set_rest_neighbours(std::move(points), std::move(edges));
}

} // namespace selvage
