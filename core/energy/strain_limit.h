#pragma once

#include "core/energy/isotropic_membrane.h"
#include "core/energy/membrane_term.h"

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
};

extern template class MembraneTerm<StrainLimitLaw>;

/// The limit of one cloth, for every triangle and at every iterate: steps are cut before it.
class StrainLimit final : public Term
{
public:
    using Moduli = StrainLimitLaw::Moduli;

    /// As in MembraneTerm.
    StrainLimit(const std::vector<std::int32_t>& triangles,
                const std::vector<MembraneTriangle>& rest, const std::vector<Moduli>& moduli,
                int vertex_count);

    std::string_view name() const override { return StrainLimitLaw::name; }
    const Batches& stencils() const override { return barrier_.stencils(); }
    void evaluate(const VecX& x, Want want, Sink& out) const override
    {
        barrier_.evaluate(x, want, out);
    }
    /// The longest step found by bisection that leaves every triangle a part of what it had left.
    double max_step(const VecX& x, const VecX& p) const override;
    /// New rest state (animated rest).
    void set_rest(const std::vector<MembraneTriangle>& rest);

private:
    double triangle_step(std::size_t triangle, const VecX& x, const VecX& p) const;

    std::vector<std::int32_t> triangles_;
    std::vector<MembraneTriangle> rest_;
    std::vector<Moduli> moduli_;
    MembraneTerm<StrainLimitLaw> barrier_;
};

} // namespace selvage
