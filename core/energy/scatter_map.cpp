#include "core/energy/scatter_map.h"

#include "core/base/error.h"
#include "core/base/parallel.h"

#include <atomic>

namespace selvage
{

ScatterMap::ScatterMap(const Batches& stencils, const BlockPattern& pattern)
{
    if (pattern.block_count() > std::numeric_limits<std::int32_t>::max())
        throw InputError("The matrix has more than 2^31 blocks. Split the scene.");
    const int n = stencils.arity, pairs = pair_count(n);
    block.resize(stencils.batch_count() * std::size_t(pairs * batch_lanes));
    std::atomic<bool> missing{false};
    parallel_for(stencils.batch_count(), 256, [&](std::size_t b) {
        const std::int32_t* v = stencils.vertices.data() + b * std::size_t(n * batch_lanes);
        std::int32_t* out = block.data() + b * std::size_t(pairs * batch_lanes);
        for (int i = 0; i < n; ++i)
            for (int j = i; j < n; ++j)
                for (int lane = 0; lane < batch_lanes; ++lane, ++out) {
                    const std::int32_t row = v[i * batch_lanes + lane];
                    const std::int32_t column = v[j * batch_lanes + lane];
                    const std::int64_t k =
                        pattern.find(std::min(row, column), std::max(row, column));
                    if (k < 0) missing = true;
                    *out = std::int32_t(k) | (row <= column ? 0 : transposed);
                }
    });
    if (missing)
        throw InputError("The matrix pattern lacks a pair of vertices that an element couples. "
                         "Build it from the stencils of all terms.");
    values = FetchList(stencils.chunk_begin, block.data(), std::size_t(pairs * batch_lanes), number,
                       std::size_t(pattern.block_count()), 9 * sizeof(double));
}

std::shared_ptr<const BlockPattern> make_pattern(int vertex_count,
                                                 const std::vector<const Batches*>& stencils)
{
    std::vector<std::vector<std::int32_t>> vertices;
    std::vector<BlockPattern::Tuples> tuples;
    vertices.reserve(stencils.size());
    for (const Batches* s : stencils) {
        const std::size_t n = std::size_t(s->arity);
        std::vector<std::int32_t>& v = vertices.emplace_back();
        v.reserve(s->vertices.size());
        for (std::size_t slot = 0; slot < s->element.size(); ++slot) {
            if (s->element[slot] < 0) continue;
            const std::size_t b = slot / batch_lanes, lane = slot % batch_lanes;
            for (std::size_t i = 0; i < n; ++i)
                v.push_back(s->vertices[(b * n + i) * batch_lanes + lane]);
        }
        tuples.push_back({v.data(), v.size() / n, s->arity});
    }
    return std::make_shared<BlockPattern>(vertex_count, tuples);
}

} // namespace selvage
