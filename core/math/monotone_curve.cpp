#include "core/math/monotone_curve.h"

#include "core/base/error.h"

#include <algorithm>

namespace selvage
{
namespace
{

/// Slope at the end of a curve from its first two intervals (widths h, secants d), limited so that
/// the first piece stays monotone.
double end_slope(double h0, double h1, double d0, double d1)
{
    const double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
    if (slope * d0 <= 0) return 0;
    if (d0 * d1 <= 0 && std::abs(slope) > 3 * std::abs(d0)) return 3 * d0;
    return slope;
}

} // namespace

MonotoneCurve::MonotoneCurve(double slope) : knots_{{0, 0, slope, 0}} {}

MonotoneCurve::MonotoneCurve(const std::vector<Vec2>& points)
{
    const std::size_t n = points.size();
    if (n < 2) throw InputError("A curve needs at least two points.");
    std::vector<double> h(n - 1), d(n - 1);
    for (std::size_t i = 0; i + 1 < n; ++i) {
        h[i] = points[i + 1][0] - points[i][0];
        if (!(h[i] > 0)) throw InputError("The points of a curve must be sorted and distinct.");
        d[i] = (points[i + 1][1] - points[i][1]) / h[i];
    }
    for (const Vec2& p : points) knots_.push_back({p[0], p[1], d[0], 0});
    if (n > 2) {
        knots_.front().slope = end_slope(h[0], h[1], d[0], d[1]);
        knots_.back().slope = end_slope(h[n - 2], h[n - 3], d[n - 2], d[n - 3]);
    }
    for (std::size_t i = 1; i + 1 < n; ++i) {
        const double w0 = 2 * h[i] + h[i - 1], w1 = h[i] + 2 * h[i - 1];
        knots_[i].slope = d[i - 1] * d[i] <= 0 ? 0 : (w0 + w1) / (w0 / d[i - 1] + w1 / d[i]);
    }
    for (std::size_t i = 0; i + 1 < n; ++i)
        knots_[i + 1].integral = knots_[i].integral + h[i] * (knots_[i].y + knots_[i + 1].y) / 2 +
                                 h[i] * h[i] * (knots_[i].slope - knots_[i + 1].slope) / 12;
}

MonotoneCurve::Value MonotoneCurve::operator()(double x) const
{
    const auto line = [x](const Knot& k) -> Value {
        const double t = x - k.x;
        return {k.integral + t * (k.y + 0.5 * t * k.slope), k.y + t * k.slope, k.slope};
    };
    if (!(x > knots_.front().x)) return line(knots_.front());
    if (x >= knots_.back().x) return line(knots_.back());
    const auto above = std::upper_bound(knots_.begin(), knots_.end(), x,
                                        [](double a, const Knot& k) { return a < k.x; });
    const Knot &a = *(above - 1), &b = *above;
    // y = a.y + t (m + t (c + t e)) with t = x − a.x.
    const double h = b.x - a.x, t = x - a.x, d = (b.y - a.y) / h;
    const double c = (3 * d - 2 * a.slope - b.slope) / h;
    const double e = (a.slope + b.slope - 2 * d) / (h * h);
    return {a.integral + t * (a.y + t * (a.slope / 2 + t * (c / 3 + t * e / 4))),
            a.y + t * (a.slope + t * (c + t * e)), a.slope + t * (2 * c + 3 * t * e)};
}

} // namespace selvage
