#include "core/example/fringe.h"

#include "core/example/easing.h"
#include "core/example/polygon_geometry.h"
#include "core/example/posture.h"
#include "core/geometry/nearest_surface.h"
#include "core/geometry/triangulate.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

constexpr double lowest = 1.34; ///< [m] of the bust, above the armpits
const Vec3 head_centre(0, 1.645, 0.0);

Pose pose_at(const Skeleton& skeleton, double seconds)
{
    Posture p = standing_posture(skeleton);
    const double left = ease(seconds / 0.45) - ease((seconds - 0.7) / 0.5);
    const double right = ease((seconds - 0.7) / 0.5) - ease((seconds - 1.5) / 0.45);
    const double nod = ease((seconds - 2.0) / 0.25) - ease((seconds - 2.35) / 0.25);
    p.head_turn = Vec3(0.45 * nod, 0.9 * (left - right), 0);
    return solve_posture(skeleton, p);
}

Vec3 normal_of(const Vec3i& t, const VecX& x)
{
    const Vec3 a = x.segment<3>(3 * t[0]);
    return (x.segment<3>(3 * t[1]) - a).cross(x.segment<3>(3 * t[2]) - a).normalized();
}

} // namespace

Fringe::Fringe(int strands, int points)
{
    const VecX x = figure_.positions(pose_at(figure_.skeleton(), 0));
    std::vector<int> number(std::size_t(x.size() / 3), -1);
    for (const Vec3i& t : triangulate(figure_.bind_geometry()).triangles) {
        bool above = true;
        for (const int p : t) above = above && x[3 * p + 1] > lowest && std::abs(x[3 * p]) < 0.2;
        if (!above) continue;
        Vec3i corners;
        for (int c = 0; c < 3; ++c) {
            int& n = number[std::size_t(t[c])];
            if (n < 0) n = int(figure_point_.size()), figure_point_.push_back(t[c]);
            corners[c] = n;
        }
        triangles_.push_back(corners);
    }
    grow(strands, points);
}

VecX Fringe::positions(double seconds) const
{
    const VecX all = figure_.positions(pose_at(figure_.skeleton(), seconds));
    VecX x(3 * Eigen::Index(figure_point_.size()));
    for (std::size_t i = 0; i < figure_point_.size(); ++i)
        x.segment<3>(3 * Eigen::Index(i)) = all.segment<3>(3 * figure_point_[i]);
    return x;
}

Geometry Fringe::bust(double seconds) const
{
    std::vector<int> corners;
    for (const Vec3i& t : triangles_) corners.insert(corners.end(), {t[0], t[1], t[2]});
    Geometry g = polygon_geometry(figure_point_.size(), corners, 3);
    g.set_positions(positions(seconds));
    return g;
}

void Fringe::grow(int strands, int points)
{
    const VecX x = positions(0);
    std::vector<Vec3i> head;
    for (const Vec3i& t : triangles_)
        if (x[3 * t[0] + 1] > head_centre[1] - 0.1) head.push_back(t);
    strands_.set_point_count(std::size_t(strands) * std::size_t(points));
    VecX p(3 * Eigen::Index(strands) * points), width(Eigen::Index(strands) * points);
    constexpr double golden = 0.6180339887498949, hover = 0.0025;
    for (int s = 0; s < strands; ++s) {
        // Low-discrepancy places: around the hairline, and up towards the crown.
        const double u = (s + 0.5) / strands, v = std::fmod(s * golden, 1.0);
        const double azimuth = 1.15 * (2 * u - 1), elevation = 0.80 + 0.45 * v;
        const Vec3 out(std::cos(elevation) * std::sin(azimuth), std::sin(elevation),
                       std::cos(elevation) * std::cos(azimuth));
        const SurfacePlace root = nearest_surface(head_centre + 0.14 * out, head, x);
        const Vec3i& at = head[std::size_t(root.triangle)];
        const double length = 0.085 + 0.045 * v + 0.012 * std::sin(9.0 * s),
                     step = length / (points - 1);
        Vec3 here = place_at(at, root.weights, x), way = normal_of(at, x);
        // Away from the crown, then down the forehead.
        const Vec3 fall = Vec3(0.35 * std::sin(azimuth), -0.45, 0.75 * std::cos(azimuth));
        std::vector<int> curve;
        for (int i = 0; i < points; ++i) {
            const int k = s * points + i;
            p.segment<3>(3 * k) = here;
            width[k] = 3.2e-4 * (1 - 0.6 * double(i) / (points - 1));
            curve.push_back(k);
            const double t = double(i) / (points - 1);
            way = (way + (i < 1 ? 0.0 : 0.35) * (fall + Vec3(0, -1.6 * t, -0.8 * t))).normalized();
            here += step * way;
            const SurfacePlace near = nearest_surface(here, head, x);
            const Vec3i& tri = head[std::size_t(near.triangle)];
            const Vec3 n = normal_of(tri, x), foot = place_at(tri, near.weights, x);
            const double height = n.dot(here - foot), least = std::min(hover, 0.8 * step * (i + 1));
            if (height < least + 0.004 * v)
                here = foot + (least + 0.004 * v * std::min(1.0, 0.25 * (i + 1))) * n;
        }
        strands_.add_polygon(curve, /*closed*/ false);
    }
    strands_.set_vectors("P", p, "point", Storage::real64);
    strands_.set_scalars("width", width);
}

} // namespace selvage
