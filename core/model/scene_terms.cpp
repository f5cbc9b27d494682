#include "core/model/scene_terms.h"

#include "core/energy/air_drag.h"
#include "core/energy/hinge_bending.h"
#include "core/energy/point_spring.h"
#include "core/energy/stvk_membrane.h"

namespace selvage
{
namespace
{

Vec3 rest_point(const Cloth& c, int point) { return c.x_rest.segment<3>(3 * point); }

std::vector<std::int32_t> scene_vertices(const Cloth& c)
{
    std::vector<std::int32_t> v;
    v.reserve(3 * c.mesh.triangles.size());
    for (const Vec3i& t : c.mesh.triangles)
        for (int k = 0; k < 3; ++k) v.push_back(c.first_vertex + t[k]);
    return v;
}

std::unique_ptr<Term> make_membrane(const Scene& scene, const Cloth& c)
{
    const ClothMaterial& m = c.material;
    const OrthotropicConstants constants =
        orthotropic_constants({m.young_warp, m.young_weft, m.shear, m.poisson});
    std::vector<StvkTriangle> rest;
    rest.reserve(c.mesh.triangles.size());
    for (std::size_t i = 0; i < c.mesh.triangles.size(); ++i) {
        const Vec3i& t = c.mesh.triangles[i];
        StvkTriangle e = stvk_triangle(rest_point(c, t[0]), rest_point(c, t[1]),
                                       rest_point(c, t[2]), c.warp[i], constants);
        const double scale =
            (c.stretch_scale[t[0]] + c.stretch_scale[t[1]] + c.stretch_scale[t[2]]) / 3;
        for (double& k : e.stiffness) k *= scale;
        rest.push_back(e);
    }
    return std::make_unique<StvkMembrane>(scene_vertices(c), std::move(rest),
                                          std::vector<double>{m.stretch_damping},
                                          scene.vertex_count());
}

/// Rigidity for bending about this hinge: its curvature runs across the edge, in the first
/// triangle.
double hinge_rigidity(const Cloth& c, std::size_t hinge)
{
    const Vec4i& h = c.mesh.hinges[hinge];
    const Vec3 edge = (rest_point(c, h[2]) - rest_point(c, h[1])).normalized();
    const Vec3 in_plane = rest_point(c, h[0]) - rest_point(c, h[1]);
    const Vec3 across = (in_plane - in_plane.dot(edge) * edge).normalized();
    const Vec3& warp = c.warp[std::size_t(c.mesh.hinge_triangles[hinge][0])];
    return directional_rigidity(c.material.bend_warp, c.material.bend_weft, across, warp);
}

std::unique_ptr<Term> make_bending(const Scene& scene, const Cloth& c)
{
    std::vector<std::int32_t> vertices;
    std::vector<HingeElement> rest;
    for (std::size_t i = 0; i < c.mesh.hinges.size(); ++i) {
        const Vec4i& h = c.mesh.hinges[i];
        Vec12 p;
        for (int k = 0; k < 4; ++k) {
            vertices.push_back(c.first_vertex + h[k]);
            p.segment<3>(3 * k) = rest_point(c, h[k]);
        }
        const double scale = 0.5 * (c.bend_scale[h[1]] + c.bend_scale[h[2]]);
        rest.push_back(hinge_element(p, scale * hinge_modulus(hinge_rigidity(c, i))));
    }
    return std::make_unique<HingeBending>(vertices, std::move(rest), BendingForm::tangent,
                                          std::vector<double>{c.material.bend_damping},
                                          scene.vertex_count());
}

} // namespace

SceneTerms::SceneTerms(const Scene& scene)
{
    for (const Cloth& c : scene.cloths) {
        terms_.push_back(make_membrane(scene, c));
        terms_.push_back(make_bending(scene, c));
        drags_.push_back(nullptr);
        if (c.material.drag_normal > 0 || c.material.drag_tangent > 0) {
            auto drag =
                std::make_unique<AirDrag>(scene_vertices(c), AirProperties(), scene.vertex_count());
            drags_.back() = drag.get();
            terms_.push_back(std::move(drag));
        }
    }
    std::vector<std::int32_t> soft;
    std::vector<double> stiffness;
    for (const Pin& p : scene.pins)
        if (p.stiffness > 0) {
            soft.push_back(p.vertex);
            stiffness.push_back(p.stiffness);
        }
    if (!soft.empty()) {
        auto springs = std::make_unique<PointSpring>(
            soft, stiffness, std::vector<Vec3>(soft.size(), Vec3::Zero()), scene.vertex_count());
        soft_pins_ = springs.get();
        terms_.push_back(std::move(springs));
    }
}

SceneTerms::~SceneTerms() = default;

std::vector<Term*> SceneTerms::all() const
{
    std::vector<Term*> out;
    for (const auto& t : terms_) out.push_back(t.get());
    return out;
}

void SceneTerms::set_drive(const Scene& scene, const Drive& drive)
{
    for (std::size_t i = 0; i < drags_.size(); ++i) {
        const ClothMaterial& m = scene.cloths[i].material;
        if (drags_[i])
            drags_[i]->set_air({drive.air_density, m.drag_normal, m.drag_tangent, drive.wind});
    }
    if (!soft_pins_) return;
    std::vector<Vec3> targets;
    for (std::size_t k = 0; k < scene.pins.size(); ++k)
        if (scene.pins[k].stiffness > 0)
            targets.push_back(drive.pin_target_1.segment<3>(3 * Eigen::Index(k)));
    soft_pins_->set_targets(targets);
}

} // namespace selvage
