#include "core/linear/nested_dissection.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <algorithm>
#include <array>
#include <limits>

namespace selvage
{

namespace
{

using Index = std::int32_t;

constexpr std::size_t leaf_size = 100; // vertices; below, separators gain nothing

class Dissection
{
public:
    explicit Dissection(const Graph& graph)
        : graph_(graph), part_(std::size_t(graph.size()), 0), local_(part_.size(), -1)
    {
        for (auto& d : distance_) d.resize(part_.size());
        order_.reserve(part_.size());
    }

    std::vector<Index> run()
    {
        std::vector<Index> all(part_.size());
        for (std::size_t v = 0; v < all.size(); ++v) all[v] = Index(v);
        split(std::move(all));
        return std::move(order_);
    }

private:
    template <class Visit> void each_neighbour(Index v, Visit&& visit) const
    {
        const Index part = part_[std::size_t(v)];
        for (Index e = graph_.begin[std::size_t(v)]; e < graph_.begin[std::size_t(v) + 1]; ++e) {
            const Index n = graph_.neighbours[std::size_t(e)];
            if (part_[std::size_t(n)] == part) visit(n);
        }
    }

    std::vector<Index> relabel(std::vector<Index> vertices)
    {
        ++parts_;
        for (const Index v : vertices) part_[std::size_t(v)] = parts_;
        return vertices;
    }

    void split(std::vector<Index> vertices);
    void order_leaf(const std::vector<Index>& vertices);
    Index measure(Index from, const std::vector<Index>& vertices, std::vector<Index>& distance);
    Index cut(const std::vector<Index>& vertices, const std::array<int, 4>& signs, double& cost);
    Index key(Index v, const std::array<int, 4>& signs) const
    {
        Index sum = 0;
        for (std::size_t i = 0; i < 4; ++i) sum += signs[i] * distance_[i][std::size_t(v)];
        return sum;
    }

    const Graph& graph_;
    std::vector<Index> part_; ///< which subset a vertex is in at the moment
    Index parts_ = 0;
    std::vector<Index> local_; ///< number of a vertex within a leaf
    std::array<std::vector<Index>, 4> distance_;
    std::vector<Index> queue_, order_;
};

/// Edges from `from` to each vertex of its part, -1 where there is no way; returns the number
/// reached. queue_ then ends in a vertex farthest away.
Index Dissection::measure(Index from, const std::vector<Index>& vertices,
                          std::vector<Index>& distance)
{
    for (const Index v : vertices) distance[std::size_t(v)] = -1;
    queue_.assign(1, from);
    distance[std::size_t(from)] = 0;
    for (std::size_t k = 0; k < queue_.size(); ++k) {
        const Index v = queue_[k];
        each_neighbour(v, [&](Index n) {
            if (distance[std::size_t(n)] >= 0) return;
            distance[std::size_t(n)] = distance[std::size_t(v)] + 1;
            queue_.push_back(n);
        });
    }
    return Index(queue_.size());
}

/// The best threshold t on a key: the separator is all v with key(v) < t that have a neighbour at
/// or beyond t. One pass counts it for every t, since v belongs to it for key(v) < t ≤ the largest
/// key next to it. Cost: separator times (1/left + 1/right).
Index Dissection::cut(const std::vector<Index>& vertices, const std::array<int, 4>& signs,
                      double& cost)
{
    Index low = std::numeric_limits<Index>::max(), high = std::numeric_limits<Index>::min();
    for (const Index v : vertices) {
        low = std::min(low, key(v, signs));
        high = std::max(high, key(v, signs));
    }
    const auto range = std::size_t(high - low) + 2;
    std::vector<Index> separator(range, 0), at(range, 0);
    for (const Index v : vertices) {
        const Index k = key(v, signs);
        Index beyond = k;
        each_neighbour(v, [&](Index n) { beyond = std::max(beyond, key(n, signs)); });
        ++at[std::size_t(k - low)];
        ++separator[std::size_t(k - low) + 1];
        --separator[std::size_t(beyond - low) + 1];
    }
    cost = std::numeric_limits<double>::max();
    Index best = low, below = 0, between = 0;
    for (std::size_t t = 1; t + 1 < range; ++t) {
        below += at[t - 1];
        between += separator[t];
        const double left = below - between, right = double(vertices.size()) - below;
        if (std::min(left, right) < 0.25 * double(vertices.size())) continue;
        const double c = between * (1 / left + 1 / right);
        if (c < cost) {
            cost = c;
            best = low + Index(t);
        }
    }
    return best;
}

void Dissection::split(std::vector<Index> vertices)
{
    vertices = relabel(std::move(vertices));
    if (vertices.size() <= leaf_size) return order_leaf(vertices);

    // Two far ends a and b; a part that is not connected falls apart by itself.
    const auto whole = Index(vertices.size());
    if (measure(vertices[0], vertices, distance_[0]) < whole) {
        std::vector<Index> reached = queue_, rest;
        for (const Index v : vertices)
            if (distance_[0][std::size_t(v)] < 0) rest.push_back(v);
        split(std::move(reached));
        return split(std::move(rest));
    }
    measure(queue_.back(), vertices, distance_[0]);
    measure(queue_.back(), vertices, distance_[1]);
    // Two more ends across: c is far from both, d far from c.
    Index c = vertices[0];
    const auto near = [&](Index v) {
        return std::min(distance_[0][std::size_t(v)], distance_[1][std::size_t(v)]);
    };
    for (const Index v : vertices)
        if (near(v) > near(c)) c = v;
    measure(c, vertices, distance_[2]);
    measure(queue_.back(), vertices, distance_[3]);

    // Cut across ab, across cd, or between the sides of the quadrilateral acbd.
    const std::array<int, 4> choices[] = {
        {1, -1, 0, 0}, {0, 0, 1, -1}, {1, -1, 1, -1}, {1, -1, -1, 1}};
    double least = std::numeric_limits<double>::max();
    Index threshold = 0;
    std::array<int, 4> signs = choices[0];
    for (const auto& choice : choices) {
        double cost = 0;
        const Index t = cut(vertices, choice, cost);
        if (cost >= least) continue;
        least = cost;
        threshold = t;
        signs = choice;
    }
    if (least == std::numeric_limits<double>::max()) return order_leaf(vertices);

    std::vector<Index> left, right, separator;
    for (const Index v : vertices) {
        if (key(v, signs) >= threshold) {
            right.push_back(v);
            continue;
        }
        bool touches = false;
        each_neighbour(v, [&](Index n) { touches = touches || key(n, signs) >= threshold; });
        (touches ? separator : left).push_back(v);
    }
    vertices.clear();
    vertices.shrink_to_fit();
    split(std::move(left));
    split(std::move(right));
    order_.insert(order_.end(), separator.begin(), separator.end());
}

void Dissection::order_leaf(const std::vector<Index>& vertices)
{
    const auto n = Index(vertices.size());
    for (Index k = 0; k < n; ++k) local_[std::size_t(vertices[std::size_t(k)])] = k;
    Eigen::SparseMatrix<double> lower(n, n);
    std::vector<Eigen::Triplet<double>> entries;
    for (const Index v : vertices)
        each_neighbour(v, [&](Index w) {
            if (w > v)
                entries.emplace_back(std::max(local_[std::size_t(v)], local_[std::size_t(w)]),
                                     std::min(local_[std::size_t(v)], local_[std::size_t(w)]), 1.0);
        });
    lower.setFromTriplets(entries.begin(), entries.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index> result;
    Eigen::AMDOrdering<Index>()(lower.selfadjointView<Eigen::Lower>(), result);
    for (Index k = 0; k < n; ++k) order_.push_back(vertices[std::size_t(result.indices()[k])]);
}

} // namespace

std::vector<Index> nested_dissection(const Graph& graph) { return Dissection(graph).run(); }

} // namespace selvage
