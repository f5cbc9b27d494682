#pragma once

#include "core/energy/isotropic_solid.h"

namespace selvage
{

/// Stable neo-Hookean solid [Smith et al. 2018, without the logarithm; Kim & Eberle 2022, §6.3]:
///   ψ = μ/2 (I2 − 3) − μ (J − 1) + λ'/2 (J − 1)²   [J/m³]
/// At small strain this is Hooke's law with (μ, λ' − μ), so stable_neo_hookean_moduli() passes
/// λ' = λ + μ: Young's modulus and Poisson's ratio are then those asked for, at any ratio. Finite
/// through inversion; the choice for flesh. Poisson's ratio 0.45 to 0.49, at most 0.4999.
struct StableNeoHookean : IsotropicSolid<StableNeoHookean> {
    struct Moduli {
        double lambda = 0, mu = 0; ///< λ' (not Lamé's λ), μ [Pa]
    };
    static constexpr std::string_view name = "solid";
    static constexpr int numbers = 2;
    static constexpr bool uses_stretch = false, injective = false;
    static std::array<double, 2> pack(const Moduli& m) { return {m.lambda, m.mu}; }

    template <class T>
    SELVAGE_INLINE static InvariantDerivatives<T> density(const SolidInvariants<T>& inv, const T* m)
    {
        InvariantDerivatives<T> d;
        const T lambda = m[0], mu = m[1], excess = inv.I3 - T(1.0), half(0.5);
        d.psi = half * mu * (inv.I2 - T(3.0)) + (half * lambda * excess - mu) * excess;
        d.p2 = half * mu;
        d.p3 = lambda * excess - mu, d.p33 = lambda;
        return d;
    }
};

/// λ' = λ + μ of Lamé's constants.
StableNeoHookean::Moduli stable_neo_hookean_moduli(double young, double poisson);

extern template class TetTerm<StableNeoHookean>;

} // namespace selvage
