#include "core/example/stack.h"

#include "core/example/polygon_geometry.h"

#include <Eigen/Geometry>

#include <cmath>

namespace selvage
{

Geometry stacked_cloths(int layers, int points, double size)
{
    constexpr double lowest = 0.03, spacing = 0.045; // [m]
    const int per_layer = points * points;
    VecX x(3 * Eigen::Index(layers) * per_layer);
    std::vector<int> corners;
    for (int l = 0; l < layers; ++l) {
        const Eigen::AngleAxisd turn(0.8 * l, Vec3::UnitY());
        for (int j = 0; j < points; ++j)
            for (int i = 0; i < points; ++i) {
                const int p = l * per_layer + j * points + i;
                const Vec3 flat(size * (double(i) / (points - 1) - 0.5), lowest + spacing * l,
                                size * (0.5 - double(j) / (points - 1)));
                x.segment<3>(3 * Eigen::Index(p)) = turn * flat;
                if (i + 1 < points && j + 1 < points) {
                    // Triangles: everyone who draws or checks them sees what is simulated.
                    const int b = p + 1, c = p + points + 1, d = p + points;
                    if ((i + j) % 2 == 0)
                        corners.insert(corners.end(), {p, b, c, p, c, d});
                    else
                        corners.insert(corners.end(), {p, b, d, b, c, d});
                }
            }
    }
    Geometry g = polygon_geometry(std::size_t(layers * per_layer), corners, 3);
    g.set_positions(x);
    Attribute layer =
        make_attribute("layer", Owner::primitive, Storage::int32, 1, g.primitive_count());
    const std::size_t faces = g.primitive_count() / std::size_t(layers);
    for (std::size_t f = 0; f < g.primitive_count(); ++f) layer.set_number(f, 0, double(f / faces));
    g.set(std::move(layer));
    return g;
}

Geometry round_table(double radius)
{
    // The outline from the middle of the top to the middle of the foot's bottom, turned about y.
    constexpr int around = 64;
    std::vector<Vec2> outline;
    const double rim = 0.012;
    for (const double r : {0.3, 0.6, 0.85}) outline.emplace_back(r * (radius - rim), 0);
    for (int i = 0; i <= 6; ++i) {
        const double a = M_PI * i / 6;
        outline.emplace_back(radius - rim + rim * std::sin(a), rim * (std::cos(a) - 1));
    }
    for (const Vec2& p : {Vec2(0.03, -2 * rim), Vec2(0.022, -0.06), Vec2(0.022, -0.42),
                          Vec2(0.12, -0.45), Vec2(0.12, -0.47)})
        outline.push_back(p);
    const int rows = int(outline.size()), points = rows * around + 2;
    VecX x(3 * Eigen::Index(points));
    for (int k = 0; k < rows; ++k)
        for (int j = 0; j < around; ++j) {
            const double a = 2 * M_PI * j / around;
            const Vec2& p = outline[std::size_t(k)];
            x.segment<3>(3 * (k * around + j)) = Vec3(p[0] * std::sin(a), p[1], p[0] * std::cos(a));
        }
    const int top = points - 2, bottom = points - 1;
    x.segment<3>(3 * top) = Vec3(0, outline.front()[1], 0);
    x.segment<3>(3 * bottom) = Vec3(0, outline.back()[1], 0);
    std::vector<int> corners;
    for (int j = 0; j < around; ++j) {
        const int n = (j + 1) % around, last = (rows - 1) * around;
        corners.insert(corners.end(), {top, j, n, bottom, last + n, last + j});
        for (int k = 0; k + 1 < rows; ++k) {
            const int a = k * around, b = a + around;
            corners.insert(corners.end(), {a + j, b + j, b + n, a + j, b + n, a + n});
        }
    }
    Geometry g = polygon_geometry(std::size_t(points), corners, 3);
    g.set_positions(x);
    return g;
}

} // namespace selvage
