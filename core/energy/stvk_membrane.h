#pragma once

#include "core/base/types.h"
#include "core/energy/batch_array.h"
#include "core/energy/term.h"

#include <array>
#include <string>
#include <vector>

namespace selvage
{

/// Orthotropic St. Venant–Kirchhoff membrane on constant-strain triangles, in edge form
/// [Tamstorf 2016, ch. 4; the errata below were checked by finite differences].
///
///   ψ = λ/2 J1² + μ J2 + α J1 J3 + β J3²,   J1 = tr E, J2 = tr E², J3 = âᵀEâ   [J/m²]
/// with the Green strain E = ½(FᵀF − I) and â the warp direction. With the edge i opposite vertex
/// i,
///   s_i = ½(‖e_i‖² − ‖ē_i‖²),   W = sᵀ T s   [J],
/// where T (symmetric 3×3, positive definite) holds material and rest shape. Vertex order
/// counter-clockwise, x = [x0 x1 x2], e_i = x_k − x_j with (i, j, k) cyclic.
///
/// Moduli are thickness-integrated (N/m). The printed G is twice the engineering shear modulus;
/// `shear` here is the engineering one.

/// [N/m]; poisson: weft contraction per unit of warp stretch.
struct MembraneModuli {
    double young_warp = 0, young_weft = 0, shear = 0, poisson = 0;
};

/// λ, μ, α, β [N/m].
struct OrthotropicConstants {
    double lambda = 0, mu = 0, alpha = 0, beta = 0;
};

/// Plane-stress constants. Throws InputError unless all moduli are positive and
/// poisson² · young_weft / young_warp < 1.
OrthotropicConstants orthotropic_constants(const MembraneModuli& moduli);

/// The same for viscosity [N·s/m]: β of `stretch` [s] times all but shear, β of `shear` times that.
OrthotropicConstants viscous_constants(const MembraneModuli& moduli, double stretch, double shear);

/// One triangle: T = [t00 t01 t02 t11 t12 t22] [N/m³], its viscosity D likewise [N·s/m³], and
/// squared rest lengths [m²] of the edges opposite vertices 0, 1, 2.
struct StvkTriangle {
    std::array<double, 6> stiffness{}, viscosity{};
    std::array<double, 3> rest_squared{};
};

/// â⊥ = w0 ē0 + w1 ē1: the direction across the warp in terms of two rest edges. Computed once in
/// the true rest shape, it carries the warp along when the rest lengths are animated.
/// Throws InputError where the warp is orthogonal to the triangle or the triangle is degenerate.
Vec2 warp_weights(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& warp);

/// From rest lengths (of the edges opposite vertices 0, 1, 2) alone, as needed for animated rest
/// states: blend lengths, never positions. â⊥ is normalised in the metric of these lengths, so that
/// scaling rest shape and geometry by s scales the energy by s². Throws InputError where the
/// lengths violate the triangle inequality.
StvkTriangle stvk_triangle(const Vec3& rest_lengths, const Vec2& warp_weights,
                           const OrthotropicConstants& constants,
                           const OrthotropicConstants& viscous = {});
/// From rest positions; the part of `warp` in the triangle's plane counts.
StvkTriangle stvk_triangle(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& warp,
                           const OrthotropicConstants& constants,
                           const OrthotropicConstants& viscous = {});

/// s of the triangle [m²].
Vec3 stvk_membrane_strain(const Vec9& x, const StvkTriangle& triangle);

/// Kelvin–Voigt viscosity, as an incremental potential:
///   b (s − ŝ)ᵀD(s − ŝ),   b = 1/h_eff, ŝ = s at x_star.
/// D = βT is Rayleigh's stiffness-proportional damping. Laws other than this one are damped by the
/// same term, with the D of their small-strain moduli and T = 0.
struct StvkDamping {
    double rate = 0; ///< b [1/s]
    Vec3 lagged_strain = Vec3::Zero();
};

double stvk_membrane_energy(const Vec9& x, const StvkTriangle& triangle,
                            const StvkDamping& damping = {});
Vec9 stvk_membrane_gradient(const Vec9& x, const StvkTriangle& triangle,
                            const StvkDamping& damping = {});
/// Hess W = 2 Bᵀ(T + bD)B + (Σ r_i L_i) ⊗ I3,  B = ∂s/∂x,  r = 2(Ts + bD(s − ŝ)).
/// Psd::clamp: the first term is positive semi-definite as it stands, the Laplacian of the second
/// is clamped in closed form. The result is never below the exact Hessian; compared with clamping
/// the 9×9 matrix it is stiffer by the order of the compressive strain.
Mat9 stvk_membrane_hessian(const Vec9& x, const StvkTriangle& triangle, Psd psd,
                           const StvkDamping& damping = {});

/// The membrane of one cloth. Element numbers are those of the arrays given to the constructor.
class StvkMembrane final : public Term
{
public:
    /// `triangles`: three vertices each; one StvkTriangle per triangle.
    StvkMembrane(const std::vector<std::int32_t>& triangles, const std::vector<StvkTriangle>& rest,
                 int vertex_count);

    std::string_view name() const override { return "membrane"; }
    const Batches& stencils() const override { return batches_; }
    void begin_step(const StepContext& step) override;
    void evaluate(const VecX& x, Want want, Sink& out) const override;

    /// New rest state (animated rest), to be followed by begin_step.
    void set_rest(const std::vector<StvkTriangle>& rest);

private:
    std::size_t count_ = 0;
    Batches batches_;
    BatchArray<9> material_;  // T, squared rest lengths
    BatchArray<6> viscosity_; // D; left as it was where nothing is damped
    BatchArray<3> lagged_;    // ŝ
    bool damped_ = false;     // some D > 0
    double inverse_step_ = 0; // 1/h_eff, 0 without a step
};

} // namespace selvage
