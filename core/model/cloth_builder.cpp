#include "core/model/cloth_builder.h"

#include "core/base/error.h"
#include "core/energy/stvk_membrane.h"
#include "core/geometry/triangulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace selvage
{
namespace
{

Vec3 at(const VecX& x, int point) { return x.segment<3>(3 * point); }

VecX rest_positions(const std::string& name, const Geometry& geometry, const VecX* x_rest,
                    RestFrom from)
{
    if (from == RestFrom::geometry || from == RestFrom::pattern) return geometry.positions();
    if (from == RestFrom::automatic && x_rest) return *x_rest;
    const Attribute* rest = geometry.find(Owner::point, "rest");
    if (rest && rest->tuple_size >= 3 && is_real(rest->storage)) return geometry.vectors("rest");
    if (from == RestFrom::attribute)
        throw InputError(fmt::format(
            "Cloth '{}': rest.from is \"attribute\", but the geometry has no point attribute "
            "'rest' of three numbers. Add one (Rest Position SOP) or choose another source.",
            name));
    return geometry.positions();
}

void require_area(const Cloth& cloth)
{
    for (std::size_t i = 0; i < cloth.mesh.triangles.size(); ++i) {
        const Vec3i& p = cloth.mesh.triangles[i];
        const Vec3& l = cloth.rest.lengths[i];
        const double longest = l.maxCoeff();
        if (triangle_area(l) > 1e-8 * longest * longest) continue;
        throw InputError(fmt::format(
            "Cloth '{}': polygon {} has a triangle of zero rest area (points {}, {}, {}). "
            "Remove degenerate primitives (Clean SOP) or fuse its points.",
            cloth.name, cloth.triangle_primitive[i], p[0], p[1], p[2]));
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

std::vector<Vec2> weights_of(const Cloth& cloth)
{
    std::vector<Vec2> weights(cloth.mesh.triangles.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const Vec3i& t = cloth.mesh.triangles[i];
        weights[i] = warp_weights(at(cloth.x_rest, t[0]), at(cloth.x_rest, t[1]),
                                  at(cloth.x_rest, t[2]), cloth.warp[i]);
    }
    return weights;
}

/// Rest lengths and warp (along v) from the pattern's own coordinates.
void lay_out_pattern(const Geometry& geometry, const Triangulation& t, double scale, Cloth& cloth,
                     LogSink& log)
{
    const Attribute* uv = pattern_coordinates(geometry);
    if (!uv)
        throw InputError(fmt::format(
            "Cloth '{}': rest.from is \"pattern\", but the geometry has neither materialuv nor uv, "
            "per vertex or per point.",
            cloth.name));
    std::vector<std::array<Vec2, 3>> pattern(t.triangles.size());
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const Vec3i& corner = uv->owner == Owner::vertex ? t.vertices[i] : t.triangles[i];
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t c = std::size_t(corner[Eigen::Index(k)]);
            pattern[i][k] = scale * Vec2(uv->number(c, 0), uv->number(c, 1));
            if (!pattern[i][k].allFinite())
                throw InputError(fmt::format(
                    "Cloth '{}': polygon {} has a pattern coordinate that is not a number.",
                    cloth.name, t.primitive[i]));
        }
    }
    const RestShape in_space = std::move(cloth.rest);
    cloth.rest = rest_shape(cloth.mesh, pattern);
    require_area(cloth);
    double area = 0, area_in_space = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const auto p = [&](std::size_t k) { return Vec3(pattern[i][k][0], pattern[i][k][1], 0); };
        cloth.warp_weights[i] = warp_weights(p(0), p(1), p(2), Vec3(0, 1, 0));
        area += triangle_area(cloth.rest.lengths[i]);
        area_in_space += triangle_area(in_space.lengths[i]);
    }
    if (area > 2 * area_in_space || 2 * area < area_in_space)
        log.message(Severity::warning,
                    fmt::format("Cloth '{}': its pattern has {:.3g} m², the start pose {:.3g} m². "
                                "Pattern coordinates are metres; set rest.pattern_scale to about "
                                "{:.3g} if they are not.",
                                cloth.name, area, area_in_space,
                                scale * std::sqrt(area_in_space / area)));
}

/// A painted multiplier; ones where there is none.
VecX multiplier(const std::string& who, const Geometry& geometry, const char* attribute, double low,
                double high)
{
    const VecX map = point_numbers(who, geometry, attribute, low, high);
    return map.size() ? map : VecX::Ones(Eigen::Index(geometry.point_count()));
}

/// Polygons that lie on another one: both stretch, weigh and collide.
void warn_of_duplicates(const Cloth& cloth, LogSink& log)
{
    std::vector<std::pair<std::array<int, 3>, int>> corners; // sorted points, input polygon
    for (std::size_t i = 0; i < cloth.mesh.triangles.size(); ++i) {
        const Vec3i& t = cloth.mesh.triangles[i];
        std::array<int, 3> c = {t[0], t[1], t[2]};
        std::sort(c.begin(), c.end());
        corners.emplace_back(c, cloth.triangle_primitive[i]);
    }
    std::sort(corners.begin(), corners.end());
    int count = 0, first = -1, other = -1;
    for (std::size_t i = 1; i < corners.size(); ++i)
        if (corners[i].first == corners[i - 1].first && count++ == 0)
            other = corners[i - 1].second, first = corners[i].second;
    if (count > 0)
        log.message(Severity::warning,
                    fmt::format("Cloth '{}': {} triangles have the same points as another one "
                                "(first: polygons {} and {}). Delete the duplicates (Clean SOP).",
                                cloth.name, count, other, first));
}

/// Triangles so flat that rounding and Newton's method suffer.
void warn_of_slivers(const Cloth& cloth, LogSink& log)
{
    constexpr double flat = 1e-5; // height over longest edge
    int count = 0, first = -1;
    for (std::size_t i = 0; i < cloth.rest.lengths.size(); ++i) {
        const double longest = cloth.rest.lengths[i].maxCoeff();
        if (2 * triangle_area(cloth.rest.lengths[i]) < flat * longest * longest && count++ == 0)
            first = cloth.triangle_primitive[i];
    }
    if (count > 0)
        log.message(Severity::warning,
                    fmt::format("Cloth '{}': {} triangles at rest are slivers, less than 1e-5 of "
                                "their length high (first: polygon {}). Steps may not converge; "
                                "remesh there.",
                                cloth.name, count, first));
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
                 const ClothMaterial& material, LogSink& log, const RestChoice& choice)
{
    if (geometry.point_count() == 0)
        throw InputError(fmt::format("Cloth '{}': the geometry has no points. Export its polygons, "
                                     "or take it out of the shot.",
                                     name));
    const VecX x = geometry.positions();
    require_finite(x, fmt::format("Cloth '{}'", name));

    Cloth cloth;
    cloth.name = name;
    cloth.material = material;
    cloth.x_rest = rest_positions(name, geometry, x_rest, choice.from);
    if (cloth.x_rest.size() != x.size())
        throw InputError(fmt::format(
            "Cloth '{}': the rest shape has {} points, the geometry {}. They must be the "
            "same points.",
            name, cloth.x_rest.size() / 3, x.size() / 3));
    require_finite(cloth.x_rest, fmt::format("Cloth '{}', rest shape", name));

    const Triangulation t = triangulate(geometry, cloth.x_rest);
    if (t.triangles.empty())
        throw InputError(fmt::format(
            "Cloth '{}': the geometry has no closed polygons. Cloth needs triangles, quads or "
            "n-gons; open curves are hair.",
            name));
    cloth.triangle_primitive.assign(t.primitive.begin(), t.primitive.end());
    cloth.mesh = mesh_topology(t.triangles);
    cloth.rest = rest_shape(cloth.mesh, cloth.x_rest);
    require_area(cloth);
    cloth.warp = warp_directions(geometry, t, cloth.x_rest);
    cloth.warp_weights = weights_of(cloth);
    if (choice.from == RestFrom::pattern)
        lay_out_pattern(geometry, t, choice.pattern_scale, cloth, log);
    const std::string who = fmt::format("Cloth '{}'", name);
    cloth.maps = ClothMaps(who, geometry);
    cloth.rest_blend = multiplier(who, geometry, "rest_blend", 0, 1);
    cloth.rest_scale = multiplier(who, geometry, "rest_scale", 1e-3, 1e3);
    warn_of_duplicates(cloth, log);
    warn_of_slivers(cloth, log);
    warn_of_seams(name, cloth.mesh, x, log);
    return cloth;
}

VecX cloth_mass(const Cloth& cloth, const Geometry& geometry)
{
    VecX mass = VecX::Zero(cloth.point_count());
    const VecX density = cloth.at_points(&ClothMaterial::density);
    for (std::size_t k = 0; k < cloth.mesh.triangles.size(); ++k) {
        const Vec3i& t = cloth.mesh.triangles[k];
        const double third = triangle_area(cloth.rest.lengths[k]) / 3;
        for (const int p : t) mass[p] += third * density[p];
    }
    use_point_masses(fmt::format("Cloth '{}'", cloth.name), geometry, mass);
    return mass;
}

void use_point_masses(const std::string& who, const Geometry& geometry, VecX& mass)
{
    const Attribute* given = geometry.find(Owner::point, "mass");
    if (!given || is_text(given->storage) || given->is_array) return;
    for (Eigen::Index i = 0; i < mass.size(); ++i) {
        const double m = given->number(std::size_t(i));
        if (!(m >= 0) || !std::isfinite(m))
            throw InputError(fmt::format(
                "{}: point {} has mass {}. Masses are positive; 0 pins the point.", who, i, m));
        if (m > 0) mass[i] = m;
    }
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
