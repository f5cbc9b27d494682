#pragma once

#include "core/base/types.h"
#include "core/energy/batch_array.h"
#include "core/energy/term.h"

#include <vector>

namespace selvage
{

/// Bending of two triangles across their common edge (discrete shells [Grinspun et al. 2003], with
/// the exact derivatives and the tangent form of [Tamstorf 2016, ch. 5]; the printed (5.5) is
/// wrong, ours was checked by finite differences).
///
///   ψ = k a (φ(θ) − φ(θ̄))²  [J],   a = 3‖ē‖²/Ā,   Ā the sum of the two rest areas
///
/// x = [x0 x1 x2 x3], hinge edge (x1, x2), triangles (x0, x1, x2) and (x3, x2, x1), both
/// counter-clockwise; normals n, ñ; θ = atan2((n×ñ)·ê, n·ñ) with e = x2 − x1: zero when flat,
/// positive when the sheet bends away from its normals (they diverge).
///
/// Hinges whose edge or altitude has shrunk below 1e-8 of the rest altitude have no usable
/// derivatives: they contribute nothing, and `HingeBending::degenerate_count` counts them.

enum class BendingForm {
    angle,   ///< φ = θ
    tangent, ///< φ = 2 tan(θ/2): grows without bound towards ±π, so nothing folds through itself
};

/// From flexural rigidity D [N·m] to k. A mesh bent to a cylinder of curvature κ stores 3kκ² per
/// area, the plate ½Dκ²: physical k = D/6. `printed` is the D/2 of the source, three times too
/// stiff, for comparison with codes that use it.
enum class HingeCalibration { physical, printed };
double hinge_modulus(double flexural_rigidity,
                     HingeCalibration calibration = HingeCalibration::physical);

/// Rigidity of an orthotropic sheet for a bend whose curvature runs along `direction`, i.e. across
/// the hinge edge. A constant bending tensor makes it a quartic in the angle φ to the warp,
///   D(φ) = D_warp cos⁴φ + 2H cos²φ sin²φ + D_weft sin⁴φ,
/// with Huber's H = √(D_warp D_weft), hence (√D_warp cos²φ + √D_weft sin²φ)²; constant when
/// D_warp = D_weft.
double directional_rigidity(double warp_rigidity, double weft_rigidity, const Vec3& direction,
                            const Vec3& warp);
double directional_rigidity(double warp_rigidity, double weft_rigidity, double cos2_to_warp);

/// One hinge at rest.
struct HingeElement {
    double stiffness = 0;     ///< k a [N·m]
    double rest_angle = 0;    ///< θ̄ [rad], in (−π, π)
    double rest_altitude = 0; ///< [m] the smaller of the two: scale of the degeneracy test
};

/// From rest positions p = [p0 p1 p2 p3] and k [N·m]. Throws InputError where a triangle is
/// degenerate.
HingeElement hinge_element(const Vec12& p, double k);
/// From intrinsic quantities, as needed for animated rest states.
HingeElement hinge_element(double edge_length, double area_sum, double rest_angle, double k);

double hinge_angle(const Vec12& x);
Vec12 hinge_angle_gradient(const Vec12& x);
Mat12 hinge_angle_hessian(const Vec12& x);

/// Viscosity, as an incremental potential: b k a (φ(θ) − φ(θ̂))², b = β/h_eff, θ̂ = θ at x_star.
struct HingeDamping {
    double ratio = 0; ///< b
    double lagged_angle = 0;
};

double hinge_bending_energy(const Vec12& x, const HingeElement& hinge, BendingForm form,
                            const HingeDamping& damping = {});
Vec12 hinge_bending_gradient(const Vec12& x, const HingeElement& hinge, BendingForm form,
                             const HingeDamping& damping = {});
/// Hess ψ = ψ″ ∇θ∇θᵀ + ψ′ Hess θ.
///
/// With ρ, ρ̃ the altitudes of x0, x3, c, c̃ ∈ ℝ their feet on the edge (0 at x1, 1 at x2), r, r̃ unit
/// vectors from the edge to x0, x3, and the variations
///   A = (x0 − (1−c)x1 − c x2)/ρ,   B = (x3 − (1−c̃)x1 − c̃ x2)/ρ̃,   V = (x2 − x1)/‖e‖,
/// dθ = −(n·A + ñ·B) and
///   d²θ = 2(n·A)(r·A) + 2(ê·A)(n·V) + (n·V)(r·V) + the same with ñ, r̃, B.
/// In the frame halfway between the two triangles (N between the normals, R = N×ê) the form falls
/// apart into four forms of two variables each:
///   p = n·A + ñ·B,  s = n·A − ñ·B,  P = r·A − r̃·B,  S = r·A + r̃·B,  Z± = ê·A ± ê·B,
///   ψ″p² + ψ′pS,   ψ′sP,   ψ′(2cos(θ/2) Z₊(N·V) − sin θ (N·V)²),
///   ψ′(2sin(θ/2) Z₋(R·V) + sin θ (R·V)²).
/// Psd::clamp clamps each pair, a turn (p, s, N·V, R·V) and a strain (S, P, Z± less that of turning
/// rigidly), in closed form: positive semi-definite and never below the exact Hessian. Unlike the
/// 12×12 eigenvalue clamp it adds to strains rather than turns: the membrane resists those anyway,
/// and hinges that resist turning make a strip of n cells bent to a circle look n times too stiff.
Mat12 hinge_bending_hessian(const Vec12& x, const HingeElement& hinge, BendingForm form, Psd psd,
                            const HingeDamping& damping = {});

/// The hinges of one cloth. Element numbers are those of the arrays given to the constructor.
class HingeBending final : public Term
{
public:
    /// `hinges`: four vertices each; one HingeElement per hinge; damping β [s] per hinge or one for
    /// all or none.
    HingeBending(const std::vector<std::int32_t>& hinges, std::vector<HingeElement> rest,
                 BendingForm form, const std::vector<double>& damping, int vertex_count);

    std::string_view name() const override { return "bending"; }
    const Batches& stencils() const override { return batches_; }
    void begin_step(const StepContext& step) override;
    void evaluate(const VecX& x, Want want, Sink& out) const override;

    /// New rest state (animated rest), to be followed by begin_step.
    void set_rest(std::vector<HingeElement> rest);
    const std::vector<HingeElement>& rest() const { return rest_; }
    /// Rayleigh coefficient [s], per hinge or one for all or none.
    void set_damping(const std::vector<double>& damping);

    /// Hinges that contribute nothing at x because they have collapsed.
    int degenerate_count(const VecX& x) const;
    /// θ of each hinge.
    std::vector<double> angles(const VecX& x) const;

private:
    Vec12 positions(const VecX& x, std::size_t hinge) const;

    std::vector<std::int32_t> hinges_;
    std::vector<HingeElement> rest_;
    BendingForm form_;
    Batches batches_;
    BatchArray<3> material_;  // k a, φ(θ̄), smallest altitude
    BatchArray<1> damping_;   // β [s]
    BatchArray<1> lagged_;    // φ(θ̂)
    bool damped_ = false;     // some β > 0
    double inverse_step_ = 0; // 1/h_eff, 0 without a step
};

} // namespace selvage
