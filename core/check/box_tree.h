#pragma once

#include "core/base/types.h"

#include <cstdint>
#include <vector>

namespace selvage
{

/// Closed axis-aligned box. Bounds are coordinates of points, so overlap is decided exactly.
struct Box {
    Vec3 lower = Vec3::Constant(infinity);
    Vec3 upper = Vec3::Constant(-infinity);

    void add(const Vec3& p)
    {
        lower = lower.cwiseMin(p);
        upper = upper.cwiseMax(p);
    }
    void add(const Box& b)
    {
        lower = lower.cwiseMin(b.lower);
        upper = upper.cwiseMax(b.upper);
    }
    void grow(double distance)
    {
        lower.array() -= distance;
        upper.array() += distance;
    }
    bool overlaps(const Box& b) const
    {
        return (lower.array() <= b.upper.array()).all() && (b.lower.array() <= upper.array()).all();
    }
    /// 0 where they overlap.
    double squared_distance(const Box& b) const
    {
        const Vec3 gap = (b.lower - upper).cwiseMax(lower - b.upper).cwiseMax(Vec3::Zero());
        return gap.squaredNorm();
    }
};

/// Balanced binary tree of boxes, halved at the median of the widest axis. Nodes lie level by
/// level: node i has the children 2i + 1 and 2i + 2, so that a level is built in parallel and the
/// tree depends on the boxes alone.
class BoxTree
{
public:
    explicit BoxTree(std::vector<Box> boxes);

    std::size_t size() const { return boxes_.size(); }

    /// Calls visit(i) for each box i that overlaps the query.
    template <class Visit> void overlapping(const Box& query, Visit&& visit) const
    {
        if (boxes_.empty()) return;
        std::int32_t stack[max_depth + 1];
        int depth = 0;
        stack[depth++] = 0;
        while (depth > 0) {
            const std::int32_t node = stack[--depth];
            if (!nodes_[std::size_t(node)].box.overlaps(query)) continue;
            if (!is_leaf(node)) {
                stack[depth++] = 2 * node + 2;
                stack[depth++] = 2 * node + 1;
                continue;
            }
            for_leaf(node, [&](std::int32_t i) {
                if (boxes_[std::size_t(i)].overlaps(query)) visit(i);
            });
        }
    }

    /// Calls visit(i), nearest boxes first, for each box i whose squared distance to the query is
    /// at most limit(), which may shrink while visiting.
    template <class Limit, class Visit>
    void within(const Box& query, Limit&& limit, Visit&& visit) const
    {
        if (!boxes_.empty()) visit_within(0, query, limit, visit);
    }

private:
    struct Node {
        Box box;
        std::int32_t begin, end; // into order_
    };
    static constexpr int max_depth = 40;

    bool is_leaf(std::int32_t node) const { return node >= first_leaf_; }
    template <class Visit> void for_leaf(std::int32_t node, Visit&& visit) const
    {
        const Node& n = nodes_[std::size_t(node)];
        for (std::int32_t i = n.begin; i < n.end; ++i) visit(order_[std::size_t(i)]);
    }
    template <class Limit, class Visit>
    void visit_within(std::int32_t node, const Box& query, Limit& limit, Visit& visit) const
    {
        if (is_leaf(node)) {
            for_leaf(node, [&](std::int32_t i) {
                if (boxes_[std::size_t(i)].squared_distance(query) <= limit()) visit(i);
            });
            return;
        }
        std::int32_t near = 2 * node + 1, far = 2 * node + 2;
        double d_near = nodes_[std::size_t(near)].box.squared_distance(query);
        double d_far = nodes_[std::size_t(far)].box.squared_distance(query);
        if (d_far < d_near) {
            std::swap(near, far);
            std::swap(d_near, d_far);
        }
        if (d_near <= limit()) visit_within(near, query, limit, visit);
        if (d_far <= limit()) visit_within(far, query, limit, visit);
    }

    std::vector<Box> boxes_;
    std::vector<std::int32_t> order_;
    std::vector<Node> nodes_;
    std::int32_t first_leaf_ = 0;
};

} // namespace selvage
