#include "core/contact/ccd.h"

#include "core/contact/distance.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

using V = Vec3T<double>;

/// Fraction of the present gap that one step may use up.
constexpr double stride = 0.9;

double norm(const V& a) { return std::sqrt(dot(a, a)); }

/// Distances below this fraction of the pair's extent are rounding of an intersection.
constexpr double resolution = 3.5e-15;

/// Longest step that keeps the sets apart along the unit vector r/d: vertices [0, First) lie on
/// one side, the others on the other. `used` of the gap may be consumed.
template <int N, int First>
double directional_step(const V (&x)[N], const V (&p)[N], const V& r, double d, double used)
{
    const V n = (1 / d) * r;
    double step = infinity;
    for (int i = 0; i < First; ++i)
        for (int j = First; j < N; ++j) {
            // Each pair's support gap exceeds d by `spare`, below 0 only where rounding spoilt n.
            const double spare = dot(x[i] - x[j], n) - d, closing = -dot(p[i] - p[j], n);
            if (used + spare < 0) return 0;
            if (closing > 0) step = std::min(step, (used + spare) / closing);
        }
    return step;
}

/// Largest distance of a vertex from the first, NaN or infinite where any coordinate is.
template <int N> double extent(const V (&x)[N])
{
    double largest = 0, probe = 0;
    for (int i = 0; i < N; ++i) {
        const V d = x[i] - x[0];
        largest = std::max(largest, dot(d, d));
        probe += 0 * (x[i].x + x[i].y + x[i].z);
    }
    return std::sqrt(largest) + probe;
}

template <int N, int First, class Separation>
CcdResult additive_ccd(const V (&x_0)[N], const V (&motion)[N], const CcdSettings& settings,
                       Separation&& separation)
{
    // Remove the common motion: it changes no distance.
    V p[N], mean = motion[0];
    for (int i = 1; i < N; ++i) mean = mean + motion[i];
    double speed_a = 0, speed_b = 0;
    for (int i = 0; i < N; ++i) {
        p[i] = motion[i] - (1.0 / N) * mean;
        double& speed = i < First ? speed_a : speed_b;
        speed = std::max(speed, norm(p[i]));
    }
    const double speed = speed_a + speed_b, xi = settings.thickness;

    V x[N];
    std::copy(x_0, x_0 + N, x);
    V r = separation(x);
    double d = norm(r), gap = (d * d - xi * xi) / (d + xi);
    if (!(gap > resolution * extent(x_0)) || !std::isfinite(extent(motion)))
        return {true, 0, 0, false};
    if (speed == 0) return {false, settings.t_max, 0, false};

    const double least_gap = settings.slack * gap;
    double used = (1 - settings.slack) * gap, t = 0;
    for (int k = 1; k <= settings.max_iterations; ++k) {
        const double step = std::max(used / speed, directional_step<N, First>(x, p, r, d, used));
        const double next = t + step;
        if (next > settings.t_max) return {false, settings.t_max, k - 1, false};
        for (int i = 0; i < N; ++i) x[i] = x_0[i] + next * p[i];
        r = separation(x);
        d = norm(r), gap = (d * d - xi * xi) / (d + xi);
        if (t > 0 && !(gap >= least_gap)) return {true, t, k, false};
        // The first step alone may reach the least gap; rounding must not take it below zero.
        if (!(gap > 0)) return {true, 0, k, false};
        t = next;
        used = stride * gap;
    }
    return {true, t, settings.max_iterations, true};
}

} // namespace

CcdResult point_point_ccd(const V (&x)[2], const V (&p)[2], const CcdSettings& settings)
{
    return additive_ccd<2, 1>(x, p, settings, [](const V(&y)[2]) { return y[0] - y[1]; });
}

CcdResult point_edge_ccd(const V (&x)[3], const V (&p)[3], const CcdSettings& settings)
{
    return additive_ccd<3, 1>(x, p, settings, point_edge_separation);
}

CcdResult point_triangle_ccd(const V (&x)[4], const V (&p)[4], const CcdSettings& settings)
{
    return additive_ccd<4, 1>(x, p, settings, point_triangle_separation);
}

CcdResult edge_edge_ccd(const V (&x)[4], const V (&p)[4], const CcdSettings& settings)
{
    return additive_ccd<4, 2>(x, p, settings, edge_edge_separation);
}

} // namespace selvage
