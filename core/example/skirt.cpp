#include "core/example/skirt.h"

#include "core/base/error.h"
#include "core/example/polygon_geometry.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

constexpr double axis_z = -0.005; ///< of the vertical axis that the skirt hangs around [m]
constexpr int sectors = 90, levels = 120;

/// How far the body reaches from the axis, by azimuth and height from waist to hem; no lower place
/// counts as nearer than a higher one, since cloth hangs from where it is widest.
class Hips
{
public:
    Hips(const Figure& figure, const Pose& start, const SkirtSettings& s) : settings_(s)
    {
        reach_ = MatX::Zero(sectors, levels);
        const VecX x = figure.positions(start);
        const auto covered = [&](std::size_t i) {
            for (const char* bare : {"head", "arm_left", "arm_right"})
                if (figure.bind_geometry().find_group(Owner::point, bare)->member[i]) return false;
            return true;
        };
        for (Eigen::Index i = 0; i < x.size() / 3; ++i)
            if (covered(std::size_t(i))) note(x.segment<3>(3 * i));
        for (int k = 1; k < levels; ++k) reach_.col(k) = reach_.col(k).cwiseMax(reach_.col(k - 1));
        for (int pass = 0; pass < 4; ++pass) smooth();
    }

    /// [m] at azimuth φ [rad] and a part y in [0, 1] of the way from waist to hem.
    double operator()(double phi, double y) const
    {
        const double a = phi / (2 * M_PI) * sectors, b = y * (levels - 1);
        const int i = int(std::floor(a)), k = std::min(int(b), levels - 2);
        const double s = a - i, t = b - k;
        const auto at = [&](int m, int n) { return reach_((m % sectors + sectors) % sectors, n); };
        return (1 - s) * ((1 - t) * at(i, k) + t * at(i, k + 1)) +
               s * ((1 - t) * at(i + 1, k) + t * at(i + 1, k + 1));
    }

private:
    void note(const Vec3& p)
    {
        const double height = settings_.waist_height - settings_.hem_height;
        const double y = (settings_.waist_height - p.y()) / height;
        if (y < -0.1 || y > 1.1) return;
        const double r = std::hypot(p.x(), p.z() - axis_z);
        const double phi = std::atan2(p.x(), p.z() - axis_z);
        const int sector = int(std::floor(phi / (2 * M_PI) * sectors));
        const int level = int(y * (levels - 1));
        // A point stands for the skin around it, one and a half edges wide.
        for (int i = -3; i <= 4; ++i)
            for (int k = -5; k <= 6; ++k) {
                const int at = ((sector + i) % sectors + sectors) % sectors;
                const int to = std::clamp(level + k, 0, levels - 1);
                reach_(at, to) = std::max(reach_(at, to), r);
            }
    }

    void smooth()
    {
        const MatX old = reach_;
        for (int i = 0; i < sectors; ++i)
            for (int k = 0; k < levels; ++k)
                reach_(i, k) = std::max(
                    old(i, k), (old((i + 1) % sectors, k) + old((i + sectors - 1) % sectors, k) +
                                old(i, std::max(k - 1, 0)) + old(i, std::min(k + 1, levels - 1))) /
                                   4);
    }

    SkirtSettings settings_;
    MatX reach_;
};

Geometry tube_of_quads(int rows, int columns)
{
    std::vector<int> corners;
    for (int k = 0; k + 1 < rows; ++k)
        for (int j = 0; j < columns; ++j) {
            const int a = k * columns + j, n = k * columns + (j + 1) % columns;
            corners.insert(corners.end(), {a, a + columns, n + columns, n});
        }
    return polygon_geometry(std::size_t(rows) * std::size_t(columns), corners, 4);
}

} // namespace

Skirt::Skirt(const Figure& figure, const Pose& start, const SkirtSettings& s)
    : skeleton_(figure.skeleton()), start_(bone_transforms(skeleton_, start)[Joint::pelvis])
{
    if (s.columns < 12 || s.rows < 4 || !(s.waist_height > s.hem_height))
        throw InputError(
            "Skirt: ask for at least 12 columns and 4 rows, and a waist above the hem.");
    const Hips hips(figure, start, s);
    const double height = s.waist_height - s.hem_height;
    positions_.resize(3 * Eigen::Index(s.rows) * s.columns);
    Eigen::Index i = 0;
    for (int k = 0; k < s.rows; ++k)
        for (int j = 0; j < s.columns; ++j) {
            const double y = double(k) / (s.rows - 1), phi = 2 * M_PI * j / s.columns;
            const double depth = std::clamp((y - 0.2) / 0.8, 0.0, 1.0);
            const double r = hips(phi, y) + s.clearance + std::tan(s.flare) * height * y * y +
                             s.fold_depth * depth * depth * 0.5 * (1 - std::cos(s.folds * phi));
            positions_.segment<3>(3 * i++) =
                Vec3(r * std::sin(phi), s.waist_height - y * height, axis_z + r * std::cos(phi));
        }
    geometry_ = tube_of_quads(s.rows, s.columns);
    geometry_.set_positions(positions_);
    Group waist;
    waist.name = "waist";
    waist.member.assign(geometry_.point_count(), 0);
    std::fill_n(waist.member.begin(), 2 * s.columns, 1);
    geometry_.set_group(std::move(waist));
}

Geometry Skirt::carried_geometry(const Pose& pose) const
{
    const Eigen::Isometry3d motion =
        bone_transforms(skeleton_, pose)[Joint::pelvis] * start_.inverse();
    Geometry g = geometry_;
    g.set_positions(carried(positions_, motion));
    return g;
}

} // namespace selvage
