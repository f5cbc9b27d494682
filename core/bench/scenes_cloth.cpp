// Scenes of cloth.
#include "core/bench/contact_scenes.h"
#include "core/bench/scene_parts.h"
#include "core/example/cloth_grid.h"
#include "core/example/sphere.h"

#include <Eigen/Geometry>

#include <cmath>

namespace selvage
{
namespace
{

/// Undamped isotropic fabric by its volume's moduli.
struct Fabric {
    double density = 472.6;      ///< [kg/m³]
    double thickness = 0.318e-3; ///< [m]
    double young = 0.821e6;      ///< [Pa]
    double poisson = 0.243;
};
constexpr Fabric cotton; // [Penava et al., as tabulated by Li 2021]
constexpr Fabric paper{800, 0.3e-3, 3e9, 0.3};

ClothSetup& add_cloth(SessionSetup& scene, Geometry geometry, const Fabric& f,
                      double stretch_factor, double limit, double friction)
{
    const double young = stretch_factor * f.young * f.thickness;
    const double bend = f.young * std::pow(f.thickness, 3) / (12 * (1 - f.poisson * f.poisson));
    ClothSetup c;
    const std::string name = "cloth " + std::to_string(scene.cloths.size());
    c.cloth.set("name", name);
    for (const auto& [key, value] : std::initializer_list<std::pair<const char*, double>>{
             {"density", f.density * f.thickness},
             {"thickness", 0},
             {"young_warp", young},
             {"young_weft", young},
             {"shear", young / (2 * (1 + f.poisson))},
             {"poisson", f.poisson},
             {"stretch_limit", limit},
             {"bend_warp", bend},
             {"bend_weft", bend},
             {"stretch_damping", 0},
             {"shear_damping", 0},
             {"bend_damping", 0},
             {"drag_normal", 0},
             {"drag_tangent", 0},
             {"friction", friction}})
        c.cloth.set(key, value);
    if (geometry.find_group(Owner::point, "held")) c.pins.set("group", std::string("held"));
    c.geometry = std::make_shared<StaticSource>(std::move(geometry), name);
    scene.cloths.push_back(std::move(c));
    return scene.cloths.back();
}

Geometry square(int points, double size = 1)
{
    return cloth_grid(points - 1, points - 1, size, size, GridCells::alternating_triangles);
}

/// Held points of the last cloth go along +x at `speed` from frame `start` on.
void pull(SessionSetup& scene, const Geometry& g, double speed, double h, int start)
{
    scene.cloths.back().pin_target = std::make_shared<MovingSource>([=](double frame) {
        return moved(g, {speed * h * std::max(0.0, frame - start), 0, 0});
    });
}

} // namespace

Geometry ball_volume(double radius)
{
    Geometry g;
    g.volumes.push_back({"ball", Volume::Kind::signed_distance,
                         std::make_shared<DistanceField>(sample_distance(
                             [=](const Vec3& x) { return x.norm() - radius; },
                             Vec3::Constant(-radius), Vec3::Constant(radius), 0.01, 0.03))});
    return g;
}

SessionSetup tilting_floor_scene(int points, bool half_space, int steps)
{
    SessionSetup s = empty_scene(0.04, steps, 1e-3);
    add_cloth(s, moved(square(points), {0, 0.02, 0}), cotton, 1, 0, 0.4);
    const Vec3 tilt(0.05, 1, 0.02);
    if (half_space) {
        ColliderSetup& floor = add_collider(s, floor_geometry(4), 0.4);
        floor.geometry = nullptr;
        floor.plane.set("normal", AnimatedValue{{{1, Vec3(0, 1, 0)}, {double(steps), tilt}}});
        return s;
    }
    constexpr double far = 1000; // [m] as long as nothing may get to its rim
    add_collider(
        s,
        [=](double frame) {
            const double part = std::clamp((frame - 1) / (steps - 1), 0.0, 1.0);
            const Vec3 n = Vec3::UnitY() + part * (tilt - Vec3::UnitY());
            return turned(floor_geometry(far),
                          Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), n).toRotationMatrix());
        },
        0.4);
    return s;
}

SessionSetup sphere_drape_scene(const DrapeOptions& o)
{
    constexpr double h = 0.04, radius = 0.152, clearance = 0.16; // [s], [m]
    constexpr int rest_steps = 25;
    SessionSetup s = empty_scene(h, o.steps, 1e-3);
    s.solver.set("tolerance", o.tolerance);
    add_cloth(s, moved(square(o.points), {0, clearance, 0}), cotton, o.stretch_factor, o.limit,
              0.4);
    const Geometry ball = sphere(radius, 4);
    if (o.volume)
        add_collider(s, ball_volume(radius), 0.4);
    else if (o.turning)
        add_collider(
            s,
            [=](double frame) {
                const double angle = M_PI * h * std::max(0.0, frame - 1 - rest_steps);
                return turned(ball, Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix());
            },
            0.4);
    else
        add_collider(s, ball, 0.4);
    if (o.half_space) {
        ColliderSetup& floor = add_collider(s, floor_geometry(4), 0.4);
        floor.geometry = nullptr;
        floor.plane.set("point", Vec3(0, -clearance, 0));
    } else
        add_collider(s, moved(floor_geometry(4), {0, -clearance, 0}), 0.4);
    for (ColliderSetup& c : s.colliders) c.collider.set("thickness", 0.002);
    return s;
}

SessionSetup corner_hang_scene(int points, double stretch_factor, double limit, int steps)
{
    SessionSetup s = empty_scene(0.04, steps, 1e-3);
    const Geometry g = held_where(
        square(points), [](const Vec3& p) { return std::abs(p[0]) > 0.499 && p[2] < -0.499; });
    add_cloth(s, g, cotton, stretch_factor, limit, 0.4);
    return s;
}

SessionSetup cloth_stack_scene(int layers, int points, double gap, int steps)
{
    SessionSetup s = empty_scene(0.04, steps, gap);
    for (int i = 0; i < layers; ++i) {
        const Mat3 turn = Eigen::AngleAxisd(i * M_PI / 22, Vec3::UnitY()).toRotationMatrix();
        add_cloth(s, moved(turned(square(points), turn), {0, 0.02 + (gap + 0.01) * (i + 1), 0}),
                  cotton, 1, 0, 0.1);
    }
    add_collider(s, floor_geometry(2), 0.1);
    return s;
}

SessionSetup needles_scene(int points, int needles, int steps)
{
    const double h = 0.02;
    SessionSetup s = empty_scene(h, steps, 1e-3);
    const Geometry g = held_where(moved(square(points), {0, 0.005, 0}),
                                  [](const Vec3& p) { return p[0] < -0.499; });
    add_cloth(s, g, cotton, 0.1, 0.0608, 0.2);
    pull(s, g, -1, h, 26);
    Geometry bed;
    bed.set_point_count(2 * std::size_t(needles * needles));
    VecX x(6 * needles * needles);
    for (int j = 0; j < needles; ++j)
        for (int i = 0; i < needles; ++i) {
            const int k = j * needles + i;
            const double u = 0.9 * ((i + 0.5) / needles - 0.5),
                         w = 0.9 * ((j + 0.5) / needles - 0.5);
            x.segment<6>(6 * k) << u, 0, w, u, -0.3, w;
            bed.add_polygon({2 * k, 2 * k + 1}, /*closed*/ false);
        }
    bed.set_positions(x);
    add_collider(s, bed, 0.2);
    return s;
}

SessionSetup tablecloth_scene(int points, double speed, int steps)
{
    const double h = 0.02, mu = 0.4, above = 2e-3;
    SessionSetup s = empty_scene(h, steps, 1e-3);
    const Geometry g = held_where(moved(square(points), {0, above, 0}),
                                  [](const Vec3& p) { return p[0] > 0.499; });
    add_cloth(s, g, cotton, 1, 0.0608, mu);
    pull(s, g, speed, h, 11);
    const Stuff stuff{1e8, 2000, 0.4, mu};
    const double y = 2 * above;
    add_solid(s, tet_geometry(tet_block({1, 1, 1}, {0.14, y, -0.06}, {0.26, y + 0.12, 0.06})),
              stuff);
    const TetShape tet{
        {{-0.35, y, -0.3}, {-0.2, y, -0.3}, {-0.275, y, -0.17}, {-0.275, y + 0.12, -0.257}},
        {{0, 2, 1, 3}}};
    add_solid(s, tet_geometry(tet), stuff);
    // A cylinder: a square section pushed onto a disc.
    const TetShape cylinder = tet_grid({4, 2, 4},
                                       [&](const Vec3& p) -> Vec3 {
                                           Vec2 c(0.5 * p[0] - 1, 0.5 * p[2] - 1);
                                           if (c.norm() > 0)
                                               c *= 0.06 * c.lpNorm<Eigen::Infinity>() / c.norm();
                                           return {c[0] - 0.28, y + 0.06 * p[1], c[1] + 0.05};
                                       },
                                       {false, true});
    add_solid(s, tet_geometry(cylinder), stuff);
    const Mat3 flat = Eigen::AngleAxisd(-M_PI / 2, Vec3::UnitX()).toRotationMatrix();
    add_solid(
        s, moved(turned(tet_geometry(tet_ring(0.07, 0.025, 12, 2)), flat), {-0.27, y + 0.025, 0.3}),
        stuff);
    add_collider(s, box_geometry({-0.5, -0.04, -0.5}, {0.5, 0, 0.5}), mu);
    return s;
}

SessionSetup card_stack_scene(int cards, int cells, int steps)
{
    SessionSetup s = empty_scene(0.02, steps, 0.2e-3);
    for (int i = 0; i < cards; ++i) {
        const Geometry card =
            cloth_grid(cells, (cells * 88) / 63, 0.063, 0.088, GridCells::alternating_triangles);
        const Mat3 turn =
            Eigen::AngleAxisd(0.02 * std::sin(2.0 * i), Vec3::UnitY()).toRotationMatrix();
        add_cloth(s, moved(turned(card, turn), {1e-3 * std::sin(1.3 * i), 1e-3 * (i + 1), 0}),
                  paper, 1, 0, 0.02);
        s.cloths.back().cloth.set("thickness", 0.1e-3);
    }
    add_collider(s, floor_geometry(0.4), 0.1);
    return s;
}

} // namespace selvage
