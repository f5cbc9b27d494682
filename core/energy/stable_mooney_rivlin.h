#pragma once

#include "core/energy/isotropic_solid.h"

namespace selvage
{

/// Mooney–Rivlin solid, stabilised at rest [Kim & Eberle 2022, §6.4, constant corrected]:
///   ψ = μ0 (I2 − 3) + μ1 (I4 − 3) + λ'/2 (J − 1)² − (2 μ0 + 4 μ1)(J − 1)   [J/m³]
/// At small strain Lamé's constants are μ = 2 (μ0 + μ1) and λ = λ' − 2 μ0.
struct StableMooneyRivlin : IsotropicSolid<StableMooneyRivlin> {
    struct Moduli {
        double mu0 = 0, mu1 = 0; ///< [Pa]
        double lambda = 0;       ///< λ' [Pa]
    };
    static constexpr std::string_view name = "solid";
    static constexpr int numbers = 3;
    static constexpr bool uses_stretch = false, injective = false;
    static std::array<double, 3> pack(const Moduli& m) { return {m.mu0, m.mu1, m.lambda}; }

    template <class T>
    SELVAGE_INLINE static InvariantDerivatives<T> density(const SolidInvariants<T>& inv, const T* m)
    {
        InvariantDerivatives<T> d;
        const T excess = inv.I3 - T(1.0), beta = T(2.0) * m[0] + T(4.0) * m[1];
        d.psi = m[0] * (inv.I2 - T(3.0)) + m[1] * (inv.I4 - T(3.0)) +
                (T(0.5) * m[2] * excess - beta) * excess;
        d.p2 = m[0], d.p4 = m[1];
        d.p3 = m[2] * excess - beta, d.p33 = m[2];
        return d;
    }
};

extern template class TetTerm<StableMooneyRivlin>;

} // namespace selvage
