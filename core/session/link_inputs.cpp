#include "core/session/link_inputs.h"

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/base/parallel.h"

#include <fmt/format.h>

#include <unordered_map>

namespace selvage
{
namespace
{

template <class Object>
std::size_t named(const std::vector<Object>& objects, const std::string& name,
                  const std::string& who, const char* kind)
{
    std::vector<std::string> known;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (objects[i].name == name) return i;
        known.push_back(objects[i].name);
    }
    const std::string nearest = nearest_name(name, known);
    throw InputError(fmt::format("{}there is no {} '{}'.{}", who, kind, name,
                                 nearest.empty() ? "" : " Did you mean '" + nearest + "'?"));
}

double thickest(const Scene& scene)
{
    double t = 0;
    for (const Cloth& c : scene.cloths) t = std::max(t, c.material.thickness);
    return t;
}

double room_between(const Scene& scene, double thickness_a, double thickness_b)
{
    if (!scene.collisions.enabled) return 0;
    return (thickness_a + thickness_b) / 2 + scene.collisions.gap / 2;
}

const Attribute* ids_of(const Geometry& g)
{
    const Attribute* id = g.find(Owner::point, "id");
    return id && is_integer(id->storage) && !id->is_array ? id : nullptr;
}

/// Vertices by id; empty where a cloth has none or one appears twice.
std::unordered_map<std::int64_t, int> vertices_by_id(const LinkInputs& in)
{
    std::unordered_map<std::int64_t, int> out;
    for (std::size_t c = 0; c < in.geometry.size(); ++c) {
        const Attribute* id = ids_of(*in.geometry[c]);
        if (!id) return {};
        for (std::size_t p = 0; p < in.geometry[c]->point_count(); ++p)
            if (!out.emplace(id->integer(p), in.scene.cloths[c].first_vertex + int(p)).second)
                return {};
    }
    return out;
}

int nearest_vertex(const VecX& x, const Vec3& to)
{
    const auto all = x.reshaped(3, x.size() / 3);
    Eigen::Index nearest = 0;
    (all.colwise() - to).colwise().squaredNorm().minCoeff(&nearest);
    return int(nearest);
}

} // namespace

std::size_t named_collider(const LinkInputs& in, const std::string& name, const std::string& who)
{
    return named(in.scene.colliders, name, who, "collider");
}

std::size_t named_cloth(const LinkInputs& in, const std::string& name, const std::string& who)
{
    return named(in.scene.cloths, name, who, "cloth");
}

std::vector<int> scene_vertices(const LinkInputs& in, const Geometry& constraints)
{
    const Attribute* id = ids_of(constraints);
    const auto by_id = id ? vertices_by_id(in) : std::unordered_map<std::int64_t, int>();
    const bool by_number = int(constraints.point_count()) == in.scene.vertex_count();
    const VecX at = constraints.positions();
    std::vector<int> vertex(constraints.point_count());
    parallel_for(vertex.size(), 64, [&](std::size_t p) {
        const auto found = by_id.empty() ? by_id.end() : by_id.find(id->integer(p));
        vertex[p] = found != by_id.end() ? found->second
                    : by_number          ? int(p)
                                         : nearest_vertex(in.x, at.segment<3>(3 * Eigen::Index(p)));
    });
    return vertex;
}

std::vector<int> primitive_vertices(const Geometry& constraints, std::size_t primitive,
                                    const std::vector<int>& vertex_of_point)
{
    const Primitive& p = constraints.primitives()[primitive];
    std::vector<int> out;
    for (std::int64_t i = p.first; i < p.first + p.count; ++i) {
        const std::int32_t v = constraints.primitive_vertices()[std::size_t(i)];
        const std::int32_t point = constraints.vertex_point()[std::size_t(v)];
        out.push_back(vertex_of_point[std::size_t(point)]);
    }
    return out;
}

double limit_of(const ParameterSet& p, const char* name)
{
    return p.has(name) ? p.real(name) : infinity;
}

double room_between_layers(const Scene& scene)
{
    const double t = thickest(scene);
    return room_between(scene, t, t);
}

double room_above_collider(const Scene& scene, int collider)
{
    return room_between(scene, thickest(scene), scene.colliders[std::size_t(collider)].thickness);
}

} // namespace selvage
