#include "core/example/cape.h"

#include "core/base/error.h"
#include "core/example/drape_envelope.h"
#include "core/example/polygon_geometry.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

constexpr double axis_z = -0.030; ///< through the neck [m]
constexpr int fine = 241; ///< azimuths of the surface before it is cut into rows and columns

/// Radius of the collar: an ellipse on the slope of the shoulders [m].
double collar_radius(double azimuth)
{
    return 1 / std::hypot(std::sin(azimuth) / 0.145, std::cos(azimuth) / 0.095);
}

/// The body that the cape covers: without head and neck, and nothing inside the collar.
VecX covered_body(const Figure& figure, const Pose& start)
{
    const VecX x = figure.positions(start);
    const Group* head = figure.bind_geometry().find_group(Owner::point, "head");
    VecX out(x.size());
    Eigen::Index n = 0;
    for (Eigen::Index i = 0; i < x.size() / 3; ++i) {
        const Vec3 p = x.segment<3>(3 * i);
        const double dx = p.x(), dz = p.z() - axis_z;
        if (head->member[std::size_t(i)]) continue;
        if (std::hypot(dx, dz) < collar_radius(std::atan2(dx, -dz)) - 0.015) continue;
        out.segment<3>(3 * n++) = p;
    }
    return out.head(3 * n);
}

/// Value of `table` (ascending or not) at x in [0, 1], linear.
template <class T> T sampled(const std::vector<T>& table, double x)
{
    const double at = std::clamp(x, 0.0, 1.0) * double(table.size() - 1);
    const auto i = std::min(std::size_t(at), table.size() - 2);
    return (1 - (at - double(i))) * table[i] + (at - double(i)) * table[i + 1];
}

/// For each of `count` even steps of the running sum of `density`, where in [0, 1] it is reached.
std::vector<double> even_steps(const std::vector<double>& density, int count)
{
    std::vector<double> sum{0};
    for (std::size_t i = 1; i < density.size(); ++i)
        sum.push_back(sum.back() + 0.5 * (density[i - 1] + density[i]));
    std::vector<double> out;
    std::size_t k = 1;
    for (int i = 0; i < count; ++i) {
        const double s = sum.back() * i / (count - 1);
        while (k + 1 < sum.size() && sum[k] < s) ++k;
        const double x = (s - sum[k - 1]) / (sum[k] - sum[k - 1]);
        out.push_back((double(k - 1) + x) / double(density.size() - 1));
    }
    return out;
}

/// The cape as a smooth surface of x (0 to 1 around, right to left) and y (0 collar to 1 hem).
class CapeSurface
{
public:
    CapeSurface(const DrapeEnvelope& envelope, const CapeSettings& settings)
        : envelope_(envelope), settings_(settings)
    {
        for (int i = 0; i < fine; ++i) {
            const double phi = azimuth(double(i) / (fine - 1));
            profiles_.push_back(envelope.profile(phi, collar_radius(phi), settings.hem_height));
        }
        // Flutes are even along the hem, not in azimuth.
        flute_.push_back(0);
        for (int i = 1; i < fine; ++i) {
            const auto at = [&](int k) {
                return envelope_.position(azimuth(double(k) / (fine - 1)),
                                          profiles_[std::size_t(k)].back());
            };
            flute_.push_back(flute_.back() + (at(i) - at(i - 1)).norm());
        }
        const double hem = flute_.back();
        for (double& f : flute_) f /= hem;
    }

    Vec3 operator()(double x, double y) const
    {
        const double at = std::clamp(x, 0.0, 1.0) * (fine - 1);
        const auto i = std::min(std::size_t(at), std::size_t(fine - 2));
        const double part = at - double(i);
        Vec2 ry = (1 - part) * sampled(profiles_[i], y) + part * sampled(profiles_[i + 1], y);
        // Folds only move outward, away from the body.
        const double phase = 2 * M_PI * settings_.folds * sampled(flute_, x);
        const double depth = std::clamp((y - 0.15) / 0.85, 0.0, 1.0);
        ry.x() +=
            settings_.fold_depth * depth * depth * (3 - depth) / 2 * 0.5 * (1 - std::cos(phase));
        return envelope_.position(azimuth(x), ry);
    }

    /// Length of a row [m].
    double width(double y) const
    {
        double sum = 0;
        for (int i = 0; i < 4 * fine; ++i)
            sum += ((*this)((i + 1.0) / (4 * fine), y) - (*this)(double(i) / (4 * fine), y)).norm();
        return sum;
    }

    /// Length of a column [m].
    double length(double x) const
    {
        double sum = 0;
        for (int i = 0; i < 400; ++i)
            sum += ((*this)(x, (i + 1) / 400.0) - (*this)(x, i / 400.0)).norm();
        return sum;
    }

private:
    double azimuth(double x) const { return (2 * x - 1) * settings_.wrap; }

    const DrapeEnvelope& envelope_;
    const CapeSettings& settings_;
    std::vector<std::vector<Vec2>> profiles_;
    std::vector<double> flute_; ///< 0 to 1 along the hem
};

/// Where rows and columns lie on the surface.
struct CapeGrid {
    std::vector<double> x, y;
};

/// Columns evenly spaced on average from collar to hem. Rows closer together where the cape is
/// narrower, so that quads keep their shape; numbers of both such that quads are square on average.
CapeGrid cape_grid(const CapeSurface& surface, int points)
{
    std::vector<double> across, down;
    for (int i = 0; i < fine; ++i) {
        const double x = double(i) / (fine - 1), e = 0.5 / (fine - 1);
        double sum = 0;
        for (const double y : {0.0, 0.0, 0.1, 0.3, 0.6, 0.8, 1.0})
            sum += (surface(x + e, y) - surface(x - e, y)).norm();
        across.push_back(sum);
    }
    across.front() = across[1]; // one-sided at the ends
    across.back() = across[across.size() - 2];
    double mean_width = 0;
    for (int i = 0; i <= 40; ++i) {
        down.push_back(1 / surface.width(i / 40.0));
        mean_width += surface.width(i / 40.0) / 41;
    }
    const double length = 0.5 * (surface.length(0.5) + surface.length(0.25));
    const int columns = std::max(3, int(std::lround(std::sqrt(points * mean_width / length))));
    const int rows = std::max(3, int(std::lround(double(points) / columns)));
    for (double& d : down) d = std::pow(d, 0.85);
    return {even_steps(across, columns), even_steps(down, rows)};
}

Geometry quad_grid(int rows, int columns)
{
    std::vector<int> corners;
    for (int k = 0; k + 1 < rows; ++k)
        for (int j = 0; j + 1 < columns; ++j) {
            const int a = k * columns + j, b = a + columns;
            corners.insert(corners.end(), {a, a + 1, b + 1, b});
        }
    return polygon_geometry(std::size_t(rows) * std::size_t(columns), corners, 4);
}

/// The cut laid flat: a sector of an annulus with the widths of collar and hem.
Attribute flat_cut(const Geometry& g, const CapeSurface& surface, const CapeGrid& grid)
{
    const double inner = surface.width(0), outer = surface.width(1), length = surface.length(0.5);
    const double angle = (outer - inner) / length, radius = inner / angle;
    Attribute uv = make_attribute("uv", Owner::vertex, Storage::real32, 3, g.vertex_count());
    uv.type_info = "texturecoord";
    for (std::size_t v = 0; v < g.vertex_count(); ++v) {
        const auto i = std::size_t(g.vertex_point()[v]);
        const double a = (double(i % grid.x.size()) / double(grid.x.size() - 1) - 0.5) * angle;
        const double r = radius + grid.y[i / grid.x.size()] * length;
        uv.set_number(v, 0, r * std::sin(a));
        uv.set_number(v, 1, -r * std::cos(a));
    }
    return uv;
}

} // namespace

Cape::Cape(const Figure& figure, const Pose& start, const CapeSettings& settings)
    : skeleton_(figure.skeleton()), start_(bone_transforms(skeleton_, start)[Joint::upper_chest])
{
    if (settings.points < 100)
        throw InputError("Cape: " + std::to_string(settings.points) +
                         " points are too few. Ask for 100 or more.");
    const DrapeEnvelope envelope(covered_body(figure, start), axis_z, settings.clearance,
                                 settings.flare);
    const CapeSurface surface(envelope, settings);
    const CapeGrid grid = cape_grid(surface, settings.points);
    rows_ = int(grid.y.size());
    columns_ = int(grid.x.size());
    positions_.resize(3 * Eigen::Index(rows_) * Eigen::Index(columns_));
    Eigen::Index i = 0;
    for (const double y : grid.y)
        for (const double x : grid.x) positions_.segment<3>(3 * i++) = surface(x, y);

    geometry_ = quad_grid(rows_, columns_);
    geometry_.set_positions(positions_);
    geometry_.set(flat_cut(geometry_, surface, grid));
    Group collar;
    collar.name = "collar";
    collar.member.assign(2 * std::size_t(columns_), 1);
    geometry_.set_group(std::move(collar));
}

VecX Cape::carried_positions(const Pose& pose) const
{
    const Eigen::Isometry3d motion =
        bone_transforms(skeleton_, pose)[Joint::upper_chest] * start_.inverse();
    return carried(positions_, motion);
}

Geometry Cape::carried_geometry(const Pose& pose) const
{
    Geometry g = geometry_;
    g.set_positions(carried_positions(pose));
    return g;
}

} // namespace selvage
