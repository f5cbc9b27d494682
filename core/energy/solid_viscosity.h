#pragma once

#include "core/energy/batch_array.h"
#include "core/energy/tet_element.h"

#include <vector>

namespace selvage
{

/// Kelvin–Voigt viscosity of a solid, whatever its elastic law, as an incremental potential:
///   W = volume · b (μ ‖E − Ê‖² + λ/2 tr² (E − Ê))   [J],   b = 1/h_eff,
/// with the Green strain E = (FᵀF − 1)/2, Ê = E at x_star, and viscosities λ, μ [Pa·s]: β times
/// Lamé's constants give Rayleigh's stiffness-proportional damping. Rotations are free. The
/// Rayleigh analogy is that of hinges and rods [Tamstorf 2016]; in Green strain, by us.
struct SolidViscosities {
    double lambda = 0, mu = 0; ///< [Pa·s]
};

/// What an element remembers of the start of a step.
struct SolidLag {
    double rate = 0; ///< b [1/s]
    Mat3 strain = Mat3::Zero();
};

Mat3 green_strain(const Vec12& x, const TetRest& rest);

double solid_viscosity_energy(const Vec12& x, const TetRest& rest, const SolidViscosities& k,
                              const SolidLag& lag);
Vec12 solid_viscosity_gradient(const Vec12& x, const TetRest& rest, const SolidViscosities& k,
                               const SolidLag& lag);
/// With S = b(2μ(E − Ê) + λ tr(E − Ê)), for material vectors g, h:
///   Σ g_j h_l ∂²W/∂F_j∂F_l = (gᵀSh) 1 + b(μ (g·h) FFᵀ + μ Fh(Fg)ᵀ + λ Fg(Fh)ᵀ).
/// Psd::clamp clamps S (3×3); the rest is positive semi-definite as it stands. Never below the
/// exact Hessian.
Mat12 solid_viscosity_hessian(const Vec12& x, const TetRest& rest, const SolidViscosities& k,
                              const SolidLag& lag, Psd psd);

/// The tetrahedra of one solid. Without begin_step it contributes nothing.
class SolidViscosity final : public Term
{
public:
    /// `tets`: four vertices each; viscosities per tetrahedron or one for all.
    SolidViscosity(const std::vector<std::int32_t>& tets, const std::vector<TetRest>& rest,
                   const std::vector<SolidViscosities>& viscosities, int vertex_count);

    std::string_view name() const override { return "viscosity"; }
    const Batches& stencils() const override { return batches_; }
    void begin_step(const StepContext& step) override;
    void evaluate(const VecX& x, Want want, Sink& out) const override;

private:
    Batches batches_;
    BatchArray<10> rest_; // B row by row, volume
    BatchArray<2> viscosities_;
    BatchArray<6> lagged_;    // Ê: 00 01 02 11 12 22
    double inverse_step_ = 0; // 1/h_eff, 0 without a step
};

} // namespace selvage
