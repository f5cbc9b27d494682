#include "core/session/contact_view.h"

#include "core/contact/contact_problem.h"
#include "core/model/scene_contact.h"

#include <cmath>

namespace selvage
{
namespace
{

double norm(const Vec3T<double>& a) { return std::sqrt(dot(a, a)); }

double distance(StencilKind kind, const std::array<std::int32_t, 4>& v, const VecX& x)
{
    const auto at = [&](std::size_t k) -> Vec3T<double> {
        const Eigen::Index i = 3 * Eigen::Index(v[k]);
        return {x[i], x[i + 1], x[i + 2]};
    };
    if (kind == StencilKind::point_point) return norm(at(0) - at(1));
    if (kind == StencilKind::point_edge) {
        const Vec3T<double> p[3] = {at(0), at(1), at(2)};
        return norm(point_edge_separation(p));
    }
    const Vec3T<double> p[4] = {at(0), at(1), at(2), at(3)};
    return norm(kind == StencilKind::point_triangle ? point_triangle_separation(p)
                                                    : edge_edge_separation(p));
}

} // namespace

VecX vertex_gaps(const Scene& scene, const State& state)
{
    VecX gap = VecX::Constant(scene.vertex_count(), infinity);
    if (!scene.collisions.enabled) return gap;
    ContactSettings settings;
    settings.activation = scene.collisions.gap;
    ContactProblem problem(scene_contact_mesh(scene), settings);
    problem.set_filter(scene.collisions.filter);
    VecX colliders = state.colliders;
    if (colliders.size() == 0) {
        std::vector<VecX> start;
        for (const Collider& c : scene.colliders) start.push_back(c.x_start);
        colliders = stacked_colliders(start);
    }
    problem.begin_step(state.x, 1, colliders, colliders);
    problem.update(state.x);
    VecX all(state.x.size() + colliders.size());
    all << state.x, colliders;
    const auto add = [&](StencilKind kind, const std::array<std::int32_t, 4>& v, double thickness) {
        const double d = distance(kind, v, all) - thickness;
        for (int k = 0; k < arity(kind); ++k)
            if (v[std::size_t(k)] < scene.vertex_count())
                gap[v[std::size_t(k)]] = std::min(gap[v[std::size_t(k)]], d);
    };
    const ContactSet& set = problem.contacts();
    for (const StencilKind kind : {StencilKind::point_point, StencilKind::point_edge,
                                   StencilKind::point_triangle, StencilKind::edge_edge})
        for (const ContactStencil& c : set[kind]) add(kind, c.vertices, c.thickness);
    for (const MollifiedContact& c : set.mollified)
        add(StencilKind::edge_edge, c.vertices, c.thickness);
    return gap;
}

} // namespace selvage
