#include "core/energy/batches.h"

#include <cassert>
#include <limits>

namespace selvage
{
namespace
{

/// Elements per chunk, from their number alone: large enough that a task outweighs its scheduling
/// and that few vertices lie on chunk borders, small enough that the chunk's rows of the matrix
/// stay in the second-level cache and that a garment gives every thread several chunks of each
/// colour.
std::size_t chunk_size(std::size_t elements)
{
    constexpr std::size_t fewest_chunks = 128, least = 32, most = 256; // the latter two in batches
    return batch_lanes * std::clamp(elements / batch_lanes / fewest_chunks, least, most);
}

/// Which elements touch each vertex, compressed rows.
struct Incidence {
    std::vector<std::int32_t> begin, element;
};

Incidence incidence(int arity, const std::vector<std::int32_t>& vertices, int vertex_count)
{
    Incidence in;
    in.begin.assign(std::size_t(vertex_count) + 1, 0);
    for (const std::int32_t v : vertices) ++in.begin[std::size_t(v) + 1];
    for (std::size_t v = 0; v < std::size_t(vertex_count); ++v) in.begin[v + 1] += in.begin[v];
    in.element.resize(vertices.size());
    std::vector<std::int32_t> cursor(in.begin.begin(), in.begin.end() - 1);
    for (std::size_t k = 0; k < vertices.size(); ++k)
        in.element[std::size_t(cursor[std::size_t(vertices[k])]++)] = std::int32_t(k) / arity;
    return in;
}

/// Elements in an order whose consecutive runs of `chunk_elements` are compact patches: each run
/// grows breadth-first from an element left over at the border of the run before.
std::vector<std::int32_t> patch_order(int arity, const std::vector<std::int32_t>& vertices,
                                      const Incidence& in, std::size_t chunk_elements)
{
    const std::size_t count = vertices.size() / std::size_t(arity);
    std::vector<std::int32_t> order, queue;
    order.reserve(count);
    queue.reserve(count);
    enum : char { untouched, queued, placed };
    std::vector<char> status(count, untouched);
    std::size_t head = 0, lowest = 0;
    while (order.size() < count) {
        if (order.size() % chunk_elements == 0) {
            // Start a patch at the oldest border element; the rest of the border is free again.
            const std::int32_t seed = head < queue.size() ? queue[head] : -1;
            for (std::size_t i = head; i < queue.size(); ++i)
                status[std::size_t(queue[i])] = untouched;
            queue.clear();
            head = 0;
            if (seed >= 0) queue.push_back(seed), status[std::size_t(seed)] = queued;
        }
        if (head == queue.size()) {
            while (status[lowest] != untouched) ++lowest;
            queue.push_back(std::int32_t(lowest));
            status[lowest] = queued;
        }
        const std::int32_t e = queue[head++];
        order.push_back(e);
        status[std::size_t(e)] = placed;
        for (int i = 0; i < arity; ++i) {
            const std::size_t v =
                std::size_t(vertices[std::size_t(e) * std::size_t(arity) + std::size_t(i)]);
            for (std::int32_t k = in.begin[v]; k < in.begin[v + 1]; ++k) {
                const std::int32_t other = in.element[std::size_t(k)];
                if (status[std::size_t(other)] != untouched) continue;
                status[std::size_t(other)] = queued;
                queue.push_back(other);
            }
        }
    }
    // Inside a patch, ascending numbers: the order in which vertices and matrix rows are stored.
    for (std::size_t first = 0; first < count; first += chunk_elements)
        std::sort(order.begin() + std::ptrdiff_t(first),
                  order.begin() + std::ptrdiff_t(std::min(count, first + chunk_elements)));
    return order;
}

/// First colour, for each chunk in turn, that none of its vertices carries yet.
std::vector<int> color_chunks(int arity, const std::vector<std::int32_t>& vertices,
                              const std::vector<std::int32_t>& order, int vertex_count,
                              std::size_t chunk_elements)
{
    const std::size_t chunks = (order.size() + chunk_elements - 1) / chunk_elements;
    std::vector<int> color(chunks);
    std::vector<std::vector<bool>> taken; // [colour][vertex]
    for (std::size_t c = 0; c < chunks; ++c) {
        const std::size_t first = c * chunk_elements;
        const std::size_t last = std::min(order.size(), first + chunk_elements);
        const auto each_vertex = [&](auto&& visit) {
            for (std::size_t k = first; k < last; ++k)
                for (int i = 0; i < arity; ++i)
                    if (!visit(std::size_t(
                            vertices[std::size_t(order[k]) * std::size_t(arity) + std::size_t(i)])))
                        return false;
            return true;
        };
        std::size_t k = 0;
        while (k < taken.size() && !each_vertex([&](std::size_t v) { return !taken[k][v]; })) ++k;
        if (k == taken.size()) taken.emplace_back(std::size_t(vertex_count), false);
        each_vertex([&](std::size_t v) { return taken[k][v] = true; });
        color[c] = int(k);
    }
    return color;
}

} // namespace

Batches make_batches(int arity, const std::vector<std::int32_t>& element_vertices, int vertex_count)
{
    assert(arity > 0 && element_vertices.size() % std::size_t(arity) == 0);
    assert(element_vertices.size() < std::size_t(std::numeric_limits<std::int32_t>::max()));
    Batches b;
    b.arity = arity;
    b.chunk_begin = {0};
    b.color_begin = {0};
    if (element_vertices.empty()) return b;

    const std::size_t chunk_elements = chunk_size(element_vertices.size() / std::size_t(arity));
    const auto order = patch_order(
        arity, element_vertices, incidence(arity, element_vertices, vertex_count), chunk_elements);
    const auto color = color_chunks(arity, element_vertices, order, vertex_count, chunk_elements);
    const int colors = *std::max_element(color.begin(), color.end()) + 1;

    // Lay the chunks out colour by colour; only the last patch may need padding.
    b.element.reserve(order.size() + batch_lanes);
    b.vertices.reserve((order.size() + batch_lanes) * std::size_t(arity));
    for (int shade = 0; shade < colors; ++shade) {
        for (std::size_t c = 0; c < color.size(); ++c) {
            if (color[c] != shade) continue;
            const std::size_t first = c * chunk_elements;
            const std::size_t last = std::min(order.size(), first + chunk_elements);
            // Each lane walks through a quarter of the patch: neighbours, which add to the same
            // blocks, are then batches apart, and no addition waits for the one before.
            const std::size_t batches = (last - first + batch_lanes - 1) / batch_lanes;
            for (std::size_t k = first; k < first + batches; ++k) {
                const auto place = [&](std::size_t lane) { return k + lane * batches; };
                for (int i = 0; i < arity; ++i)
                    for (std::size_t lane = 0; lane < batch_lanes; ++lane)
                        b.vertices.push_back(
                            element_vertices[std::size_t(order[std::min(place(lane), last - 1)]) *
                                                 std::size_t(arity) +
                                             std::size_t(i)]);
                for (std::size_t lane = 0; lane < batch_lanes; ++lane)
                    b.element.push_back(place(lane) < last ? order[place(lane)] : -1);
            }
            b.chunk_begin.push_back(std::int32_t(b.batch_count()));
        }
        b.color_begin.push_back(std::int32_t(b.chunk_count()));
    }
    b.positions = FetchList(b.chunk_begin, b.vertices.data(), std::size_t(arity * batch_lanes),
                            std::numeric_limits<std::int32_t>::max(), std::size_t(vertex_count),
                            3 * sizeof(double));
    return b;
}

} // namespace selvage
