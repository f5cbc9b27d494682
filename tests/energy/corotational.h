#pragma once

#include "core/energy/isotropic_solid.h"

namespace selvage::test
{

/// Corotational elasticity with a linear volume term, ψ = μ‖F − R‖² + λ/2 tr²(S − 1): no law of
/// ours, but one whose eigensystem is tabulated and whose failure is known.
struct Corotational : IsotropicSolid<Corotational> {
    struct Moduli {
        double lambda = 0, mu = 0;
    };
    static constexpr std::string_view name = "corotational";
    static constexpr int numbers = 2;
    static constexpr bool uses_stretch = true, injective = false;
    static std::array<double, 2> pack(const Moduli& m) { return {m.lambda, m.mu}; }
    template <class T>
    static InvariantDerivatives<T> density(const SolidInvariants<T>& v, const T* m)
    {
        InvariantDerivatives<T> d;
        const T excess = v.I1 - T(3.0);
        d.psi = m[1] * (v.I2 - T(2.0) * v.I1 + T(3.0)) + T(0.5) * m[0] * excess * excess;
        d.p1 = m[0] * excess - T(2.0) * m[1], d.p2 = m[1], d.p11 = m[0];
        return d;
    }
};

} // namespace selvage::test
