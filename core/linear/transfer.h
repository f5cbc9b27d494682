#pragma once

#include "core/linear/aggregation.h"
#include "core/linear/block_rows.h"
#include "core/linear/near_kernel.h"

namespace selvage
{

/// Between a level with B unknowns per node and the next coarser one with K: the smoothed
/// prolongator P = (I − ω D⁻¹A) Q [Vaněk et al. 1996] and the coarse matrix PᵀAP.
///
/// Rows of nodes that are not coarsened are empty. Patterns are found once per aggregation; the
/// numbers can be computed anew on them.
template <class S, int B, int K> class Transfer
{
public:
    /// Patterns of P, A P and PᵀAP. P is smoothed along connections (see `aggregate`) above
    /// `threshold` times the strongest of the row, which keeps coarse matrices sparse; see `smooth`
    /// for the others. Where P's pattern comes out as it was, so do the others, and are kept.
    void analyse(const std::shared_ptr<const RowPattern>& A, Aggregates aggregates,
                 const Buffer<float>& strength, float threshold);
    /// P from the tentative Q (a B×K block per node) and D⁻¹ (B×B each). Over a weak connection a
    /// node's own aggregate is continued as the rigid body it stands for, K_j R⁻¹ in place of Q_j
    /// with K = Q R as split_kernel left it: P shows all of the near-kernel as if it were smoothed
    /// along every connection.
    void smooth(const BlockRows<S, B, B>& A, const Buffer<S>& inverse, const Buffer<S>& Q,
                const NearKernel& kernel, const NearKernel& coarse_kernel, S omega);
    /// coarse = PᵀAP, symmetric to the last bit; directions that no fine motion shows get a
    /// diagonal of their own.
    void galerkin(const BlockRows<S, B, B>& A, BlockRows<S, K, K>& coarse);
    /// Gives back what only the set-up needs; the next one, from `analyse` on, takes a bit longer.
    void end_setup();

    /// f_c = Pᵀ r.
    void restrict_to(const S* r, S* f_coarse) const;
    /// x += P x_c.
    void prolong_add(const S* x_coarse, S* x) const;

    int coarse_rows() const { return aggregates_.count; }
    std::size_t bytes() const;

private:
    struct Entry {
        std::int32_t row; ///< of P
        std::int32_t block;
    };

    class Products;

    void transpose();
    void find_products();
    void mirror(BlockRows<S, K, K>& coarse) const;

    Aggregates aggregates_;
    BlockRows<S, B, K> P_;
    std::shared_ptr<const RowPattern> A_pattern_, AP_pattern_;
    std::vector<std::int32_t> column_begin_; ///< P by columns: entries_ of column c
    std::vector<Entry> entries_;
    std::shared_ptr<const RowPattern> coarse_pattern_;
};

} // namespace selvage
