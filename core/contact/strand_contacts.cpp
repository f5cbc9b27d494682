#include "core/contact/strand_contacts.h"

#include "core/base/parallel.h"
#include "core/contact/ccd.h"
#include "core/contact/distance.h"
#include "core/contact/field_contact.h"
#include "core/contact/plane.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace selvage
{
namespace
{

using V = Vec3T<double>;

constexpr std::size_t strand_grain = 512;
/// Beside a held point, what little a strand can give would be a lever that flings its next point.
constexpr double least_give = 0.05;

V at(const VecX& x, std::int32_t v) { return {x[3 * v], x[3 * v + 1], x[3 * v + 2]}; }
Vec3 vec3(const V& v) { return {v.x, v.y, v.z}; }

template <class Stencil, int N>
void set_weights(const V (&x)[4], const ClosestFeature& f, double (&weight)[4])
{
    V reduced[N];
    for (int i = 0; i < N; ++i) reduced[i] = x[f.vertices[std::size_t(i)]];
    const auto c = closest_points(Stencil(), reduced);
    for (int i = 0; i < N; ++i) weight[f.vertices[std::size_t(i)]] = c.w[i];
}

/// One candidate pair on its way through the step.
class PairTest
{
public:
    PairTest(const ContactMesh& mesh, const StrandContactQuery& query, PairKind kind,
             const CandidatePair& pair)
        : mesh_(mesh), query_(query), kind_(kind), pair_(pair)
    {
        pair_vertices(mesh, kind, pair, vertex_);
        // Strands are side a; surfaces have no simulated vertices here.
        if (!mesh.simulated(vertex_[0])) flipped_ = true;
    }

    bool find(StrandContact& out)
    {
        if (!relevant()) return false;
        const double d = pair_thickness(mesh_, kind_, pair_);
        V x[4], p[4];
        for (int i = 0; i < 4; ++i) {
            x[i] = at(query_.x_0, vertex_[i]);
            p[i] = at(query_.x_1, vertex_[i]) - x[i];
        }
        const double near = (1 + query_.reach) * d;
        if (distance(x) > near) {
            CcdSettings settings;
            settings.thickness = d;
            const CcdResult hit = kind_ == PairKind::edge_edge ? edge_edge_ccd(x, p, settings)
                                  : kind_ == PairKind::point_plane
                                      ? point_plane_ccd(x, p, settings)
                                      : point_triangle_ccd(x, p, settings);
            if (!hit.hit) return false;
            for (int i = 0; i < 4; ++i) x[i] = x[i] + hit.t * p[i];
        }
        return make(x, d, out);
    }

private:
    bool relevant() const
    {
        bool any = false, surface = false, held = false;
        for (const std::int32_t v : vertex_) {
            any = any || query_.movable[std::size_t(v)];
            surface = surface || !mesh_.simulated(v);
            held = held || (mesh_.simulated(v) && !query_.movable[std::size_t(v)]);
        }
        return any && !(surface && held);
    }

    /// [m] Of a plane: the height over it.
    double distance(const V (&x)[4]) const
    {
        if (kind_ == PairKind::point_plane) return height_over_plane(x);
        return std::sqrt(closest(x).squared_distance);
    }

    /// A plane is a triangle without rim.
    ClosestFeature closest(const V (&x)[4]) const
    {
        if (kind_ == PairKind::point_plane) return {StencilKind::point_triangle, {0, 1, 2, 3}, 0};
        return kind_ == PairKind::edge_edge ? edge_edge_feature(x) : point_triangle_feature(x);
    }

    /// What the positions [first, last) of the pair's vertices with a weight amount to.
    std::uint32_t feature(const double (&weight)[4], int first, int last,
                          std::int32_t element) const
    {
        if (kind_ == PairKind::point_plane && first > 0)
            return contact_feature(FeatureKind::plane, element);
        int used = 0, one = first;
        for (int i = first; i < last; ++i)
            if (weight[i] != 0) ++used, one = i;
        if (used == 1) return contact_feature(FeatureKind::vertex, vertex_[one]);
        if (used == 3) return contact_feature(FeatureKind::triangle, element);
        if (last - first == 2) return contact_feature(FeatureKind::edge, element);
        return contact_feature(FeatureKind::triangle, element); // an edge of it
    }

    bool make(const V (&x)[4], double d, StrandContact& out) const
    {
        const ClosestFeature f = closest(x);
        double weight[4] = {0, 0, 0, 0};
        switch (f.kind) {
        case StencilKind::point_point: set_weights<PointPoint, 2>(x, f, weight); break;
        case StencilKind::point_edge: set_weights<PointEdge, 3>(x, f, weight); break;
        case StencilKind::point_triangle: set_weights<PointTriangle, 4>(x, f, weight); break;
        case StencilKind::edge_edge: set_weights<EdgeEdge, 4>(x, f, weight); break;
        }
        const int split = kind_ == PairKind::edge_edge ? 2 : 1;
        std::uint32_t a = feature(weight, 0, split, pair_.a);
        std::uint32_t b = feature(weight, split, 4, pair_.b);
        double sign = weight[0] + (split == 2 ? weight[1] : 0) > 0 ? 1 : -1; // first side: +
        const bool strands = mesh_.simulated(vertex_[0]) && mesh_.simulated(vertex_[3]);
        if (flipped_ || (strands && b < a)) std::swap(a, b), sign = -sign;

        V r = {0, 0, 0};
        Vec3 start = Vec3::Zero();
        double scale[2] = {0, 0}; // painted friction of the two sides
        double give = 0;          // how much of a push on both sides moves the place itself
        for (int i = 0; i < 4; ++i) {
            out.vertex[std::size_t(i)] = weight[i] != 0 ? vertex_[i] : -1;
            out.weight[std::size_t(i)] = weight[i] *= sign;
            r = r + weight[i] * x[i];
            if (query_.movable[std::size_t(vertex_[i])]) give += weight[i] * weight[i];
            start += weight[i] * vec3(at(query_.x_0, vertex_[i]));
            scale[i >= split] += std::abs(weight[i]) * mesh_.friction_scale(vertex_[i])[0];
        }
        if (give < least_give) return false;
        const double length = std::sqrt(dot(r, r));
        const Vec3 across = vec3(kind_ == PairKind::edge_edge ? cross(x[1] - x[0], x[3] - x[2])
                                                              : cross(x[2] - x[1], x[3] - x[1]));
        const bool behind = kind_ == PairKind::point_triangle &&
                            mesh_.one_sided(mesh_.body(vertex_[3])) && vec3(r).dot(across) < 0;
        if (length > 1e-3 * d && !behind && kind_ != PairKind::point_plane)
            out.normal = vec3(r) / length;
        else
            out.normal = across.stableNormalized();
        if (!(out.normal.squaredNorm() > 0.5)) return false;
        out.feature_a = a, out.feature_b = b;
        out.thickness = d;
        out.slack = std::max(out.normal.dot(start) - d, -std::min(1.0, give) * query_.correction);
        out.friction = scale[0] * scale[1] *
                       mesh_.friction(mesh_.body(vertex_[0]), mesh_.body(vertex_[3])).resting;
        return true;
    }

    const ContactMesh& mesh_;
    const StrandContactQuery& query_;
    PairKind kind_;
    CandidatePair pair_;
    std::int32_t vertex_[4];
    bool flipped_ = false;
};

/// A point and a field on their way through the step. The field's own motion is in the slack: that
/// is left over its surface at the end.
bool find_at_field(const ContactMesh& mesh, const StrandContactQuery& query,
                   const CandidatePair& pair, StrandContact& out)
{
    const FieldProbe& probe = mesh.probes()[std::size_t(pair.a)];
    const std::int32_t v = probe.vertices[0];
    if (probe.count > 1 || !query.movable[std::size_t(v)]) return false;
    const MovingField& field = mesh.field(pair.b);
    const Eigen::Index carrier = 3 * Eigen::Index(mesh.field_vertex(pair.b));
    const double time = query.x_0[carrier], end = query.x_1[carrier];
    const double d = probe_thickness(mesh, probe, pair.b);
    const Vec3 start = probe_place(probe, query.x_0), way = probe_place(probe, query.x_1) - start;
    double t = 0;
    if (field.value(start, time) > (1 + query.reach) * d) {
        CcdSettings settings;
        settings.thickness = d;
        const CcdResult hit = point_field_ccd(field, start, way, time, end - time, settings);
        if (!hit.hit) return false;
        t = hit.t;
    }
    const Vec3 place = start + t * way;
    out = {};
    out.normal = field.at(place, time + t * (end - time)).gradient.stableNormalized();
    if (!(out.normal.squaredNorm() > 0.5)) return false;
    out.feature_a = contact_feature(FeatureKind::vertex, v);
    out.feature_b =
        contact_feature(FeatureKind::plane, std::int32_t(mesh.planes().size()) + pair.b);
    out.vertex[0] = v;
    out.weight[0] = 1;
    out.thickness = d;
    out.slack =
        std::max(field.value(place, end) + out.normal.dot(start - place) - d, -query.correction);
    out.friction = mesh.friction_scale(v)[0] * mesh.friction_scale(mesh.field_vertex(pair.b))[0] *
                   mesh.friction(mesh.body(v), mesh.body(mesh.field_vertex(pair.b))).resting;
    return true;
}

} // namespace

void StrandContactSearch::find(const StrandContactQuery& query, std::vector<StrandContact>& out)
{
    double thickest = 0;
    for (int v = 0; v < mesh_.vertex_count(); ++v)
        thickest = std::max(thickest, mesh_.thickness(v));
    const Sweep sweep{query.x_0, query.x_1 - query.x_0};
    broad_phase_.find(sweep, query.reach * thickest, candidates_);
    out.clear();
    for (const PairKind kind :
         {PairKind::point_triangle, PairKind::edge_edge, PairKind::point_plane}) {
        const std::vector<CandidatePair>& pairs = candidates_[kind];
        std::vector<std::vector<StrandContact>> found((pairs.size() + strand_grain - 1) /
                                                      strand_grain);
        parallel_chunks(pairs.size(), strand_grain, [&](std::size_t first, std::size_t last) {
            StrandContact contact;
            for (std::size_t i = first; i < last; ++i)
                if (PairTest(mesh_, query, kind, pairs[i]).find(contact))
                    found[first / strand_grain].push_back(contact);
        });
        for (const auto& f : found) out.insert(out.end(), f.begin(), f.end());
    }
    StrandContact at_field;
    for (const CandidatePair& pair : candidates_[PairKind::probe_field])
        if (find_at_field(mesh_, query, pair, at_field)) out.push_back(at_field);
    // Of several contacts of the same features the tightest is kept.
    std::stable_sort(out.begin(), out.end(), [](const StrandContact& a, const StrandContact& b) {
        return a.key() != b.key() ? a.key() < b.key() : a.slack < b.slack;
    });
    out.erase(std::unique(out.begin(), out.end(),
                          [](const StrandContact& a, const StrandContact& b) {
                              return a.key() == b.key();
                          }),
              out.end());
}

} // namespace selvage
