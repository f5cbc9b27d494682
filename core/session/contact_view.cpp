#include "core/session/contact_view.h"

#include "core/contact/contact_problem.h"
#include "core/model/scene_contact.h"
#include "core/model/strand_pairs.h"

#include <cmath>

namespace selvage
{
namespace
{

double distance(StencilKind kind, const std::array<std::int32_t, 4>& v, const VecX& x)
{
    Vec3T<double> p[4];
    for (std::size_t k = 0; k < std::size_t(arity(kind)); ++k) {
        const Eigen::Index i = 3 * Eigen::Index(v[k]);
        p[k] = {x[i], x[i + 1], x[i + 2]};
    }
    return stencil_distance(kind, p);
}

} // namespace

VecX vertex_gaps(const Scene& scene, const State& state)
{
    VecX gap = VecX::Constant(scene.vertex_count(), infinity);
    if (!scene.collisions.enabled) return gap;
    ContactSettings settings;
    settings.activation = scene.collisions.gap;
    ContactProblem problem(scene_contact_mesh(scene, true), settings);
    problem.set_filter(strand_pair_filter(scene, problem.mesh(), scene.collisions.filter));
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
    for (const FieldContact& c : set.fields) {
        const ContactMesh& mesh = problem.mesh();
        const MovingField& field = mesh.field(mesh.field_of(mesh.body(c.vertices[3])));
        if (field.samples().front().time != all[3 * Eigen::Index(c.vertices[3])]) continue;
        for (std::size_t k = 0; k < 3 && c.vertices[k] >= 0; ++k)
            gap[c.vertices[k]] = std::min(gap[c.vertices[k]], c.at.value - c.thickness);
    }
    return gap;
}

} // namespace selvage
