#pragma once

#include "core/energy/isotropic_solid.h"

namespace selvage
{

/// Neo-Hookean solid with Fung's exponential hardening, stabilised at rest
/// [Kim & Eberle 2022, §6.4, constant corrected]:
///   ψ = μ0/2 (I2 − 3) + γ/2 (exp(μ1/2 (I2 − 3)) − 1)
///       + λ'/2 (J − 1)² − (μ0 + γ μ1/2)(J − 1)   [J/m³]
/// At small strain Lamé's constants are μ = μ0 + γ μ1/2 and λ = λ' − μ + γ μ1²/2.
struct StableFung : IsotropicSolid<StableFung> {
    struct Moduli {
        double mu0 = 0;    ///< [Pa]
        double gamma = 0;  ///< [Pa]
        double mu1 = 0;    ///< hardening, no unit
        double lambda = 0; ///< λ' [Pa]
    };
    static constexpr std::string_view name = "solid";
    static constexpr int numbers = 4;
    static constexpr bool uses_stretch = false, injective = false;
    static std::array<double, 4> pack(const Moduli& m) { return {m.mu0, m.gamma, m.mu1, m.lambda}; }

    template <class T>
    SELVAGE_INLINE static InvariantDerivatives<T> density(const SolidInvariants<T>& inv, const T* m)
    {
        InvariantDerivatives<T> d;
        const T mu0 = m[0], gamma = m[1], mu1 = m[2], lambda = m[3], half(0.5);
        const T excess = inv.I3 - T(1.0), beta = mu0 + half * gamma * mu1;
        const T e = exponential(half * mu1 * (inv.I2 - T(3.0)));
        d.psi = half * mu0 * (inv.I2 - T(3.0)) + half * gamma * (e - T(1.0)) +
                (half * lambda * excess - beta) * excess;
        d.p2 = half * mu0 + T(0.25) * gamma * mu1 * e;
        d.p22 = T(0.125) * gamma * mu1 * mu1 * e;
        d.p3 = lambda * excess - beta, d.p33 = lambda;
        return d;
    }
};

extern template class TetTerm<StableFung>;

} // namespace selvage
