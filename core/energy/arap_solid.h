#pragma once

#include "core/energy/isotropic_solid.h"

namespace selvage
{

/// As-rigid-as-possible solid: ψ = μ/2 ‖F − R‖² = μ/2 (I2 − 2 I1 + 3)   [J/m³]
/// [Kim & Eberle 2022, §5.5]. No volume term: at small strain Young's modulus μ, Poisson's ratio
/// 0. Indefinite where the sum of two singular values is below 2.
struct ArapSolid : IsotropicSolid<ArapSolid> {
    struct Moduli {
        double mu = 0; ///< [Pa]
    };
    static constexpr std::string_view name = "solid";
    static constexpr int numbers = 1;
    static constexpr bool uses_stretch = true, injective = false;
    static std::array<double, 1> pack(const Moduli& m) { return {m.mu}; }

    template <class T>
    SELVAGE_INLINE static InvariantDerivatives<T> density(const SolidInvariants<T>& inv, const T* m)
    {
        InvariantDerivatives<T> d;
        const T half_mu = T(0.5) * m[0];
        d.psi = half_mu * (inv.I2 - T(2.0) * inv.I1 + T(3.0));
        d.p1 = -m[0], d.p2 = half_mu;
        return d;
    }
};

extern template class TetTerm<ArapSolid>;

} // namespace selvage
