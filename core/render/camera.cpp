#include "core/render/camera.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace selvage
{

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

void CameraFitter::Slab::add(double side, double forward)
{
    plus = std::max(plus, side - tangent_plus * forward);
    minus = std::max(minus, -side - tangent_minus * forward);
}

double CameraFitter::Slab::largest_forward() const
{
    return -(plus + minus) / (tangent_plus + tangent_minus);
}

double CameraFitter::Slab::sideways(double forward) const
{
    return 0.5 * ((plus + tangent_plus * forward) - (minus + tangent_minus * forward));
}

CameraFitter::CameraFitter(const Framing& framing) : field_of_view_(framing.field_of_view)
{
    const double elevation = std::clamp(framing.elevation, -1.5, 1.5);
    Camera camera;
    camera.target = Vec3::Zero();
    camera.position = {std::cos(elevation) * std::sin(framing.azimuth), std::sin(elevation),
                       std::cos(elevation) * std::cos(framing.azimuth)};
    axes_ = camera.axes();
    const double t = std::tan(0.5 * field_of_view_) * (1 - 2 * framing.margin);
    horizontal_.tangent_minus = t * framing.aspect;
    horizontal_.tangent_plus = t * framing.aspect * (1 - 2 * framing.reserved_right);
    vertical_.tangent_minus = vertical_.tangent_plus = t;
}

void CameraFitter::add(const Vec3& point)
{
    if (!point.allFinite()) return;
    box_.add(point);
    const Vec3 p = axes_ * point;
    horizontal_.add(p.x(), p.z());
    vertical_.add(p.y(), p.z());
}

Camera CameraFitter::camera() const
{
    if (box_.diagonal() < 1e-9) {
        const Vec3 half = Vec3::Constant(box_.empty() ? 0.5 : 0.005);
        const Vec3 center = box_.empty() ? Vec3(Vec3::Zero()) : box_.center();
        const BoundingBox cube{center - half, center + half};
        CameraFitter around(*this);
        for (int i = 0; i < 8; ++i) around.add(cube.corner(i));
        return around.camera();
    }
    const double forward = std::min(horizontal_.largest_forward(), vertical_.largest_forward());
    const Vec3 position(horizontal_.sideways(forward), vertical_.sideways(forward), forward);
    Camera camera;
    camera.field_of_view = field_of_view_;
    camera.position = axes_.transpose() * position;
    const double depth = (axes_ * box_.center()).z() - forward;
    camera.target = camera.position + depth * axes_.row(2).transpose();
    return camera;
}

Camera frame_box(const BoundingBox& box, const Framing& framing)
{
    CameraFitter fitter(framing);
    for (int i = 0; i < 8; ++i) fitter.add(box.corner(i));
    return fitter.camera();
}

} // namespace selvage
