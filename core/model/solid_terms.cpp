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
            lame_.push_back(
                lame(solid.young.mean(t, solid.material.young), solid.material.poisson));
        }
    }

    /// moduli_of(Lame) per tetrahedron.
    template <class Law, class ModuliOf> std::unique_ptr<Term> law(const ModuliOf& moduli_of) const
    {
        std::vector<typename Law::Moduli> moduli;
        for (const Lame& k : lame_) moduli.push_back(moduli_of(k));
        return std::make_unique<TetTerm<Law>>(vertices_, rest_, moduli, vertex_count_);
    }

    std::unique_ptr<Term> elastic() const
    {
        const SolidMaterial& m = solid_.material;
        switch (m.model) {
        case SolidModel::stable_neo_hookean: break;
        case SolidModel::neo_hookean:
            return law<NeoHookean>([](const Lame& k) {
                return NeoHookean::Moduli{k.lambda, k.mu};
            });
        case SolidModel::fixed_corotational:
            return law<FixedCorotational>([](const Lame& k) {
                return FixedCorotational::Moduli{k.lambda, k.mu};
            });
        case SolidModel::arap: // Young's modulus μ
            return law<ArapSolid>(
                [&](const Lame& k) { return ArapSolid::Moduli{2 * (1 + m.poisson) * k.mu}; });
        case SolidModel::stvk:
            return law<StvkSolid>([](const Lame& k) { return StvkSolid::Moduli{k.lambda, k.mu}; });
        case SolidModel::mooney_rivlin:
            return law<StableMooneyRivlin>(
                [&](const Lame& k) { return mooney_rivlin(k, m.hardening); });
        case SolidModel::arruda_boyce:
            return law<StableArrudaBoyce>(
                [&](const Lame& k) { return arruda_boyce(k, m.hardening); });
        case SolidModel::fung:
            return law<StableFung>([&](const Lame& k) { return fung(k, m.hardening); });
        }
        return law<StableNeoHookean>([](const Lame& k) {
            return StableNeoHookean::Moduli{k.lambda + k.mu, k.mu};
        });
    }

    std::unique_ptr<Term> fibers() const
    {
        std::vector<FiberModuli> moduli;
        for (const Vec3& f : solid_.fibers) moduli.push_back({f, solid_.material.fiber_stiffness});
        return std::make_unique<TetTerm<FiberArap>>(vertices_, rest_, moduli, vertex_count_);
    }

    std::unique_ptr<Term> viscosity() const
    {
        // A mode of frequency f has the ratio π f β.
        const double beta = solid_.material.damping / (M_PI * solid_.material.damping_frequency);
        std::vector<SolidViscosities> viscosities;
        for (const Lame& k : lame_) viscosities.push_back({beta * k.lambda, beta * k.mu});
        return std::make_unique<SolidViscosity>(vertices_, rest_, viscosities, vertex_count_);
    }

private:
    const Solid& solid_;
    int vertex_count_;
    std::vector<std::int32_t> vertices_;
    std::vector<TetRest> rest_;
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
        if (solid.material.damping > 0) terms.push_back(maker.viscosity());
    } catch (const InputError& e) {
        throw InputError(fmt::format("Solid '{}': {}", solid.name, e.what()));
    }
    return terms;
}

} // namespace selvage
