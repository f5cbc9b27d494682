#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace selvage
{

/// Which cache lines of an array each batch is the first of its chunk to touch: what to fetch ahead
/// of time, no line twice. Elements hop between vertices and between rows of the matrix in a way
/// that no hardware prefetcher foresees.
struct FetchList {
    static constexpr std::size_t line_bytes = 64;

    std::vector<std::int32_t> begin{0}; ///< of each batch, and the end
    std::vector<std::uint32_t> line;    ///< counted from the beginning of the array

    FetchList() = default;
    /// `touched`: what the batches touch, `per_batch` numbers each, of an array of `count` things
    /// of `bytes` each; bits outside of `mask` are no part of a number.
    FetchList(const std::vector<std::int32_t>& chunk_begin, const std::int32_t* touched,
              std::size_t per_batch, std::int32_t mask, std::size_t count, std::size_t bytes);
};

} // namespace selvage
