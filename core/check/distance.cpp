#include "core/check/distance.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace selvage::check_distance
{

double point_segment(const Vec3& p, const Vec3& a, const Vec3& b)
{
    const Vec3 d = b - a, w = p - a;
    const double dd = d.squaredNorm();
    if (!(dd > 0)) return w.norm();
    const double t = std::clamp(w.dot(d) / dd, 0.0, 1.0);
    // From the nearer end, so that t near 1 loses no digits.
    return t < 0.5 ? (w - t * d).norm() : ((p - b) + (1 - t) * d).norm();
}

double point_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const double outline =
        std::min({point_segment(p, a, b), point_segment(p, b, c), point_segment(p, c, a)});
    const Vec3 n = (b - a).cross(c - a);
    const double nn = n.squaredNorm();
    if (!(nn > 0)) return outline;
    // Barycentric coordinates of the foot point.
    const double v = (p - a).cross(c - a).dot(n) / nn, w = (b - a).cross(p - a).dot(n) / nn;
    if (!(v >= 0 && w >= 0 && v + w <= 1)) return outline;
    return std::min(outline, ((p - a) - v * (b - a) - w * (c - a)).norm());
}

double segment_segment(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const double ends = std::min({point_segment(a, c, d), point_segment(b, c, d),
                                  point_segment(c, a, b), point_segment(d, a, b)});
    const Vec3 u = b - a, v = d - c, w = c - a, n = u.cross(v);
    const double nn = n.squaredNorm();
    if (!(nn > 0)) return ends;
    // Where the common perpendicular of the two lines stands.
    const double s = w.cross(v).dot(n) / nn, t = w.cross(u).dot(n) / nn;
    if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1)) return ends;
    return std::min(ends, (w + t * v - s * u).norm());
}

} // namespace selvage::check_distance
