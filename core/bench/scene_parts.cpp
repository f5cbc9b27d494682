#include "core/bench/scene_parts.h"

#include "core/geometry/tet_boundary.h"

namespace selvage
{

SessionSetup empty_scene(double h, int steps, double gap)
{
    SessionSetup s;
    s.shot.set("frames", Vec3(1, 1 + steps, 0));
    s.shot.set("fps", 1 / h);
    s.shot.set("substeps", 1.0);
    s.shot.set("air_density", 0.0);
    s.collision.set("gap", gap);
    s.collision.set("on_intersection", std::string("error"));
    return s;
}

SolidSetup& add_solid(SessionSetup& scene, Geometry geometry, const Stuff& stuff)
{
    SolidSetup s;
    const std::string name = "solid " + std::to_string(scene.solids.size());
    s.solid.set("name", name);
    s.solid.set("model", std::string("neo_hookean"));
    s.solid.set("young", stuff.young);
    s.solid.set("density", stuff.density);
    s.solid.set("poisson", stuff.poisson);
    s.solid.set("friction", stuff.friction);
    s.solid.set("damping", 0.0);
    if (geometry.find_group(Owner::point, "held")) s.pins.set("group", std::string("held"));
    s.geometry = std::make_shared<StaticSource>(std::move(geometry), name);
    scene.solids.push_back(std::move(s));
    return scene.solids.back();
}

namespace
{
ColliderSetup& add_collider(SessionSetup& scene, std::shared_ptr<GeometrySource> source,
                            double friction)
{
    ColliderSetup c;
    c.collider.set("name", "collider " + std::to_string(scene.colliders.size()));
    c.collider.set("thickness", 0.0);
    c.collider.set("friction", friction);
    c.geometry = std::move(source);
    scene.colliders.push_back(std::move(c));
    return scene.colliders.back();
}
} // namespace

ColliderSetup& add_collider(SessionSetup& scene, Geometry geometry, double friction)
{
    return add_collider(scene, std::make_shared<StaticSource>(std::move(geometry)), friction);
}

ColliderSetup& add_collider(SessionSetup& scene, std::function<Geometry(double)> geometry,
                            double friction)
{
    return add_collider(scene, std::make_shared<MovingSource>(std::move(geometry)), friction);
}

Geometry moved(Geometry g, const Vec3& by)
{
    VecX x = g.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) x.segment<3>(i) += by;
    g.set_positions(x);
    return g;
}

Geometry turned(Geometry g, const Mat3& rotation)
{
    VecX x = g.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) {
        const Vec3 p = x.segment<3>(i);
        x.segment<3>(i) = rotation * p;
    }
    g.set_positions(x);
    return g;
}

Geometry thrown(Geometry g, const Vec3& velocity)
{
    g.set_vectors("v", velocity.replicate(Eigen::Index(g.point_count()), 1));
    return g;
}

Geometry held_where(Geometry g, const std::function<bool(const Vec3&)>& inside)
{
    const VecX x = g.positions();
    Group held;
    held.name = "held";
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        held.member.push_back(inside(x.segment<3>(i)) ? 1 : 0);
    g.set_group(std::move(held));
    return g;
}

Geometry triangle_geometry(const std::vector<Vec3>& points, const std::vector<Vec3i>& triangles)
{
    Geometry g;
    g.set_point_count(points.size());
    VecX x(3 * Eigen::Index(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) x.segment<3>(3 * Eigen::Index(i)) = points[i];
    g.set_positions(x);
    for (const Vec3i& t : triangles) g.add_polygon({t[0], t[1], t[2]});
    return g;
}

Geometry floor_geometry(double size)
{
    const double a = 0.5 * size;
    return triangle_geometry({{-a, 0, a}, {a, 0, a}, {a, 0, -a}, {-a, 0, -a}},
                             {{0, 1, 2}, {0, 2, 3}});
}

Geometry box_geometry(const Vec3& lower, const Vec3& upper)
{
    const TetShape block = tet_block({1, 1, 1}, lower, upper);
    return triangle_geometry(block.points, tet_boundary(block.tets));
}

} // namespace selvage
