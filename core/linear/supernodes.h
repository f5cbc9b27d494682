#pragma once

#include <cstdint>
#include <vector>

namespace selvage
{

/// Symbolic Cholesky factor of a symmetric graph: an elimination order that keeps fill low, and the
/// factor's columns gathered into supernodes, runs of columns with one row structure, which dense
/// kernels can work on. Positions count in elimination order. A function of the graph alone.
struct Supernodes {
    std::vector<std::int32_t> order;    ///< vertex at each position
    std::vector<std::int32_t> position; ///< of each vertex

    /// Supernode s eliminates positions [first[s], first[s+1]).
    std::vector<std::int32_t> first;
    /// ... and updates positions rows[row_begin[s]] … rows[row_begin[s+1] − 1], ascending, all
    /// beyond its own.
    std::vector<std::int64_t> row_begin;
    std::vector<std::int32_t> rows;
    /// For each of `rows`: its index in the parent's front (own positions, then rows).
    std::vector<std::int32_t> row_in_parent;

    std::vector<std::int32_t> parent; ///< supernode that takes the update, or -1
    /// Children stand before parents, and the descendants of s are [first_descendant[s], s).
    std::vector<std::int32_t> first_descendant;

    int count() const { return int(first.size()) - 1; }
    int width(int s) const { return first[std::size_t(s) + 1] - first[std::size_t(s)]; }
    int height(int s) const
    {
        return int(row_begin[std::size_t(s) + 1] - row_begin[std::size_t(s)]);
    }
};

/// From the upper triangle by rows (diagonal included).
Supernodes find_supernodes(const std::vector<std::int32_t>& row_begin,
                           const std::vector<std::int32_t>& columns);

} // namespace selvage
