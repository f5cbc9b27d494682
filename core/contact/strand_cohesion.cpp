#include "core/contact/strand_cohesion.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace selvage
{
namespace
{

Vec3 at(const VecX& x, std::int32_t v) { return x.segment<3>(3 * v); }

} // namespace

StrandCohesion::StrandCohesion(ContactMesh mesh, std::vector<CohesivePoint> points)
    : mesh_(std::move(mesh)), points_(std::move(points)), broad_phase_(mesh_)
{
    for (const CohesivePoint& p : points_)
        if (p.strength > 0) longest_range_ = std::max(longest_range_, p.range);
    broad_phase_.set_filter([this](PairKind kind, std::int32_t a, std::int32_t b) {
        if (kind != PairKind::edge_edge) return false;
        const int s = points_[std::size_t(mesh_.edges()[std::size_t(a)][0])].strand;
        const int t = points_[std::size_t(mesh_.edges()[std::size_t(b)][0])].strand;
        return s >= 0 && t >= 0 && s != t;
    });
}

void StrandCohesion::add_bonds(std::int32_t edge, std::int32_t other, const VecX& x,
                               std::vector<Bond>& out) const
{
    const Vec2i& e = mesh_.edges()[std::size_t(other)];
    const Vec3 a = at(x, e[0]), along = at(x, e[1]) - a;
    for (const int v : mesh_.edges()[std::size_t(edge)]) {
        const CohesivePoint& p = points_[std::size_t(v)];
        if (!(p.strength > 0)) continue;
        const double t = std::clamp(along.dot(at(x, v) - a) / along.squaredNorm(), 0.0, 1.0);
        const double distance = (at(x, v) - a - t * along).norm();
        const double thickness = 0.5 * (mesh_.thickness(v) + (1 - t) * mesh_.thickness(e[0]) +
                                        t * mesh_.thickness(e[1]));
        if (distance - thickness < p.range)
            out.push_back({v, other, points_[std::size_t(e[0])].strand, distance - thickness, t});
    }
}

VecX StrandCohesion::forces(const VecX& x)
{
    VecX force = VecX::Zero(x.size());
    if (!(longest_range_ > 0)) return force;
    broad_phase_.find({x, VecX::Zero(x.size())}, longest_range_, candidates_);
    std::vector<Bond> bonds;
    for (const CandidatePair& pair : candidates_[PairKind::edge_edge]) {
        add_bonds(pair.a, pair.b, x, bonds);
        add_bonds(pair.b, pair.a, x, bonds);
    }
    const auto order = [](const Bond& b) {
        return std::make_tuple(b.vertex, b.strand, b.distance, b.edge);
    };
    std::sort(bonds.begin(), bonds.end(),
              [&](const Bond& a, const Bond& b) { return order(a) < order(b); });
    bonds.erase(std::unique(bonds.begin(), bonds.end(),
                            [](const Bond& a, const Bond& b) {
                                return a.vertex == b.vertex && a.strand == b.strand;
                            }),
                bonds.end());
    for (const Bond& b : bonds) {
        const Vec2i& e = mesh_.edges()[std::size_t(b.edge)];
        const CohesivePoint& p = points_[std::size_t(b.vertex)];
        const Vec3 way = (1 - b.along) * at(x, e[0]) + b.along * at(x, e[1]) - at(x, b.vertex);
        const double length = way.norm();
        if (!(length > 0)) continue;
        const double fade = 1 - std::max(b.distance, 0.0) / p.range;
        const Vec3 pull = p.strength * fade / length * way;
        force.segment<3>(3 * b.vertex) += pull;
        force.segment<3>(3 * e[0]) -= (1 - b.along) * pull;
        force.segment<3>(3 * e[1]) -= b.along * pull;
    }
    return force;
}

} // namespace selvage
