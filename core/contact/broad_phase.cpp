#include "core/contact/broad_phase.h"

#include "core/base/parallel.h"
#include "core/contact/distance.h"
#include "core/contact/field_contact.h"
#include "core/contact/plane.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace selvage
{
namespace
{

constexpr std::size_t search_grain = 4096;
/// Leaves per task of a query.
constexpr std::size_t query_grain = 64;

/// By a, then b: a bucket per a, then each bucket on its own.
void sort_pairs(std::vector<CandidatePair>& pairs, std::size_t count_a)
{
    if (pairs.empty()) return;
    std::vector<std::size_t> begin(count_a + 1, 0);
    for (const CandidatePair& p : pairs) ++begin[std::size_t(p.a) + 1];
    for (std::size_t a = 0; a < count_a; ++a) begin[a + 1] += begin[a];
    std::vector<CandidatePair> sorted(pairs.size());
    std::vector<std::size_t> end(begin.begin(), begin.end() - 1);
    for (const CandidatePair& p : pairs) sorted[end[std::size_t(p.a)]++] = p;
    parallel_for(count_a, 4096, [&](std::size_t a) {
        std::sort(sorted.begin() + std::ptrdiff_t(begin[a]),
                  sorted.begin() + std::ptrdiff_t(end[a]),
                  [](const CandidatePair& p, const CandidatePair& q) { return p.b < q.b; });
    });
    pairs = std::move(sorted);
}

/// Of neighbours on a fine surface; else infinity.
double rest_distance(const ContactMesh& mesh, PairKind kind, const CandidatePair& pair)
{
    if (kind == PairKind::point_triangle) return mesh.rest_distance(pair.a, pair.b);
    if (kind == PairKind::edge_edge) return mesh.rest_distance_of_edges(pair.a, pair.b);
    return infinity;
}

template <class Element> double largest_thickness(const ContactMesh& mesh, const Element& e)
{
    double t = 0;
    for (Eigen::Index i = 0; i < e.size(); ++i) t = std::max(t, mesh.thickness(e[i]));
    return t;
}

} // namespace

std::size_t Candidates::size() const
{
    std::size_t sum = 0;
    for (const auto& p : pairs) sum += p.size();
    return sum;
}

std::size_t Candidates::bytes() const
{
    std::size_t sum = 0;
    for (const auto& p : pairs) sum += p.capacity() * sizeof(CandidatePair);
    return sum;
}

std::pair<double, double> Sweep::times(const VecX& x) const
{
    double first = 0, last = 1;
    if (x.size() != x_0.size()) return {1, 0};
    for (Eigen::Index i = 0; i < x.size() && first <= last; ++i) {
        const double a = x[i] - x_0[i];
        // Motion below the margin's rounding would only divide by nothing.
        if (std::abs(p[i]) > 1e-12 * margin) {
            const double centre = a / p[i], radius = margin / std::abs(p[i]);
            first = std::max(first, centre - radius);
            last = std::min(last, centre + radius);
        } else if (!(std::abs(a) <= margin))
            return {1, 0};
    }
    return {first, last};
}

bool Sweep::contains(const VecX& x) const
{
    const auto [first, last] = times(x);
    return first <= last;
}

double Sweep::exit_time(const VecX& x, const VecX& q) const
{
    const auto [first, last] = times(x);
    if (!(first <= last)) return 0;
    // The set is convex, so both ends suffice.
    if (contains(x + q)) return 1;
    const double t_0 = 0.5 * (first + last);
    double t = 1;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const double r = x[i] - x_0[i] - t_0 * p[i];
        if (std::abs(r + t * q[i]) <= margin) continue;
        t = std::max((margin - (q[i] > 0 ? r : -r)) / std::abs(q[i]), 0.0);
    }
    return 0.999 * t; // rounding must not carry anyone out
}

int pair_vertices(const ContactMesh& mesh, PairKind kind, const CandidatePair& pair,
                  std::int32_t (&v)[4])
{
    if (kind == PairKind::edge_edge) {
        const Vec2i &a = mesh.edges()[std::size_t(pair.a)], &b = mesh.edges()[std::size_t(pair.b)];
        v[0] = a[0], v[1] = a[1], v[2] = b[0], v[3] = b[1];
        return 4;
    }
    if (kind == PairKind::probe_field) {
        const FieldProbe& probe = mesh.probes()[std::size_t(pair.a)];
        for (int i = 0; i < probe.count; ++i) v[i] = probe.vertices[std::size_t(i)];
        v[probe.count] = mesh.field_vertex(pair.b);
        return probe.count + 1;
    }
    v[0] = pair.a;
    if (kind == PairKind::point_edge) {
        const Vec2i& e = mesh.edges()[std::size_t(pair.b)];
        v[1] = e[0], v[2] = e[1], v[3] = -1;
        return 3;
    }
    if (kind == PairKind::point_plane) {
        for (int i = 0; i < 3; ++i) v[1 + i] = mesh.planes()[std::size_t(pair.b)] + i;
        return 4;
    }
    const Vec3i& t = mesh.triangles()[std::size_t(pair.b)];
    v[1] = t[0], v[2] = t[1], v[3] = t[2];
    return 4;
}

int first_side(PairKind kind, int n)
{
    return kind == PairKind::edge_edge ? 2 : kind == PairKind::probe_field ? n - 1 : 1;
}

double pair_distance(const ContactMesh& mesh, PairKind kind, const CandidatePair& pair,
                     const VecX& x)
{
    if (kind == PairKind::probe_field)
        return mesh.field(pair.b).value(probe_place(mesh.probes()[std::size_t(pair.a)], x),
                                        x[3 * Eigen::Index(mesh.field_vertex(pair.b))]);
    std::int32_t v[4];
    const int n = pair_vertices(mesh, kind, pair, v);
    Vec3T<double> p[4];
    for (int i = 0; i < n; ++i) {
        const double* at = x.data() + 3 * std::ptrdiff_t(v[i]);
        p[i] = {at[0], at[1], at[2]};
    }
    if (kind == PairKind::point_plane) return height_over_plane(p);
    const Vec3T<double> r = kind == PairKind::point_triangle ? point_triangle_separation(p)
                            : kind == PairKind::edge_edge
                                ? edge_edge_separation(p)
                                : point_edge_separation({p[0], p[1], p[2]});
    return std::sqrt(dot(r, r));
}

double pair_thickness(const ContactMesh& mesh, PairKind kind, const CandidatePair& pair)
{
    if (kind == PairKind::probe_field)
        return probe_thickness(mesh, mesh.probes()[std::size_t(pair.a)], pair.b);
    const auto edge = [&](std::int32_t e) {
        return largest_thickness(mesh, mesh.edges()[std::size_t(e)]);
    };
    const double a = kind == PairKind::edge_edge ? edge(pair.a) : mesh.thickness(pair.a);
    const double b = kind == PairKind::point_plane
                         ? mesh.thickness(mesh.planes()[std::size_t(pair.b)])
                     : kind == PairKind::point_triangle
                         ? largest_thickness(mesh, mesh.triangles()[std::size_t(pair.b)])
                         : edge(pair.b);
    return std::min(0.5 * (a + b), 0.5 * rest_distance(mesh, kind, pair));
}

double pair_activation(const ContactMesh& mesh, PairKind kind, const CandidatePair& pair,
                       double thickness, double d_hat)
{
    return std::min(d_hat, 0.5 * (rest_distance(mesh, kind, pair) - thickness));
}

void BroadPhase::collect()
{
    collected_ = true;
    const auto side = [&](int vertex) { return mesh_.simulated(vertex) ? 0u : 1u; };
    for (const std::int32_t v : mesh_.points()) points_[side(v)].ids.push_back(v);
    for (std::size_t e = 0; e < mesh_.edges().size(); ++e)
        edges_[side(mesh_.edges()[e][0])].ids.push_back(std::int32_t(e));
    for (std::size_t t = 0; t < mesh_.triangles().size(); ++t)
        triangles_[side(mesh_.triangles()[t][0])].ids.push_back(std::int32_t(t));
    wire_points_.ids = mesh_.wire_points();
    wire_edges_.ids = mesh_.wire_edges();
}

void BroadPhase::set_frame(const Sweep& sweep, const Vec3& drift)
{
    lower_.resize(sweep.x_0.size());
    upper_.resize(sweep.x_0.size());
    parallel_for(std::size_t(mesh_.vertex_count()), search_grain, [&](std::size_t v) {
        const Eigen::Index i = 3 * Eigen::Index(v);
        const Vec3 x = sweep.x_0.segment<3>(i), y = x + sweep.p.segment<3>(i) - drift;
        lower_.segment<3>(i) = x.cwiseMin(y).array() - sweep.margin;
        upper_.segment<3>(i) = x.cwiseMax(y).array() + sweep.margin;
    });
}

template <class Vertices>
void BroadPhase::fit(Elements& elements, double distance, Vertices&& vertices)
{
    scratch_.resize(elements.ids.size());
    parallel_for(elements.ids.size(), search_grain, [&](std::size_t k) {
        const auto v = vertices(elements.ids[k]);
        Vec3 lower = Vec3::Constant(infinity), upper = -lower;
        for (Eigen::Index i = 0; i < v.size(); ++i) {
            lower = lower.cwiseMin(lower_.segment<3>(3 * v[i]));
            upper = upper.cwiseMax(upper_.segment<3>(3 * v[i]));
        }
        // Half of the reach on each side.
        const double reach = 0.5 * (largest_thickness(mesh_, v) + distance);
        scratch_[k] = FloatBox::around(lower.array() - reach, upper.array() + reach);
    });
    elements.tree.update(scratch_);
}

void BroadPhase::fit_side(std::size_t side, double distance)
{
    const auto point = [&](std::int32_t v) { return Eigen::Matrix<int, 1, 1>(v); };
    const auto edge = [&](std::int32_t e) { return mesh_.edges()[std::size_t(e)]; };
    const auto triangle = [&](std::int32_t t) { return mesh_.triangles()[std::size_t(t)]; };
    fit(points_[side], distance, point);
    fit(edges_[side], distance, edge);
    fit(triangles_[side], distance, triangle);
    if (side == 1) return;
    fit(wire_points_, distance, point);
    fit(wire_edges_, distance, edge);
}

/// The cheap tests first; then the distance halfway, which may exceed the reach by what both sides
/// can move towards each other in half the sweep and within the margin.
bool BroadPhase::wanted(PairKind kind, const CandidatePair& pair, const Sweep& sweep,
                        double distance) const
{
    std::int32_t v[4];
    const int n = pair_vertices(mesh_, kind, pair, v), first = first_side(kind, n);
    for (int i = 0; i < first; ++i)
        for (int j = first; j < n; ++j)
            if (v[i] == v[j] || !mesh_.collide(v[i], v[j])) return false;

    Vec3T<double> x[4], half[4], mean = {0, 0, 0};
    for (int i = 0; i < n; ++i) {
        const Eigen::Index k = 3 * Eigen::Index(v[i]);
        half[i] = {0.5 * sweep.p[k], 0.5 * sweep.p[k + 1], 0.5 * sweep.p[k + 2]};
        x[i] = Vec3T<double>{sweep.x_0[k], sweep.x_0[k + 1], sweep.x_0[k + 2]} + half[i];
        mean = mean + half[i];
    }
    double squared[2] = {0, 0};
    for (int i = 0; i < n; ++i) {
        const Vec3T<double> relative = half[i] - (1.0 / n) * mean;
        double& s = squared[i < first ? 0 : 1];
        s = std::max(s, dot(relative, relative));
    }
    const double reach = pair_thickness(mesh_, kind, pair) + distance +
                         2 * std::sqrt(3.0) * sweep.margin + std::sqrt(squared[0]) +
                         std::sqrt(squared[1]);
    Vec3T<double> r;
    if (kind == PairKind::point_triangle)
        r = point_triangle_separation(x);
    else if (kind == PairKind::edge_edge)
        r = edge_edge_separation(x);
    else
        r = point_edge_separation({x[0], x[1], x[2]});
    // Written so that NaN keeps the pair.
    if (dot(r, r) > reach * reach * (1 + 1e-12)) return false;
    return !filter_ || filter_(kind, pair.a, pair.b);
}

template <bool self>
void BroadPhase::query(PairKind kind, const Elements& a, const Elements& b, const Sweep& sweep,
                       double distance, std::vector<CandidatePair>& out) const
{
    if (a.ids.empty() || b.ids.empty()) return;
    const std::size_t leaves = std::size_t(a.tree.leaf_count());
    std::vector<std::vector<CandidatePair>> found((leaves + query_grain - 1) / query_grain);
    parallel_chunks(leaves, query_grain, [&](std::size_t begin, std::size_t end) {
        std::vector<CandidatePair>& list = found[begin / query_grain];
        const auto visit = [&](std::int32_t i, std::int32_t j) {
            CandidatePair pair = {a.ids[std::size_t(i)], b.ids[std::size_t(j)]};
            if (kind == PairKind::edge_edge && pair.b < pair.a) std::swap(pair.a, pair.b);
            if (wanted(kind, pair, sweep, distance)) list.push_back(pair);
        };
        for (std::size_t leaf = begin; leaf < end; ++leaf) {
            if constexpr (self)
                a.tree.self_overlaps(std::int32_t(leaf), visit);
            else
                a.tree.overlaps(std::int32_t(leaf), b.tree, visit);
        }
    });
    std::size_t total = out.size();
    for (const auto& list : found) total += list.size();
    out.reserve(total);
    for (const auto& list : found) out.insert(out.end(), list.begin(), list.end());
}

/// Every point against every plane: there are few planes, and a test takes no longer than a walk
/// through a tree. The sweep's margin is that of the plane's own points, seen from afar.
void BroadPhase::query_planes(const Sweep& sweep, double distance,
                              std::vector<CandidatePair>& out) const
{
    const std::vector<std::int32_t>& points = points_[0].ids;
    std::vector<std::vector<CandidatePair>> found((points.size() + search_grain - 1) /
                                                  search_grain);
    parallel_chunks(points.size(), search_grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            for (std::int32_t plane = 0; plane < std::int32_t(mesh_.planes().size()); ++plane) {
                const CandidatePair pair = {points[i], plane};
                std::int32_t v[4];
                pair_vertices(mesh_, PairKind::point_plane, pair, v);
                if (!mesh_.collide(v[0], v[1])) continue;
                Vec3T<double> x[4], p[4];
                for (int k = 0; k < 4; ++k) {
                    const Eigen::Index at = 3 * Eigen::Index(v[k]);
                    x[k] = {sweep.x_0[at], sweep.x_0[at + 1], sweep.x_0[at + 2]};
                    p[k] = {sweep.p[at], sweep.p[at + 1], sweep.p[at + 2]};
                }
                const double reach = pair_thickness(mesh_, PairKind::point_plane, pair) + distance +
                                     std::sqrt(3.0) * sweep.margin * (1 + plane_leverage(x, p));
                if (lowest_height(x, p) > reach) continue;
                if (!filter_ || filter_(PairKind::point_plane, pair.a, pair.b))
                    found[begin / search_grain].push_back(pair);
            }
    });
    for (const auto& list : found) out.insert(out.end(), list.begin(), list.end());
}

/// Every probe against every field, likewise: where a field is far, its value is at hand.
void BroadPhase::query_fields(const Sweep& sweep, double distance,
                              std::vector<CandidatePair>& out) const
{
    const std::size_t probes = mesh_.field_count() > 0 ? mesh_.probes().size() : 0;
    std::vector<std::vector<CandidatePair>> found((probes + search_grain - 1) / search_grain);
    parallel_chunks(probes, search_grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            for (std::int32_t field = 0; field < mesh_.field_count(); ++field) {
                const CandidatePair pair = {std::int32_t(i), field};
                const FieldProbe& probe = mesh_.probes()[i];
                if (!probe_collides(mesh_, probe, field)) continue;
                const Eigen::Index time = 3 * Eigen::Index(mesh_.field_vertex(field));
                const double lowest = lowest_distance(
                    mesh_.field(field), probe_place(probe, sweep.x_0), probe_place(probe, sweep.p),
                    sweep.x_0[time], sweep.p[time], sweep.margin);
                if (lowest > probe_thickness(mesh_, probe, field) + distance) continue;
                if (!filter_ || filter_(PairKind::probe_field, pair.a, pair.b))
                    found[begin / search_grain].push_back(pair);
            }
    });
    for (const auto& list : found) out.insert(out.end(), list.begin(), list.end());
}

void BroadPhase::find(const Sweep& sweep, double distance, Candidates& out)
{
    find_unsorted(sweep, distance, out);
    sort_pairs(out[PairKind::point_triangle], std::size_t(mesh_.vertex_count()));
    sort_pairs(out[PairKind::edge_edge], mesh_.edges().size());
    sort_pairs(out[PairKind::point_edge], std::size_t(mesh_.vertex_count()));
}

void BroadPhase::find_unsorted(const Sweep& sweep, double distance, Candidates& out)
{
    assert(sweep.x_0.size() == 3 * mesh_.vertex_count() && sweep.p.size() == sweep.x_0.size());
    if (!collected_) collect();
    for (auto& list : out.pairs) list.clear();
    auto &pt = out[PairKind::point_triangle], &ee = out[PairKind::edge_edge];

    // Simulated against simulated, in the frame of their mean motion.
    Vec3 drift = Vec3::Zero();
    const int n = mesh_.simulated_count();
    for (int v = 0; v < n; ++v) drift += sweep.p.segment<3>(3 * v) / n;
    set_frame(sweep, drift);
    fit_side(0, distance);
    query<false>(PairKind::point_triangle, points_[0], triangles_[0], sweep, distance, pt);
    query<true>(PairKind::edge_edge, edges_[0], edges_[0], sweep, distance, ee);
    query<false>(PairKind::point_edge, wire_points_, wire_edges_, sweep, distance,
                 out[PairKind::point_edge]);

    query_planes(sweep, distance, out[PairKind::point_plane]);
    query_fields(sweep, distance, out[PairKind::probe_field]);

    // Simulated against prescribed, at rest.
    if (mesh_.prescribed_count() == 0) return;
    if (drift.squaredNorm() > 0) {
        set_frame(sweep, Vec3::Zero());
        fit_side(0, distance);
    }
    fit_side(1, distance);
    query<false>(PairKind::point_triangle, points_[0], triangles_[1], sweep, distance, pt);
    query<false>(PairKind::point_triangle, points_[1], triangles_[0], sweep, distance, pt);
    query<false>(PairKind::edge_edge, edges_[0], edges_[1], sweep, distance, ee);
}

std::size_t BroadPhase::bytes() const
{
    std::size_t sum = scratch_.capacity() * sizeof(FloatBox);
    const auto add = [&](const Elements& e) {
        sum += e.tree.bytes() + e.ids.capacity() * sizeof(std::int32_t);
    };
    for (std::size_t side = 0; side < 2; ++side)
        add(points_[side]), add(edges_[side]), add(triangles_[side]);
    add(wire_points_), add(wire_edges_);
    return sum;
}

int BroadPhase::builds() const
{
    int sum = wire_points_.tree.builds() + wire_edges_.tree.builds();
    for (std::size_t side = 0; side < 2; ++side)
        sum += points_[side].tree.builds() + edges_[side].tree.builds() +
               triangles_[side].tree.builds();
    return sum;
}

} // namespace selvage
