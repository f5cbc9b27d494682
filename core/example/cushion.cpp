#include "core/example/cushion.h"

#include "core/example/polygon_geometry.h"

#include <cmath>

namespace selvage
{
namespace
{

constexpr double apart = 0.05; ///< [m] between the panels

/// (u, v) in [0, 1]²: upright, the upper edge at the height of the origin.
Vec3 on_panel(double u, double v, double size, double z)
{
    return {size * (u - 0.5), size * (v - 1), z};
}

} // namespace

Geometry cushion_panels(int cells, double size)
{
    const int side = cells + 1, panel = side * side;
    VecX x(6 * Eigen::Index(panel));
    std::vector<int> corners, border[2];
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j <= cells; ++j)
            for (int i = 0; i <= cells; ++i) {
                const int p = k * panel + j * side + i;
                x.segment<3>(3 * p) = on_panel(double(i) / cells, double(j) / cells, size,
                                               k == 0 ? apart / 2 : -apart / 2);
                if (i % cells == 0 || j % cells == 0) border[k].push_back(p);
                if (i == cells || j == cells) continue;
                const int b = p + 1, c = p + side + 1, d = p + side;
                if (k == 0)
                    corners.insert(corners.end(), {p, b, c, d});
                else
                    corners.insert(corners.end(), {p, d, c, b});
            }
    Geometry g = polygon_geometry(std::size_t(2 * panel), corners, 4);
    g.set_positions(x);
    add_group(g, "front_edge", border[0]);
    add_group(g, "back_edge", border[1]);
    add_group(g, "loops", {panel - side, panel - 1, 2 * panel - side, 2 * panel - 1});
    return g;
}

Geometry cushion_bar(double seconds, double size)
{
    const double swing = 0.25 * size * std::sin(M_PI * seconds);
    const double half_x = 0.55 * size, half_z = apart;
    Geometry g = polygon_geometry(4, {0, 1, 2, 3}, 4);
    VecX x(12);
    for (int k = 0; k < 4; ++k)
        x.segment<3>(3 * k) =
            Vec3(swing + (k == 1 || k == 2 ? half_x : -half_x), 0.02, k < 2 ? half_z : -half_z);
    g.set_positions(x);
    return g;
}

} // namespace selvage
