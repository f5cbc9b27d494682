#pragma once

#include "core/base/parallel.h"
#include "core/energy/scatter_map.h"
#include "core/linear/block_matrix.h"

#include <array>
#include <cstdint>
#include <vector>

namespace selvage
{

/// What contact terms add to.
struct ContactSink {
    VecX* gradient = nullptr;       ///< three per simulated vertex
    BlockMatrix* hessian = nullptr; ///< null where not wanted
    const VecX* motion = nullptr;   ///< [m] of the prescribed vertices; null where they rest
    VecX* pull = nullptr;           ///< gets H_xc · motion: what this motion does to the gradient
};

/// Stencils of up to four vertices that change with every iteration, cut into chunks that are
/// coloured so that chunks of one colour share no simulated vertex: they add to gradient and matrix
/// at the same time without locks and in a fixed order. Prescribed vertices (numbers from
/// simulated_count on, and −1 for none) take no part: they have no rows.
///
/// Unlike Batches, stencils stay in the order given: they come sorted by vertex, and sorting them
/// again at every iteration would cost more than it gains.
class ContactScatter
{
public:
    using Stencil = std::array<std::int32_t, 4>;
    static constexpr std::size_t chunk_size = 128;

    void assign(std::vector<Stencil> stencils, int simulated_count);
    /// Looks up the blocks of every stencil; the pattern must hold all its simulated pairs.
    void map(const BlockPattern& pattern);

    const std::vector<Stencil>& stencils() const { return stencils_; }
    /// Vertices with prescribed ones replaced by a simulated one of the same stencil: what a
    /// pattern is built from.
    std::vector<std::int32_t> pattern_vertices() const;
    std::size_t bytes() const;

    /// Calls body(begin, end) for ranges of stencils, conflict-free as said above.
    template <class Body> void for_each_chunk(Body&& body) const;

    bool simulated(std::int32_t vertex) const { return vertex >= 0 && vertex < simulated_count_; }
    /// Adds g to vertex i of a stencil.
    void add_gradient(std::size_t stencil, int i, const double (&g)[3], VecX& gradient) const
    {
        const std::int32_t v = stencils_[stencil][std::size_t(i)];
        if (!simulated(v)) return;
        double* p = gradient.data() + 3 * std::ptrdiff_t(v);
        p[0] += g[0], p[1] += g[1], p[2] += g[2];
    }
    /// Adds block (i, j), i <= j, row-major, to the matrix, or to the pull where one of the two
    /// vertices is prescribed.
    void add_block(std::size_t stencil, int i, int j, const double (&b)[9],
                   const ContactSink& sink) const
    {
        const std::int32_t k = blocks_[stencil][std::size_t(pair_index(4, i, j))];
        if (k == none) {
            if (sink.motion) add_pull(stencil, i, j, b, sink);
            return;
        }
        double* p = sink.hessian->values.data() + 9 * std::ptrdiff_t(k < 0 ? ~k : k);
        if (k >= 0)
            for (int e = 0; e < 9; ++e) p[e] += b[e];
        else
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) p[3 * r + c] += b[3 * c + r];
    }

private:
    void add_pull(std::size_t stencil, int i, int j, const double (&b)[9],
                  const ContactSink& sink) const;
    static constexpr std::int32_t none = std::numeric_limits<std::int32_t>::min();

    int simulated_count_ = 0;
    std::vector<Stencil> stencils_;
    std::vector<std::array<std::int32_t, 10>> blocks_; // k, ~k (transposed) or none
    std::vector<std::int32_t> chunks_;                 // chunk numbers, colour by colour
    std::vector<std::size_t> color_begin_;
    std::vector<std::uint64_t> taken_; // scratch: colours by vertex
};

template <class Body> void ContactScatter::for_each_chunk(Body&& body) const
{
    for (std::size_t c = 0; c + 1 < color_begin_.size(); ++c)
        parallel_for(color_begin_[c + 1] - color_begin_[c], 1, [&](std::size_t k) {
            const std::size_t begin = std::size_t(chunks_[color_begin_[c] + k]) * chunk_size;
            body(begin, std::min(stencils_.size(), begin + chunk_size));
        });
}

} // namespace selvage
