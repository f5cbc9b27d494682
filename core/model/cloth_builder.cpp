#include "core/model/cloth_builder.h"

#include "core/base/error.h"
#include "core/geometry/triangulate.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

Vec3 at(const VecX& x, int point) { return x.segment<3>(3 * point); }

VecX rest_positions(const Geometry& geometry, const VecX* x_rest)
{
    if (x_rest) return *x_rest;
    const Attribute* rest = geometry.find(Owner::point, "rest");
    return rest && rest->tuple_size >= 3 && is_real(rest->storage) ? geometry.vectors("rest")
                                                                   : geometry.positions();
}

void require_area(const std::string& name, const Triangulation& t, const VecX& x_rest)
{
    for (std::size_t i = 0; i < t.triangles.size(); ++i) {
        const Vec3i& p = t.triangles[i];
        const Vec3 a = at(x_rest, p[1]) - at(x_rest, p[0]), b = at(x_rest, p[2]) - at(x_rest, p[0]);
        const double longest = std::max({a.norm(), b.norm(), (b - a).norm()});
        if (a.cross(b).norm() > 1e-10 * longest * longest) continue;
        throw InputError(fmt::format(
            "Cloth '{}': polygon {} has a triangle of zero rest area (points {}, {}, {}). "
            "Remove degenerate primitives (Clean SOP) or fuse its points.",
            name, t.primitive[i], p[0], p[1], p[2]));
    }
}

/// ∂X/∂v in the rest triangle: a pattern is laid out with its grain, the warp, along v.
bool warp_from_uv(const Attribute& uv, const Vec3i& corner, const Vec3& e1, const Vec3& e2,
                  Vec3& warp)
{
    const auto uv_of = [&](int i) {
        return Vec2(uv.number(std::size_t(i), 0), uv.number(std::size_t(i), 1));
    };
    const Vec2 d1 = uv_of(corner[1]) - uv_of(corner[0]), d2 = uv_of(corner[2]) - uv_of(corner[0]);
    const double det = d1[0] * d2[1] - d2[0] * d1[1];
    if (std::abs(det) <= 1e-12 * std::max(d1.squaredNorm(), d2.squaredNorm())) return false;
    warp = (e2 * d1[0] - e1 * d2[0]) / det;
    return warp.norm() > 0;
}

const Attribute* pattern_coordinates(const Geometry& geometry)
{
    for (const char* name : {"materialuv", "uv"})
        for (const Owner owner : {Owner::vertex, Owner::point})
            if (const Attribute* a = geometry.find(owner, name);
                a && a->tuple_size >= 2 && is_real(a->storage) && !a->is_array)
                return a;
    return nullptr;
}

/// Without a pattern the warp runs along the object's vertical, or along X where that is normal to
/// the triangle.
Vec3 upright_warp(const Vec3& normal)
{
    for (const Vec3& axis : {Vec3(0, 1, 0), Vec3(1, 0, 0)}) {
        const Vec3 in_plane = axis - axis.dot(normal) * normal;
        if (in_plane.norm() > 0.1) return in_plane.normalized();
    }
    return normal.unitOrthogonal();
}

std::vector<Vec3> warp_directions(const Geometry& geometry, const Triangulation& t,
                                  const VecX& x_rest)
{
    const Attribute* uv = pattern_coordinates(geometry);
    std::vector<Vec3> warp(t.triangles.size());
    for (std::size_t i = 0; i < warp.size(); ++i) {
        const Vec3i& p = t.triangles[i];
        const Vec3 e1 = at(x_rest, p[1]) - at(x_rest, p[0]),
                   e2 = at(x_rest, p[2]) - at(x_rest, p[0]);
        const Vec3i corner = uv && uv->owner == Owner::vertex ? t.vertices[i] : p;
        if (!uv || !warp_from_uv(*uv, corner, e1, e2, warp[i]))
            warp[i] = upright_warp(e1.cross(e2).normalized());
        warp[i].normalize();
    }
    return warp;
}

void warn_of_seams(const std::string& name, const MeshTopology& mesh, const VecX& x, LogSink& log)
{
    if (!mesh.nonmanifold_edges.empty())
        log.message(
            Severity::warning,
            fmt::format(
                "Cloth '{}': {} edges have three or more polygons (first: points {}, {}); they "
                "stretch but do not bend.",
                name, mesh.nonmanifold_edges.size(), mesh.nonmanifold_edges[0][0],
                mesh.nonmanifold_edges[0][1]));
    const double size = x.size() ? (x.reshaped(3, x.size() / 3).rowwise().maxCoeff() -
                                    x.reshaped(3, x.size() / 3).rowwise().minCoeff())
                                       .norm()
                                 : 0;
    const SeamReport seams = find_open_seams(mesh, x, 1e-6 * size);
    if (!seams.coincident_points.empty())
        log.message(
            Severity::warning,
            fmt::format(
                "Cloth '{}': {} pairs of border points lie on each other but are not connected "
                "(first: {}, {}). Fuse them if the seam should hold.",
                name, seams.coincident_points.size(), seams.coincident_points[0][0],
                seams.coincident_points[0][1]));
    if (!seams.t_junctions.empty())
        log.message(
            Severity::warning,
            fmt::format(
                "Cloth '{}': {} T-junctions: border point {} lies inside the edge ({}, {}) without "
                "being connected to it. Divide the neighbouring polygon there.",
                name, seams.t_junctions.size(), seams.t_junctions[0][0], seams.t_junctions[0][1],
                seams.t_junctions[0][2]));
    if (size > 50)
        log.message(Severity::warning,
                    fmt::format("Cloth '{}' is {:.0f} m across: units are metres. Scale the scene "
                                "by 0.01 if it was modelled in centimetres.",
                                name, size));
}

} // namespace

void require_finite(const VecX& x, const std::string& what)
{
    for (Eigen::Index i = 0; i < x.size(); ++i)
        if (!std::isfinite(x[i]))
            throw InputError(fmt::format(
                "{}: point {} has the position ({}, {}, {}), which is not a number. Repair or "
                "delete that point.",
                what, i / 3, x[i / 3 * 3], x[i / 3 * 3 + 1], x[i / 3 * 3 + 2]));
}

Cloth make_cloth(const std::string& name, const Geometry& geometry, const VecX* x_rest,
                 const ClothMaterial& material, LogSink& log)
{
    if (geometry.point_count() == 0)
        throw InputError(fmt::format("Cloth '{}': the geometry has no points.", name));
    const VecX x = geometry.positions();
    require_finite(x, fmt::format("Cloth '{}'", name));

    Cloth cloth;
    cloth.name = name;
    cloth.material = material;
    cloth.x_rest = rest_positions(geometry, x_rest);
    if (cloth.x_rest.size() != x.size())
        throw InputError(fmt::format(
            "Cloth '{}': the rest shape has {} points, the geometry {}. They must be the "
            "same points.",
            name, cloth.x_rest.size() / 3, x.size() / 3));
    require_finite(cloth.x_rest, fmt::format("Cloth '{}', rest shape", name));

    Triangulation t = triangulate(geometry, cloth.x_rest);
    if (t.triangles.empty())
        throw InputError(fmt::format(
            "Cloth '{}': the geometry has no closed polygons. Cloth needs triangles, quads or "
            "n-gons; open curves are hair.",
            name));
    require_area(name, t, cloth.x_rest);
    cloth.warp = warp_directions(geometry, t, cloth.x_rest);
    cloth.triangle_primitive.assign(t.primitive.begin(), t.primitive.end());
    cloth.mesh = mesh_topology(std::move(t.triangles));
    cloth.stretch_scale = VecX::Ones(cloth.point_count());
    cloth.bend_scale = VecX::Ones(cloth.point_count());
    warn_of_seams(name, cloth.mesh, x, log);
    return cloth;
}

VecX cloth_mass(const Cloth& cloth, const Geometry& geometry)
{
    VecX mass = VecX::Zero(cloth.point_count());
    for (const Vec3i& t : cloth.mesh.triangles) {
        const Vec3 a = at(cloth.x_rest, t[1]) - at(cloth.x_rest, t[0]),
                   b = at(cloth.x_rest, t[2]) - at(cloth.x_rest, t[0]);
        const double third = cloth.material.density * a.cross(b).norm() / 6;
        for (int i = 0; i < 3; ++i) mass[t[i]] += third;
    }
    const Attribute* given = geometry.find(Owner::point, "mass");
    if (!given || is_text(given->storage) || given->is_array) return mass;
    for (Eigen::Index i = 0; i < mass.size(); ++i) {
        const double m = given->number(std::size_t(i));
        if (!(m >= 0) || !std::isfinite(m))
            throw InputError(fmt::format(
                "Cloth '{}': point {} has mass {}. Masses are positive; 0 pins the point.",
                cloth.name, i, m));
        if (m > 0) mass[i] = m; // 0 pins it (see pins); its own weight then does not matter
    }
    return mass;
}

std::vector<int> loose_points(const Cloth& cloth)
{
    std::vector<std::uint8_t> used(std::size_t(cloth.point_count()), 0);
    for (const Vec3i& t : cloth.mesh.triangles)
        for (int i = 0; i < 3; ++i) used[std::size_t(t[i])] = 1;
    std::vector<int> loose;
    for (int p = 0; p < cloth.point_count(); ++p)
        if (!used[std::size_t(p)]) loose.push_back(p);
    return loose;
}

} // namespace selvage
