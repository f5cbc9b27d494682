#pragma once

#include "core/linear/block_matrix.h"

namespace selvage
{

/// Diagonal blocks from the others, for matrices whose rows of blocks sum to zero: the Hessian of
/// any energy that a translation does not change, Σ_j A_ij = 0. Elements then need not add their
/// diagonal blocks one by one, two fifths of all additions for triangles and hinges; one walk
/// through the matrix makes up for them.
class DiagonalCompletion
{
public:
    DiagonalCompletion() = default;
    explicit DiagonalCompletion(std::shared_ptr<const BlockPattern> pattern);

    /// A_ii −= Σ_{j≠i} A_ij, the symmetric part. In parallel; the sums have a fixed order.
    void add(BlockMatrix& matrix) const;

private:
    std::shared_ptr<const BlockPattern> pattern_;
    /// Stored blocks off the diagonal in row i or column i: block_[begin_[i]] …
    LargeVector<std::int32_t> block_;
    std::vector<std::int64_t> begin_{0};
};

} // namespace selvage
