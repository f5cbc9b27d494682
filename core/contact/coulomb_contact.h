#pragma once

#include "core/base/types.h"

namespace selvage
{

/// One frictional contact in its frame (normal, two tangents):
///   u = W λ + b,   0 ≤ λ_n ⊥ u_n ≥ 0,   ‖λ_t‖ ≤ μ λ_n,   λ_t = −μ λ_n u_t/‖u_t‖ where u_t ≠ 0.
/// u is the relative displacement at the contact (its normal part counted from the least distance
/// allowed), W ≻ 0 what a force does to it, b what it is without one.
struct CoulombProblem {
    Mat3 W;
    Vec3 b;
    double friction = 0; ///< μ
};

enum class CoulombCase { take_off, stick, slide };

struct CoulombSolution {
    CoulombCase state = CoulombCase::take_off;
    Vec3 force = Vec3::Zero(); ///< λ
};

/// Exact: without force where b_n ≥ 0, without motion where −W⁻¹b lies in the cone; otherwise
/// sliding with u_n = 0 and u_t = −ρ λ_t. Eliminating λ_n leaves (S + ρI) λ_t = −c with the Schur
/// complement S of W_nn, and one equation ‖λ_t(ρ)‖ = μ λ_n(ρ): its left side is too large at ρ = 0,
/// which is sticking, and too small at ρ → ∞, so that a root is always bracketed.
CoulombSolution solve_coulomb(const CoulombProblem& problem);

/// How far λ is from solving the problem, in units of b: zero exactly at solutions. The largest of
/// what is left of each condition, forces measured by W_nn.
double coulomb_residual(const CoulombProblem& problem, const Vec3& force);

} // namespace selvage
