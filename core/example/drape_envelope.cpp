#include "core/example/drape_envelope.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

constexpr int azimuths = 180, normals = 33;
constexpr double azimuth_step = 2 * M_PI / azimuths;
/// A point holds off the garment within this azimuth of it; averaging spans the same [steps].
constexpr int reach = 8;

double normal_angle(int i, double flare) { return flare + (M_PI / 2 - flare) * i / (normals - 1); }

/// Averages over 2·half+1 azimuths.
MatX averaged(const MatX& H, int half)
{
    MatX out = MatX::Zero(H.rows(), H.cols());
    for (int i = 0; i < azimuths; ++i)
        for (int k = -half; k <= half; ++k)
            out.row(i) += H.row((i + k + azimuths) % azimuths) / (2 * half + 1);
    return out;
}

/// Points at even distances along a polyline.
std::vector<Vec2> resampled(const std::vector<Vec2>& line, int count)
{
    std::vector<double> length{0};
    for (std::size_t i = 1; i < line.size(); ++i)
        length.push_back(length.back() + (line[i] - line[i - 1]).norm());
    std::vector<Vec2> out;
    std::size_t k = 1;
    for (int i = 0; i < count; ++i) {
        const double s = length.back() * i / (count - 1);
        while (k + 1 < line.size() && length[k] < s) ++k;
        const double part = length[k] - length[k - 1];
        const double x = part > 0 ? std::clamp((s - length[k - 1]) / part, 0.0, 1.0) : 0.0;
        out.push_back((1 - x) * line[k - 1] + x * line[k]);
    }
    return out;
}

} // namespace

DrapeEnvelope::DrapeEnvelope(const VecX& points, double axis_z, double clearance, double flare)
    : axis_z_(axis_z), flare_(flare)
{
    MatX H = MatX::Zero(azimuths, normals);
    for (Eigen::Index p = 0; p < points.size() / 3; ++p) {
        const Vec3 x = points.segment<3>(3 * p);
        const double dx = x.x(), dz = x.z() - axis_z, r = std::hypot(dx, dz);
        const int centre = int(std::lround(std::atan2(dx, -dz) / azimuth_step));
        for (int n = 0; n < normals; ++n) {
            const double a = normal_angle(n, flare);
            const double h = r * std::cos(a) + x.y() * std::sin(a) + clearance;
            for (int k = -reach; k <= reach; ++k) {
                double& H_kn = H((centre + k + 2 * azimuths) % azimuths, n);
                H_kn = std::max(H_kn, h);
            }
        }
    }
    support_ = averaged(averaged(H, reach / 2), reach / 2 - 1);
}

std::vector<Vec2> DrapeEnvelope::profile(double azimuth, double collar_radius,
                                         double hem_height) const
{
    const double at = azimuth / azimuth_step, x = at - std::floor(at);
    const int i = (int(std::floor(at)) + 2 * azimuths) % azimuths;
    const VecX H = (1 - x) * support_.row(i) + x * support_.row((i + 1) % azimuths);

    // Corners of the outline: neighbouring support lines meet; from the top line to the flared one.
    std::vector<Vec2> corners;
    for (int n = normals - 2; n >= 0; --n) {
        const double a = normal_angle(n, flare_), b = normal_angle(n + 1, flare_);
        Mat2 lines;
        lines << std::cos(a), std::sin(a), std::cos(b), std::sin(b);
        corners.push_back(lines.inverse() * Vec2(H[n], H[n + 1]));
    }

    std::vector<Vec2> line{Vec2(collar_radius, corners.front().y())};
    for (std::size_t c = 0; c < corners.size(); ++c) {
        const Vec2& p = corners[c];
        if (p.x() <= collar_radius) { // inside the collar: the outline begins further on
            const Vec2& q = corners[std::min(c + 1, corners.size() - 1)];
            const double part =
                q.x() > collar_radius ? (collar_radius - p.x()) / (q.x() - p.x()) : 1;
            line = {Vec2(collar_radius, p.y() + part * (q.y() - p.y()))};
        } else if (p.y() > hem_height) {
            line.push_back(p);
        }
    }
    const Vec2 last = line.back();
    line.emplace_back(last.x() + (last.y() - hem_height) * std::tan(flare_), hem_height);

    // Round the corners.
    std::vector<Vec2> smooth = resampled(line, 400);
    for (int pass = 0; pass < 120; ++pass) {
        std::vector<Vec2> next = smooth;
        for (std::size_t k = 1; k + 1 < smooth.size(); ++k)
            next[k] = 0.25 * smooth[k - 1] + 0.5 * smooth[k] + 0.25 * smooth[k + 1];
        smooth = std::move(next);
    }
    return resampled(smooth, 400);
}

Vec3 DrapeEnvelope::position(double azimuth, const Vec2& ry) const
{
    return {ry.x() * std::sin(azimuth), ry.y(), axis_z_ - ry.x() * std::cos(azimuth)};
}

} // namespace selvage
