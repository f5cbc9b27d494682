#include "core/example/skirt.h"

#include "core/base/error.h"
#include "core/example/drape_envelope.h"
#include "core/example/polygon_geometry.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

constexpr double axis_z = -0.005; ///< through the pelvis [m]

/// The body below the waist, without arms.
VecX covered_body(const Figure& figure, const Pose& start, double waist_height)
{
    const VecX x = figure.positions(start);
    const Geometry& g = figure.bind_geometry();
    const Group *left = g.find_group(Owner::point, "arm_left"),
                *right = g.find_group(Owner::point, "arm_right");
    VecX out(x.size());
    Eigen::Index n = 0;
    for (Eigen::Index i = 0; i < x.size() / 3; ++i) {
        const auto k = std::size_t(i);
        if (left->member[k] || right->member[k] || x[3 * i + 1] > waist_height) continue;
        out.segment<3>(3 * n++) = x.segment<3>(3 * i);
    }
    return out.head(3 * n);
}

/// Largest distance from the axis near an azimuth and height: the waist of the body there.
double waist_radius(const VecX& body, double azimuth, double height)
{
    double radius = 0.05;
    for (Eigen::Index i = 0; i < body.size(); i += 3) {
        const double dx = body[i], dz = body[i + 2] - axis_z;
        const double off = std::remainder(std::atan2(dx, -dz) - azimuth, 2 * M_PI);
        if (std::abs(body[i + 1] - height) < 0.025 && std::abs(off) < 0.2)
            radius = std::max(radius, std::hypot(dx, dz));
    }
    return radius;
}

} // namespace

Skirt::Skirt(const Figure& figure, const Pose& start, const SkirtSettings& s)
    : skeleton_(figure.skeleton()), start_(start)
{
    if (s.columns < 8 || s.rows < 3)
        throw InputError("Skirt: at least 8 columns and 3 rows are needed.");
    const VecX body = covered_body(figure, start, s.waist_height);
    const DrapeEnvelope envelope(body, axis_z, s.clearance, s.flare);
    VecX x(3 * Eigen::Index(s.columns) * s.rows);
    for (int j = 0; j < s.columns; ++j) {
        const double azimuth = 2 * M_PI * j / s.columns;
        const double waist = waist_radius(body, azimuth, s.waist_height) + s.clearance;
        const std::vector<Vec2> profile = envelope.profile(azimuth, waist, s.hem_height);
        const double flute = 0.5 * (1 - std::cos(s.folds * azimuth));
        for (int k = 0; k < s.rows; ++k) {
            const double y = double(k) / (s.rows - 1), at = y * double(profile.size() - 1);
            const auto i = std::min(std::size_t(at), profile.size() - 2);
            Vec2 ry = (1 - (at - double(i))) * profile[i] + (at - double(i)) * profile[i + 1];
            // Folds only move outward, away from the body.
            ry.x() += s.fold_depth * y * y * (3 - 2 * y) * flute;
            x.segment<3>(3 * (Eigen::Index(k) * s.columns + j)) = envelope.position(azimuth, ry);
        }
    }
    std::vector<int> corners;
    for (int k = 0; k + 1 < s.rows; ++k)
        for (int j = 0; j < s.columns; ++j) {
            const int next = (j + 1) % s.columns, a = k * s.columns, b = a + s.columns;
            corners.insert(corners.end(), {a + j, a + next, b + next, b + j});
        }
    geometry_ = polygon_geometry(std::size_t(s.columns * s.rows), corners, 4);
    geometry_.set_positions(x);
    Group waist;
    waist.name = "waist";
    waist.member.assign(geometry_.point_count(), 0);
    std::fill_n(waist.member.begin(), 2 * s.columns, 1);
    geometry_.set_group(std::move(waist));
}

Geometry Skirt::carried_geometry(const Pose& pose) const
{
    const Eigen::Isometry3d motion = bone_transforms(skeleton_, pose)[Joint::pelvis] *
                                     bone_transforms(skeleton_, start_)[Joint::pelvis].inverse();
    VecX x = geometry_.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) x.segment<3>(i) = motion * Vec3(x.segment<3>(i));
    Geometry g = geometry_;
    g.set_positions(x);
    return g;
}

} // namespace selvage
