#pragma once

#include "core/energy/tet_term.h"
#include "core/math/svd3.h"

namespace selvage
{

/// Fibres in a solid [Kim & Eberle 2022, ch. 8, AARAP's derivatives corrected]: with a the unit
/// fibre direction at rest, l = |Fa| its stretch and d = Fa/l,
///   FiberSqrt:  ψ = μ/2 (l − 1)²          (kink at l = 0; rests at l = −1 too)
///   FiberArap:  ψ = μ/2 (l − s)²,  s = sign(aᵀSa), S the stretch of the polar decomposition
/// [J/m³]; FiberArap is linear through inversion of the fibre and brings it back. To be added to
/// an isotropic solid; several families add up. ∂²ψ/∂F² = aaᵀ ⊗ (μ ddᵀ + μ(1 − s/l)(1 − ddᵀ)):
/// Psd::clamp clamps these eigenvalues, which equals clamping the whole. Fibres shorter than 1e-6
/// count as that long in quotients.
struct FiberModuli {
    Vec3 direction = Vec3::UnitX(); ///< a, of any length
    double stiffness = 0;           ///< μ [Pa]
};

template <class T> struct FiberResponse {
    T psi;
    Vec3T<T> P[3], a;
    Mat3T<T> M;

    SELVAGE_INLINE Mat3T<T> block(const Vec3T<T>& g, const Vec3T<T>& h) const
    {
        return (dot(g, a) * dot(h, a)) * M;
    }
};

/// sign: s, +1 or −1.
template <class T>
SELVAGE_INLINE void fiber_response(const Vec3T<T> (&F)[3], const Vec3T<T>& a, const T& mu,
                                   const T& sign, Want want, FiberResponse<T>& out)
{
    const Vec3T<T> Fa = a.x * F[0] + a.y * F[1] + a.z * F[2];
    const T length = square_root(dot(Fa, Fa)), safe = maximum(length, T(1e-6));
    const Vec3T<T> d = (T(1.0) / safe) * Fa;
    const T C = length - sign;
    out.psi = T(0.5) * mu * C * C;
    out.a = a;
    if (want.gradient) {
        const Vec3T<T> pull = (mu * C) * d;
        out.P[0] = a.x * pull, out.P[1] = a.y * pull, out.P[2] = a.z * pull;
    }
    if (!want.hessian) return;
    T across = mu * C / safe;
    if (want.psd == Psd::clamp) across = maximum(across, T(0.0));
    assign(out.M, (mu - across) * outer(d, d));
    for (int i = 0; i < 9; i += 4) out.M.m[i] = out.M.m[i] + across;
}

struct FiberSolid {
    using Moduli = FiberModuli;
    template <class T> using Response = FiberResponse<T>;
    static constexpr std::string_view name = "fibers";
    static constexpr int numbers = 4;
    static constexpr bool injective = false;
    static std::array<double, 4> pack(const Moduli& m)
    {
        const Vec3 a = m.direction.normalized();
        return {a[0], a[1], a[2], m.stiffness};
    }
};

struct FiberSqrt : FiberSolid {
    template <class T>
    SELVAGE_INLINE static void respond(const Vec3T<T> (&F)[3], const T* m, Want want,
                                       Response<T>& out)
    {
        fiber_response(F, {m[0], m[1], m[2]}, m[3], T(1.0), want, out);
    }
};

struct FiberArap : FiberSolid {
    template <class T>
    SELVAGE_INLINE static void respond(const Vec3T<T> (&F)[3], const T* m, Want want,
                                       Response<T>& out)
    {
        const Vec3T<T> a = {m[0], m[1], m[2]};
        const Svd3T<T> s = svd3(F);
        T along(0.0); // aᵀSa; only its sign is used, its gradient blows up
        for (int k = 0; k < 3; ++k) {
            const T c = dot(s.v[k], a);
            along = along + s.sigma[k] * c * c;
        }
        fiber_response(F, a, m[3], select(along < T(0.0), T(-1.0), T(1.0)), want, out);
    }
};

extern template class TetTerm<FiberSqrt>;
extern template class TetTerm<FiberArap>;

} // namespace selvage
