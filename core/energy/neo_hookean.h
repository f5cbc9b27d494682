#pragma once

#include "core/energy/isotropic_solid.h"

namespace selvage
{

/// Neo-Hookean solid [Bonet & Wood; Li 2020, §2.4]:
///   ψ = μ/2 (I2 − 3) − μ ln J + λ/2 ln² J,   J = det F   [J/m³]
/// with Lamé's constants as given by lame(). +∞ where J <= 0: an element never inverts, and steps
/// stop before (max_step).
struct NeoHookean : IsotropicSolid<NeoHookean> {
    struct Moduli {
        double lambda = 0, mu = 0; ///< [Pa]
    };
    static constexpr std::string_view name = "solid";
    static constexpr int numbers = 2;
    static constexpr bool uses_stretch = false, injective = true;
    static std::array<double, 2> pack(const Moduli& m) { return {m.lambda, m.mu}; }

    template <class T>
    SELVAGE_INLINE static InvariantDerivatives<T> density(const SolidInvariants<T>& inv, const T* m)
    {
        InvariantDerivatives<T> d;
        const T lambda = m[0], mu = m[1], half(0.5);
        const auto feasible = inv.I3 > T(1e-100);
        const T J = select(feasible, inv.I3, T(1.0)), log_J = logarithm(J), inverse = T(1.0) / J;
        d.psi =
            select(feasible, half * mu * (inv.I2 - T(3.0)) + (half * lambda * log_J - mu) * log_J,
                   T(infinity));
        d.p2 = half * mu;
        d.p3 = (lambda * log_J - mu) * inverse;
        d.p33 = (lambda - lambda * log_J + mu) * inverse * inverse;
        return d;
    }
};

extern template class TetTerm<NeoHookean>;

} // namespace selvage
