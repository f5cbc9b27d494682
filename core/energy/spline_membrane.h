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
///
/// Green strains and conjugate stresses as the orthotropic St. Venant–Kirchhoff membrane has them
/// [Tamstorf 2016, ch. 4]; splines as materials after [Liu, "Towards Real-Time Simulation of
/// Hyperelastic Materials", thesis, ch. 7], there of principal stretches. The coupling by a, chosen
/// such that pulls with free sides give the measured curves back, is ours; checked against them and
/// against straight curves.
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
    /// What is painted on a triangle: multiples of N_u, N_v and W_s', and what ν gets on top.
    /// ν² Y_v/Y_u < 1 must hold with them, too.
    struct Moduli {
        double warp = 1, weft = 1, shear = 1;
        double further_poisson = 0;
    };
    static constexpr std::string_view name = "membrane";
    static constexpr int numbers = 4;
    std::array<double, 4> pack(const Moduli& m) const
    {
        return {m.warp, m.weft, m.shear, m.further_poisson};
    }

    SplineMembrane() = default;
    /// Throws InputError unless all initial slopes are positive and ν² Y_weft/Y_warp < 1.
    SplineMembrane(const FabricCurve& warp, const FabricCurve& weft, const FabricCurve& shear,
                   double poisson);

    /// Of one triangle at the Green strains e_u, e_v and γ.
    StrainDerivatives<double> derivatives(double warp, double weft, double gamma,
                                          const Moduli& m) const;

    template <class T>
    void respond(const Vec3T<T> (&F)[2], const T* m, Want want, MembraneResponse<T>& out) const
    {
        const T half(0.5), one(1.0);
        const StrainDerivatives<T> k = lanes(half * (dot(F[0], F[0]) - one),
                                             half * (dot(F[1], F[1]) - one), dot(F[0], F[1]), m);
        strain_response(F, k, want, out);
    }

private:
    StrainDerivatives<double> lanes(double e_u, double e_v, double gamma, const double* m) const
    {
        return derivatives(e_u, e_v, gamma, {m[0], m[1], m[2], m[3]});
    }
    StrainDerivatives<Real4> lanes(const Real4& e_u, const Real4& e_v, const Real4& gamma,
                                   const Real4* m) const;

    struct Curves {
        FabricCurve warp, weft, shear;
        double warp_modulus = 0, weft_modulus = 0; // Y_u, Y_v
        double poisson = 0;
    };
    std::shared_ptr<const Curves> curves_;
};

extern template class MembraneTerm<SplineMembrane>;

} // namespace selvage
