#include "core/render/shading.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

using Vec3f = Eigen::Vector3f;

/// Direction at an angle around Y from the camera's side, and above the horizon.
Vec3f around_camera(const Camera& camera, double azimuth, double elevation)
{
    Vec3 back = camera.position - camera.target;
    back.y() = 0;
    if (!(back.norm() > 1e-9)) back = Vec3::UnitZ();
    const Vec3 level = Eigen::AngleAxisd(azimuth, Vec3::UnitY()) * back.normalized();
    return (std::cos(elevation) * level + std::sin(elevation) * Vec3::UnitY()).cast<float>();
}

/// Light that arrives after bouncing between nearby folds where the sky is blocked: a part of what
/// the open sky gives, coloured by the surface itself.
Color bounced(const SurfacePoint& p, const LightRig& rig)
{
    return 0.22f * rig.horizon.cwiseProduct(0.3f * Color::Ones() + 0.7f * p.color);
}

/// sin of the angle to a tangent shifted towards the normal.
float sine_to_strand(const Vec3f& tangent, const Vec3f& direction)
{
    const float c = tangent.dot(direction);
    return std::sqrt(std::max(0.0f, 1 - c * c));
}

Color shade_strand(const SurfacePoint& p, const Incident& in, const LightRig& rig)
{
    const Vec3f half = (in.key_direction + p.towards_viewer).normalized();
    const Vec3f shifted_1 = (p.tangent + 0.10f * p.normal).normalized();
    const Vec3f shifted_2 = (p.tangent - 0.16f * p.normal).normalized();
    const float wrap = 0.35f + 0.65f * std::max(0.0f, p.normal.dot(in.key_direction));
    const float diffuse = 0.85f * wrap * sine_to_strand(p.tangent, in.key_direction);
    const float white = 0.40f * std::pow(sine_to_strand(shifted_1, half), 120.0f);
    const float tinted = 0.70f * std::pow(sine_to_strand(shifted_2, half), 24.0f);
    const Color key = (diffuse + tinted) * p.color + white * Color::Ones();
    const float edge = std::pow(1 - std::max(0.0f, p.normal.dot(p.towards_viewer)), 2.0f);
    const float behind = 0.5f + 0.5f * p.normal.dot(rig.rim_direction);
    const Color rim = in.sky_visible * edge * behind * (0.2f * Color::Ones() + 0.8f * p.color);
    const Color fill = in.sky_visible > 0 ? in.sky : bounced(p, rig);
    return in.key_visible * rig.key.cwiseProduct(key) + rig.rim.cwiseProduct(rim) +
           p.color.cwiseProduct(fill);
}

} // namespace

LightRig::LightRig(const Lights& lights, const Camera& camera)
{
    key_direction = around_camera(camera, lights.key_azimuth, lights.key_elevation);
    const float radius = std::tan(float(std::clamp(lights.key_angular_radius, 0.0, 1.2)));
    key_u = radius * key_direction.unitOrthogonal();
    key_v = key_direction.cross(key_u);
    rim_direction = around_camera(camera, 2.5, 0.5);
    key = float(lights.key_intensity) * Color(1.0f, 0.965f, 0.92f);
    rim = float(lights.rim_intensity) * Color(0.95f, 0.98f, 1.0f);
    zenith = float(lights.sky_intensity) * Color(0.94f, 0.97f, 1.0f);
    horizon = 0.8f * float(lights.sky_intensity) * Color(1.0f, 0.99f, 0.97f);
    below = 0.45f * float(lights.sky_intensity) * Color(1.0f, 0.98f, 0.95f);
}

Vec3f LightRig::towards_key(const Eigen::Vector2f& disk) const
{
    return (key_direction + disk.x() * key_u + disk.y() * key_v).normalized();
}

Color LightRig::sky(const Vec3f& direction) const
{
    const float up = direction.y();
    if (up >= 0) return horizon + up * (zenith - horizon);
    const float down = std::min(1.0f, -4 * up); // no hard line in reflections of the horizon
    return horizon + down * (below - horizon);
}

Color shade(const SurfacePoint& p, const Incident& in, const LightRig& rig)
{
    if (p.is_strand) return shade_strand(p, in, rig);
    const float n_l = std::max(0.0f, p.normal.dot(in.key_direction));
    const float n_v = std::max(0.0f, p.normal.dot(p.towards_viewer));
    const float grazing = (1 - n_v) * (1 - n_v);
    const Color key = in.key_visible * n_l * rig.key;
    const Color fill = in.sky_visible > 0 ? in.sky : bounced(p, rig);
    Color light = p.color.cwiseProduct(key + fill);

    // Outlines catch light from behind, but only where the sky reaches.
    const float behind = std::max(0.0f, 0.25f + 0.75f * p.normal.dot(rig.rim_direction));
    light += in.sky_visible * grazing * (1 - n_v) * behind *
             rig.rim.cwiseProduct(0.35f * Color::Ones() + 0.65f * p.color);
    if (p.role == RenderRole::collider) {
        const Vec3f half = (in.key_direction + p.towards_viewer).normalized();
        const float fresnel = 0.04f + 0.3f * grazing * grazing * (1 - n_v);
        light += (n_l > 0 ? in.key_visible : 0) * 1.6f * fresnel *
                 std::pow(std::max(0.0f, p.normal.dot(half)), 48.0f) * rig.key;
        light += fresnel * in.sky_visible * in.sky;
    } else {
        // Fibres standing up from the surface: they brighten it where it turns away.
        const Color fibre = 0.5f * p.color + 0.5f * Color::Constant(luminance(p.color));
        light += 0.32f * grazing * fibre.cwiseProduct(key + fill);
    }
    return light;
}

Color back_color(const Color& front)
{
    return 0.78f * (0.72f * front + 0.28f * Color::Constant(luminance(front)));
}

Color backdrop(float x, float y)
{
    const float up = 0.5f + 0.5f * std::clamp(y, -1.0f, 1.0f);
    const Color bottom(0.70f, 0.695f, 0.685f), top(0.50f, 0.525f, 0.555f);
    const float s = up * up * (3 - 2 * up);
    const float vignette = 1 - 0.07f * std::min(4.0f, x * x * 0.4f + y * y * 0.6f);
    return vignette * (bottom + s * (top - bottom));
}

} // namespace selvage
