#include "core/model/solid_terms.h"

#include "core/base/error.h"
#include "core/energy/arap_solid.h"
#include "core/energy/fiber_solid.h"
#include "core/energy/fixed_corotational.h"
#include "core/energy/neo_hookean.h"
#include "core/energy/solid_viscosity.h"
#include "core/energy/stable_arruda_boyce.h"
#include "core/energy/stable_fung.h"
#include "core/energy/stable_mooney_rivlin.h"
#include "core/energy/stable_neo_hookean.h"
#include "core/energy/stvk_solid.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

// From Young's modulus and Poisson's ratio at small strain, see the laws' headers.

StableMooneyRivlin::Moduli mooney_rivlin(const Lame& k, double share)
{
    if (!(share <= 1))
        throw InputError(fmt::format("hardening {} is the share of the second term of "
                                     "mooney_rivlin: at most 1.",
                                     share));
    const double mu0 = 0.5 * (1 - share) * k.mu;
    return {mu0, 0.5 * share * k.mu, k.lambda + 2 * mu0};
}

StableArrudaBoyce::Moduli arruda_boyce(const Lame& k, double inverse_links)
{
    const double b1 = inverse_links / 5, b2 = 11 * inverse_links * inverse_links / 175;
    const double mu = k.mu / (1 + 3 * b1 + 9 * b2);
    return {mu, b1, b2, k.lambda + mu * (1 + b1 - 3 * b2)};
}

/// Half of the shear modulus hardens.
StableFung::Moduli fung(const Lame& k, double mu1)
{
    const double gamma = k.mu / mu1;
    return {0.5 * k.mu, gamma, mu1, k.lambda + k.mu - 0.5 * gamma * mu1 * mu1};
}

class TermMaker
{
public:
    TermMaker(const Solid& solid, int vertex_count) : solid_(solid), vertex_count_(vertex_count)
    {
        const auto at = [&](int p) { return Vec3(solid.x_rest.segment<3>(3 * p)); };
        for (const Vec4i& t : solid.tets) {
            for (const int p : t) vertices_.push_back(solid.first_vertex + p);
            rest_.push_back(tet_rest(at(t[0]), at(t[1]), at(t[2]), at(t[3])));
            material_.push_back(solid.at(t));
            lame_.push_back(lame(material_.back().young, material_.back().poisson));
        }
    }

    /// moduli_of(Lame, material) per tetrahedron.
    template <class Law, class ModuliOf> std::unique_ptr<Term> law(const ModuliOf& moduli_of) const
    {
        std::vector<typename Law::Moduli> moduli;
        for (std::size_t t = 0; t < lame_.size(); ++t)
            moduli.push_back(moduli_of(lame_[t], material_[t]));
        return std::make_unique<TetTerm<Law>>(vertices_, rest_, moduli, vertex_count_);
    }

    std::unique_ptr<Term> elastic() const
    {
        using M = SolidMaterial;
        switch (solid_.material.model) {
        case SolidModel::stable_neo_hookean: break;
        case SolidModel::neo_hookean:
            return law<NeoHookean>([](const Lame& k, const M&) {
                return NeoHookean::Moduli{k.lambda, k.mu};
            });
        case SolidModel::fixed_corotational:
            return law<FixedCorotational>([](const Lame& k, const M&) {
                return FixedCorotational::Moduli{k.lambda, k.mu};
            });
        case SolidModel::arap:
            return law<ArapSolid>(
                [](const Lame&, const M& m) { return ArapSolid::Moduli{m.young}; });
        case SolidModel::stvk:
            return law<StvkSolid>([](const Lame& k, const M&) {
                return StvkSolid::Moduli{k.lambda, k.mu};
            });
        case SolidModel::mooney_rivlin:
            return law<StableMooneyRivlin>(
                [](const Lame& k, const M& m) { return mooney_rivlin(k, m.hardening); });
        case SolidModel::arruda_boyce:
            return law<StableArrudaBoyce>(
                [](const Lame& k, const M& m) { return arruda_boyce(k, m.hardening); });
        case SolidModel::fung:
            return law<StableFung>([](const Lame& k, const M& m) { return fung(k, m.hardening); });
        }
        return law<StableNeoHookean>([](const Lame& k, const M&) {
            return StableNeoHookean::Moduli{k.lambda + k.mu, k.mu};
        });
    }

    std::unique_ptr<Term> fibers() const
    {
        std::vector<FiberModuli> moduli;
        for (std::size_t t = 0; t < material_.size(); ++t)
            moduli.push_back({solid_.fibers[t], material_[t].fiber_stiffness});
        return std::make_unique<TetTerm<FiberArap>>(vertices_, rest_, moduli, vertex_count_);
    }

    std::unique_ptr<Term> viscosity() const
    {
        std::vector<SolidViscosities> viscosities;
        for (std::size_t t = 0; t < material_.size(); ++t) {
            // A mode of frequency f has the ratio π f β.
            const double beta = material_[t].damping / (M_PI * material_[t].damping_frequency);
            viscosities.push_back({beta * lame_[t].lambda, beta * lame_[t].mu});
        }
        return std::make_unique<SolidViscosity>(vertices_, rest_, viscosities, vertex_count_);
    }

private:
    const Solid& solid_;
    int vertex_count_;
    std::vector<std::int32_t> vertices_;
    std::vector<TetRest> rest_;
    std::vector<SolidMaterial> material_; ///< as painted at each tetrahedron
    std::vector<Lame> lame_;
};

} // namespace

std::vector<std::unique_ptr<Term>> make_solid_terms(const Solid& solid, int vertex_count)
{
    std::vector<std::unique_ptr<Term>> terms;
    try {
        const TermMaker maker(solid, vertex_count);
        terms.push_back(maker.elastic());
        if (!solid.fibers.empty()) terms.push_back(maker.fibers());
        if (solid.material.damping > 0 || solid.maps.paints({&SolidMaterial::damping}))
            terms.push_back(maker.viscosity());
    } catch (const InputError& e) {
        throw InputError(fmt::format("Solid '{}': {}", solid.name, e.what()));
    }
    return terms;
}

} // namespace selvage
