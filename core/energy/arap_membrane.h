#pragma once

#include "core/energy/isotropic_membrane.h"
#include "core/energy/membrane_term.h"

namespace selvage
{

/// As-rigid-as-possible membrane [Kim & Eberle 2022, ch. 5, with F 3×2]:
///   ψ = k/2 ‖F − R‖² = k/2 Σ (σ_i − 1)²,   R = U Vᵀ   [J/m²]
/// k [N/m] is Young's modulus × thickness of a fabric without lateral contraction. Finite
/// everywhere, linear in stretch. Psd::clamp equals eigenvalue clamping of ∂²ψ/∂F²; indefinite
/// where some σ_i < 1 (out of the plane) or σ_0 + σ_1 < 2 (in it).
struct ArapMembrane {
    struct Moduli {
        double stiffness = 0; ///< k [N/m]
    };
    static constexpr std::string_view name = "membrane";
    static constexpr int numbers = 1;
    std::array<double, 1> pack(const Moduli& m) const { return {m.stiffness}; }

    template <class T>
    SELVAGE_INLINE void respond(const Vec3T<T> (&F)[2], const T* m, Want want,
                                MembraneResponse<T>& out) const
    {
        const T k = m[0], one(1.0), two(2.0), zero(0.0);
        const Svd32T<T> s = svd32(F);
        // Stretches under 1e-8 count as such in the quotients: their directions are noise.
        const T least(1e-8);
        PrincipalMembrane<T> p;
        for (int i = 0; i < 2; ++i) {
            p.d[i] = k * (s.sigma[i] - one);
            p.normal[i] = k - k / maximum(s.sigma[i], least);
        }
        p.psi = T(0.5) * k *
                ((s.sigma[0] - one) * (s.sigma[0] - one) + (s.sigma[1] - one) * (s.sigma[1] - one));
        p.A = {k, zero, k};
        p.flip = k, p.twist = k - two * k / maximum(s.sigma[0] + s.sigma[1], least);
        isotropic_response(s, p, want, out);
    }
};

extern template class MembraneTerm<ArapMembrane>;

} // namespace selvage
