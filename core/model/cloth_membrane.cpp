#include "core/model/cloth_membrane.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/energy/arap_membrane.h"
#include "core/energy/baraff_witkin_membrane.h"
#include "core/energy/directional_limit.h"
#include "core/energy/neo_hookean_membrane.h"
#include "core/energy/spline_membrane.h"
#include "core/energy/strain_limit.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

constexpr std::size_t grain = 1024;

MembraneModuli painted_moduli(const Cloth& c, std::size_t triangle)
{
    using M = ClothMaterial;
    const Vec3i& t = c.mesh.triangles[triangle];
    return {c.at(t, &M::young_warp), c.at(t, &M::young_weft), c.at(t, &M::shear),
            c.at(t, &M::poisson)};
}

FabricCurve pull_curve(const std::vector<Vec2>& samples, double modulus, const char* name)
{
    return samples.empty() ? FabricCurve(modulus) : FabricCurve::from_pull(samples, name);
}

/// The moduli that curves give instead of the material's.
MembraneModuli curve_moduli(const ClothMaterial& m)
{
    return {pull_curve(m.warp_curve, m.young_warp, "warp_curve").modulus(),
            pull_curve(m.weft_curve, m.young_weft, "weft_curve").modulus(),
            m.shear_curve.empty() ? m.shear
                                  : FabricCurve::from_shear(m.shear_curve, "shear_curve").modulus(),
            m.poisson};
}

/// Painted moduli scale whole curves, each its own.
SplineMembrane::Moduli curve_scales(const Cloth& c, std::size_t triangle)
{
    const MembraneModuli painted = painted_moduli(c, triangle);
    const ClothMaterial& m = c.material;
    return {painted.young_warp / m.young_warp, painted.young_weft / m.young_weft,
            painted.shear / m.shear, painted.poisson - m.poisson};
}

MembraneModuli small_strain(const Cloth& c, std::size_t k, const MembraneModuli& curves)
{
    const MembraneModuli m = painted_moduli(c, k);
    const double Y = std::sqrt(m.young_warp * m.young_weft);
    const double nu = m.poisson * std::sqrt(m.young_weft / m.young_warp); // √(ν ν')
    switch (c.material.membrane_model) {
    case MembraneModel::stvk: break;
    case MembraneModel::neo_hookean: return {Y, Y, Y / (2 * (1 + nu)), nu};
    case MembraneModel::baraff_witkin: return {m.young_warp, m.young_weft, m.shear, 0};
    case MembraneModel::arap: return {Y, Y, Y / 2, 0};
    case MembraneModel::spline: {
        const SplineMembrane::Moduli s = curve_scales(c, k);
        return {s.warp * curves.young_warp, s.weft * curves.young_weft, s.shear * curves.shear,
                m.poisson};
    }
    }
    return m;
}

std::vector<MembraneTriangle> law_rest(const Cloth& c, const RestShape& rest)
{
    std::vector<MembraneTriangle> triangles(rest.lengths.size());
    parallel_for(triangles.size(), grain, [&](std::size_t k) {
        triangles[k] = membrane_triangle(rest.lengths[k], c.warp_weights[k]);
    });
    return triangles;
}

bool damped(const Cloth& c)
{
    using M = ClothMaterial;
    return c.material.stretch_damping > 0 || c.material.shear_damping > 0 ||
           c.maps.paints({&M::stretch_damping, &M::shear_damping});
}

/// One law with its moduli per triangle, and the viscosity beside it.
template <class Law, class ModuliOf>
ClothMembrane membrane_of(const Cloth& c, const RestShape& rest, int vertex_count,
                          const ModuliOf& moduli_of, Law law = {})
{
    const std::vector<std::int32_t> vertices = triangle_vertices(c);
    std::vector<typename Law::Moduli> moduli;
    for (std::size_t k = 0; k < c.mesh.triangles.size(); ++k) moduli.push_back(moduli_of(k));
    auto term = std::make_unique<MembraneTerm<Law>>(vertices, law_rest(c, rest), moduli,
                                                    vertex_count, std::move(law));
    MembraneTerm<Law>* elastic = term.get();
    StvkMembrane* viscous = nullptr;
    ClothMembrane membrane;
    membrane.terms.push_back(std::move(term));
    if (damped(c)) {
        auto viscosity = std::make_unique<StvkMembrane>(
            vertices, membrane_rest(c, rest, MembraneParts::viscous), vertex_count);
        viscous = viscosity.get();
        membrane.terms.push_back(std::move(viscosity));
    }
    membrane.set_rest = [elastic, viscous](const Cloth& cloth, const RestShape& shape) {
        elastic->set_rest(law_rest(cloth, shape));
        if (viscous) viscous->set_rest(membrane_rest(cloth, shape, MembraneParts::viscous));
    };
    return membrane;
}

ClothMembrane stvk_of(const Cloth& c, const RestShape& rest, int vertex_count)
{
    auto term =
        std::make_unique<StvkMembrane>(triangle_vertices(c), membrane_rest(c, rest), vertex_count);
    ClothMembrane membrane;
    membrane.set_rest = [stvk = term.get()](const Cloth& cloth, const RestShape& shape) {
        stvk->set_rest(membrane_rest(cloth, shape));
    };
    membrane.terms.push_back(std::move(term));
    return membrane;
}

ClothMembrane make_unnamed(const Cloth& c, const RestShape& rest, int vertices)
{
    const ClothMaterial& m = c.material;
    const auto at = [&](std::size_t k) { return small_strain(c, k, {}); };
    switch (m.membrane_model) {
    case MembraneModel::stvk: break;
    case MembraneModel::neo_hookean:
        return membrane_of<NeoHookeanMembrane>(c, rest, vertices, [&](std::size_t k) {
            const MembraneModuli s = at(k);
            return neo_hookean_membrane_moduli(s.young_warp, s.poisson);
        });
    case MembraneModel::baraff_witkin:
        return membrane_of<BaraffWitkinMembrane>(c, rest, vertices, [&](std::size_t k) {
            const MembraneModuli s = at(k);
            return BaraffWitkinModuli{s.young_warp, s.young_weft, s.shear};
        });
    case MembraneModel::arap:
        return membrane_of<ArapMembrane>(c, rest, vertices, [&](std::size_t k) {
            return ArapMembrane::Moduli{at(k).young_warp};
        });
    case MembraneModel::spline: {
        const FabricCurve shear = m.shear_curve.empty()
                                      ? FabricCurve(m.shear)
                                      : FabricCurve::from_shear(m.shear_curve, "shear_curve");
        const MembraneModuli curves = curve_moduli(m);
        return membrane_of<SplineMembrane>(
            c, rest, vertices,
            [&](std::size_t k) {
                orthotropic_constants(small_strain(c, k, curves)); // or throws
                return curve_scales(c, k);
            },
            SplineMembrane(pull_curve(m.warp_curve, m.young_warp, "warp_curve"),
                           pull_curve(m.weft_curve, m.young_weft, "weft_curve"), shear, m.poisson));
    }
    }
    return stvk_of(c, rest, vertices);
}

/// Adds a barrier; Limit is one of LimitTerm.
template <class Limit, class ModuliOf>
void add_limit(const Cloth& c, const RestShape& rest, int vertex_count, const ModuliOf& moduli_of,
               ClothMembrane& membrane)
{
    std::vector<typename Limit::Moduli> moduli;
    for (std::size_t k = 0; k < c.mesh.triangles.size(); ++k) moduli.push_back(moduli_of(k));
    auto term =
        std::make_unique<Limit>(triangle_vertices(c), law_rest(c, rest), moduli, vertex_count);
    membrane.set_rest = [limit = term.get(), others = std::move(membrane.set_rest)](
                            const Cloth& cloth, const RestShape& shape) {
        others(cloth, shape);
        limit->set_rest(law_rest(cloth, shape));
    };
    membrane.beyond_limit = [limit = term.get(), others = std::move(membrane.beyond_limit)] {
        return limit->exceeded() + (others ? others() : 0);
    };
    membrane.terms.push_back(std::move(term));
}

void add_limits(const Cloth& c, const RestShape& rest, int vertex_count, ClothMembrane& membrane)
{
    /// Stiffness of the barrier on all directions in terms of the membrane's.
    constexpr double limit_stiffness = 0.01;
    using M = ClothMaterial;
    const auto limited = [&](std::initializer_list<double M::*> values) {
        return c.maps.paints(values) ||
               std::any_of(values.begin(), values.end(), [&](auto v) { return c.material.*v > 0; });
    };
    const MembraneModuli curves = c.material.membrane_model == MembraneModel::spline
                                      ? curve_moduli(c.material)
                                      : MembraneModuli();
    const auto value = [&](std::size_t k, double M::*v) { return c.at(c.mesh.triangles[k], v); };
    if (limited({&M::stretch_limit}))
        add_limit<StrainLimit>(
            c, rest, vertex_count,
            [&](std::size_t k) {
                const double limit = value(k, &M::stretch_limit);
                return StrainLimit::Moduli{
                    limit_stiffness * std::max(value(k, &M::young_warp), value(k, &M::young_weft)),
                    limit > 0 ? 1 + limit : infinity};
            },
            membrane);
    if (limited({&M::stretch_limit_warp, &M::stretch_limit_weft, &M::stretch_limit_shear}))
        add_limit<DirectionalLimit>(
            c, rest, vertex_count,
            [&](std::size_t k) {
                return directional_limit(
                    small_strain(c, k, curves), value(k, &M::stretch_limit_warp),
                    value(k, &M::stretch_limit_weft), value(k, &M::stretch_limit_shear));
            },
            membrane);
}

} // namespace

std::vector<std::int32_t> triangle_vertices(const Cloth& c)
{
    std::vector<std::int32_t> v;
    v.reserve(3 * c.mesh.triangles.size());
    for (const Vec3i& t : c.mesh.triangles)
        for (int k = 0; k < 3; ++k) v.push_back(c.first_vertex + t[k]);
    return v;
}

MembraneModuli small_strain_moduli(const Cloth& c, std::size_t triangle)
{
    const bool curves = c.material.membrane_model == MembraneModel::spline;
    return small_strain(c, triangle, curves ? curve_moduli(c.material) : MembraneModuli());
}

std::vector<StvkTriangle> membrane_rest(const Cloth& c, const RestShape& rest, MembraneParts parts)
{
    const ClothMaterial& m = c.material;
    const bool spline = m.membrane_model == MembraneModel::spline;
    const MembraneModuli curves = spline ? curve_moduli(m) : MembraneModuli();
    struct Constants {
        OrthotropicConstants elastic, viscous;
    };
    const auto constants_at = [&](std::size_t k) {
        const MembraneModuli moduli = small_strain(c, k, curves);
        const Vec3i& t = c.mesh.triangles[k];
        return Constants{parts == MembraneParts::viscous ? OrthotropicConstants()
                                                         : orthotropic_constants(moduli),
                         viscous_constants(moduli, c.rayleigh(t, &ClothMaterial::stretch_damping),
                                           c.rayleigh(t, &ClothMaterial::shear_damping))};
    };
    std::vector<StvkTriangle> elements(rest.lengths.size());
    const bool painted = !c.maps.empty();
    const Constants common = elements.empty() ? Constants() : constants_at(0);
    parallel_for(elements.size(), grain, [&](std::size_t k) {
        const Constants constants = painted ? constants_at(k) : common;
        elements[k] =
            stvk_triangle(rest.lengths[k], c.warp_weights[k], constants.elastic, constants.viscous);
    });
    return elements;
}

ClothMembrane make_cloth_membrane(const Cloth& c, const RestShape& rest, int vertex_count)
{
    try {
        ClothMembrane membrane = make_unnamed(c, rest, vertex_count);
        add_limits(c, rest, vertex_count, membrane);
        return membrane;
    } catch (const InputError& e) {
        throw InputError(fmt::format("Cloth '{}': {}", c.name, e.what()));
    }
}

} // namespace selvage
