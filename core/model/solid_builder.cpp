#include "core/model/solid_builder.h"

#include "core/base/error.h"
#include "core/geometry/tet_boundary.h"
#include "core/model/cloth_builder.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <limits>

namespace selvage
{
namespace
{

Vec3 at(const VecX& x, int point) { return x.segment<3>(3 * point); }

double volume(const VecX& x, const Vec4i& t)
{
    const Vec3 p = at(x, t[0]);
    return (at(x, t[1]) - p).cross(at(x, t[2]) - p).dot(at(x, t[3]) - p) / 6;
}

double longest_edge(const VecX& x, const Vec4i& t)
{
    double longest = 0;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < i; ++j) longest = std::max(longest, (at(x, t[i]) - at(x, t[j])).norm());
    return longest;
}

/// Hosts number tetrahedra either way round.
void add_tet(Vec4i t, int primitive, Solid& solid)
{
    const double v = volume(solid.x_rest, t), l = longest_edge(solid.x_rest, t);
    if (!(std::abs(v) > 1e-10 * l * l * l))
        throw InputError(fmt::format(
            "Solid '{}': tetrahedron {} (points {}, {}, {}, {}) has no volume at rest. Remove "
            "degenerate primitives.",
            solid.name, primitive, t[0], t[1], t[2], t[3]));
    if (v < 0) std::swap(t[2], t[3]);
    solid.tets.push_back(t);
    solid.tet_primitive.push_back(primitive);
}

std::vector<Vec3> fibers_of(const Solid& solid, const Geometry& g)
{
    const Attribute* a = g.find(Owner::primitive, "fiber");
    if (!a) a = g.find(Owner::point, "fiber");
    if (!a || a->tuple_size < 3 || !is_real(a->storage) || a->is_array)
        throw InputError(
            fmt::format("Solid '{}': fiber_stiffness is set or painted, but the geometry has no "
                        "point or primitive "
                        "attribute 'fiber' of three numbers that says where fibres run.",
                        solid.name));
    const auto vector = [&](int i) {
        const std::size_t e = std::size_t(i);
        return Vec3(a->number(e, 0), a->number(e, 1), a->number(e, 2));
    };
    std::vector<Vec3> fibers;
    for (std::size_t k = 0; k < solid.tets.size(); ++k) {
        Vec3 f = Vec3::Zero();
        if (a->owner == Owner::primitive)
            f = vector(solid.tet_primitive[k]);
        else
            for (const int p : solid.tets[k]) f += vector(p);
        if (!(f.norm() > 0))
            throw InputError(
                fmt::format("Solid '{}': tetrahedron {} has no fibre direction ('fiber' is zero).",
                            solid.name, solid.tet_primitive[k]));
        fibers.push_back(f.normalized());
    }
    return fibers;
}

} // namespace

Solid make_solid(const std::string& name, const Geometry& geometry, const SolidMaterial& material,
                 LogSink& log)
{
    const std::string who = fmt::format("Solid '{}'", name);
    Solid solid;
    solid.name = name;
    solid.material = material;
    const Attribute* rest = geometry.find(Owner::point, "rest");
    solid.x_rest = rest && rest->tuple_size >= 3 && is_real(rest->storage)
                       ? geometry.vectors("rest")
                       : geometry.positions();
    require_finite(solid.x_rest, who);

    const auto& primitives = geometry.primitives();
    for (std::size_t i = 0; i < primitives.size(); ++i) {
        if (primitives[i].type != PrimitiveType::tetrahedron) continue;
        Vec4i t;
        for (int k = 0; k < 4; ++k) {
            const std::size_t entry = std::size_t(primitives[i].first + k);
            t[k] = geometry.vertex_point()[std::size_t(geometry.primitive_vertices()[entry])];
        }
        add_tet(t, int(i), solid);
    }
    if (solid.tets.empty())
        throw InputError(fmt::format("{}: the geometry has no tetrahedra. Fill the mesh first "
                                     "(Solid Conform, Tetrahedralize); surfaces are cloth.",
                                     who));
    solid.surface = mesh_topology(tet_boundary(solid.tets));
    if (!solid.surface.nonmanifold_edges.empty())
        log.message(Severity::warning,
                    fmt::format("{}: its surface touches itself at {} edges (first: points {}, "
                                "{}).",
                                who, solid.surface.nonmanifold_edges.size(),
                                solid.surface.nonmanifold_edges[0][0],
                                solid.surface.nonmanifold_edges[0][1]));
    solid.maps = SolidMaps(who, geometry);
    if (material.fiber_stiffness > 0 || solid.maps.paints({&SolidMaterial::fiber_stiffness}))
        solid.fibers = fibers_of(solid, geometry);
    return solid;
}

VecX solid_mass(const Solid& solid, const Geometry& geometry)
{
    VecX mass = VecX::Zero(solid.point_count());
    for (const Vec4i& t : solid.tets)
        for (const int p : t) mass[p] += solid.at(t).density * volume(solid.x_rest, t) / 4;
    use_point_masses(fmt::format("Solid '{}'", solid.name), geometry, mass);
    return mass;
}

std::vector<int> loose_points(const Solid& solid)
{
    std::vector<std::uint8_t> used(std::size_t(solid.point_count()), 0);
    for (const Vec4i& t : solid.tets)
        for (const int p : t) used[std::size_t(p)] = 1;
    std::vector<int> loose;
    for (int p = 0; p < solid.point_count(); ++p)
        if (!used[std::size_t(p)]) loose.push_back(p);
    return loose;
}

void require_positive_volumes(const Solid& solid, const VecX& x)
{
    if (solid.material.model != SolidModel::neo_hookean) return;
    for (std::size_t k = 0; k < solid.tets.size(); ++k)
        if (!(volume(x, solid.tets[k]) > 0))
            throw InputError(fmt::format(
                "Solid '{}': tetrahedron {} is inside out in the start pose, from which model "
                "\"neo_hookean\" cannot start. Repair it or use \"stable_neo_hookean\".",
                solid.name, solid.tet_primitive[k]));
}

} // namespace selvage
