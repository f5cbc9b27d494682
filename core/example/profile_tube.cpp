#include "core/example/profile_tube.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace selvage
{
namespace
{

/// Far from a tube only a lower bound of the distance is wanted [m].
constexpr double far_away = 0.10;

ProfileRow combine(double s, const ProfileRow& a, double r, const ProfileRow& b)
{
    return {s * a.t + r * b.t, s * a.side + r * b.side, s * a.front + r * b.front,
            s * a.back + r * b.back, s * a.shift + r * b.shift};
}

} // namespace

ProfileTube::ProfileTube(const Vec3& origin, const Vec3& axis, const Vec3& front,
                         std::vector<ProfileRow> rows, double cap_start, double cap_end)
    : origin_(origin),
      axis_(axis.normalized()),
      rows_(std::move(rows)),
      cap_start_(cap_start),
      cap_end_(cap_end)
{
    assert(rows_.size() >= 2);
    front_ = (front - front.dot(axis_) * axis_).normalized();
    side_ = axis_.cross(front_);

    const std::size_t n = rows_.size();
    for (std::size_t i = 0; i < n; ++i) { // slopes of the interpolating cubics; flat at the caps
        const ProfileRow &a = rows_[i == 0 ? 0 : i - 1], &b = rows_[std::min(i + 1, n - 1)];
        const bool end = i == 0 || i + 1 == n;
        slopes_.push_back(end ? ProfileRow{0, 0, 0, 0, 0}
                              : combine(1 / (b.t - a.t), b, -1 / (b.t - a.t), a));
    }

    const double t0 = rows_.front().t - cap_start_, t1 = rows_.back().t + cap_end_;
    double widest = 0;
    for (const ProfileRow& r : rows_)
        widest =
            std::max({widest, r.side, r.front + std::abs(r.shift), r.back + std::abs(r.shift)});
    centre_ = origin_ + 0.5 * (t0 + t1) * axis_;
    radius_ = std::hypot(0.5 * (t1 - t0), widest);
}

ProfileRow ProfileTube::row_at(double t) const
{
    std::size_t i = 0;
    while (i + 2 < rows_.size() && t > rows_[i + 1].t) ++i;
    const ProfileRow &a = rows_[i], &b = rows_[i + 1];
    const double h = b.t - a.t, x = (t - a.t) / h;
    const ProfileRow value = combine((1 + 2 * x) * (1 - x) * (1 - x), a, x * x * (3 - 2 * x), b);
    const ProfileRow bend =
        combine(h * x * (1 - x) * (1 - x), slopes_[i], -h * x * x * (1 - x), slopes_[i + 1]);
    return combine(1, value, 1, bend);
}

double ProfileTube::distance(const Vec3& p) const
{
    const double bound = (p - centre_).norm() - radius_;
    if (bound > far_away) return bound;

    const Vec3 q = p - origin_;
    const double t = axis_.dot(q);
    const double inside = std::clamp(t, rows_.front().t, rows_.back().t);
    const ProfileRow r = row_at(inside);
    const double u = side_.dot(q), v = front_.dot(q) - r.shift, w = t - inside;
    const double a = r.side, b = v > 0 ? r.front : r.back, c = w < 0 ? cap_start_ : cap_end_;
    const double rho = Vec3(u / a, v / b, w / c).norm();
    const double slope = Vec3(u / (a * a), v / (b * b), w / (c * c)).norm();
    if (slope < 1e-9) return -std::min(a, b);
    return rho * (rho - 1) / slope;
}

double ellipsoid_distance(const Vec3& p, const Vec3& centre, const Vec3& r)
{
    const Vec3 q = (p - centre).cwiseQuotient(r);
    const double rho = q.norm(), slope = q.cwiseQuotient(r).norm();
    if (slope < 1e-9) return -r.minCoeff();
    return rho * (rho - 1) / slope;
}

double tapered_capsule_distance(const Vec3& p, const Vec3& a, double r0, const Vec3& b, double r1)
{
    const Vec3 d = b - a;
    const double x = std::clamp((p - a).dot(d) / d.squaredNorm(), 0.0, 1.0);
    return (p - a - x * d).norm() - (r0 + x * (r1 - r0));
}

double smooth_union(double a, double b, double k)
{
    const double h = std::max(k - std::abs(a - b), 0.0) / k;
    return std::min(a, b) - h * h * h * k / 6;
}

} // namespace selvage
