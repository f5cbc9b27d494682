#pragma once

#include "core/energy/membrane_term.h"
#include "core/energy/strain_membrane.h"
#include "core/math/monotone_curve.h"

#include <memory>
#include <vector>

namespace selvage
{

/// A fabric driven by measured curves: monotone cubic splines through (strain, force per width)
/// samples along warp, along weft and in shear.
///
///   ψ = W_u(e_u) + W_v(e_v) + a e_u e_v + W_s(γ)   [J/m²]
/// in Green strains e_u, e_v along the threads and γ = w_u·w_v (the sine of the shear angle of
/// unstretched threads). With N_u, N_v the measured curves as second Piola–Kirchhoff stress over
/// Green strain, Y_u, Y_v their initial slopes, ν the weft contraction per warp stretch (Green
/// strains), ν' = ν Y_v/Y_u and a = ν Y_v/(1 − νν'):
///   W_u'(e) = N_u(e) + a ν e   for e >= 0,      W_u'(e) = Y_u/(1 − νν') e   for e < 0,
/// likewise v with ν'. Pulling along the warp with free sides then gives e_v = −ν e_u and exactly
/// the measured force; straight curves give the orthotropic St. Venant–Kirchhoff membrane. W_s is
/// even; beyond the last sample every curve goes on straight. Psd::clamp equals eigenvalue
/// clamping of ∂²ψ/∂F².
class FabricCurve
{
public:
    /// N = modulus · e: linear in Green strain.
    explicit FabricCurve(double modulus = 0) : curve_(modulus) {}
    /// A pull test: engineering strain (stretch − 1) > 0 increasing, force per rest width [N/m]
    /// increasing fast enough for force/stretch to increase; the origin is implied. Between samples
    /// the force is the monotone cubic over engineering strain. Throws InputError naming `test`.
    static FabricCurve from_pull(const std::vector<Vec2>& strain_force, const std::string& test);
    /// A shear test: γ > 0 increasing, its conjugate force per width [N/m] increasing.
    static FabricCurve from_shear(const std::vector<Vec2>& gamma_force, const std::string& test);

    MonotoneCurve::Value operator()(double strain) const { return curve_(strain); }
    double modulus() const { return curve_(0).slope; } ///< initial slope [N/m]

private:
    MonotoneCurve curve_;
};

struct SplineMembrane {
    /// Multiplies the energy: painted stiffness.
    struct Moduli {
        double scale = 1;
    };
    static constexpr std::string_view name = "membrane";
    static constexpr int numbers = 1;
    std::array<double, 1> pack(const Moduli& m) const { return {m.scale}; }

    SplineMembrane() = default;
    /// Throws InputError unless all initial slopes are positive and ν² Y_weft/Y_warp < 1.
    SplineMembrane(const FabricCurve& warp, const FabricCurve& weft, const FabricCurve& shear,
                   double poisson);

    /// Of one triangle at the Green strains e_u, e_v and γ, with scale 1.
    StrainDerivatives<double> derivatives(double warp, double weft, double gamma) const;

    template <class T>
    void respond(const Vec3T<T> (&F)[2], const T* m, Want want, MembraneResponse<T>& out) const
    {
        const T half(0.5), one(1.0);
        StrainDerivatives<T> k =
            lanes(half * (dot(F[0], F[0]) - one), half * (dot(F[1], F[1]) - one), dot(F[0], F[1]));
        for (T* a : {&k.psi, &k.s0, &k.s1, &k.s01, &k.d00, &k.d01, &k.d11, &k.shear})
            *a = *a * m[0];
        strain_response(F, k, want, out);
    }

private:
    StrainDerivatives<double> lanes(double e_u, double e_v, double gamma) const
    {
        return derivatives(e_u, e_v, gamma);
    }
    StrainDerivatives<Real4> lanes(const Real4& e_u, const Real4& e_v, const Real4& gamma) const;

    struct Curves {
        FabricCurve warp, weft, shear;
        double coupling = 0;                         // a
        double warp_pull = 0, weft_pull = 0;         // a ν, a ν'
        double warp_compress = 0, weft_compress = 0; // slopes for e < 0
    };
    std::shared_ptr<const Curves> curves_;
};

extern template class MembraneTerm<SplineMembrane>;

} // namespace selvage
