#pragma once

#include "core/base/large_memory.h"
#include "core/base/types.h"
#include "core/energy/fetch_list.h"

#include <cstdint>
#include <vector>

namespace selvage
{

/// Number of elements evaluated at once by SIMD kernels.
inline constexpr int batch_lanes = 4;

/// The elements of a term, packed for SIMD and for parallel scatter without conflicts.
///
/// Elements are sorted so that neighbours lie together, cut into chunks of a fixed number of
/// batches, and the chunks are coloured: chunks of one colour share no vertex, so they may add to
/// the gradient and the matrix at the same time; colours run one after the other. Every sum has
/// therefore a fixed order, whatever the number of threads.
struct Batches {
    int arity = 0;                      ///< vertices per element
    LargeVector<std::int32_t> vertices; ///< [batch][vertex of element][lane]
    LargeVector<std::int32_t> element; ///< [batch][lane]: element number as given, −1 for padding
    std::vector<std::int32_t> chunk_begin; ///< first batch of each chunk, and the end
    std::vector<std::int32_t> color_begin; ///< first chunk of each colour, and the end
    FetchList positions;                   ///< lines of an array of three doubles per vertex

    std::size_t batch_count() const { return element.size() / batch_lanes; }
    std::size_t chunk_count() const { return chunk_begin.empty() ? 0 : chunk_begin.size() - 1; }
};

/// Packs `count` elements of `arity` vertices each (element-major array). Padding lanes repeat the
/// last real element of their batch, so that kernels see valid data everywhere.
Batches make_batches(int arity, const std::vector<std::int32_t>& element_vertices,
                     int vertex_count);

} // namespace selvage
