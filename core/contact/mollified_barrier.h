#pragma once

#include "core/base/types.h"
#include "core/contact/barrier.h"
#include "core/contact/distance.h"
#include "core/contact/mollifier.h"

namespace selvage
{

/// Barrier of two nearly parallel edges, E = s e(c) b(D, D̂): see mollifier.h and barrier.h.
///   ∇E = s (b e′ ∇c + e b′ ∇D)
///   ∇²E = s [ b (e″ ∇c∇cᵀ + e′ ∇²c) + e′b′ (∇c∇Dᵀ + ∇D∇cᵀ) + e (b″ ∇D∇Dᵀ + b′ ∇²D) ]
/// x = [a0 a1 b0 b1] stacked; the distance takes whichever of its nine cases holds. The clamp is an
/// eigen-solve in the nine dimensions orthogonal to translation.
struct MollifiedBarrier {
    double thickness = 0; ///< ξ [m]
    double D_hat = 0;     ///< [m²]
    double epsilon = 0;   ///< mollifier_threshold × product of the squared rest lengths [m⁴]
    double scale = 1;     ///< κ
};
double mollified_barrier_energy(const Vec12& x, const MollifiedBarrier& pair);
Vec12 mollified_barrier_gradient(const Vec12& x, const MollifiedBarrier& pair);
Mat12 mollified_barrier_hessian(const Vec12& x, const MollifiedBarrier& pair, Psd psd);

/// Gradients, and Hessians where `hessian` is given, of one to four pairs: the eigen-solves of four
/// cost little more than that of one.
void mollified_barrier_derivatives(const Vec12* x, const MollifiedBarrier* pair, std::size_t count,
                                   Psd psd, Vec12* gradient, Mat12* hessian);

} // namespace selvage
