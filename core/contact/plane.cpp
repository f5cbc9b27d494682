#include "core/contact/plane.h"

#include "core/contact/closest_points.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

using V = Vec3T<double>;

double norm(const V& a) { return std::sqrt(dot(a, a)); }

/// Bernstein coefficients over a motion: of n·(p − a), and of a bound of |n| from above.
struct Heights {
    double scaled[4], scale[4];

    Heights(const V (&x)[4], const V (&y)[4])
    {
        const V d_0 = x[0] - x[1], d_1 = y[0] - y[1];
        const V u_0 = x[2] - x[1], u_1 = y[2] - y[1], v_0 = x[3] - x[1], v_1 = y[3] - y[1];
        const V n_0 = cross(u_0, v_0), n_2 = cross(u_1, v_1);
        const V n_1 = 0.5 * (cross(u_1, v_0) + cross(u_0, v_1));
        scaled[0] = dot(n_0, d_0);
        scaled[1] = (2 * dot(n_1, d_0) + dot(n_0, d_1)) / 3;
        scaled[2] = (dot(n_2, d_0) + 2 * dot(n_1, d_1)) / 3;
        scaled[3] = dot(n_2, d_1);
        scale[0] = norm(n_0);
        scale[3] = norm(n_2);
        scale[1] = (scale[0] + 2 * norm(n_1)) / 3;
        scale[2] = (scale[3] + 2 * norm(n_1)) / 3;
    }
};

/// Where the hull of Bernstein coefficients first meets zero; 1 where it stays above.
double first_zero(const double (&g)[4])
{
    double t = 1;
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j)
            if (g[i] > 0 && !(g[j] > 0)) t = std::min(t, (i + (j - i) * g[i] / (g[i] - g[j])) / 3);
    return t;
}

void moved(const V (&x)[4], const V (&p)[4], double t, V (&out)[4])
{
    for (int i = 0; i < 4; ++i) out[i] = x[i] + t * p[i];
}

} // namespace

double height_over_plane(const V (&x)[4])
{
    const V n = cross(x[2] - x[1], x[3] - x[1]);
    return dot(n, x[0] - x[1]) / norm(n);
}

double lowest_height(const V (&x)[4], const V (&p)[4])
{
    V y[4];
    moved(x, p, 1, y);
    const Heights h(x, y);
    return *std::min_element(h.scaled, h.scaled + 4) / *std::max_element(h.scale, h.scale + 4);
}

double plane_leverage(const V (&x)[4], const V (&p)[4])
{
    V y[4];
    moved(x, p, 1, y);
    const auto sum = [](const V(&z)[4]) {
        const auto closest = closest_points(PointTriangle{}, z);
        return std::abs(closest.w[1]) + std::abs(closest.w[2]) + std::abs(closest.w[3]);
    };
    return 2 * std::max(sum(x), sum(y)); // in between a little more, where the plane turns
}

CcdResult point_plane_ccd(const V (&x)[4], const V (&p)[4], const CcdSettings& settings)
{
    /// Progress below which the time reached is as good as the zero itself.
    constexpr double least_progress = 1e-9;
    const double gap = height_over_plane(x) - settings.thickness;
    V end[4], at[4];
    moved(x, p, settings.t_max, end);
    if (!(gap > 0) || !std::isfinite(height_over_plane(end))) return {true, 0, 0, false};
    const double least_height = settings.thickness + settings.slack * gap;
    double t = 0;
    for (int k = 1; k <= settings.max_iterations; ++k) {
        moved(x, p, t, at);
        const Heights h(at, end);
        double g[4];
        for (int i = 0; i < 4; ++i) g[i] = h.scaled[i] - least_height * h.scale[i];
        if (!(g[0] > 0)) return {true, t, k, false};
        const double zero = first_zero(g);
        if (zero >= 1) return {false, settings.t_max, k, false};
        const double progress = zero * (settings.t_max - t);
        t += progress;
        if (progress < least_progress) return {true, t, k, false};
    }
    return {true, t, settings.max_iterations, true};
}

} // namespace selvage
