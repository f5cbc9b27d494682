#pragma once

#include "core/energy/batches.h"
#include "core/linear/block_matrix.h"

#include <limits>

namespace selvage
{

/// Pairs (i, j), i <= j, of the vertices of an element of the given arity.
constexpr int pair_count(int arity) { return arity * (arity + 1) / 2; }
/// Number of pair (i, j), i <= j, in the order 00 01 02 … 11 12 …
constexpr int pair_index(int arity, int i, int j) { return i * arity - i * (i - 1) / 2 + j - i; }

/// Where the blocks of a term's element Hessians go in a matrix: computed once per topology, so
/// that assembly needs no search.
struct ScatterMap {
    /// Set in a block number where the element's block (i, j) must be transposed because its row
    /// vertex has the larger number: the sign bit, which SIMD selects by directly.
    static constexpr std::int32_t transposed = std::numeric_limits<std::int32_t>::min();
    static constexpr std::int32_t number = ~transposed; ///< the other bits

    /// [batch][pair][lane]: block number, perhaps `transposed`. Padding lanes repeat the element
    /// before them and are skipped by the batch loop.
    LargeVector<std::int32_t> block;

    FetchList values; ///< lines of the matrix

    ScatterMap() = default;
    /// Throws InputError where the pattern lacks a pair of the stencils.
    ScatterMap(const Batches& stencils, const BlockPattern& pattern);
};

/// The pattern that holds every pair of every stencil.
std::shared_ptr<const BlockPattern> make_pattern(int vertex_count,
                                                 const std::vector<const Batches*>& stencils);

} // namespace selvage
