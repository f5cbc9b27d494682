#include "core/contact/start_check.h"

#include "core/base/parallel.h"
#include "core/contact/contact_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace selvage
{
namespace
{

using V = Vec3T<double>;

V at(const VecX& x, std::int32_t v)
{
    const double* p = x.data() + 3 * std::ptrdiff_t(v);
    return {p[0], p[1], p[2]};
}

/// Six times the signed volume of a tetrahedron.
double volume(const V& a, const V& b, const V& c, const V& d)
{
    return dot(cross(b - a, c - a), d - a);
}

/// Whether the open segment crosses the triangle's inside; touching is left to the distances.
bool pierces(const V& p, const V& q, const V& a, const V& b, const V& c)
{
    const double above = volume(a, b, c, p), below = volume(a, b, c, q);
    if (!(above * below < 0)) return false;
    const double ab = volume(p, q, a, b), bc = volume(p, q, b, c), ca = volume(p, q, c, a);
    if (!((ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0))) return false;
    // In a flat sheet all these signs are rounding: the crossing must be on the triangle, too.
    const V crossing = p + (above / (above - below)) * (q - p);
    const V off = point_triangle_separation({crossing, a, b, c});
    const V side = b - a, other = c - a;
    return dot(off, off) <= 1e-12 * std::max(dot(side, side), dot(other, other));
}

template <class Element>
std::vector<FloatBox> boxes_of(const std::vector<Element>& elements, const VecX& x)
{
    std::vector<FloatBox> boxes(elements.size());
    parallel_for(elements.size(), 4096, [&](std::size_t k) {
        Vec3 lower = Vec3::Constant(infinity), upper = -lower;
        for (Eigen::Index i = 0; i < elements[k].size(); ++i) {
            const Vec3 p = x.segment<3>(3 * Eigen::Index(elements[k][i]));
            lower = lower.cwiseMin(p), upper = upper.cwiseMax(p);
        }
        boxes[k] = FloatBox::around(lower, upper);
    });
    return boxes;
}

void find_piercing(const ContactMesh& mesh, const VecX& x, const PairFilter& filter,
                   std::vector<OffendingPair>& out)
{
    Bvh edges, triangles;
    edges.build(boxes_of(mesh.edges(), x));
    triangles.build(boxes_of(mesh.triangles(), x));
    if (edges.size() == 0 || triangles.size() == 0) return;
    constexpr std::size_t grain = 64;
    const std::size_t leaves = std::size_t(edges.leaf_count());
    std::vector<std::vector<OffendingPair>> found((leaves + grain - 1) / grain);
    parallel_chunks(leaves, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t leaf = begin; leaf < end; ++leaf)
            edges.overlaps(std::int32_t(leaf), triangles, [&](std::int32_t e, std::int32_t t) {
                const Vec2i& edge = mesh.edges()[std::size_t(e)];
                const Vec3i& triangle = mesh.triangles()[std::size_t(t)];
                for (int i = 0; i < 2; ++i)
                    for (int j = 0; j < 3; ++j)
                        if (edge[i] == triangle[j] || !mesh.collide(edge[i], triangle[j])) return;
                if (!mesh.simulated(edge[0]) && !mesh.simulated(triangle[0])) return;
                for (int i = 0; filter && i < 2; ++i)
                    if (!filter(PairKind::point_triangle, edge[i], t)) return;
                const int body_a = mesh.body(edge[0]), body_b = mesh.body(triangle[0]);
                if (pierces(at(x, edge[0]), at(x, edge[1]), at(x, triangle[0]), at(x, triangle[1]),
                            at(x, triangle[2])))
                    found[begin / grain].push_back(
                        {OffendingPair::Kind::piercing, e, t, body_a, body_b, 0, 0});
            });
    });
    for (const auto& list : found) out.insert(out.end(), list.begin(), list.end());
}

OffendingPair::Kind offence_of(PairKind kind)
{
    switch (kind) {
    case PairKind::point_triangle: return OffendingPair::Kind::point_triangle;
    case PairKind::edge_edge: return OffendingPair::Kind::edge_edge;
    case PairKind::point_edge: return OffendingPair::Kind::point_edge;
    case PairKind::point_plane: return OffendingPair::Kind::point_plane;
    default: return OffendingPair::Kind::probe_field;
    }
}

void find_too_near(const ContactMesh& mesh, const VecX& x, const PairFilter& filter,
                   std::vector<OffendingPair>& out)
{
    BroadPhase broad(mesh);
    broad.set_filter(filter);
    Candidates candidates;
    // A hair more than the thickness, so that equality is seen.
    broad.find({x, VecX::Zero(x.size()), 0}, 1e-12, candidates);
    for (const PairKind kind : all_pair_kinds)
        for (const CandidatePair& pair : candidates[kind]) {
            const double d = pair_distance(mesh, kind, pair, x),
                         xi = pair_thickness(mesh, kind, pair);
            if (d > xi) continue;
            std::int32_t v[4];
            const int n = pair_vertices(mesh, kind, pair, v);
            out.push_back(
                {offence_of(kind), pair.a, pair.b, mesh.body(v[0]), mesh.body(v[n - 1]), d, xi});
        }
}

bool before(const OffendingPair& a, const OffendingPair& b)
{
    return std::tie(a.kind, a.a, a.b) < std::tie(b.kind, b.a, b.b);
}

} // namespace

std::vector<OffendingPair> find_offending_pairs(const ContactMesh& mesh, const VecX& x,
                                                const PairFilter& filter)
{
    std::vector<OffendingPair> pairs;
    find_piercing(mesh, x, filter, pairs);
    find_too_near(mesh, x, filter, pairs);
    std::sort(pairs.begin(), pairs.end(), before);
    return pairs;
}

std::string describe(const ContactMesh& mesh, const OffendingPair& pair)
{
    const auto own = [&](int vertex) { return vertex - mesh.first_vertex(mesh.body(vertex)); };
    const auto point = [&](std::int32_t v) {
        return fmt::format("'{}' point {}", mesh.name(mesh.body(v)), own(v));
    };
    const auto edge = [&](std::int32_t e) {
        const Vec2i& v = mesh.edges()[std::size_t(e)];
        return fmt::format("'{}' edge ({}, {})", mesh.name(mesh.body(v[0])), own(v[0]), own(v[1]));
    };
    const auto triangle = [&](std::int32_t t) {
        const Vec3i& v = mesh.triangles()[std::size_t(t)];
        return fmt::format("'{}' triangle ({}, {}, {})", mesh.name(mesh.body(v[0])), own(v[0]),
                           own(v[1]), own(v[2]));
    };
    const auto probe = [&](std::int32_t p) {
        const FieldProbe& at = mesh.probes()[std::size_t(p)];
        if (at.count == 1) return point(at.vertices[0]);
        std::string text = fmt::format("'{}' {} (", mesh.name(mesh.body(at.vertices[0])),
                                       at.count == 2 ? "edge" : "triangle");
        for (int i = 0; i < at.count; ++i)
            text += fmt::format("{}{}", i > 0 ? ", " : "", own(at.vertices[std::size_t(i)]));
        return text + ")";
    };
    if (pair.kind == OffendingPair::Kind::piercing)
        return edge(pair.a) + " passes through " + triangle(pair.b);
    if (pair.kind == OffendingPair::Kind::point_plane && pair.distance < 0)
        return fmt::format("{} is {:.3g} m behind '{}'", point(pair.a), -pair.distance,
                           mesh.name(pair.body_b));
    if (pair.kind == OffendingPair::Kind::probe_field && pair.distance < 0)
        return -pair.distance > 0.999 * mesh.field(pair.b).background()
                   ? fmt::format("{} is inside '{}', deeper than its narrow band of {:.3g} m: no "
                                 "way out is known there",
                                 probe(pair.a), mesh.name(pair.body_b),
                                 mesh.field(pair.b).background())
                   : fmt::format("{} is {:.3g} m inside '{}'", probe(pair.a), -pair.distance,
                                 mesh.name(pair.body_b));
    const std::string what = pair.kind == OffendingPair::Kind::point_triangle
                                 ? point(pair.a) + " and " + triangle(pair.b)
                             : pair.kind == OffendingPair::Kind::edge_edge
                                 ? edge(pair.a) + " and " + edge(pair.b)
                             : pair.kind == OffendingPair::Kind::probe_field
                                 ? fmt::format("{} and '{}'", probe(pair.a), mesh.name(pair.body_b))
                             : pair.kind == OffendingPair::Kind::point_plane
                                 ? fmt::format("{} and '{}'", point(pair.a), mesh.name(pair.body_b))
                                 : point(pair.a) + " and " + edge(pair.b);
    return fmt::format("{} are {:.3g} m apart, thickness asks for more than {:.3g} m", what,
                       pair.distance, pair.thickness);
}

std::vector<OffendingPair> find_piercing_pairs(const ContactMesh& mesh, const VecX& x,
                                               const PairFilter& filter)
{
    std::vector<OffendingPair> pairs;
    find_piercing(mesh, x, filter, pairs);
    std::sort(pairs.begin(), pairs.end(), before);
    return pairs;
}

std::vector<ContactPair> pairs_to_ignore(const ContactMesh& mesh,
                                         const std::vector<OffendingPair>& pairs)
{
    std::vector<ContactPair> ignored;
    std::map<std::pair<int, int>, std::int32_t> edge_of;
    const auto ordered = [](int a, int b) { return std::pair<int, int>(std::minmax(a, b)); };
    for (std::size_t e = 0; e < mesh.edges().size(); ++e)
        edge_of[ordered(mesh.edges()[e][0], mesh.edges()[e][1])] = std::int32_t(e);
    for (const OffendingPair& p : pairs) switch (p.kind) {
        case OffendingPair::Kind::point_triangle:
            ignored.push_back({PairKind::point_triangle, p.a, p.b});
            break;
        case OffendingPair::Kind::edge_edge:
            ignored.push_back({PairKind::edge_edge, p.a, p.b});
            break;
        case OffendingPair::Kind::point_edge:
            ignored.push_back({PairKind::point_edge, p.a, p.b});
            break;
        case OffendingPair::Kind::point_plane:
        case OffendingPair::Kind::probe_field: break;
        case OffendingPair::Kind::piercing: {
            const Vec2i& e = mesh.edges()[std::size_t(p.a)];
            const Vec3i& t = mesh.triangles()[std::size_t(p.b)];
            for (int i = 0; i < 2; ++i) ignored.push_back({PairKind::point_triangle, e[i], p.b});
            for (int i = 0; i < 3; ++i) {
                const auto side = edge_of.find(ordered(t[i], t[(i + 1) % 3]));
                if (side == edge_of.end()) continue;
                const auto [a, b] = std::minmax(p.a, side->second);
                ignored.push_back({PairKind::edge_edge, a, b});
            }
            break;
        }
        }
    std::sort(ignored.begin(), ignored.end());
    ignored.erase(std::unique(ignored.begin(), ignored.end()), ignored.end());
    return ignored;
}

} // namespace selvage
