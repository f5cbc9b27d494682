#pragma once

#include "core/energy/isotropic_solid.h"

namespace selvage
{

/// St. Venant–Kirchhoff solid: ψ = μ ‖E‖² + λ/2 tr² E,  E = (FᵀF − 1)/2   [J/m³]
///   = μ/4 (I2² − 2 I4 − 2 I2 + 3) + λ/8 (I2 − 3)²
/// with Lamé's constants as given by lame(). Blind to inversion and weak in compression: for small
/// strains and for comparison.
struct StvkSolid : IsotropicSolid<StvkSolid> {
    struct Moduli {
        double lambda = 0, mu = 0; ///< [Pa]
    };
    static constexpr std::string_view name = "solid";
    static constexpr int numbers = 2;
    static constexpr bool uses_stretch = false, injective = false;
    static std::array<double, 2> pack(const Moduli& m) { return {m.lambda, m.mu}; }

    template <class T>
    SELVAGE_INLINE static InvariantDerivatives<T> density(const SolidInvariants<T>& inv, const T* m)
    {
        InvariantDerivatives<T> d;
        const T lambda = m[0], mu = m[1], quarter(0.25), two(2.0), excess = inv.I2 - T(3.0);
        d.psi = quarter * mu * (inv.I2 * (inv.I2 - two) - two * inv.I4 + T(3.0)) +
                T(0.125) * lambda * excess * excess;
        d.p2 = T(0.5) * mu * (inv.I2 - T(1.0)) + quarter * lambda * excess;
        d.p22 = T(0.5) * mu + quarter * lambda;
        d.p4 = T(-0.5) * mu;
        return d;
    }
};

extern template class TetTerm<StvkSolid>;

} // namespace selvage
