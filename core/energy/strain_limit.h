#pragma once

#include "core/energy/isotropic_membrane.h"
#include "core/energy/limit_term.h"

namespace selvage
{

/// A barrier that keeps the principal stretches of a triangle below a limit s [Li et al. 2021, §5;
/// the printed b″ has an error, see the test]:
///   ψ = k Σ_i b(y_i),   b(y) = −y² ln(1 − y),   y_i = (σ_i − 1)/(s − 1)   for σ_i > 1, else 0
///   [J/m²]
/// +∞ from the limit on. Value, stress and stiffness vanish at rest and in compression: the cloth's
/// own membrane decides until the limit comes near. b″ >= 0 and b′ grows with σ, so only the terms
/// that compression would bring need clamping, and there are none: the Hessian is positive
/// semi-definite as it stands.
struct StrainLimitLaw {
    struct Moduli {
        double stiffness = 0; ///< k [N/m]
        double limit = 1;     ///< s > 1
    };
    static constexpr std::string_view name = "strain limit";
    static constexpr int numbers = 2;
    std::array<double, 2> pack(const Moduli& m) const { return {m.stiffness, m.limit}; }

    template <class T>
    SELVAGE_INLINE void respond(const Vec3T<T> (&F)[2], const T* m, Want want,
                                MembraneResponse<T>& out) const
    {
        const T zero(0.0), one(1.0), two(2.0);
        const T k = m[0], range = m[1] - one;
        const Svd32T<T> s = svd32(F);
        PrincipalMembrane<T> p;
        p.psi = zero;
        T second[2];
        for (int i = 0; i < 2; ++i) {
            const T y = maximum((s.sigma[i] - one) / range, zero);
            const auto feasible = y < one;
            const T safe = select(feasible, y, zero), left = one - safe, log = logarithm(left);
            p.psi = p.psi + select(feasible, -(k * safe * safe * log), T(infinity));
            p.d[i] = k * safe * (safe / left - two * log) / range;
            second[i] = k * (safe / left * (T(4.0) + safe / left) - two * log) / (range * range);
            p.normal[i] = p.d[i] / maximum(s.sigma[i], one);
        }
        p.A = {second[0], zero, second[1]};
        const T apart = s.sigma[0] - s.sigma[1]; // >= 0
        const auto distinct = apart > T(1e-6) * range;
        p.flip = select(distinct, (p.d[0] - p.d[1]) / select(distinct, apart, one),
                        T(0.5) * (second[0] + second[1]));
        p.twist = (p.d[0] + p.d[1]) / maximum(s.sigma[0] + s.sigma[1], one);
        isotropic_response(s, p, want, out);
    }

    /// By bisection.
    static double longest_step(const Mat32& F, const Mat32& way, const Moduli& moduli);
    static bool widen(const Mat32& F, Moduli& moduli);
};

extern template class MembraneTerm<StrainLimitLaw>;

using StrainLimit = LimitTerm<StrainLimitLaw>;

} // namespace selvage
