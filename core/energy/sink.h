#pragma once

#include "core/base/types.h"
#include "core/energy/scatter_map.h"

#include <vector>

namespace selvage
{

/// σ u uᵀ, σ > 0: a part of a Hessian that couples vertices far apart, kept out of the sparse one.
struct RankOne {
    double scale; ///< σ
    VecX vector;  ///< u
};

/// Where a term adds what it evaluates. One sink serves a whole solve: set `scatter` to the map of
/// the term at hand, call evaluate, go on to the next term.
class Sink
{
public:
    double scale = 1;                    ///< multiplies everything that is added, e.g. h²
    double energy = 0;                   ///< [J × scale]
    VecX* gradient = nullptr;            ///< needed where Want::gradient
    BlockMatrix* hessian = nullptr;      ///< needed where Want::hessian, with…
    const ScatterMap* scatter = nullptr; ///< …the map of the term's stencils into its pattern

    /// Where terms leave such parts where Want::hessian; null: they are left out.
    std::vector<RankOne>* rank_one = nullptr;

    /// Scratch of the batch loop: one energy per chunk, kept to spare allocations.
    std::vector<double> chunk_energy;
};

} // namespace selvage
