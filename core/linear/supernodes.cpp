#include "core/linear/supernodes.h"

#include "core/linear/nested_dissection.h"

#include <algorithm>
#include <numeric>

namespace selvage
{

namespace
{

using Index = std::int32_t;

Graph full_graph(const std::vector<Index>& row_begin, const std::vector<Index>& columns)
{
    const std::size_t n = row_begin.size() - 1;
    Graph graph;
    graph.begin.assign(n + 1, 0);
    const auto each = [&](auto&& visit) {
        for (std::size_t r = 0; r < n; ++r)
            for (Index k = row_begin[r]; k < row_begin[r + 1]; ++k)
                if (columns[std::size_t(k)] != Index(r))
                    visit(r, std::size_t(columns[std::size_t(k)]));
    };
    each([&](std::size_t a, std::size_t b) { ++graph.begin[a + 1], ++graph.begin[b + 1]; });
    std::partial_sum(graph.begin.begin(), graph.begin.end(), graph.begin.begin());
    graph.neighbours.resize(std::size_t(graph.begin.back()));
    std::vector<Index> cursor(graph.begin.begin(), graph.begin.end() - 1);
    each([&](std::size_t a, std::size_t b) {
        graph.neighbours[std::size_t(cursor[a]++)] = Index(b);
        graph.neighbours[std::size_t(cursor[b]++)] = Index(a);
    });
    return graph;
}

std::vector<Index> inverse(const std::vector<Index>& order)
{
    std::vector<Index> position(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) position[std::size_t(order[k])] = Index(k);
    return position;
}

/// Parent of each position in the elimination tree, -1 at roots [Liu 1990].
std::vector<Index> elimination_tree(const Graph& graph, const std::vector<Index>& order,
                                    const std::vector<Index>& position)
{
    std::vector<Index> parent(order.size(), -1), ancestor(order.size(), -1);
    for (Index k = 0; k < Index(order.size()); ++k) {
        const auto v = std::size_t(order[std::size_t(k)]);
        for (Index e = graph.begin[v]; e < graph.begin[v + 1]; ++e) {
            Index i = position[std::size_t(graph.neighbours[std::size_t(e)])];
            while (i >= 0 && i < k) {
                const Index next = ancestor[std::size_t(i)];
                ancestor[std::size_t(i)] = k;
                if (next < 0) parent[std::size_t(i)] = k;
                i = next;
            }
        }
    }
    return parent;
}

/// Old positions in an order where the descendants of each stand directly before it.
std::vector<Index> postorder(const std::vector<Index>& parent)
{
    const auto n = Index(parent.size());
    std::vector<Index> child(parent.size(), -1), sibling(parent.size(), -1), result, stack;
    std::vector<Index> roots;
    for (Index j = n - 1; j >= 0; --j) { // lists come out ascending
        const Index p = parent[std::size_t(j)];
        if (p < 0) {
            roots.push_back(j);
        } else {
            sibling[std::size_t(j)] = child[std::size_t(p)];
            child[std::size_t(p)] = j;
        }
    }
    result.reserve(parent.size());
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
        stack.push_back(*root);
        while (!stack.empty()) {
            const Index j = stack.back(), c = child[std::size_t(j)];
            if (c >= 0) {
                child[std::size_t(j)] = sibling[std::size_t(c)];
                stack.push_back(c);
            } else {
                result.push_back(j);
                stack.pop_back();
            }
        }
    }
    return result;
}

/// Rows below the diagonal of each column of the factor, unsorted: its neighbours beyond it, and
/// what its children pass on.
std::vector<std::vector<Index>> column_structure(const Graph& graph, const Supernodes& s,
                                                 const std::vector<Index>& parent)
{
    const std::size_t n = s.order.size();
    std::vector<std::vector<Index>> rows(n);
    std::vector<std::vector<Index>> children(n);
    std::vector<Index> seen(n, -1);
    for (std::size_t j = 0; j < n; ++j) {
        const auto add = [&](Index i) {
            if (i <= Index(j) || seen[std::size_t(i)] == Index(j)) return;
            seen[std::size_t(i)] = Index(j);
            rows[j].push_back(i);
        };
        const auto v = std::size_t(s.order[j]);
        for (Index e = graph.begin[v]; e < graph.begin[v + 1]; ++e)
            add(s.position[std::size_t(graph.neighbours[std::size_t(e)])]);
        for (const Index c : children[j])
            for (const Index i : rows[std::size_t(c)]) add(i);
        if (parent[j] >= 0) children[std::size_t(parent[j])].push_back(Index(j));
    }
    return rows;
}

/// A run of columns while supernodes are being merged; `entries` counts true blocks of the factor.
struct Run {
    Index begin, end;
    double entries;
};

double stored_entries(double width, double height)
{
    return width * (width + 1) / 2 + width * height;
}

/// Storing some zeros buys larger dense blocks: freely where supernodes are narrow.
bool worth_merging(double width, double height, double entries)
{
    const double zeros = 1 - entries / stored_entries(width, height);
    return width <= 4 || (width <= 8 && zeros < 0.5) || (width <= 16 && zeros < 0.2) ||
           zeros < 0.05;
}

/// Fundamental supernodes, then each merged with its last child (which stands directly before it)
/// as long as that is worth it. Rows of a merged run are those of its last column.
std::vector<Run> merge_columns(const std::vector<std::vector<Index>>& rows,
                               const std::vector<Index>& parent)
{
    std::vector<Run> runs;
    for (Index j = 0; j < Index(parent.size()); ++j) {
        const auto height = double(rows[std::size_t(j)].size());
        Run run{j, j + 1, 1 + height};
        while (!runs.empty()) {
            const Run& child = runs.back();
            const Index p = parent[std::size_t(child.end) - 1];
            if (p < run.begin || p >= run.end) break;
            const double entries = run.entries + child.entries;
            if (!worth_merging(double(run.end - child.begin), height, entries)) break;
            run = {child.begin, run.end, entries};
            runs.pop_back();
        }
        runs.push_back(run);
    }
    return runs;
}

} // namespace

Supernodes find_supernodes(const std::vector<Index>& row_begin, const std::vector<Index>& columns)
{
    const Graph graph = full_graph(row_begin, columns);
    Supernodes s;

    // Order for little fill, then so that children stand before parents.
    const std::vector<Index> low_fill = nested_dissection(graph);
    const std::vector<Index> tree = elimination_tree(graph, low_fill, inverse(low_fill));
    for (const Index k : postorder(tree)) s.order.push_back(low_fill[std::size_t(k)]);
    s.position = inverse(s.order);

    // Gather columns into supernodes.
    const std::vector<Index> parent = elimination_tree(graph, s.order, s.position);
    auto structure = column_structure(graph, s, parent);
    s.first.push_back(0);
    s.row_begin.push_back(0);
    std::vector<Index> owner(s.order.size());
    for (const Run& run : merge_columns(structure, parent)) {
        for (Index j = run.begin; j < run.end; ++j) owner[std::size_t(j)] = s.count();
        auto& rows = structure[std::size_t(run.end) - 1];
        std::sort(rows.begin(), rows.end());
        s.rows.insert(s.rows.end(), rows.begin(), rows.end());
        s.first.push_back(run.end);
        s.row_begin.push_back(std::int64_t(s.rows.size()));
    }

    // Link each to the supernode that owns its first row, and find its rows there.
    const auto count = std::size_t(s.count());
    s.parent.assign(count, -1);
    s.first_descendant.resize(count);
    std::iota(s.first_descendant.begin(), s.first_descendant.end(), 0);
    s.row_in_parent.resize(s.rows.size());
    for (std::size_t c = 0; c < count; ++c) {
        if (s.height(int(c)) == 0) continue;
        const auto p = std::size_t(owner[std::size_t(s.rows[std::size_t(s.row_begin[c])])]);
        s.parent[c] = Index(p);
        s.first_descendant[p] = std::min(s.first_descendant[p], s.first_descendant[c]);
        std::int64_t at = s.row_begin[p];
        for (std::int64_t k = s.row_begin[c]; k < s.row_begin[c + 1]; ++k) {
            const Index row = s.rows[std::size_t(k)];
            if (row < s.first[p + 1]) {
                s.row_in_parent[std::size_t(k)] = row - s.first[p];
            } else {
                while (s.rows[std::size_t(at)] != row) ++at;
                s.row_in_parent[std::size_t(k)] = s.width(int(p)) + Index(at - s.row_begin[p]);
            }
        }
    }
    return s;
}

} // namespace selvage
