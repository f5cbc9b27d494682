#include "core/geometry/triangulate.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace selvage
{
namespace
{

using Corners = std::array<int, 3>; // positions in the outline

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Twice the signed area of a, b, c.
double area(const Vec2& a, const Vec2& b, const Vec2& c) { return cross(b - a, c - a); }

/// Twice the vector area [Newell]; outline relative to its first point, to keep digits.
Vec3 newell_normal(const std::vector<Vec3>& outline)
{
    Vec3 n = Vec3::Zero();
    for (std::size_t i = 2; i < outline.size(); ++i)
        n += (outline[i - 1] - outline[0]).cross(outline[i] - outline[0]);
    return n;
}

/// Coordinates in the plane across n; an outline without area is laid into its widest plane.
std::vector<Vec2> flatten(const std::vector<Vec3>& outline)
{
    Vec3 n = newell_normal(outline);
    if (!(n.norm() > 0)) {
        for (std::size_t i = 2; i < outline.size() && !(n.norm() > 0); ++i)
            n = (outline[i - 1] - outline[0]).cross(outline[i] - outline[0]);
        if (!(n.norm() > 0)) n = Vec3::UnitZ();
    }
    n.normalize();
    int k = 0;
    n.cwiseAbs().minCoeff(&k);
    const Vec3 u = n.cross(Vec3::Unit(k)).normalized(), v = n.cross(u);
    std::vector<Vec2> flat;
    flat.reserve(outline.size());
    for (const Vec3& p : outline) flat.emplace_back(u.dot(p - outline[0]), v.dot(p - outline[0]));
    return flat;
}

/// Clips ears off one outline. Each vertex carries a cached score; a clip touches its neighbours.
class EarClipper
{
public:
    explicit EarClipper(const std::vector<Vec3>& outline)
        : x_(flatten(outline)), ring_(outline.size()), score_(outline.size())
    {
        std::iota(ring_.begin(), ring_.end(), 0);
        Vec2 lo = x_[0], hi = x_[0];
        for (const Vec2& p : x_) {
            lo = lo.cwiseMin(p);
            hi = hi.cwiseMax(p);
        }
        flat_ = 1e-14 * (hi - lo).squaredNorm();
    }

    std::vector<Corners> run()
    {
        std::vector<Corners> triangles;
        rescore_all();
        while (ring_.size() > 3) {
            std::size_t best = best_ear();
            if (!(score_[best] > 0)) { // clips may have freed an ear further away
                rescore_all();
                best = best_ear();
            }
            triangles.push_back(corners(best));
            ring_.erase(ring_.begin() + std::ptrdiff_t(best));
            score_.erase(score_.begin() + std::ptrdiff_t(best));
            const std::size_t n = ring_.size(), next = best % n, previous = (best + n - 1) % n;
            score_[next] = score(next);
            score_[previous] = score(previous);
        }
        triangles.push_back(corners(1));
        return triangles;
    }

private:
    Corners corners(std::size_t i) const
    {
        const std::size_t n = ring_.size();
        return {ring_[(i + n - 1) % n], ring_[i], ring_[(i + 1) % n]};
    }

    void rescore_all()
    {
        for (std::size_t i = 0; i < ring_.size(); ++i) score_[i] = score(i);
    }

    std::size_t best_ear() const
    {
        return std::size_t(std::max_element(score_.begin(), score_.end()) - score_.begin());
    }

    /// Above 0: a proper ear, 1 for an equilateral one. Below: −1 flat, −2 blocked, −3 inverted
    /// (a flat one does no harm, a blocked one overlaps, an inverted one lies outside).
    double score(std::size_t i) const
    {
        const auto [p, q, r] = corners(i);
        const Vec2 &a = x_[p], &b = x_[q], &c = x_[r];
        const double twice_area = area(a, b, c);
        if (!(twice_area > flat_)) return twice_area >= -flat_ ? -1 - 0.5 * blocked(a, b, c) : -3;
        if (blocked(a, b, c)) return -2;
        const double edges = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
        return 2 * std::sqrt(3.0) * twice_area / edges;
    }

    /// Does another vertex of the ring lie in the closed triangle? Vertices at the very place of a
    /// corner (the two sides of a bridge to a hole) do not count.
    bool blocked(const Vec2& a, const Vec2& b, const Vec2& c) const
    {
        return std::any_of(ring_.begin(), ring_.end(), [&](int i) {
            const Vec2& p = x_[std::size_t(i)];
            if (p == a || p == b || p == c) return false;
            return area(a, b, p) >= -flat_ && area(b, c, p) >= -flat_ && area(c, a, p) >= -flat_;
        });
    }

    std::vector<Vec2> x_;
    std::vector<int> ring_;     // what is left of the outline
    std::vector<double> score_; // per entry of ring_
    double flat_ = 0;           // twice the area below which a triangle counts as flat
};

/// True for the cut 0–2, false for 1–3.
bool cut_quad_at_first_vertex(const std::vector<Vec3>& x)
{
    const Vec3 n = newell_normal(x);
    const double flat = 1e-9 * n.squaredNorm();
    const auto proper = [&](int i, int j, int k) {
        return n.dot((x[std::size_t(j)] - x[std::size_t(i)])
                         .cross(x[std::size_t(k)] - x[std::size_t(i)])) > flat;
    };
    const bool proper_02 = proper(0, 1, 2) && proper(0, 2, 3);
    const bool proper_13 = proper(1, 2, 3) && proper(1, 3, 0);
    if (proper_02 != proper_13) return proper_02;
    return !((x[3] - x[1]).norm() < (1 - 1e-4) * (x[2] - x[0]).norm());
}

} // namespace

std::vector<std::array<int, 3>> triangulate_outline(const std::vector<Vec3>& outline)
{
    if (outline.size() < 3) return {};
    if (outline.size() == 3) return {{0, 1, 2}};
    if (outline.size() == 4) {
        if (cut_quad_at_first_vertex(outline)) return {{0, 1, 2}, {0, 2, 3}};
        return {{0, 1, 3}, {1, 2, 3}};
    }
    return EarClipper(outline).run();
}

Triangulation triangulate(const Geometry& geometry)
{
    if (geometry.point_count() == 0) return {};
    return triangulate(geometry, geometry.positions());
}

Triangulation triangulate(const Geometry& geometry, const VecX& positions)
{
    if (std::size_t(positions.size()) != 3 * geometry.point_count())
        throw InputError("Triangulation: " + std::to_string(positions.size() / 3) +
                         " positions for " + std::to_string(geometry.point_count()) +
                         " points. Give the rest pose the same points as the geometry.");
    Triangulation out;
    std::vector<Vec3> outline;
    const auto add_polygon = [&](std::size_t primitive, std::int64_t first, std::int64_t count) {
        const auto vertex = [&](int i) {
            return geometry.primitive_vertices()[std::size_t(first + i)];
        };
        const auto point = [&](int i) { return geometry.vertex_point()[std::size_t(vertex(i))]; };
        outline.clear();
        for (int i = 0; i < int(count); ++i)
            outline.push_back(positions.segment<3>(3 * Eigen::Index(point(i))));
        for (const auto& [i, j, k] : triangulate_outline(outline)) {
            out.triangles.emplace_back(point(i), point(j), point(k));
            out.vertices.emplace_back(vertex(i), vertex(j), vertex(k));
            out.primitive.push_back(std::int32_t(primitive));
        }
    };
    for (std::size_t i = 0; i < geometry.primitive_count(); ++i) {
        const Primitive& p = geometry.primitives()[i];
        if (p.type == PrimitiveType::polygon && p.closed) add_polygon(i, p.first, p.count);
        if (p.type != PrimitiveType::polygon_soup) continue;
        std::int64_t first = p.first;
        for (std::int64_t s = 0; s < p.soup_count; ++s) {
            const std::int64_t count = geometry.soup_polygon_sizes()[std::size_t(p.soup_first + s)];
            add_polygon(i, first, count);
            first += count;
        }
    }
    return out;
}

} // namespace selvage
