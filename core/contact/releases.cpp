#include "core/contact/releases.h"

#include "core/base/parallel.h"
#include "core/contact/start_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

namespace selvage
{
namespace
{

/// Part of d̂ by which a pair must exceed its thickness to collide again: enough for a barrier that
/// pushes softly, less than what resting contacts keep.
constexpr double room_to_return = 0.25;

using VertexAndBody = std::pair<std::int32_t, std::int32_t>;

bool before(const ReleasedVertex& a, const ReleasedVertex& b)
{
    return std::tie(a.vertex, a.body) < std::tie(b.vertex, b.body);
}

/// Answers which releases concern a pair.
class ReleaseLookup
{
public:
    ReleaseLookup(const ContactMesh& mesh, const Releases& releases)
        : mesh_(mesh), releases_(releases), concerned_(std::size_t(mesh.vertex_count()), 0)
    {
        for (const ReleasedVertex& r : releases.vertices) concerned_[std::size_t(r.vertex)] = 1;
    }

    bool ignored(const ContactPair& pair) const
    {
        return std::binary_search(releases_.pairs.begin(), releases_.pairs.end(), pair);
    }

    /// Calls visit(vertex, body) for each release of a vertex that concerns the two elements;
    /// `first` vertices are of the one.
    template <class Visit>
    void released(const std::int32_t* v, int n, int first, Visit&& visit) const
    {
        for (int i = 0; i < n; ++i) {
            if (!concerned_[std::size_t(v[i])]) continue;
            const ReleasedVertex key = {v[i], mesh_.body(i < first ? v[n - 1] : v[0]), 0};
            if (std::binary_search(releases_.vertices.begin(), releases_.vertices.end(), key,
                                   before))
                visit(key.vertex, key.body);
        }
    }

    bool drops(const ContactPair& pair) const
    {
        if (!releases_.pairs.empty() && ignored(pair)) return true;
        if (releases_.vertices.empty()) return false;
        bool found = false;
        each_release(pair, [&](std::int32_t, std::int32_t) { found = true; });
        return found;
    }

    template <class Visit> void each_release(const ContactPair& pair, Visit&& visit) const
    {
        std::int32_t v[4];
        const int n = pair_vertices(mesh_, pair.kind, {pair.a, pair.b}, v);
        released(v, n, first_side(pair.kind, n), visit);
    }

private:
    const ContactMesh& mesh_;
    const Releases& releases_;
    std::vector<char> concerned_;
};

bool is_out(const SurfaceTree& surface, const ReleasedVertex& r, const Vec3& p)
{
    if (surface.closed()) return surface.inside(p) == (r.side < 0);
    const int side = r.side == 0 ? 0 : side_of(surface, p);
    return side == 0 || side == r.side;
}

/// "12-15, 20": consecutive numbers as ranges, the first ones.
std::string ranges_text(const std::vector<int>& numbers)
{
    constexpr int most_ranges = 8;
    std::string text;
    int ranges = 0;
    for (std::size_t i = 0; i < numbers.size(); ++ranges) {
        if (ranges == most_ranges) return text + fmt::format(" and {} more", numbers.size() - i);
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
        text += text.empty() ? "" : ", ";
        text += end - i == 1 ? std::to_string(numbers[i])
                             : fmt::format("{}-{}", numbers[i], numbers[end - 1]);
        i = end;
    }
    return text;
}

} // namespace

std::size_t Releases::add(std::vector<ReleasedVertex> more)
{
    const std::size_t old = vertices.size();
    vertices.insert(vertices.end(), more.begin(), more.end());
    std::stable_sort(vertices.begin(), vertices.end(), before);
    vertices.erase(std::unique(vertices.begin(), vertices.end(),
                               [](const ReleasedVertex& a, const ReleasedVertex& b) {
                                   return a.vertex == b.vertex && a.body == b.body;
                               }),
                   vertices.end());
    return vertices.size() - old;
}

void Releases::add(const std::vector<ContactPair>& more)
{
    std::vector<ContactPair> all;
    std::set_union(pairs.begin(), pairs.end(), more.begin(), more.end(), std::back_inserter(all));
    pairs = std::move(all);
}

Releases releases_for(const ContactMesh& mesh, const std::vector<OffendingPair>& pairs)
{
    Releases releases;
    releases.add(pairs_to_ignore(mesh, pairs));
    std::vector<ReleasedVertex> behind;
    for (const OffendingPair& p : pairs)
        if (p.kind == OffendingPair::Kind::point_plane)
            behind.push_back({p.a, p.body_b, 0});
        else if (p.kind == OffendingPair::Kind::probe_field) {
            const FieldProbe& probe = mesh.probes()[std::size_t(p.a)];
            for (int i = 0; i < probe.count; ++i)
                behind.push_back({probe.vertices[std::size_t(i)], p.body_b, 0});
        }
    releases.add(std::move(behind));
    return releases;
}

PairFilter release_filter(const ContactMesh& mesh, const Releases& releases, PairFilter others)
{
    if (releases.empty()) return others;
    const auto kept = std::make_shared<const Releases>(releases);
    const auto lookup = std::make_shared<const ReleaseLookup>(mesh, *kept);
    return [kept, lookup, others](PairKind kind, std::int32_t a, std::int32_t b) {
        return (!others || others(kind, a, b)) && !lookup->drops({kind, a, b});
    };
}

const SurfaceTree& BodySurfaces::operator[](int body)
{
    const auto found = trees_.find(body);
    if (found != trees_.end()) return found->second;
    std::vector<Vec3i> triangles;
    for (const Vec3i& t : mesh_.triangles())
        if (mesh_.body(t[0]) == body) triangles.push_back(t);
    return trees_.emplace(body, SurfaceTree(std::move(triangles), x_)).first->second;
}

int side_of(const SurfaceTree& surface, const Vec3& p)
{
    const SurfacePlace place = surface.nearest(p);
    if (place.triangle < 0) return 0;
    // Beside the rim of a sheet there is no side.
    const double height = surface.height(place.triangle, p);
    if (std::abs(height) < 0.5 * place.distance) return 0;
    return height > 0 ? 1 : height < 0 ? -1 : 0;
}

std::vector<ReleasedVertex> vertices_inside(const ContactMesh& mesh, const VecX& x)
{
    std::vector<ReleasedVertex> inside;
    BodySurfaces surfaces(mesh, x);
    for (int body = 0; body < mesh.body_count(); ++body) {
        if (mesh.simulated(mesh.first_vertex(body)) || !surfaces[body].closed()) continue;
        for (const std::int32_t v : mesh.points())
            if (mesh.simulated(v) && mesh.collide(v, mesh.first_vertex(body)) &&
                surfaces[body].inside(x.segment<3>(3 * Eigen::Index(v))))
                inside.push_back({v, body, 0});
    }
    std::sort(inside.begin(), inside.end(), before);
    return inside;
}

std::vector<ReleasedVertex> vertices_behind(const ContactMesh& mesh, const VecX& x)
{
    std::vector<ReleasedVertex> behind;
    BodySurfaces surfaces(mesh, x);
    for (int body = 0; body < mesh.body_count(); ++body) {
        if (!mesh.one_sided(body)) continue;
        const SurfaceTree& surface = surfaces[body];
        std::vector<char> found(mesh.points().size(), 0);
        parallel_for(found.size(), 64, [&](std::size_t i) {
            const std::int32_t v = mesh.points()[i];
            if (!mesh.simulated(v) || !mesh.collide(v, mesh.first_vertex(body))) return;
            const Vec3 p = x.segment<3>(3 * Eigen::Index(v));
            found[i] = surface.closed() ? surface.inside(p) : side_of(surface, p) < 0;
        });
        for (std::size_t i = 0; i < found.size(); ++i)
            if (found[i]) behind.push_back({mesh.points()[i], body, 1});
    }
    std::sort(behind.begin(), behind.end(), before);
    return behind;
}

Releases still_released(const ContactMesh& mesh, const VecX& x, const Releases& releases,
                        double d_hat, const PairFilter& filter)
{
    if (releases.empty()) return releases;
    const ReleaseLookup lookup(mesh, releases);
    std::set<VertexAndBody> bound; // vertices with something that is not apart from the body
    std::vector<ContactPair> pairs;
    const auto bind = [&](std::int32_t vertex, std::int32_t body) { bound.insert({vertex, body}); };

    BroadPhase broad(mesh);
    broad.set_filter([&](PairKind kind, std::int32_t a, std::int32_t b) {
        return lookup.drops({kind, a, b}) && (!filter || filter(kind, a, b));
    });
    Candidates candidates;
    broad.find({x, VecX::Zero(x.size()), 0}, room_to_return * d_hat, candidates);
    for (const PairKind kind : all_pair_kinds)
        for (const CandidatePair& pair : candidates[kind]) {
            const double xi = pair_thickness(mesh, kind, pair),
                         reach = pair_activation(mesh, kind, pair, xi, d_hat);
            if (pair_distance(mesh, kind, pair, x) > xi + room_to_return * reach) continue;
            const ContactPair p = {kind, pair.a, pair.b};
            if (lookup.ignored(p)) pairs.push_back(p);
            lookup.each_release(p, bind);
        }

    std::vector<OffendingPair> piercing;
    for (const OffendingPair& p : find_piercing_pairs(mesh, x, filter)) {
        const Vec2i& e = mesh.edges()[std::size_t(p.a)];
        const Vec3i& t = mesh.triangles()[std::size_t(p.b)];
        const std::int32_t v[5] = {e[0], e[1], t[0], t[1], t[2]};
        bool by_vertex = false;
        lookup.released(v, 5, 2, [&](std::int32_t vertex, std::int32_t body) {
            by_vertex = true;
            bind(vertex, body);
        });
        if (!by_vertex) piercing.push_back(p);
    }
    // A crossing may have slid on to neighbouring triangles: these are let go in turn.
    for (const ContactPair& p : pairs_to_ignore(mesh, piercing)) pairs.push_back(p);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());

    Releases still;
    still.pairs = std::move(pairs);
    BodySurfaces surfaces(mesh, x);
    for (const ReleasedVertex& r : releases.vertices)
        if (bound.count({r.vertex, r.body}) > 0 ||
            !is_out(surfaces[r.body], r, x.segment<3>(3 * Eigen::Index(r.vertex))))
            still.vertices.push_back(r);
    return still;
}

std::string describe(const ContactMesh& mesh, const std::vector<ReleasedVertex>& vertices)
{
    std::map<std::pair<int, int>, std::vector<int>> points; // by body and the one it passes through
    for (const ReleasedVertex& r : vertices) {
        const int own = mesh.body(r.vertex);
        points[{own, r.body}].push_back(r.vertex - mesh.first_vertex(own));
    }
    std::string text;
    for (const auto& [bodies, numbers] : points)
        text += fmt::format("{}'{}' from '{}': {} {}", text.empty() ? "" : "\n",
                            mesh.name(bodies.first), mesh.name(bodies.second),
                            numbers.size() == 1 ? "point" : "points", ranges_text(numbers));
    return text;
}

} // namespace selvage
