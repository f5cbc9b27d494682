#pragma once

#include "core/model/scene.h"
#include "core/model/state.h"

namespace selvage
{

/// What a search for the rest shape came to.
struct SagFree {
    int strands = 0; ///< that got a rest shape which holds them
    int bounded = 0; ///< strands that would need more curl than the bound: they will droop a little
    int unstable = 0; ///< strands that balance but fall over, too limp to stand up
    int first = -1;   ///< input primitive of the first bounded or unstable strand
};

/// Chooses rest lengths, curvatures and twist such that strands held at their root are in
/// equilibrium with gravity as they are: the groom keeps its shape instead of drooping from it.
///
/// A rod that hangs on one end is statically determinate. With W_j the load beyond edge j and w_i
/// the moments (B(κ − κ̄)/l̄, C(m − m̄)/l̄) at point i, balance of the part beyond edge j and of its
/// frame reads
///   ∂_f(κ, m)_j w_j + T_j t_j = W_j − ∂_e(κ, m)_{j+1} w_{j+1},
///   ∂_b(κ, m)_j w_j           =     − ∂_a(κ, m)_{j+1} w_{j+1}:
/// four equations for w_j and the tension T_j, solved from tip to root in one sweep. The rest state
/// follows by the elastic laws. |κ − κ̄| and |m − m̄| are bounded (`most_turn` at each point), so
/// that limp strands do not get absurd curls.
SagFree make_sag_free(Scene& scene, std::size_t hair, const State& state, const Vec3& gravity,
                      double most_turn = 1.0);

} // namespace selvage
