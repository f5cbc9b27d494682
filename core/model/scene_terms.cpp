#include "core/model/scene_terms.h"

#include "core/base/parallel.h"
#include "core/energy/air_drag.h"
#include "core/energy/chamber_pressure.h"
#include "core/energy/hinge_bending.h"
#include "core/energy/shape_operator_bending.h"
#include "core/model/cloth_membrane.h"
#include "core/model/cloth_strain.h"
#include "core/model/link_terms.h"
#include "core/model/solid_terms.h"

namespace selvage
{
namespace
{

/// [rad] Creases do not close a hinge entirely: at π the sheet would lie in itself.
constexpr double largest_rest_angle = 3.0;

/// β of bending for each element, whose points the function gives; one for all where nothing is
/// painted.
template <class PointsOf>
std::vector<double> bend_damping(const Cloth& c, std::size_t count, const PointsOf& points_of)
{
    using M = ClothMaterial;
    if (!c.maps.paints({&M::bend_damping, &M::damping_frequency}))
        count = std::min(count, std::size_t(1));
    std::vector<double> beta;
    for (std::size_t k = 0; k < count; ++k)
        beta.push_back(c.rayleigh(points_of(k), &M::bend_damping));
    return beta;
}

Vec2i edge_of(const Vec4i& hinge) { return {hinge[1], hinge[2]}; }

std::unique_ptr<HingeBending> make_bending(const Scene& scene, const Cloth& c,
                                           const RestShape& rest)
{
    std::vector<std::int32_t> vertices;
    for (const Vec4i& h : c.mesh.hinges)
        for (int k = 0; k < 4; ++k) vertices.push_back(c.first_vertex + h[k]);
    return std::make_unique<HingeBending>(
        vertices, hinge_rest(c, rest),
        c.material.bending_model == BendingModel::hinge_angle ? BendingForm::angle
                                                              : BendingForm::tangent,
        bend_damping(c, c.mesh.hinges.size(),
                     [&](std::size_t k) { return edge_of(c.mesh.hinges[k]); }),
        scene.vertex_count());
}

std::unique_ptr<ShapeOperatorBending> make_plate(const Scene& scene, const Cloth& c,
                                                 const RestShape& rest)
{
    // Plates bend by large angles per cell, where 2 tan(θ/2) would be too stiff by θ²/12.
    return std::make_unique<ShapeOperatorBending>(
        plate_vertices(c), plate_rest(c, rest), BendingForm::angle,
        bend_damping(c, c.mesh.triangles.size(),
                     [&](std::size_t k) { return c.mesh.triangles[k]; }),
        scene.vertex_count());
}

std::vector<AirCoefficients> air_coefficients(const Cloth& c)
{
    using M = ClothMaterial;
    std::vector<AirCoefficients> coefficients;
    const bool painted = c.maps.paints({&M::drag_normal, &M::drag_tangent, &M::lift});
    for (std::size_t k = 0; k < (painted ? c.mesh.triangles.size() : 1); ++k) {
        const Vec3i& t = c.mesh.triangles[k];
        coefficients.push_back(
            {c.at(t, &M::drag_normal), c.at(t, &M::drag_tangent), c.at(t, &M::lift)});
    }
    return coefficients;
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
        ClothMembrane membrane = make_cloth_membrane(c, rest_[i].shape, scene.vertex_count());
        rest_[i].set_membrane = std::move(membrane.set_rest);
        rest_[i].beyond_limit = std::move(membrane.beyond_limit);
        for (auto& term : membrane.terms) terms_.push_back(std::move(term));
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
        const std::vector<AirCoefficients> air = air_coefficients(c);
        if (std::any_of(air.begin(), air.end(), [](const AirCoefficients& a) {
                return a.normal > 0 || a.tangential > 0 || a.lift > 0;
            })) {
            auto drag = std::make_unique<AirDrag>(triangle_vertices(c), air, scene.vertex_count());
            drags_.back() = drag.get();
            terms_.push_back(std::move(drag));
        }
    }
    for (const Solid& solid : scene.solids)
        for (auto& term : make_solid_terms(solid, scene.vertex_count()))
            terms_.push_back(std::move(term));
    links_ = std::make_unique<LinkTerms>(scene);
    links_->add_to(terms_, scene);
    if (!scene.chambers.empty()) {
        std::vector<Chamber> chambers;
        for (const ClothChamber& c : scene.chambers) chambers.push_back(c.chamber);
        auto pressure =
            std::make_unique<ChamberPressure>(std::move(chambers), scene.vertex_count());
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
    rest.set_membrane(cloth, rest.shape);
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

int SceneTerms::beyond_limit() const
{
    int count = 0;
    for (const Rest& r : rest_) count += r.beyond_limit ? r.beyond_limit() : 0;
    return count;
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
        yields = yields || c.material.yield_rate > 0 || c.maps.paints({&ClothMaterial::yield_rate});
    }
    if (!yields) return creases;
    VecX after = creases.size() == hinges ? creases : VecX::Zero(hinges);
    Eigen::Index first = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
        const Cloth& c = scene.cloths[i];
        parallel_for(c.mesh.hinges.size(), 1024, [&](std::size_t k) {
            Vec12 p;
            for (int v = 0; v < 4; ++v)
                p.segment<3>(3 * v) = x.segment<3>(3 * (c.first_vertex + c.mesh.hinges[k][v]));
            const Vec2i edge = edge_of(c.mesh.hinges[k]);
            const double part = 1 - std::exp(-c.at(edge, &ClothMaterial::yield_rate) * h);
            const double strain = hinge_angle(p) - rest_[i].shape.angles[k];
            const double excess =
                std::max(0.0, std::abs(strain) - c.at(edge, &ClothMaterial::yield_angle));
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
    for (AirDrag* drag : drags_)
        if (drag) drag->set_air(drive.air_density, wind);
    links_->set_drive(scene, drive, broken);
    if (pressure_)
        pressure_->set_laws(drive.gas.empty() ? std::vector<GasLaw>(scene.chambers.size())
                                              : drive.gas);
}

} // namespace selvage
