#pragma once

#include "core/energy/isotropic_membrane.h"
#include "core/energy/membrane_term.h"

namespace selvage
{

/// Neo-Hookean membrane [Li 2020, §2.4, with plane-stress Lamé constants]:
///   ψ = μ/2 (‖F‖² − 2) − μ ln J + λ/2 ln² J,   J = σ_0 σ_1 = √det FᵀF   [J/m²]
///   μ = Y/(2(1 + ν)),   λ = Yν/(1 − ν²),   Y [N/m] Young's modulus × thickness.
/// Grows without bound as a triangle collapses to a line (+∞ at J = 0), so it resists
/// compression more than St. Venant–Kirchhoff does. Psd::clamp equals eigenvalue clamping of
/// ∂²ψ/∂F².
struct NeoHookeanMembrane {
    struct Moduli {
        double lambda = 0, mu = 0; ///< [N/m]
    };
    static constexpr std::string_view name = "membrane";
    static constexpr int numbers = 2;
    std::array<double, 2> pack(const Moduli& m) const { return {m.lambda, m.mu}; }

    template <class T>
    SELVAGE_INLINE void respond(const Vec3T<T> (&F)[2], const T* m, Want want,
                                MembraneResponse<T>& out) const
    {
        const T lambda = m[0], mu = m[1], one(1.0);
        const Svd32T<T> s = svd32(F);
        const T J = s.sigma[0] * s.sigma[1];
        const auto feasible = J > T(1e-100);
        const T safe = select(feasible, J, one), log_J = logarithm(safe);
        PrincipalMembrane<T> p;
        const T I2 = s.sigma[0] * s.sigma[0] + s.sigma[1] * s.sigma[1];
        p.psi =
            select(feasible, T(0.5) * mu * (I2 - T(2.0)) + (T(0.5) * lambda * log_J - mu) * log_J,
                   T(infinity));
        const T pull = lambda * log_J - mu;
        for (int i = 0; i < 2; ++i) {
            const T inverse = one / select(feasible, s.sigma[i], one);
            p.d[i] = mu * s.sigma[i] + pull * inverse;
            p.normal[i] = mu + pull * inverse * inverse;
            (i == 0 ? p.A.aa : p.A.bb) = mu + (lambda - pull) * inverse * inverse;
        }
        p.A.ab = lambda / safe;
        p.twist = mu + pull / safe, p.flip = mu - pull / safe;
        isotropic_response(s, p, want, out);
    }
};

/// From Young's modulus × thickness [N/m] and Poisson's ratio in (−1, 1); else InputError.
NeoHookeanMembrane::Moduli neo_hookean_membrane_moduli(double young, double poisson);

extern template class MembraneTerm<NeoHookeanMembrane>;

} // namespace selvage
