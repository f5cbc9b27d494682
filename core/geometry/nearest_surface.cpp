#include "core/geometry/nearest_surface.h"

#include <Eigen/Geometry>

namespace selvage
{
namespace
{

double nearest_on_edge(const Vec3& p, const Vec3& a, const Vec3& b)
{
    const Vec3 e = b - a;
    const double square = e.squaredNorm();
    return square > 0 ? std::clamp((p - a).dot(e) / square, 0.0, 1.0) : 0.0;
}

} // namespace

Vec3 nearest_in_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 n = (b - a).cross(c - a);
    const double square = n.squaredNorm();
    if (square > 0) {
        const Vec3 w((c - b).cross(p - b).dot(n), (a - c).cross(p - c).dot(n),
                     (b - a).cross(p - a).dot(n));
        if (w.minCoeff() >= 0) return w / w.sum();
    }
    // Outside: on the nearest of the three edges.
    const Vec3* corner[] = {&a, &b, &c};
    Vec3 best = Vec3::Zero();
    double least = infinity;
    for (int k = 0; k < 3; ++k) {
        const Vec3 &from = *corner[k], &to = *corner[(k + 1) % 3];
        const double s = nearest_on_edge(p, from, to);
        const double d = (from + s * (to - from) - p).squaredNorm();
        if (d >= least) continue;
        least = d;
        best.setZero();
        best[k] = 1 - s;
        best[(k + 1) % 3] = s;
    }
    return best;
}

Vec3 place_at(const Vec3i& triangle, const Vec3& weights, const VecX& x)
{
    return weights[0] * x.segment<3>(3 * triangle[0]) + weights[1] * x.segment<3>(3 * triangle[1]) +
           weights[2] * x.segment<3>(3 * triangle[2]);
}

Mat3 triangle_frame(const Vec3i& t, const VecX& x)
{
    const Vec3 a = x.segment<3>(3 * t[0]);
    const Vec3 e = Vec3(x.segment<3>(3 * t[1]) - a).normalized();
    const Vec3 n = e.cross(Vec3(x.segment<3>(3 * t[2]) - a)).normalized();
    Mat3 frame;
    frame << e, n.cross(e), n;
    return frame;
}

SurfacePlace nearest_surface(const Vec3& p, const std::vector<Vec3i>& triangles, const VecX& x,
                             const std::function<bool(int)>& accept)
{
    SurfacePlace best;
    for (std::size_t k = 0; k < triangles.size(); ++k) {
        const Vec3 a = x.segment<3>(3 * triangles[k][0]), b = x.segment<3>(3 * triangles[k][1]),
                   c = x.segment<3>(3 * triangles[k][2]);
        // Everything in the triangle is at least this far away.
        const double reach = std::sqrt(std::max((b - a).squaredNorm(), (c - a).squaredNorm()));
        if ((p - a).norm() - reach >= best.distance || (accept && !accept(int(k)))) continue;
        const Vec3 w = nearest_in_triangle(p, a, b, c);
        const double d = (w[0] * a + w[1] * b + w[2] * c - p).norm();
        if (d < best.distance) best = {int(k), w, d};
    }
    return best;
}

} // namespace selvage
