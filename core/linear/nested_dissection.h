#pragma once

#include <cstdint>
#include <vector>

namespace selvage
{

/// Neighbours of each vertex in both directions, without the vertex itself.
struct Graph {
    std::vector<std::int32_t> begin{0}, neighbours;
    std::int32_t size() const { return std::int32_t(begin.size()) - 1; }
};

/// An elimination order with little fill for graphs of meshes: splits the vertices by a small
/// separator, which is eliminated last, and does the same with both parts; what is small enough is
/// ordered by minimum degree. A function of the graph alone.
std::vector<std::int32_t> nested_dissection(const Graph& graph);

} // namespace selvage
