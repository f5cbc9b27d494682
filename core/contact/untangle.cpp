#include "core/contact/untangle.h"

#include "core/contact/distance.h"
#include "core/contact/start_check.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace selvage
{
namespace
{

using BodyPair = std::pair<int, int>;

/// Components of a body's points when pierced edges are cut.
class Parts
{
public:
    Parts(const ContactMesh& mesh, int body, const std::set<std::int32_t>& cut)
        : parent_(std::size_t(mesh.vertex_count()))
    {
        std::iota(parent_.begin(), parent_.end(), 0);
        for (std::int32_t e = 0; e < std::int32_t(mesh.edges().size()); ++e) {
            const Vec2i& v = mesh.edges()[std::size_t(e)];
            if (mesh.body(v[0]) == body && cut.count(e) == 0) join(v[0], v[1]);
        }
        for (const std::int32_t v : mesh.points())
            if (mesh.body(v) == body) ++size_[of(v)];
    }
    std::int32_t of(std::int32_t v) const
    {
        while (parent_[std::size_t(v)] != v) v = parent_[std::size_t(v)];
        return v;
    }
    int size(std::int32_t part) const { return size_.at(part); }

private:
    void join(std::int32_t a, std::int32_t b)
    {
        const std::int32_t r = std::min(of(a), of(b));
        for (std::int32_t v : {a, b}) // shorten the way for the next ones
            while (v != r) v = std::exchange(parent_[std::size_t(v)], r);
    }
    std::vector<std::int32_t> parent_;
    std::map<std::int32_t, int> size_;
};

class Untangler
{
public:
    Untangler(const ContactMesh& mesh, const VecX& x, const Releases& releases, double reach,
              double d_hat, bool layers_only, const PairFilter& filter)
        : mesh_(mesh),
          x_(x),
          releases_(releases),
          reach_(reach),
          d_hat_(d_hat),
          layers_only_(layers_only),
          filter_(filter),
          surfaces_(mesh, x),
          moves_(std::size_t(mesh.simulated_count()))
    {
    }

    Untangling result()
    {
        std::map<BodyPair, std::vector<OffendingPair>> crossing; // bodies in order
        std::vector<OffendingPair> near;
        for (const OffendingPair& p : find_offending_pairs(mesh_, x_, filter_)) {
            if (p.kind == OffendingPair::Kind::point_plane) continue;
            if (layers_only_ && layer_difference(p) == 0) continue;
            if (p.kind == OffendingPair::Kind::piercing)
                crossing[std::minmax(p.body_a, p.body_b)].push_back(p);
            else
                near.push_back(p);
        }
        for (const auto& [bodies, pairs] : crossing) part(bodies, pairs);
        for (const OffendingPair& p : near)
            if (crossing.count(std::minmax(p.body_a, p.body_b)) == 0) push_apart(p);
        for (const ReleasedVertex& r : releases_.vertices)
            if (crossing.count(std::minmax(mesh_.body(r.vertex), r.body)) == 0) go_on(r);
        for (std::size_t v = 0; v < moves_.size(); ++v)
            if (moves_[v].count > 0)
                out_.pulls.push_back(
                    {std::int32_t(v), at(std::int32_t(v)) + moves_[v].sum / moves_[v].count});
        return std::move(out_);
    }

private:
    struct Move {
        Vec3 sum = Vec3::Zero();
        int count = 0;
    };
    /// What would go back through the surface of the other body.
    struct Wrong {
        int mover = -1, other = -1;
        std::vector<std::int32_t> vertices;
        std::vector<int> side; ///< of each, of the other's surface: where it belongs
    };

    Vec3 at(std::int32_t v) const { return x_.segment<3>(3 * Eigen::Index(v)); }

    void move(std::int32_t v, Vec3 by)
    {
        if (!mesh_.simulated(v)) return;
        const double length = by.norm();
        if (length > reach_) by *= reach_ / length;
        moves_[std::size_t(v)].sum += by;
        ++moves_[std::size_t(v)].count;
    }

    void elements(const OffendingPair& p, std::vector<std::int32_t>& a,
                  std::vector<std::int32_t>& b) const
    {
        const auto edge = [&](std::int32_t e) {
            const Vec2i& v = mesh_.edges()[std::size_t(e)];
            return std::vector<std::int32_t>{v[0], v[1]};
        };
        const auto triangle = [&](std::int32_t t) {
            const Vec3i& v = mesh_.triangles()[std::size_t(t)];
            return std::vector<std::int32_t>{v[0], v[1], v[2]};
        };
        using Kind = OffendingPair::Kind;
        a = p.kind == Kind::piercing || p.kind == Kind::edge_edge ? edge(p.a)
                                                                  : std::vector<std::int32_t>{p.a};
        b = p.kind == Kind::piercing || p.kind == Kind::point_triangle ? triangle(p.b) : edge(p.b);
    }

    /// > 0 where the first element lies in the higher layer.
    int layer_difference(const OffendingPair& p) const
    {
        std::vector<std::int32_t> a, b;
        elements(p, a, b);
        return mesh_.layer(a[0]) - mesh_.layer(b[0]);
    }

    Vec3 normal(std::int32_t t) const
    {
        const Vec3i& v = mesh_.triangles()[std::size_t(t)];
        return (at(v[1]) - at(v[0])).cross(at(v[2]) - at(v[0])).normalized();
    }

    /// The parts of `mover` that must go back through `other`: all but the largest of those that
    /// its piercing edges lie between, piece by piece; or, where layers differ, those behind the
    /// other's normals.
    Wrong wrong_parts(int mover, int other, const std::vector<OffendingPair>& pairs) const
    {
        Wrong wrong = {mover, other, {}, {}};
        if (mover == other || !mesh_.simulated(mesh_.first_vertex(mover))) return wrong;
        std::set<std::int32_t> cut;
        int layers = 0;
        for (const OffendingPair& p : pairs) {
            if (p.body_a == mover) cut.insert(p.a);
            layers = p.body_a == mover ? layer_difference(p) : -layer_difference(p);
        }
        if (cut.empty() || layers < 0) return wrong;
        const Parts parts(mesh_, mover, cut);
        std::map<std::int32_t, int> votes; // of each part: how often in front less how often behind
        for (const OffendingPair& p : pairs) {
            if (p.body_a != mover) continue;
            const Vec3 n = normal(p.b);
            const Vec2i& e = mesh_.edges()[std::size_t(p.a)];
            const double rise = n.dot(at(e[1]) - at(e[0]));
            votes[parts.of(e[0])] += rise < 0 ? 1 : -1;
            votes[parts.of(e[1])] += rise < 0 ? -1 : 1;
        }
        if (votes.size() < 2) return wrong;
        const Parts whole(mesh_, mover, {}); // each strand, each piece of cloth, keeps its largest
        std::map<std::int32_t, std::int32_t> largest;
        for (const auto& [p, vote] : votes) {
            std::int32_t& most = largest.emplace(whole.of(p), p).first->second;
            if (parts.size(p) > parts.size(most)) most = p;
        }
        const auto goes = [&](std::int32_t p) {
            const auto vote = votes.find(p);
            if (vote == votes.end()) return false;
            return layers > 0 ? vote->second < 0 : p != largest.at(whole.of(p));
        };
        for (const std::int32_t v : mesh_.points())
            if (mesh_.body(v) == mover && goes(parts.of(v))) {
                wrong.vertices.push_back(v);
                wrong.side.push_back(votes[parts.of(v)] > 0 ? -1 : 1);
            }
        return wrong;
    }

    void part(const BodyPair& bodies, const std::vector<OffendingPair>& pairs)
    {
        Wrong a = wrong_parts(bodies.first, bodies.second, pairs);
        Wrong b = wrong_parts(bodies.second, bodies.first, pairs);
        if (a.vertices.empty() || (!b.vertices.empty() && b.vertices.size() < a.vertices.size()))
            std::swap(a, b);
        if (a.vertices.empty()) {
            for (const OffendingPair& p : pairs) shorten_crossing(p);
            return;
        }
        const SurfaceTree& surface = surfaces_[a.other];
        for (std::size_t i = 0; i < a.vertices.size(); ++i) {
            const std::int32_t v = a.vertices[i];
            out_.released.push_back({v, a.other, a.side[i]});
            const SurfacePlace place = surface.nearest(at(v));
            const Vec3i& t = surface.triangle(place.triangle);
            const Vec3 way = place_at(t, place.weights, x_) - at(v);
            const double beyond = 0.5 * (mesh_.thickness(v) + mesh_.thickness(t[0])) + 0.5 * d_hat_;
            const double distance = way.norm();
            move(v, distance > 1e-9 ? Vec3(way * (1 + beyond / distance))
                                    : Vec3(a.side[i] * beyond * surface.normal(place.triangle)));
        }
    }

    /// What is through but still near goes on, until it may collide again.
    void go_on(const ReleasedVertex& r)
    {
        if (mesh_.body(r.vertex) == r.body || !mesh_.simulated(mesh_.first_vertex(r.body))) return;
        const SurfaceTree& surface = surfaces_[r.body];
        const SurfacePlace place = surface.nearest(at(r.vertex));
        const Vec3i& t = surface.triangle(place.triangle);
        if (layers_only_ && mesh_.layer(r.vertex) == mesh_.layer(t[0])) return;
        const double wanted =
            0.5 * (mesh_.thickness(r.vertex) + mesh_.thickness(t[0])) + 0.5 * d_hat_;
        if (place.distance > wanted) return;
        const Vec3 up = (r.side < 0 ? -1 : 1) * surface.normal(place.triangle);
        move(r.vertex, (wanted - up.dot(at(r.vertex) - place_at(t, place.weights, x_))) * up);
    }

    /// Moves an edge and the triangle it pierces so that their crossing becomes shorter. Within the
    /// triangle's plane the crossing goes on from the edge along R_g, into each triangle g at the
    /// edge; the edge moves its end by δ − (δ·n)/(e·n) e, so the length falls fastest along
    ///   G = Σ_g R_g − (e·R_g)/(e·n) n.
    void shorten_crossing(const OffendingPair& p)
    {
        constexpr double least_slope = 0.1;
        if (at_edge_.empty())
            for (std::size_t t = 0; t < mesh_.triangles().size(); ++t)
                for (int k = 0; k < 3; ++k) {
                    const Vec3i& v = mesh_.triangles()[t];
                    at_edge_[std::minmax(v[k], v[(k + 1) % 3])].push_back(std::int32_t(t));
                }
        const Vec2i& edge = mesh_.edges()[std::size_t(p.a)];
        const Vec3 n = normal(p.b), e = (at(edge[1]) - at(edge[0])).normalized();
        double slope = e.dot(n);
        if (std::abs(slope) < least_slope) slope = slope < 0 ? -least_slope : least_slope;
        Vec3 G = Vec3::Zero();
        for (const std::int32_t t : at_edge_[std::minmax(edge[0], edge[1])]) {
            const Vec3i& v = mesh_.triangles()[std::size_t(t)];
            const int third = v.sum() - edge.sum();
            Vec3 R = n.cross(normal(t));
            if (!(R.norm() > 1e-9)) continue;
            Vec3 into = at(third) - at(edge[0]);
            into -= into.dot(e) * e;
            R *= (R.dot(into) < 0 ? -1 : 1) / R.norm();
            G += R - e.dot(R) / slope * n;
        }
        if (!(G.norm() > 0.1)) return;
        const Vec3 by = reach_ * G.normalized();
        const int layers = layer_difference(p);
        for (int k = 0; k < 2 && layers >= 0; ++k) move(edge[k], by);
        for (int k = 0; k < 3 && layers <= 0; ++k)
            move(mesh_.triangles()[std::size_t(p.b)][k], -by);
    }

    /// Unit normal of the surface at a vertex.
    Vec3 vertex_normal(std::int32_t v)
    {
        if (normals_.empty()) {
            normals_.assign(std::size_t(mesh_.vertex_count()), Vec3::Zero());
            for (std::size_t t = 0; t < mesh_.triangles().size(); ++t)
                for (int k = 0; k < 3; ++k)
                    normals_[std::size_t(mesh_.triangles()[t][k])] += normal(std::int32_t(t));
        }
        return normals_[std::size_t(v)].normalized();
    }

    void push_apart(const OffendingPair& p)
    {
        std::vector<std::int32_t> a, b;
        elements(p, a, b);
        const int layers = layer_difference(p);
        // a moves along `away`, b against it. Of coinciding elements the one of the higher layer,
        // else of the later body, goes to the front of the other.
        const bool first_up = layers != 0 ? layers > 0 : p.body_a > p.body_b;
        const std::vector<std::int32_t>& under = first_up ? b : a;
        Vec3 up = Vec3::Zero();
        for (const std::int32_t v : under) up += vertex_normal(v);
        Vec3 away = (first_up ? 1 : -1) * up.normalized();
        if (layers == 0 && p.distance > 1e-3 * p.thickness) away = separation(a, b).normalized();
        if (up.isZero() && away.isZero() && a.size() == 2 && b.size() == 2) // strands have no front
            away = (at(a[1]) - at(a[0])).cross(at(b[1]) - at(b[0])).normalized();
        if (!away.allFinite()) return;
        const bool both = layers == 0 && mesh_.simulated(a[0]) && mesh_.simulated(b[0]);
        const double way = (p.thickness + 0.5 * d_hat_ - p.distance) * (both ? 0.5 : 1);
        if (layers >= 0)
            for (const std::int32_t v : a) move(v, way * away);
        if (layers <= 0)
            for (const std::int32_t v : b) move(v, -way * away);
    }

    /// From the second element to the first, between their closest points.
    Vec3 separation(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) const
    {
        Vec3T<double> y[4];
        for (std::size_t i = 0; i < a.size() + b.size(); ++i) {
            const Vec3 p = at(i < a.size() ? a[i] : b[i - a.size()]);
            y[i] = {p[0], p[1], p[2]};
        }
        const Vec3T<double> r = a.size() == 2   ? edge_edge_separation(y)
                                : b.size() == 3 ? point_triangle_separation(y)
                                                : point_edge_separation({y[0], y[1], y[2]});
        return {r.x, r.y, r.z};
    }

    const ContactMesh& mesh_;
    const VecX& x_;
    const Releases& releases_;
    double reach_, d_hat_;
    bool layers_only_;
    const PairFilter& filter_;
    BodySurfaces surfaces_;
    std::vector<Move> moves_;
    Untangling out_;
    std::vector<Vec3> normals_;
    std::map<std::pair<int, int>, std::vector<std::int32_t>> at_edge_;
};

} // namespace

Untangling untangle(const ContactMesh& mesh, const VecX& x, const Releases& releases, double reach,
                    double d_hat, bool layers_only, const PairFilter& filter)
{
    return Untangler(mesh, x, releases, reach, d_hat, layers_only, filter).result();
}

} // namespace selvage
