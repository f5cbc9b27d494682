// Scenes of elastic solids: unit scenes, chain, twisted rods.
#include "core/bench/contact_scenes.h"
#include "core/bench/scene_parts.h"

#include <Eigen/Geometry>

#include <cmath>

namespace selvage
{
namespace
{

constexpr double unit_gap = 1e-3; // [m] for bodies about 1 m large

Geometry single_tets(std::vector<Vec3> points, std::vector<Vec4i> tets)
{
    TetShape s{std::move(points), std::move(tets)};
    for (Vec4i& t : s.tets) {
        const auto at = [&](int i) { return s.points[std::size_t(t[i])]; };
        if ((at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0)) < 0) std::swap(t[2], t[3]);
    }
    return tet_geometry(s);
}

Geometry cube(double edge)
{
    return tet_geometry(
        tet_block({1, 1, 1}, {-edge / 2, 0, -edge / 2}, {edge / 2, edge, edge / 2}));
}

/// Points downwards with its tip at the origin; `up`: the other way, on its base at −height.
Geometry spike(double width, double height, bool up = false)
{
    const double w = 0.5 * width, y = up ? -height : height;
    return single_tets({{0, 0, 0}, {-w, y, -w}, {w, y, -w}, {w, y, w}, {-w, y, w}},
                       {{0, 1, 2, 3}, {0, 1, 3, 4}});
}

/// A prism with an edge of `length` along z through the origin at its lower or upper side.
Geometry wedge(double width, double height, double length, bool up = false)
{
    const double w = 0.5 * width, l = 0.5 * length, y = up ? -height : height;
    return single_tets({{0, 0, -l}, {-w, y, -l}, {w, y, -l}, {0, 0, l}, {-w, y, l}, {w, y, l}},
                       {{0, 1, 2, 5}, {0, 1, 5, 4}, {0, 4, 5, 3}});
}

/// A regular tetrahedron with an edge of about 1 m on its base at y = 0, or standing on its tip.
Geometry tetrahedron(bool on_tip)
{
    const double r = 0.577, y = 0.816;
    std::vector<Vec3> points = {{0, y, 0}};
    for (int i = 0; i < 3; ++i)
        points.emplace_back(r * std::sin(i * 2 * M_PI / 3), 0, r * std::cos(i * 2 * M_PI / 3));
    if (on_tip)
        for (Vec3& p : points) p[1] = y - p[1];
    return single_tets(points, {{0, 1, 2, 3}});
}

/// A floor with a groove of the given half-width and depth along z.
Geometry crack(double half_width, double depth)
{
    const double a = 2, w = half_width;
    return triangle_geometry(
        {{-a, 0, -a},
         {-a, 0, a},
         {-w, 0, -a},
         {-w, 0, a},
         {0, -depth, -a},
         {0, -depth, a},
         {w, 0, -a},
         {w, 0, a},
         {a, 0, -a},
         {a, 0, a}},
        {{0, 1, 3}, {0, 3, 2}, {2, 3, 5}, {2, 5, 4}, {4, 5, 7}, {4, 7, 6}, {6, 7, 9}, {6, 9, 8}});
}

/// A floor with a pyramid-shaped hole.
Geometry hole(double half_width, double depth)
{
    const double a = 2, w = half_width;
    std::vector<Vec3> points = {{0, -depth, 0}};
    for (const double r : {w, a})
        for (const auto& [x, z] : {std::pair(-1, -1), {-1, 1}, {1, 1}, {1, -1}})
            points.emplace_back(r * x, 0, r * z);
    std::vector<Vec3i> triangles;
    for (int i = 0; i < 4; ++i) {
        const int j = (i + 1) % 4;
        triangles.emplace_back(0, 1 + i, 1 + j);
        triangles.emplace_back(1 + i, 5 + i, 5 + j);
        triangles.emplace_back(1 + i, 5 + j, 1 + j);
    }
    return triangle_geometry(points, triangles);
}

/// A step: y = 0 for x < 0, y = −1 beyond.
Geometry cliff()
{
    const double a = 2;
    return triangle_geometry({{-a, 0, -a},
                              {-a, 0, a},
                              {0, 0, -a},
                              {0, 0, a},
                              {0, -1, -a},
                              {0, -1, a},
                              {a, -1, -a},
                              {a, -1, a}},
                             {{0, 1, 3}, {0, 3, 2}, {2, 3, 5}, {2, 5, 4}, {4, 5, 7}, {4, 7, 6}});
}

/// A floor whose edges lie exactly under those of a cube of the given edge.
Geometry tiled_floor(double edge)
{
    std::vector<Vec3> points;
    std::vector<Vec3i> triangles;
    for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i) points.emplace_back((i + 0.5) * edge, 0, (j + 0.5) * edge);
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i) {
            const int a = 5 * j + i;
            triangles.emplace_back(a, a + 5, a + 6);
            triangles.emplace_back(a, a + 6, a + 1);
        }
    return triangle_geometry(points, triangles);
}

/// A body by its surface alone, as a collider.
Geometry surface_of(const Geometry& solid)
{
    Geometry g;
    g.set_point_count(solid.point_count());
    g.set_positions(solid.positions());
    for (const Primitive& p : solid.primitives())
        if (p.count == 3) {
            std::vector<int> points;
            for (std::int64_t i = 0; i < 3; ++i)
                points.push_back(solid.vertex_point()[std::size_t(
                    solid.primitive_vertices()[std::size_t(p.first + i)])]);
            g.add_polygon(points);
        }
    return g;
}

/// One body above the others and a floor.
NamedScene dropped(const std::string& name, double h, int steps,
                   const std::vector<Geometry>& bodies, const std::vector<Geometry>& fixed,
                   const Stuff& stuff = {})
{
    NamedScene s{name, empty_scene(h, steps, unit_gap)};
    for (const Geometry& g : bodies) add_solid(s.setup, g, stuff);
    for (const Geometry& g : fixed) add_collider(s.setup, g);
    return s;
}

} // namespace

std::vector<NamedScene> aligned_scenes(double h, int steps)
{
    const Geometry floor = floor_geometry(8);
    const double rest = 0.01; // above the floor
    std::vector<Geometry> stack;
    for (int i = 0; i < 5; ++i) stack.push_back(moved(cube(1), {0, rest + 1.01 * i, 0}));
    const auto up = [&](Geometry g, double y) { return moved(std::move(g), {0, y, 0}); };
    return {
        dropped("tip on tip", h, steps,
                {up(tetrahedron(false), rest), up(tetrahedron(true), rest + 0.86)}, {floor}),
        dropped("edge on parallel edge", h, steps,
                {up(wedge(1, 0.6, 1, true), 0.6 + rest), up(wedge(1, 0.6, 1), 0.65 + rest)},
                {floor}),
        dropped("face on face", h, steps, {up(cube(1), rest), up(tetrahedron(false), 1 + 2 * rest)},
                {floor}),
        // Softer ones sink to half their size under the others, and a frictionless column buckles.
        dropped("five cubes", h, steps, stack, {floor}, {1e7}),
        dropped("five soft cubes", h, steps, stack, {floor}),
    };
}

std::vector<NamedScene> slot_scenes(double h, int steps)
{
    const double edge = 0.1, clearance = 0.5e-6;
    const auto scene = [&](const std::string& name, const Geometry& body) {
        NamedScene s{name, empty_scene(h, steps, 1e-7)};
        Geometry g = moved(body, {0, 0.11, 0});
        add_solid(s.setup, std::move(g), {1e6});
        const double w = 0.5 * edge + clearance;
        add_collider(s.setup, box_geometry({-0.3, 0, -0.3}, {-w, 0.1, 0.3}));
        add_collider(s.setup, box_geometry({w, 0, -0.3}, {0.3, 0.1, 0.3}));
        add_collider(s.setup, moved(floor_geometry(2), {0, -1e-3, 0}));
        return s;
    };
    const double a = 0.5 * edge;
    return {
        scene("tetrahedron in a slot",
              single_tets({{-a, edge, 0}, {a, edge, 0}, {0, 0, -a}, {0, 0, a}}, {{0, 1, 2, 3}})),
        scene("cube in a slot", cube(edge))};
}

std::vector<NamedScene> degenerate_scenes(double h, int steps)
{
    const double edge = 0.5, above = 0.03;
    const auto up = [&](Geometry g) { return moved(std::move(g), {0, above, 0}); };
    const Geometry spike_up = surface_of(spike(0.5, 0.5, true)),
                   wedge_up = surface_of(wedge(0.5, 0.5, 1, true));
    const Geometry ground = moved(floor_geometry(8), {0, -0.501, 0}), plane = floor_geometry(8);
    const Geometry falling_spike = up(spike(0.4, 0.5)), falling_wedge = up(wedge(0.4, 0.5, 0.5));
    const auto scene = [&](const char* name, const Geometry& body, std::vector<Geometry> on) {
        return dropped(name, h, steps, {body}, on);
    };
    return {
        scene("spike on spike", falling_spike, {spike_up, ground}),
        scene("spike on wedge", falling_spike, {wedge_up, ground}),
        scene("spike on plane", falling_spike, {plane}),
        scene("spike in hole", falling_spike, {hole(0.3, 0.6)}),
        scene("spike in crack", falling_spike, {crack(0.3, 0.6)}),
        scene("wedge on wedge", falling_wedge, {wedge_up, ground}),
        scene("wedge on plane", falling_wedge, {plane}),
        scene("wedge in crack", falling_wedge, {crack(0.3, 0.6)}),
        scene("cube on cliff", up(cube(edge)), {cliff()}),
        scene("cube on internal edges", thrown(up(cube(edge)), {0.5, 0, 0}), {tiled_floor(edge)}),
    };
}

SessionSetup thrown_ball_scene(double speed, int cells)
{
    SessionSetup s = empty_scene(0.02, 8, 1e-4);
    s.shot.set("gravity", Vec3(0, 0, 0));
    add_solid(
        s, thrown(moved(tet_geometry(tet_ball(0.05, cells)), {0.003, 0.06, 0.002}), {0, -speed, 0}),
        {1e6});
    add_collider(s, box_geometry({-0.5, -0.02, -0.5}, {0.5, 0, 0.5}));
    return s;
}

SessionSetup ratio_scene(int steps)
{
    SessionSetup s = empty_scene(0.01, steps, 1e-3);
    const auto block = [](const Vec3i& cells, const Vec3& lower, const Vec3& upper) {
        return tet_geometry(tet_block(cells, lower, upper));
    };
    const double g = 2e-3, mu = 0.5;
    for (const double x : {-0.25, 0.15})
        add_solid(s, block({1, 1, 2}, {x, g, -0.2}, {x + 0.1, 0.1 + g, 0.2}), {1e8, 1000, 0.4, mu});
    add_solid(s, block({6, 1, 4}, {-0.3, 0.1 + 2 * g, -0.2}, {0.3, 0.14 + 2 * g, 0.2}),
              {1e4, 1000, 0.4, mu});
    add_solid(s, block({4, 1, 4}, {-0.2, 0.14 + 3 * g, -0.15}, {0.2, 0.17 + 3 * g, 0.15}),
              {1e6, 1000, 0.4, mu});
    add_solid(s, moved(tet_geometry(tet_ball(0.08, 4)), {0, 0.25 + 4 * g, 0}),
              {1e8, 2000, 0.4, mu});
    add_solid(s, block({2, 2, 2}, {0.6, g, -0.05}, {0.7, 0.1 + g, 0.05}), {1e6, 1000, 0.4, mu});
    add_solid(s, block({2, 2, 2}, {0.5, 0.1 + 2 * g, -0.15}, {0.8, 0.4 + 2 * g, 0.15}),
              {1e8, 10000, 0.4, mu});
    add_collider(s, floor_geometry(4), mu);
    return s;
}

std::vector<NamedScene> miniature_scenes(double h, int steps)
{
    const double speed = 1, gap = 1e-4, edge = 0.1;
    const double apart = gap + 2.5 * speed * h;
    const auto small = [&](Geometry g) { // a tenth of the size
        VecX x = g.positions();
        g.set_positions(0.1 * x);
        return g;
    };
    const auto falling = [&](Geometry g, double height) {
        return thrown(moved(std::move(g), {0, height + apart, 0}), {0, -speed, 0});
    };
    const auto scene = [&](const std::string& name, std::vector<Geometry> bodies,
                           std::vector<Geometry> on) {
        NamedScene s = dropped(name, h, steps, bodies, on, {1e6});
        s.setup.collision.set("gap", gap);
        s.setup.shot.set("gravity", Vec3(0, 0, 0));
        return s;
    };
    const Geometry tip_down = small(tetrahedron(true)), base_down = small(tetrahedron(false));
    const Geometry block = cube(edge), floor = floor_geometry(1);
    const Geometry ridge = wedge(0.05, 0.05, 0.1), along = wedge(0.05, 0.05, 0.1, true);
    const Mat3 quarter = Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY()).toRotationMatrix(),
               eighth = Eigen::AngleAxisd(M_PI / 4, Vec3::UnitY()).toRotationMatrix();
    const Geometry across = turned(along, quarter);
    // Bodies that hang above each other, a little farther apart than they push.
    const double layer = edge + 1.5 * gap;
    std::vector<Geometry> column = {falling(block, 3 * layer + edge)},
                          pyramid = {falling(block, edge)};
    for (int i = 0; i < 4; ++i) {
        column.push_back(moved(block, {0, i * layer, 0}));
        pyramid.push_back(moved(block, 0.5 * layer * Vec3(i % 2 ? 1 : -1, 0, i / 2 ? 1 : -1)));
    }
    return {
        scene("point on fixed triangle", {falling(tip_down, 0)}, {floor}),
        scene("point on triangle", {falling(moved(tip_down, {0.01, 0, 0.03}), edge), block}, {}),
        scene("triangle on fixed point", {falling(base_down, 0.0816)}, {surface_of(base_down)}),
        scene("triangle on point", {falling(base_down, 0.0816), base_down}, {}),
        scene("edge on fixed edge", {falling(ridge, 0)}, {surface_of(across)}),
        scene("edge on edge", {falling(ridge, 0), across}, {}),
        scene("edge on fixed parallel edge", {falling(ridge, 0)}, {surface_of(along)}),
        scene("edge on parallel edge", {falling(ridge, 0), along}, {}),
        scene("point on point", {falling(tip_down, 0.0816), base_down}, {}),
        scene("point on fixed point", {falling(tip_down, 0.0816)}, {surface_of(base_down)}),
        scene("tetrahedron on cube", {falling(base_down, edge), block}, {}),
        scene("cube on fixed cube", {falling(block, edge)}, {surface_of(block)}),
        scene("cube on cube", {falling(block, edge), block}, {}),
        scene("cube on turned cube", {falling(turned(block, eighth), edge), block}, {}),
        scene("cube on column of four", column, {}),
        scene("cube on four", pyramid, {}),
    };
}

SessionSetup chain_scene(int links, int around, int across, double h, int steps)
{
    SessionSetup s = empty_scene(h, steps, 1e-3);
    const double radius = 0.05, section = 0.014, spacing = 2 * (radius - section) - 3e-3;
    const Geometry ring = tet_geometry(tet_ring(radius, section, around, across));
    const Mat3 quarter = Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY()).toRotationMatrix();
    for (int i = 0; i < links; ++i) {
        Geometry link = moved(i % 2 == 0 ? ring : turned(ring, quarter), {0, -spacing * i, 0});
        if (i == 0) link = held_where(std::move(link), [](const Vec3& p) { return p[1] > 0.02; });
        add_solid(s, std::move(link), {1e7, 500});
    }
    return s;
}

SessionSetup twisted_rods_scene(int cells, double h, int steps)
{
    SessionSetup s = empty_scene(h, steps, 1e-3);
    s.shot.set("gravity", Vec3(0, 0, 0));
    const double length = 1, half = 0.03, offset = 0.035;
    for (int k = 0; k < 4; ++k) {
        const Vec3 centre(0, k % 2 ? offset : -offset, k / 2 ? offset : -offset);
        const TetShape rod = tet_block({cells, 1, 1}, centre - Vec3(0, half, half),
                                       centre + Vec3(length, half, half));
        const Geometry g = held_where(
            tet_geometry(rod), [&](const Vec3& p) { return p[0] < 1e-6 || p[0] > length - 1e-6; });
        add_solid(s, g, {1e4});
        s.solids.back().pin_target = std::make_shared<MovingSource>([g, h](double frame) {
            const double angle = 72 * M_PI / 180 * h * (frame - 1);
            VecX x = g.positions();
            for (Eigen::Index i = 0; i < x.size(); i += 3) {
                const Vec3 p = x.segment<3>(i);
                const double a = p[0] < 0.5 ? angle : -angle;
                x.segment<3>(i) = Eigen::AngleAxisd(a, Vec3::UnitX()) * p;
            }
            Geometry there = g;
            there.set_positions(x);
            return there;
        });
    }
    return s;
}

} // namespace selvage
