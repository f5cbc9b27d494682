#include "core/model/scene_terms.h"

#include "core/base/parallel.h"
#include "core/energy/air_drag.h"
#include "core/energy/chamber_pressure.h"
#include "core/energy/hinge_bending.h"
#include "core/energy/shape_operator_bending.h"
#include "core/energy/strain_limit.h"
#include "core/energy/stvk_membrane.h"
#include "core/model/cloth_strain.h"
#include "core/model/link_terms.h"

namespace selvage
{
namespace
{

/// [rad] Creases do not close a hinge entirely: at π the sheet would lie in itself.
constexpr double largest_rest_angle = 3.0;

std::vector<std::int32_t> scene_vertices(const Cloth& c)
{
    std::vector<std::int32_t> v;
    v.reserve(3 * c.mesh.triangles.size());
    for (const Vec3i& t : c.mesh.triangles)
        for (int k = 0; k < 3; ++k) v.push_back(c.first_vertex + t[k]);
    return v;
}

std::unique_ptr<StvkMembrane> make_membrane(const Scene& scene, const Cloth& c,
                                            const RestShape& rest)
{
    return std::make_unique<StvkMembrane>(scene_vertices(c), membrane_rest(c, rest),
                                          std::vector<double>{c.material.stretch_damping},
                                          scene.vertex_count());
}

/// Stiffness of the limit's barrier in terms of the membrane's.
constexpr double limit_stiffness = 0.01;

std::vector<MembraneTriangle> limit_rest(const Cloth& c, const RestShape& rest)
{
    std::vector<MembraneTriangle> triangles(rest.lengths.size());
    for (std::size_t k = 0; k < triangles.size(); ++k)
        triangles[k] = membrane_triangle(rest.lengths[k], c.warp_weights[k]);
    return triangles;
}

std::unique_ptr<StrainLimit> make_limit(const Scene& scene, const Cloth& c, const RestShape& rest)
{
    const ClothMaterial& m = c.material;
    const StrainLimit::Moduli moduli{limit_stiffness * std::max(m.young_warp, m.young_weft),
                                     1 + m.stretch_limit};
    return std::make_unique<StrainLimit>(scene_vertices(c), limit_rest(c, rest),
                                         std::vector<StrainLimit::Moduli>{moduli},
                                         scene.vertex_count());
}

std::unique_ptr<HingeBending> make_bending(const Scene& scene, const Cloth& c,
                                           const RestShape& rest)
{
    std::vector<std::int32_t> vertices;
    for (const Vec4i& h : c.mesh.hinges)
        for (int k = 0; k < 4; ++k) vertices.push_back(c.first_vertex + h[k]);
    return std::make_unique<HingeBending>(vertices, hinge_rest(c, rest), BendingForm::tangent,
                                          std::vector<double>{c.material.bend_damping},
                                          scene.vertex_count());
}

std::unique_ptr<ShapeOperatorBending> make_plate(const Scene& scene, const Cloth& c,
                                                 const RestShape& rest)
{
    const std::vector<Vec3i> hinges = triangle_hinges(c.mesh);
    std::vector<std::int32_t> vertices;
    vertices.reserve(6 * hinges.size());
    for (std::size_t k = 0; k < hinges.size(); ++k) {
        const Vec3i& t = c.mesh.triangles[k];
        for (int i = 0; i < 3; ++i) vertices.push_back(c.first_vertex + t[i]);
        for (int i = 0; i < 3; ++i) {
            const int h = hinges[k][i];
            const Vec4i* hinge = h < 0 ? nullptr : &c.mesh.hinges[std::size_t(h)];
            const int far = !hinge ? t[i] : (*hinge)[0] == t[i] ? (*hinge)[3] : (*hinge)[0];
            vertices.push_back(c.first_vertex + far);
        }
    }
    // Plates bend by large angles per cell, where 2 tan(θ/2) would be too stiff by θ²/12.
    return std::make_unique<ShapeOperatorBending>(vertices, plate_rest(c, rest), BendingForm::angle,
                                                  c.material.bend_damping, scene.vertex_count());
}

/// Drives that come to the same compare equal.
RestDrive rest_drive(const Drive& drive, std::size_t cloth)
{
    RestDrive d = drive.rest.empty() ? RestDrive() : drive.rest[cloth];
    if (d.x.size() == 0) d.blend = 0;
    if (d.blend == 0) d.x.resize(0);
    return d;
}

} // namespace

SceneTerms::SceneTerms(const Scene& scene)
{
    rest_.resize(scene.cloths.size());
    for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
        const Cloth& c = scene.cloths[i];
        rest_[i].shape = driven_rest(c, {}, rest_[i].repair);
        auto membrane = make_membrane(scene, c, rest_[i].shape);
        rest_[i].membrane = membrane.get();
        terms_.push_back(std::move(membrane));
        if (c.material.stretch_limit > 0) {
            auto limit = make_limit(scene, c, rest_[i].shape);
            rest_[i].limit = limit.get();
            terms_.push_back(std::move(limit));
        }
        if (c.material.bending_model == BendingModel::shape) {
            auto plate = make_plate(scene, c, rest_[i].shape);
            rest_[i].plate = plate.get();
            terms_.push_back(std::move(plate));
        } else {
            auto hinges = make_bending(scene, c, rest_[i].shape);
            rest_[i].hinges = hinges.get();
            terms_.push_back(std::move(hinges));
        }
        drags_.push_back(nullptr);
        if (c.material.drag_normal > 0 || c.material.drag_tangent > 0 || c.material.lift > 0) {
            auto drag =
                std::make_unique<AirDrag>(scene_vertices(c), AirProperties(), scene.vertex_count());
            drags_.back() = drag.get();
            terms_.push_back(std::move(drag));
        }
    }
    links_ = std::make_unique<LinkTerms>(scene);
    links_->add_to(terms_, scene);
    if (!scene.chambers.empty()) {
        std::vector<Chamber> chambers;
        for (const ClothChamber& c : scene.chambers) chambers.push_back(c.chamber);
        auto pressure = std::make_unique<ChamberPressure>(std::move(chambers));
        pressure_ = pressure.get();
        terms_.push_back(std::move(pressure));
    }
}

SceneTerms::~SceneTerms() = default;

std::vector<Term*> SceneTerms::all() const
{
    std::vector<Term*> out;
    for (const auto& t : terms_) out.push_back(t.get());
    return out;
}

void SceneTerms::set_rest(const Cloth& cloth, RestDrive drive, VecX creases, Rest& rest)
{
    if (drive == rest.drive && creases.size() == rest.creases.size() && creases == rest.creases)
        return;
    rest.shape = driven_rest(cloth, drive, rest.repair);
    for (Eigen::Index k = 0; k < creases.size(); ++k) {
        double& angle = rest.shape.angles[std::size_t(k)];
        angle = std::clamp(angle + creases[k], -largest_rest_angle, largest_rest_angle);
    }
    rest.creases = std::move(creases);
    rest.membrane->set_rest(membrane_rest(cloth, rest.shape));
    if (rest.limit) rest.limit->set_rest(limit_rest(cloth, rest.shape));
    if (rest.hinges) rest.hinges->set_rest(hinge_rest(cloth, rest.shape));
    if (rest.plate) rest.plate->set_rest(plate_rest(cloth, rest.shape));
    rest.drive = std::move(drive);
}

int SceneTerms::rest_repairs() const
{
    int count = 0;
    for (const Rest& r : rest_) count += r.repair.count;
    return count;
}

std::string SceneTerms::rest_message(const Scene& scene) const
{
    for (std::size_t i = 0; i < rest_.size(); ++i)
        if (rest_[i].repair.count > 0) return describe(rest_[i].repair, scene.cloths[i]);
    return "";
}

double SceneTerms::max_strain(const Scene& scene, const VecX& x) const
{
    double largest = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i)
        largest =
            std::max(largest, triangle_stretch(scene.cloths[i], rest_[i].shape, x).maxCoeff() - 1);
    return largest;
}

VecX SceneTerms::creases_after(const Scene& scene, const VecX& x, double h,
                               const VecX& creases) const
{
    Eigen::Index hinges = 0;
    bool yields = false;
    for (const Cloth& c : scene.cloths) {
        hinges += Eigen::Index(c.mesh.hinges.size());
        yields = yields || c.material.yield_rate > 0;
    }
    if (!yields) return creases;
    VecX after = creases.size() == hinges ? creases : VecX::Zero(hinges);
    Eigen::Index first = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
        const Cloth& c = scene.cloths[i];
        const double part = 1 - std::exp(-c.material.yield_rate * h);
        parallel_for(c.mesh.hinges.size(), 1024, [&](std::size_t k) {
            Vec12 p;
            for (int v = 0; v < 4; ++v)
                p.segment<3>(3 * v) = x.segment<3>(3 * (c.first_vertex + c.mesh.hinges[k][v]));
            const double strain = hinge_angle(p) - rest_[i].shape.angles[k];
            const double excess = std::max(0.0, std::abs(strain) - c.material.yield_angle);
            after[first + Eigen::Index(k)] += std::copysign(excess * part, strain);
        });
        first += Eigen::Index(c.mesh.hinges.size());
    }
    return after;
}

void SceneTerms::set_drive(const Scene& scene, const Drive& drive, const VecX& creases,
                           const VecX& broken)
{
    Eigen::Index first = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
        const Eigen::Index hinges = Eigen::Index(scene.cloths[i].mesh.hinges.size());
        set_rest(scene.cloths[i], rest_drive(drive, i),
                 creases.size() ? VecX(creases.segment(first, hinges)) : VecX(), rest_[i]);
        first += hinges;
    }
    const WindField wind(drive.wind, drive.turbulence);
    for (std::size_t i = 0; i < drags_.size(); ++i) {
        const ClothMaterial& m = scene.cloths[i].material;
        if (drags_[i])
            drags_[i]->set_air(
                {drive.air_density, m.drag_normal, m.drag_tangent, drive.wind, m.lift}, wind);
    }
    links_->set_drive(scene, drive, broken);
    if (pressure_)
        pressure_->set_laws(drive.gas.empty() ? std::vector<GasLaw>(scene.chambers.size())
                                              : drive.gas);
}

} // namespace selvage
