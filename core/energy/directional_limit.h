#pragma once

#include "core/energy/limit_term.h"
#include "core/energy/strain_membrane.h"
#include "core/energy/stvk_membrane.h"

namespace selvage
{

/// Limits of strain along warp, weft and in shear, each its own [Li et al. 2021, §5.2: a barrier in
/// place of each term of the orthotropic St. Venant–Kirchhoff energy]. With the Green strains e_u,
/// e_v along the threads and γ = w_u·w_v, the source's energy is
///   ψ = a_u/2 η(e_u²; l_u²) + a_v/2 η(e_v²; l_v²) + a_uv η(e_u e_v; l_u l_v) + G/2 η(γ²; l_γ²)
///   η(z; m) = −m ln(1 − z/m),   η(z; ∞) = z                                         [J/m²]
/// This is what it has beyond η = z, that is, beyond St. Venant–Kirchhoff itself: a barrier that
/// can stand beside any membrane. Value, stress and stiffness vanish at rest; +∞ from a limit on,
/// in tension and in compression alike. (The source's limits of the η are squares and products of
/// limits of strain, although it does not say so.) Psd::clamp equals eigenvalue clamping of
/// ∂²ψ/∂F².
struct DirectionalLimitLaw {
    struct Moduli {
        double warp_stiffness = 0, weft_stiffness = 0; ///< a_u, a_v [N/m]
        double mixed_stiffness = 0, shear = 0;         ///< a_uv, G (engineering) [N/m]
        double warp = infinity, weft = infinity;       ///< l_u, l_v: Green strains
        double gamma = infinity;                       ///< l_γ: sine of the shear angle
    };
    static constexpr std::string_view name = "directional limit";
    static constexpr int numbers = 8;
    /// The stiffnesses, and 1/m of each η.
    std::array<double, 8> pack(const Moduli& m) const
    {
        const double u = 1 / m.warp, v = 1 / m.weft, s = 1 / m.gamma;
        return {m.warp_stiffness,
                m.weft_stiffness,
                m.mixed_stiffness,
                m.shear,
                u * u,
                v * v,
                u * v,
                s * s};
    }

    template <class T>
    void respond(const Vec3T<T> (&F)[2], const T* m, Want want, MembraneResponse<T>& out) const
    {
        const T half(0.5), one(1.0), two(2.0);
        const T u = half * (dot(F[0], F[0]) - one), v = half * (dot(F[1], F[1]) - one);
        const T g = dot(F[0], F[1]);
        const Excess<T> U = excess(u * u, m[4]), V = excess(v * v, m[5]), M = excess(u * v, m[6]),
                        S = excess(g * g, m[7]);
        StrainDerivatives<T> k;
        const auto feasible = (u * u * m[4] < one) && (v * v * m[5] < one) && (g * g * m[7] < one);
        k.psi = select(feasible,
                       half * (m[0] * U.value + m[1] * V.value + m[3] * S.value) + m[2] * M.value,
                       T(infinity));
        k.s0 = m[0] * U.first * u + m[2] * M.first * v;
        k.s1 = m[1] * V.first * v + m[2] * M.first * u;
        k.s01 = m[3] * S.first * g;
        k.d00 = m[0] * (U.first + two * U.second * u * u) + m[2] * M.second * v * v;
        k.d11 = m[1] * (V.first + two * V.second * v * v) + m[2] * M.second * u * u;
        k.d01 = m[2] * (M.first + M.second * u * v);
        k.shear = m[3] * (S.first + two * S.second * g * g);
        strain_response(F, k, want, out);
    }

    /// From the first crossing of each limit: strains are quadratic along the way.
    static double longest_step(const Mat32& F, const Mat32& way, const Moduli& moduli);
    static bool widen(const Mat32& F, Moduli& moduli);

private:
    /// η(z; 1/r) − z with its derivatives in z; finite beyond the limit, too.
    template <class T> struct Excess {
        T value, first, second;
    };
    template <class T> SELVAGE_INLINE static Excess<T> excess(const T& z, const T& r)
    {
        const T one(1.0), zero(0.0), part = z * r;
        const T safe = select(part < one, part, zero), left = one / (one - safe);
        const auto limited = r > zero;
        const T value = select(limited, -logarithm(one - safe) / select(limited, r, one) - z, zero);
        return {value, safe * left, r * left * left};
    }
};

extern template class MembraneTerm<DirectionalLimitLaw>;

using DirectionalLimit = LimitTerm<DirectionalLimitLaw>;

/// From moduli of St. Venant–Kirchhoff and limits of stretch (stretch − 1 along warp and weft) and
/// of the sine of the shear angle; 0 does not limit. Throws InputError as orthotropic_constants.
DirectionalLimitLaw::Moduli directional_limit(const MembraneModuli& moduli, double warp,
                                              double weft, double shear);

} // namespace selvage
