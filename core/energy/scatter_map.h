#pragma once

#include "core/energy/batches.h"
#include "core/linear/block_matrix.h"

#include <limits>

namespace selvage
{

/// Which blocks of element Hessians are added to the matrix: all, or those off the diagonal, whose
/// sums then give the diagonal ones (DiagonalCompletion).
enum class Diagonals { added, completed };

/// Pairs (i, j), i <= j, of the vertices of an element of the given arity.
constexpr int pair_count(int arity) { return arity * (arity + 1) / 2; }
/// The same without the pairs (i, i) where diagonals are completed.
constexpr int pair_count(int arity, Diagonals diagonals)
{
    return pair_count(arity) - (diagonals == Diagonals::added ? 0 : arity);
}
/// Number of pair (i, j), i <= j, in the order 00 01 02 … 11 12 …
constexpr int pair_index(int arity, int i, int j) { return i * arity - i * (i - 1) / 2 + j - i; }

/// Where the blocks of a term's element Hessians go in a matrix: computed once per topology, so
/// that assembly needs no search.
struct ScatterMap {
    /// Set in a block number where the element's block (i, j) must be transposed because its row
    /// vertex has the larger number: the sign bit, which SIMD selects by directly.
    static constexpr std::int32_t transposed = std::numeric_limits<std::int32_t>::min();
    static constexpr std::int32_t number = ~transposed; ///< the other bits

    Diagonals diagonals = Diagonals::added;

    /// [batch][pair][lane]: block number, perhaps `transposed`; without the pairs (i, i) where
    /// diagonals are completed. Padding lanes repeat the element before them and are skipped by the
    /// batch loop.
    LargeVector<std::int32_t> block;

    /// Blocks that batch b is the first of its chunk to touch: first_touch[first_touch_begin[b]] …
    /// What to fetch ahead of time, no block twice.
    std::vector<std::int32_t> first_touch_begin{0}, first_touch;

    ScatterMap() = default;
    /// Throws InputError where the pattern lacks a pair of the stencils.
    ScatterMap(const Batches& stencils, const BlockPattern& pattern,
               Diagonals diagonals = Diagonals::added);

private:
    void find_first_touches(const Batches& stencils, std::size_t per_batch, std::size_t blocks);
};

/// The pattern that holds every pair of every stencil.
std::shared_ptr<const BlockPattern> make_pattern(int vertex_count,
                                                 const std::vector<const Batches*>& stencils);

} // namespace selvage
