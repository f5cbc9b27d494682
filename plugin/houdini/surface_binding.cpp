#include "plugin/houdini/surface_binding.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/geometry/triangulate.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <unordered_map>

namespace selvage::houdini
{
namespace
{

Vec3 at(const VecX& x, std::size_t i) { return x.segment<3>(3 * Eigen::Index(i)); }

/// Barycentric coordinates of the point of triangle abc nearest to p [Ericson, Real-Time Collision
/// Detection, 5.1.5].
Vec3 nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = ab.dot(ap), d2 = ac.dot(ap);
    if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
    const double d3 = ab.dot(bp), d4 = ac.dot(bp);
    if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
    const double d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return {0, 1 - w, w};
    }
    const double sum = va + vb + vc;
    return {va / sum, vb / sum, vc / sum};
}

/// Triangles by the cells of one search radius that their boxes, grown by it, touch.
class TriangleCells
{
public:
    TriangleCells(const std::vector<Vec3i>& triangles, const VecX& x, double cell) : cell_(cell)
    {
        for (std::size_t t = 0; t < triangles.size(); ++t) {
            Vec3 low = Vec3::Constant(infinity), high = -low;
            for (int k = 0; k < 3; ++k) {
                low = low.cwiseMin(at(x, std::size_t(triangles[t][k])));
                high = high.cwiseMax(at(x, std::size_t(triangles[t][k])));
            }
            const Eigen::Array<long, 3, 1> first = index(low - Vec3::Constant(cell)),
                                           last = index(high + Vec3::Constant(cell));
            for (long i = first[0]; i <= last[0]; ++i)
                for (long j = first[1]; j <= last[1]; ++j)
                    for (long k = first[2]; k <= last[2]; ++k)
                        cells_[key(i, j, k)].push_back(int(t));
        }
    }
    const std::vector<int>& near(const Vec3& p) const
    {
        static const std::vector<int> none;
        const auto i = index(p);
        const auto it = cells_.find(key(i[0], i[1], i[2]));
        return it == cells_.end() ? none : it->second;
    }

private:
    Eigen::Array<long, 3, 1> index(const Vec3& p) const
    {
        return (p / cell_).array().floor().cast<long>();
    }
    static std::int64_t key(long i, long j, long k)
    {
        constexpr std::int64_t mask = (1 << 21) - 1;
        return ((i & mask) << 42) | ((j & mask) << 21) | (k & mask);
    }
    double cell_;
    std::unordered_map<std::int64_t, std::vector<int>> cells_;
};

} // namespace

SurfaceBinding::SurfaceBinding(const Geometry& surface, const VecX& points, double radius)
    : triangles_(triangulate(surface).triangles),
      surface_points_(surface.point_count()),
      bound_(std::size_t(points.size() / 3)),
      radius_(radius)
{
    if (!(radius > 0)) throw InputError("Search Radius must be above 0.");
    if (triangles_.empty())
        throw InputError("Input 2 has no polygons to bind to. Wire in the undeformed mesh that was "
                         "simulated.");
    const VecX x = surface.positions();
    const std::vector<Vec3> n = normals(x);
    const TriangleCells cells(triangles_, x, radius);
    parallel_for(bound_.size(), 256, [&](std::size_t i) {
        const Vec3 p = at(points, i);
        double best = radius;
        for (const int t : cells.near(p)) {
            const Vec3i& corner = triangles_[std::size_t(t)];
            const Vec3 a = at(x, std::size_t(corner[0])), b = at(x, std::size_t(corner[1])),
                       c = at(x, std::size_t(corner[2]));
            const Vec3 w = nearest_on_triangle(p, a, b, c);
            const Vec3 q = w[0] * a + w[1] * b + w[2] * c;
            const double d = (p - q).norm();
            if (d > best || (d == best && bound_[i].triangle >= 0)) continue;
            best = d;
            Vec3 normal = Vec3::Zero();
            for (int k = 0; k < 3; ++k) normal += w[k] * n[std::size_t(corner[k])];
            bound_[i] = {t, w, (p - q).dot(normal.normalized())};
        }
    });
    for (std::size_t i = bound_.size(); i-- > 0;)
        if (bound_[i].triangle < 0) {
            ++unbound_;
            first_unbound_ = i;
        }
}

std::vector<Vec3> SurfaceBinding::normals(const VecX& x) const
{
    std::vector<Vec3> n(surface_points_, Vec3::Zero());
    for (const Vec3i& t : triangles_) {
        const Vec3 a = at(x, std::size_t(t[0]));
        const Vec3 area = (at(x, std::size_t(t[1])) - a).cross(at(x, std::size_t(t[2])) - a);
        for (int k = 0; k < 3; ++k) n[std::size_t(t[k])] += area;
    }
    for (Vec3& v : n)
        if (v.norm() > 0) v.normalize();
    return n;
}

VecX SurfaceBinding::positions(const Geometry& moved, const VecX& points) const
{
    if (moved.point_count() != surface_points_)
        throw InputError(fmt::format("Input 3 has {} points, input 2 has {}. Both must be the "
                                     "simulated mesh, before and after.",
                                     moved.point_count(), surface_points_));
    const VecX x = moved.positions();
    const std::vector<Vec3> n = normals(x);
    VecX out = points;
    parallel_for(bound_.size(), 1024, [&](std::size_t i) {
        const Bound& b = bound_[i];
        if (b.triangle < 0) return;
        const Vec3i& corner = triangles_[std::size_t(b.triangle)];
        Vec3 q = Vec3::Zero(), normal = Vec3::Zero();
        for (int k = 0; k < 3; ++k) {
            q += b.barycentric[k] * at(x, std::size_t(corner[k]));
            normal += b.barycentric[k] * n[std::size_t(corner[k])];
        }
        out.segment<3>(3 * Eigen::Index(i)) = q + b.height * normal.normalized();
    });
    return out;
}

std::string SurfaceBinding::unbound_message() const
{
    if (unbound_ == 0) return "";
    return fmt::format("{} of {} render points (point {} first) are farther than {:g} m from the "
                       "simulated mesh and stay where they are. Enlarge Search Radius.",
                       unbound_, bound_.size(), first_unbound_, radius_);
}

} // namespace selvage::houdini
