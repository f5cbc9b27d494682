#pragma once

#include "core/linear/block_rows.h"

namespace selvage
{

/// Which coarse node each node belongs to.
struct Aggregates {
    std::vector<std::int32_t> of; ///< per node; -1: not coarsened, the smoother alone handles it
    int count = 0;
};

/// Groups nodes with those they are strongly connected to [Vaněk et al. 1996; Tamstorf et al.
/// 2015, Alg. 8]. `strength` holds ‖A_ij‖ / √(‖A_ii‖ ‖A_jj‖) per block, 0 on the diagonal. i and j
/// are strongly connected when it exceeds `threshold` times the largest value of either row.
///
/// A node that nothing pulls at (fixed, or its row dominated by mass) stays out of the coarse
/// space. Depends on the numbers alone, never on threads.
Aggregates aggregate(const RowPattern& pattern, const Buffer<float>& strength, float threshold);

} // namespace selvage
