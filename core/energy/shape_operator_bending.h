#pragma once

#include "core/base/types.h"
#include "core/energy/batch_array.h"
#include "core/energy/hinge_bending.h"
#include "core/energy/term.h"

#include <array>
#include <string_view>
#include <vector>

namespace selvage
{

using Vec18 = Eigen::Matrix<double, 18, 1>;
using Mat18 = Eigen::Matrix<double, 18, 18>;

/// Bending of a plate with a Poisson ratio: the second fundamental form of each triangle, from the
/// angles at its three edges.
///
/// With the normals at the middles of the edges between those of the two triangles, and linear in
/// between [Gingold et al. 2004; Grinspun et al. 2006], the form is constant in a triangle:
///   II = Σ_i c_i φ(θ_i) (l_i/A) m_i m_iᵀ,   c_i = h_i/(h_i + h̃_i),
/// θ_i the hinge angle at the edge opposite vertex i (hinge_bending.h), l_i its length, m_i its
/// normal in the plane, h_i, h̃_i the altitudes over it here and in the neighbour, all in the rest
/// shape; φ as in hinge_bending.h. c_i = ½ between equal neighbours; sharing the angle by altitude
/// keeps cylinders exact where rows of cells change width.
///
///   W = ½ A (II − ĪĪ) : 𝔻 (II − ĪĪ) = ½ (φ − φ̄)ᵀ K (φ − φ̄)   [J],
///   κᵀ𝔻κ = D1 κ11² + 2ν√(D1 D2) κ11 κ22 + D2 κ22² + 2(1−ν)√(D1 D2) κ12²,
/// 1 along the warp, D1, D2 [N·m] flexural rigidities; Huber's twist modulus, so that the rigidity
/// in every direction is that of directional_rigidity; D1 = D2: the isotropic plate.
///
/// Free edges carry no moment: the angle there, which no neighbour defines, is the one that
/// minimises the energy, i.e. K is condensed once (its rows of free edges are zero).
///
/// Quadratic shapes are exact on meshes whose neighbours are point reflections of each other
/// (grids with all diagonals alike, equilateral meshes). Where diagonals alternate, twist is up to
/// twice too stiff, because both triangles at an edge then err to the same side.
///
/// x = [x0 x1 x2 y0 y1 y2]: the triangle, counter-clockwise, and the far vertices y_i of the
/// neighbours across the edges opposite x_i; y_i = x_i marks an edge without neighbour.

/// [N·m]; poisson: curvature across per curvature along, with the sign of a free plate.
struct PlateModuli {
    double bend_warp = 0, bend_weft = 0, poisson = 0;
};

struct ShapeTriangle {
    std::array<double, 6> stiffness{}; ///< K = [k00 k01 k02 k11 k12 k22] [N·m]
    std::array<double, 3> rest_angle{};
    std::array<double, 3> interior{}; ///< 1 where there is a neighbour, else 0
    double rest_altitude = 0;         ///< [m] smallest; scale of the degeneracy test
};

/// From intrinsic quantities: lengths of the edges opposite vertices 0, 1, 2, the neighbours'
/// altitudes over them (negative: none), rest angles, and the warp as weights of rest edges
/// (stvk_membrane.h). Throws InputError where the lengths do not form a triangle.
ShapeTriangle shape_triangle(const Vec3& lengths, const Vec3& neighbour_altitudes,
                             const Vec3& rest_angles, const Vec2& warp_weights,
                             const PlateModuli& moduli);

/// Viscosity, as an incremental potential: (b/2)(φ − φ̂)ᵀK(φ − φ̂), b = β/h_eff, θ̂ = θ at x_star.
struct ShapeDamping {
    double ratio = 0; ///< b
    Vec3 lagged_angle = Vec3::Zero();
};

double shape_operator_energy(const Vec18& x, const ShapeTriangle& triangle, BendingForm form,
                             const ShapeDamping& damping = {});
Vec18 shape_operator_gradient(const Vec18& x, const ShapeTriangle& triangle, BendingForm form,
                              const ShapeDamping& damping = {});
/// Hess W = (1+b) Σ_ij K_ij ∇φ_i∇φ_jᵀ + Σ_i M_i Hess φ_i,  M = K((φ − φ̄) + b(φ − φ̂)).
/// Psd::clamp: the first sum is positive semi-definite as it stands; M_i Hess φ_i of each hinge is
/// clamped as in hinge_bending.h, where what must be added goes to strains, not to turns. The
/// result is positive semi-definite, never below the exact Hessian, and exact at rest. Leaving the
/// second sum out (Gauss–Newton) would be cheaper but lie below; clamping it by eigenvalues would
/// make hinges resist turning, and Newton slow.
Mat18 shape_operator_hessian(const Vec18& x, const ShapeTriangle& triangle, BendingForm form,
                             Psd psd, const ShapeDamping& damping = {});

/// The triangles of one cloth.
class ShapeOperatorBending final : public Term
{
public:
    /// `triangles`: six vertices each, as above; damping β [s] per triangle or one for all or none.
    ShapeOperatorBending(const std::vector<std::int32_t>& triangles,
                         std::vector<ShapeTriangle> rest, BendingForm form,
                         const std::vector<double>& damping, int vertex_count);

    std::string_view name() const override { return "plate bending"; }
    const Batches& stencils() const override { return batches_; }
    void begin_step(const StepContext& step) override;
    void evaluate(const VecX& x, Want want, Sink& out) const override;

    /// New rest state (animated rest), to be followed by begin_step.
    void set_rest(const std::vector<ShapeTriangle>& rest);

private:
    template <BendingForm form> void begin(const VecX& x_star);
    template <BendingForm form> void evaluate_as(const VecX& x, Want want, Sink& out) const;

    BendingForm form_;
    Batches batches_;
    BatchArray<13> material_; // K, φ̄, interior, smallest altitude
    BatchArray<1> damping_;   // β [s]
    BatchArray<3> lagged_;    // φ(θ̂)
    bool damped_ = false;     // some β > 0
    double inverse_step_ = 0; // 1/h_eff, 0 without a step
};

} // namespace selvage
