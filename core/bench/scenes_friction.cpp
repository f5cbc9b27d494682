// Scenes that stand or fall by friction.
#include "core/bench/contact_scenes.h"
#include "core/bench/scene_parts.h"

#include <Eigen/Geometry>

#include <cmath>

namespace selvage
{
namespace
{

/// Statics: friction forces to convergence, sticking resolved.
SessionSetup static_scene(double h, int steps, double gap, double tolerance)
{
    SessionSetup s = empty_scene(h, steps, gap);
    s.solver.set("tolerance", tolerance);
    s.collision.set("stick_speed", 1e-5);
    s.collision.set("friction_iterations", 20.0);
    return s;
}

} // namespace

SessionSetup slope_scene(double friction, double h, int steps)
{
    SessionSetup s = static_scene(h, steps, 1e-3, 1e-6);
    const Mat3 tilt = Eigen::AngleAxisd(std::atan(0.5), Vec3::UnitZ()).toRotationMatrix();
    const Geometry cube = tet_geometry(
        tet_block({1, 1, 1}, {-0.5, 5e-4, -0.5}, {0.5, 1 + 5e-4, 0.5}), Storage::real64);
    add_solid(s, turned(cube, tilt), {1e9, 1000, 0.4, friction});
    add_collider(s, turned(floor_geometry(20), tilt), friction);
    return s;
}

SessionSetup card_house_scene(double friction, int cells, double h, int steps)
{
    const double gap = 1e-3, apart = 0.5 * gap, length = 0.5, thick = 4e-3;
    const double lean = 25 * M_PI / 180, distance = 0.45;
    SessionSetup s = static_scene(h, steps, gap, 1e-4);
    s.collision.set("friction_iterations", 5.0);
    const Stuff board{1e8, 1000, 0.4, friction};
    // Upright: x across its thickness, y along it.
    const Geometry upright = tet_geometry(tet_block({1, cells, cells}, {-thick / 2, 0, -length / 2},
                                                    {thick / 2, length, length / 2}));
    const double raise = 0.5 * thick * std::sin(lean) + apart;
    const double reach = length * std::sin(lean) + 0.5 * thick * std::cos(lean) + 0.5 * apart;
    const double top = length * std::cos(lean) + thick * std::sin(lean) + 2 * apart;
    const auto pair = [&](double x, double y) {
        for (const double side : {-1.0, 1.0}) {
            const Mat3 tilt = Eigen::AngleAxisd(side * lean, Vec3::UnitZ()).toRotationMatrix();
            add_solid(s, moved(turned(upright, tilt), {x + side * reach, y + raise, 0}), board);
        }
    };
    pair(-distance / 2, 0);
    pair(distance / 2, 0);
    add_solid(s,
              tet_geometry(tet_block({cells, 1, cells}, {-length / 2, top, -length / 2},
                                     {length / 2, top + thick, length / 2})),
              board);
    pair(0, top + thick);
    add_collider(s, floor_geometry(6), friction);
    return s;
}

SessionSetup hit_house_scene(int cells, double h, int steps)
{
    const double mu = 1, edge = 0.15, speed = 6;
    SessionSetup s = card_house_scene(mu, cells, h, steps);
    s.collision.set("friction_iterations", 2.0);
    s.solver.set("tolerance", 1e-2);
    const Geometry block =
        tet_geometry(tet_block({2, 2, 2}, Vec3::Constant(-0.5 * edge), Vec3::Constant(0.5 * edge)));
    for (const double side : {-1.0, 1.0})
        add_solid(s,
                  thrown(moved(block, {1.2 * side, side < 0 ? 0.3 : 0.7, 0.03 * side}),
                         {-speed * side, 0, 0}),
                  {1e8, 1000, 0.4, mu});
    return s;
}

SessionSetup arch_scene(double friction, double h, int steps)
{
    // y = top − c (cosh(x/c) − 1): its thrust leaves the ground at H/V = 1/sinh(u) = 0.15.
    constexpr int stones = 25;
    const double height = 20, u = std::asinh(1 / 0.15), c = height / (std::cosh(u) - 1);
    const double half_arc = c * std::sinh(u), half_depth = 0.75, half_width = 0.75;
    const double gap = 1e-6;
    SessionSetup s = static_scene(h, steps, gap, 1e-5);
    const auto joint = [&](int i, double shift, bool outer, double z) -> Vec3 {
        const double arc = half_arc * (2.0 * i / stones - 1), x = c * std::asinh(arc / c);
        const Vec3 centre(x, height - c * (std::cosh(x / c) - 1), z);
        const Vec3 along = Vec3(1, -std::sinh(x / c), 0).normalized();
        Vec3 normal(-along[1], along[0], 0);
        // The feet stand level on the ground.
        if (i == 0) normal = {-1, 0, 0};
        if (i == stones) normal = {1, 0, 0};
        const Vec3 lift(0, i == 0 || i == stones ? 0.5 * gap : 0, 0);
        return centre + shift * along * (lift[1] > 0 ? 0 : 1) + lift +
               (outer ? 1 : -1) * half_depth * normal;
    };
    for (int i = 0; i < stones; ++i) {
        const TetShape stone = tet_grid({1, 1, 1}, [&](const Vec3& p) {
            return joint(i + int(p[0]), (p[0] == 0 ? 0.25 : -0.25) * gap, p[1] > 0,
                         (2 * p[2] - 1) * half_width);
        });
        add_solid(s, tet_geometry(stone, Storage::real64), {2e10, 2300, 0.2, friction});
    }
    add_collider(s, floor_geometry(60), friction);
    return s;
}

SessionSetup stick_slip_scene(double friction, double speed, double h, int steps)
{
    SessionSetup s = empty_scene(h, steps, 1e-3);
    s.shot.set("gravity", Vec3(0, 0, 0));
    s.collision.set("stick_speed", 1e-4);
    s.solver.set("tolerance", 1e-4);
    const double length = 0.3, half = 0.02, lean = 20 * M_PI / 180, pressed = 2e-3;
    // The tip leads: friction turns it into the ground, until it lets go.
    const Mat3 tilt = Eigen::AngleAxisd(lean, Vec3::UnitZ()).toRotationMatrix();
    Geometry rod =
        turned(tet_geometry(tet_block({1, 8, 1}, {-half, 0, -half}, {half, length, half})), tilt);
    const double lowest = -half * std::sin(lean);
    rod = moved(rod, {0, -lowest + 5e-4, 0});
    const Vec3 along(-std::sin(lean), std::cos(lean), 0);
    const Geometry held = held_where(
        rod, [&](const Vec3& p) { return (p - Vec3(0, -lowest, 0)).dot(along) > length - 1e-3; });
    add_solid(s, held, {1e5, 1000, 0.4, friction});
    s.solids.back().pin_target = std::make_shared<MovingSource>([=](double frame) {
        const double t = h * (frame - 1), down = std::min(1.0, t / 0.05) * pressed;
        return moved(held, {speed * t, -down, 0});
    });
    add_collider(s, floor_geometry(8), friction);
    return s;
}

} // namespace selvage
