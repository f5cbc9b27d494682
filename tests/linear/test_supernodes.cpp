#include "core/linear/supernodes.h"

#include "core/linear/nested_dissection.h"
#include "core/linear/scalar_system.h"
#include "tests/linear/systems.h"

#include <gtest/gtest.h>
#include <numeric>

namespace selvage
{
namespace
{

Supernodes supernodes_of(const BlockPattern& pattern)
{
    const std::vector<std::int32_t> begin(pattern.row_begin().begin(), pattern.row_begin().end());
    return find_supernodes(begin, pattern.columns());
}

/// Which entries of the factor may be nonzero, by eliminating one vertex after the other.
std::vector<std::vector<bool>> eliminated_pattern(const BlockPattern& pattern,
                                                  const std::vector<std::int32_t>& position)
{
    const auto n = std::size_t(pattern.rows());
    std::vector<std::vector<bool>> filled(n, std::vector<bool>(n, false));
    for (std::size_t r = 0; r < n; ++r)
        for (std::int64_t k = pattern.row_begin()[r]; k < pattern.row_begin()[r + 1]; ++k) {
            const auto a = std::size_t(position[r]);
            const auto b = std::size_t(position[std::size_t(pattern.columns()[std::size_t(k)])]);
            filled[a][b] = filled[b][a] = true;
        }
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = k + 1; i < n; ++i)
            for (std::size_t j = k + 1; j < n; ++j)
                if (filled[i][k] && filled[k][j]) filled[i][j] = true;
    return filled;
}

void expect_valid(const BlockPattern& pattern)
{
    const Supernodes s = supernodes_of(pattern);
    const auto n = std::size_t(pattern.rows());
    ASSERT_EQ(s.order.size(), n);
    for (std::size_t k = 0; k < n; ++k)
        ASSERT_EQ(s.position[std::size_t(s.order[k])], std::int32_t(k));
    ASSERT_EQ(s.first.back(), std::int32_t(n));

    const auto filled = eliminated_pattern(pattern, s.position);
    for (int node = 0; node < s.count(); ++node) {
        const auto c = std::size_t(node);
        const std::vector<std::int32_t> rows(s.rows.begin() + s.row_begin[c],
                                             s.rows.begin() + s.row_begin[c + 1]);
        ASSERT_TRUE(std::is_sorted(rows.begin(), rows.end()));
        // Every entry of the factor has a place.
        for (auto j = s.first[c]; j < s.first[c + 1]; ++j)
            for (auto i = std::size_t(s.first[c + 1]); i < n; ++i)
                if (filled[i][std::size_t(j)]) {
                    ASSERT_TRUE(std::binary_search(rows.begin(), rows.end(), std::int32_t(i)));
                }
        if (rows.empty()) {
            EXPECT_EQ(s.parent[c], -1);
            continue;
        }
        // Rows are found again in the parent, and descendants are contiguous.
        const auto p = std::size_t(s.parent[c]);
        ASSERT_GT(p, c);
        EXPECT_LE(s.first_descendant[p], s.first_descendant[c]);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const auto in_parent = s.row_in_parent[std::size_t(s.row_begin[c]) + k];
            const auto width = s.width(int(p));
            const auto found = in_parent < width
                                   ? s.first[p] + in_parent
                                   : s.rows[std::size_t(s.row_begin[p] + in_parent - width)];
            EXPECT_EQ(found, rows[k]);
        }
    }
}

TEST(Supernodes, HoldTheFactorOfAGrid) { expect_valid(*test::cloth_grid(14, 1).fixed.pattern); }

TEST(Supernodes, HoldTheFactorOfScatteredGraphs)
{
    for (unsigned seed = 1; seed <= 5; ++seed) {
        expect_valid(*test::random_contacts(150, 60 * int(seed), seed).pattern); // many components
        expect_valid(*test::random_problem(20, seed).fixed.pattern);
    }
    expect_valid(*test::pair_matrix(7, {}).pattern);
    expect_valid(BlockPattern());
}

TEST(Supernodes, DissectionKeepsFillLow)
{
    // Banded elimination of an n×n grid that couples two rows of vertices fills about 2n per
    // column; dissection needs O(log n).
    const int n = 100;
    const Supernodes s = supernodes_of(*test::cloth_grid(n, 1).fixed.pattern);
    std::int64_t entries = 0;
    for (int node = 0; node < s.count(); ++node)
        entries += std::int64_t(s.width(node)) * (s.width(node) + s.height(node));
    EXPECT_LT(entries, std::int64_t(n) * n * n);
}

TEST(NestedDissection, OrdersEveryVertexOnce)
{
    // A path and a lone vertex.
    Graph graph;
    const int n = 1000;
    for (int v = 0; v < n; ++v) {
        if (v > 0) graph.neighbours.push_back(v - 1);
        if (v + 1 < n) graph.neighbours.push_back(v + 1);
        graph.begin.push_back(std::int32_t(graph.neighbours.size()));
    }
    graph.begin.push_back(graph.begin.back());
    auto order = nested_dissection(graph);
    std::sort(order.begin(), order.end());
    std::vector<std::int32_t> all(n + 1);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(order, all);
}

} // namespace
} // namespace selvage
