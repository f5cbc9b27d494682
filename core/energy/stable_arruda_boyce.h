#pragma once

#include "core/energy/isotropic_solid.h"

namespace selvage
{

/// Arruda–Boyce solid (three terms of the eight-chain model), stabilised at rest
/// [Kim & Eberle 2022, §6.4]:
///   ψ = μ/2 (I2 − 3) + μ b1/4 (I2² − 9) + μ b2/6 (I2³ − 27)
///       + λ'/2 (J − 1)² − μ (1 + 3 b1 + 9 b2)(J − 1)   [J/m³]
/// For chains of n links b1 = 1/(5n), b2 = 11/(175n²). At small strain Lamé's constants are
/// μ (1 + 3 b1 + 9 b2) and λ' − μ (1 + b1 − 3 b2).
struct StableArrudaBoyce : IsotropicSolid<StableArrudaBoyce> {
    struct Moduli {
        double mu = 0;         ///< [Pa]
        double b1 = 0, b2 = 0; ///< hardening
        double lambda = 0;     ///< λ' [Pa]
    };
    static constexpr std::string_view name = "solid";
    static constexpr int numbers = 4;
    static constexpr bool uses_stretch = false, injective = false;
    static std::array<double, 4> pack(const Moduli& m) { return {m.mu, m.b1, m.b2, m.lambda}; }

    template <class T>
    SELVAGE_INLINE static InvariantDerivatives<T> density(const SolidInvariants<T>& inv, const T* m)
    {
        InvariantDerivatives<T> d;
        const T mu = m[0], b1 = m[1], b2 = m[2], lambda = m[3], half(0.5);
        const T I = inv.I2, excess = inv.I3 - T(1.0);
        const T beta = mu * (T(1.0) + T(3.0) * b1 + T(9.0) * b2);
        d.psi = half * mu * (I - T(3.0)) + T(0.25) * mu * b1 * (I * I - T(9.0)) +
                mu * b2 * (I * I * I - T(27.0)) / T(6.0) + (half * lambda * excess - beta) * excess;
        d.p2 = half * mu * (T(1.0) + I * (b1 + I * b2));
        d.p22 = half * mu * (b1 + T(2.0) * b2 * I);
        d.p3 = lambda * excess - beta, d.p33 = lambda;
        return d;
    }
};

extern template class TetTerm<StableArrudaBoyce>;

} // namespace selvage
