#pragma once

#include "core/energy/isotropic_solid.h"

namespace selvage
{

/// Fixed corotational solid [Stomakhin et al. 2012; Li 2020, §2.4]:
///   ψ = μ Σ (σ_i − 1)² + λ/2 (J − 1)² = μ (I2 − 2 I1 + 3) + λ/2 (I3 − 1)²   [J/m³]
/// with Lamé's constants as given by lame(). Finite through inversion, and pushes back.
struct FixedCorotational : IsotropicSolid<FixedCorotational> {
    struct Moduli {
        double lambda = 0, mu = 0; ///< [Pa]
    };
    static constexpr std::string_view name = "solid";
    static constexpr int numbers = 2;
    static constexpr bool uses_stretch = true, injective = false;
    static std::array<double, 2> pack(const Moduli& m) { return {m.lambda, m.mu}; }

    template <class T>
    SELVAGE_INLINE static InvariantDerivatives<T> density(const SolidInvariants<T>& inv, const T* m)
    {
        InvariantDerivatives<T> d;
        const T lambda = m[0], mu = m[1], excess = inv.I3 - T(1.0);
        d.psi = mu * (inv.I2 - T(2.0) * inv.I1 + T(3.0)) + T(0.5) * lambda * excess * excess;
        d.p1 = T(-2.0) * mu, d.p2 = mu;
        d.p3 = lambda * excess, d.p33 = lambda;
        return d;
    }
};

extern template class TetTerm<FixedCorotational>;

} // namespace selvage
