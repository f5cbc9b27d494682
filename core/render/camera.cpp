#include "core/render/camera.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

/// What one picture direction asks of the camera. With c the sideways and z the forward coordinate
/// of the camera, and t± the tangents of the free half-angles on both sides, all points lie inside
/// when  c − t₊ z ≥ plus  and  −c − t₋ z ≥ minus.
struct Slab {
    double tangent_plus, tangent_minus;
    double plus = -infinity, minus = -infinity;

    void add(double sideways, double forward)
    {
        plus = std::max(plus, sideways - tangent_plus * forward);
        minus = std::max(minus, -sideways - tangent_minus * forward);
    }
    double largest_forward() const { return -(plus + minus) / (tangent_plus + tangent_minus); }
    /// Centre of what is left to choose once the forward coordinate is known.
    double sideways(double forward) const
    {
        return 0.5 * ((plus + tangent_plus * forward) - (minus + tangent_minus * forward));
    }
};

} // namespace

void BoundingBox::add(const Vec3& point)
{
    if (!point.allFinite()) return;
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
}

void BoundingBox::add(const BoundingBox& other)
{
    low = low.cwiseMin(other.low);
    high = high.cwiseMax(other.high);
}

Mat3 Camera::axes() const
{
    Vec3 forward = target - position;
    if (!(forward.norm() > 0)) forward = -Vec3::UnitZ();
    forward.normalize();
    Vec3 right = forward.cross(up);
    if (!(right.norm() > 1e-9 * up.norm())) right = forward.unitOrthogonal(); // looks along `up`
    right.normalize();
    Mat3 rows;
    rows << right.transpose(), right.cross(forward).transpose(), forward.transpose();
    return rows;
}

Vec3 Camera::direction(double x, double y) const
{
    const double t = std::tan(0.5 * field_of_view);
    return axes().transpose() * Vec3(t * x, t * y, 1);
}

Vec3 Camera::project(const Vec3& point) const
{
    const Vec3 p = axes() * (point - position);
    const double t = std::tan(0.5 * field_of_view);
    return {p.x() / (p.z() * t), p.y() / (p.z() * t), p.z()};
}

double Camera::pixel_size(double depth, int height) const
{
    return 2 * depth * std::tan(0.5 * field_of_view) / height;
}

Camera frame_box(const BoundingBox& wanted, const Framing& framing)
{
    BoundingBox box = wanted;
    if (box.empty()) box = {Vec3::Constant(-0.5), Vec3::Constant(0.5)};
    if (box.diagonal() < 1e-9) {
        box.low.array() -= 0.005;
        box.high.array() += 0.005;
    }

    const double elevation = std::clamp(framing.elevation, -1.5, 1.5);
    const Vec3 towards_camera(std::cos(elevation) * std::sin(framing.azimuth), std::sin(elevation),
                              std::cos(elevation) * std::cos(framing.azimuth));
    Camera camera;
    camera.field_of_view = framing.field_of_view;
    camera.position = box.center() + towards_camera;
    camera.target = box.center();
    const Mat3 axes = camera.axes();

    const double t = std::tan(0.5 * framing.field_of_view) * (1 - 2 * framing.margin);
    const double t_x = t * framing.aspect;
    Slab horizontal{t_x * (1 - 2 * framing.reserved_right), t_x};
    Slab vertical{t, t};
    for (int i = 0; i < 8; ++i) {
        const Vec3 p = axes * (box.corner(i) - box.center());
        horizontal.add(p.x(), p.z());
        vertical.add(p.y(), p.z());
    }
    const double forward = std::min(horizontal.largest_forward(), vertical.largest_forward());
    const Vec3 position(horizontal.sideways(forward), vertical.sideways(forward), forward);
    camera.position = box.center() + axes.transpose() * position;
    camera.target = camera.position + (-forward) * axes.row(2).transpose();
    return camera;
}

} // namespace selvage
