#pragma once

#include "core/linear/filtered_matrix.h"
#include "core/linear/multigrid_level.h"
#include "core/linear/near_kernel.h"
#include "core/linear/transfer.h"

#include <memory>

namespace selvage
{

/// A preconditioner for a filtered matrix, whatever numbers and near-kernel it is made of.
class Multigrid
{
public:
    virtual ~Multigrid() = default;
    /// Everything anew: aggregates, prolongators, coarse matrices. False where a coarse matrix is
    /// not positive definite.
    virtual bool build(const FilteredMatrix& matrix, const LinearSystem& system) = 0;
    /// The finest level alone takes the new numbers; coarse levels stay as they were built. The
    /// fixed pattern must be that of `build`.
    virtual bool update(const FilteredMatrix& matrix) = 0;
    /// z = B r, one cycle: V on the two finest levels, W below; symmetric and positive up to
    /// rounding.
    virtual void apply(const VecX& r, VecX& z) = 0;

    /// Numbers stored in all matrices relative to the finest one.
    virtual double operator_complexity() const = 0;
    virtual int levels() const = 0;
    virtual std::size_t bytes() const = 0;
};

struct MultigridOptions {
    /// Near-kernel of six motions, for which positions are needed; else of the translations, with
    /// half the memory and setup and twice the iterations.
    bool rotations = true;
    /// Floats halve the memory traffic and cost no iteration; doubles where matrix entries differ
    /// by more digits than a float has.
    bool double_precision = false;
    /// Part of a row's strongest connection that counts as strong: what is aggregated, and what
    /// prolongators are smoothed along. Larger: smaller aggregates, fewer iterations, dearer setup.
    float threshold = 0.48f;
    /// For the largest eigenvalue on each level; below 5 the smoother may diverge.
    int lanczos_steps = 6;
    /// The coarsest level has at most this many unknowns and is solved directly.
    int coarsest = 300;
};

/// Smoothed aggregation [Vaněk et al. 1996] on the pre-filtered system [Tamstorf et al. 2015].
std::unique_ptr<Multigrid> make_multigrid(const MultigridOptions& options = {});

} // namespace selvage
