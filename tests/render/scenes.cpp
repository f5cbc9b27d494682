#include "tests/render/scenes.h"

namespace selvage::test
{

Geometry square_sheet(double half, double height)
{
    Geometry g;
    g.set_point_count(4);
    VecX x(12);
    x << -half, height, half, half, height, half, half, height, -half, -half, height, -half;
    g.set_positions(x);
    g.add_polygon({0, 1, 2, 3});
    return g;
}

Geometry sphere(double radius, const Vec3& center, int around, int down)
{
    const int points = around * (down + 1);
    Geometry g;
    g.set_point_count(std::size_t(points));
    VecX x(3 * points);
    for (int j = 0; j <= down; ++j)
        for (int i = 0; i < around; ++i) {
            const double t = M_PI * j / down, p = 2 * M_PI * i / around;
            x.segment<3>(3 * (j * around + i)) =
                center +
                radius * Vec3(std::sin(t) * std::sin(p), std::cos(t), std::sin(t) * std::cos(p));
        }
    g.set_positions(x);
    for (int j = 0; j < down; ++j)
        for (int i = 0; i < around; ++i) {
            const int a = j * around + i, b = j * around + (i + 1) % around;
            g.add_polygon({a, a + around, b + around, b});
        }
    return g;
}

Geometry outline(const std::vector<Vec2>& corners)
{
    Geometry g;
    g.set_point_count(corners.size());
    VecX x(3 * Eigen::Index(corners.size()));
    std::vector<int> order;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        x.segment<3>(3 * Eigen::Index(i)) << corners[i], 0;
        order.push_back(int(i));
    }
    g.set_positions(x);
    g.add_polygon(order);
    return g;
}

Camera front_camera()
{
    Camera c;
    c.position = {0, 0, 10};
    c.target = Vec3::Zero();
    c.field_of_view = 2 * std::atan(0.1);
    return c;
}

Camera top_camera()
{
    Camera c = front_camera();
    c.position = {0, 10, 0};
    c.up = -Vec3::UnitZ();
    return c;
}

SceneDescription sky_only(int width, int height, int samples)
{
    SceneDescription s;
    s.width = width;
    s.height = height;
    s.samples = samples;
    s.ground = false;
    s.lights.key_intensity = 0;
    s.lights.rim_intensity = 0;
    return s;
}

RenderObject object(Geometry geometry, RenderRole role, const Color& color)
{
    RenderObject o;
    o.name = "thing";
    o.geometry = std::move(geometry);
    o.role = role;
    o.color = color;
    return o;
}

} // namespace selvage::test
