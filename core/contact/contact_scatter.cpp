#include "core/contact/contact_scatter.h"

#include <algorithm>
#include <cassert>

namespace selvage
{

void ContactScatter::assign(std::vector<Stencil> stencils, int simulated_count)
{
    stencils_ = std::move(stencils);
    simulated_count_ = simulated_count;
    blocks_.clear();
    taken_.assign(std::size_t(simulated_count), 0);

    // First colour that no vertex of the chunk carries; what finds none of 64 runs alone, at the
    // end.
    const std::size_t count = (stencils_.size() + chunk_size - 1) / chunk_size;
    std::vector<std::vector<std::int32_t>> colors;
    std::vector<std::int32_t> alone;
    for (std::size_t chunk = 0; chunk < count; ++chunk) {
        const std::size_t begin = chunk * chunk_size;
        const std::size_t end = std::min(stencils_.size(), begin + chunk_size);
        std::uint64_t used = 0;
        for (std::size_t s = begin; s < end; ++s)
            for (const std::int32_t v : stencils_[s])
                if (simulated(v)) used |= taken_[std::size_t(v)];
        if (~used == 0) {
            alone.push_back(std::int32_t(chunk));
            continue;
        }
        const std::size_t color = std::size_t(__builtin_ctzll(~used));
        if (color >= colors.size()) colors.resize(color + 1);
        colors[color].push_back(std::int32_t(chunk));
        for (std::size_t s = begin; s < end; ++s)
            for (const std::int32_t v : stencils_[s])
                if (simulated(v)) taken_[std::size_t(v)] |= std::uint64_t(1) << color;
    }
    chunks_.clear();
    color_begin_.assign(1, 0);
    for (const auto& c : colors) {
        chunks_.insert(chunks_.end(), c.begin(), c.end());
        color_begin_.push_back(chunks_.size());
    }
    for (const std::int32_t chunk : alone) {
        chunks_.push_back(chunk);
        color_begin_.push_back(chunks_.size());
    }
}

void ContactScatter::map(const BlockPattern& pattern)
{
    blocks_.resize(stencils_.size());
    parallel_for(stencils_.size(), 512, [&](std::size_t s) {
        for (int i = 0; i < 4; ++i)
            for (int j = i; j < 4; ++j) {
                const std::int32_t row = stencils_[s][std::size_t(i)];
                const std::int32_t column = stencils_[s][std::size_t(j)];
                std::int32_t& k = blocks_[s][std::size_t(pair_index(4, i, j))];
                k = none;
                if (!simulated(row) || !simulated(column)) continue;
                const std::int64_t found =
                    pattern.find(std::min(row, column), std::max(row, column));
                assert(found >= 0);
                k = std::int32_t(row <= column ? found : ~found);
            }
    });
}

std::vector<std::int32_t> ContactScatter::pattern_vertices() const
{
    std::vector<std::int32_t> vertices(4 * stencils_.size());
    parallel_for(stencils_.size(), 4096, [&](std::size_t s) {
        const Stencil& v = stencils_[s];
        const auto any =
            std::find_if(v.begin(), v.end(), [&](std::int32_t i) { return simulated(i); });
        assert(any != v.end());
        for (std::size_t i = 0; i < 4; ++i) vertices[4 * s + i] = simulated(v[i]) ? v[i] : *any;
    });
    return vertices;
}

void ContactScatter::add_pull(std::size_t stencil, int i, int j, const double (&b)[9],
                              const ContactSink& sink) const
{
    const std::int32_t row = stencils_[stencil][std::size_t(i)];
    const std::int32_t column = stencils_[stencil][std::size_t(j)];
    if (row < 0 || column < 0 || simulated(row) == simulated(column)) return;
    const bool upright = simulated(row);
    const double* u =
        sink.motion->data() + 3 * std::ptrdiff_t((upright ? column : row) - simulated_count_);
    double* pull = sink.pull->data() + 3 * std::ptrdiff_t(upright ? row : column);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) pull[r] += (upright ? b[3 * r + c] : b[3 * c + r]) * u[c];
}

std::size_t ContactScatter::bytes() const
{
    return stencils_.capacity() * sizeof(Stencil) + blocks_.capacity() * sizeof(blocks_[0]) +
           chunks_.capacity() * sizeof(std::int32_t) + taken_.capacity() * sizeof(std::uint64_t);
}

} // namespace selvage
