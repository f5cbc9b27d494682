#include "core/example/hair_ball.h"

#include "core/example/sphere.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

constexpr double radius = 0.09;

/// 0 before t = 0, 1 after t = 1, smooth between.
double ramp(double t)
{
    t = std::clamp(t, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

} // namespace

Geometry hair_ball_curls(int strands, int points)
{
    Geometry g;
    g.set_point_count(std::size_t(strands) * std::size_t(points));
    VecX x(3 * Eigen::Index(strands) * points);
    const double golden = M_PI * (3 - std::sqrt(5.0)), length = 0.15, turns = 2, width = 0.008;
    for (int s = 0; s < strands; ++s) {
        const double y = 1 - (s + 0.5) / strands, r = std::sqrt(1 - y * y), phi = s * golden;
        const Vec3 normal(r * std::cos(phi), y, r * std::sin(phi));
        const Vec3 side = normal.cross(Vec3(0.31, 0.17, 0.93)).normalized();
        const Vec3 other = normal.cross(side);
        std::vector<int> curve;
        for (int i = 0; i < points; ++i) {
            const double t = double(i) / (points - 1), a = 2 * M_PI * turns * t;
            x.segment<3>(3 * (s * points + i)) = (radius + t * length) * normal +
                                                 width * (std::cos(a) - 1) * side +
                                                 width * std::sin(a) * other;
            curve.push_back(s * points + i);
        }
        g.add_polygon(curve, /*closed*/ false);
    }
    g.set_vectors("P", x, "point", Storage::real64);
    return g;
}

Geometry hair_ball_surface() { return sphere(0.998 * radius, 4); }

Mat3 hair_ball_rotation(double seconds)
{
    Mat3 R = Mat3::Identity();
    const Vec3 axes[3] = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    for (int k = 0; k < 3; ++k)
        R = Eigen::AngleAxisd(M_PI / 2 * ramp((seconds - k / 6.0) / 0.12), axes[k]) * R;
    return R;
}

} // namespace selvage
