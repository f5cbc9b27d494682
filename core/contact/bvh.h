#pragma once

#include "core/base/types.h"
#include "core/math/simd.h"

#include <cstdint>
#include <vector>

namespace selvage
{

/// Closed axis-aligned box in single precision, always rounded outwards; the fourth lane is zero.
struct FloatBox {
    using Real4f = std::experimental::simd<float, std::experimental::simd_abi::deduce_t<float, 4>>;
    Real4f lower, upper;

    static FloatBox empty();
    /// The smallest box of floats that contains [lower, upper].
    static FloatBox around(const Vec3& lower, const Vec3& upper);
    void add(const FloatBox& b)
    {
        lower = std::experimental::min(lower, b.lower);
        upper = std::experimental::max(upper, b.upper);
    }
    bool overlaps(const FloatBox& b) const
    {
        return all_of((lower <= b.upper) && (b.lower <= upper));
    }
    /// Half the surface; 0 for an empty box.
    double half_area() const;
};

/// A balanced binary tree of boxes, halved at the median of the widest axis. It is built once and
/// refitted while the boxes move; `worn` tells when a new build is due. Nodes lie level by level
/// (children of node i: 2i + 1, 2i + 2), leaves hold 4 to 8 boxes.
///
/// Which pairs overlap does not depend on the tree, but their order does: whoever needs an order
/// that is independent of the past sorts them.
class Bvh
{
public:
    /// Takes the topology from the boxes.
    void build(const std::vector<FloatBox>& boxes);
    /// New boxes on the old topology; their number must be that of the build.
    void refit(const std::vector<FloatBox>& boxes);
    /// Refits; builds anew where the tree has grown worse than when it was built (relative to its
    /// leaves), or was never built.
    void update(const std::vector<FloatBox>& boxes);

    std::size_t size() const { return order_.size(); }
    std::int32_t leaf_count() const { return std::int32_t(1) << levels_; }
    int builds() const { return builds_; }
    std::size_t bytes() const;

    /// Calls visit(a, b) for each overlapping pair of a box a in `leaf` of this tree and a box b of
    /// the other; numbers are those given to build.
    template <class Visit> void overlaps(std::int32_t leaf, const Bvh& other, Visit&& visit) const
    {
        if (!order_.empty() && !other.order_.empty()) traverse<false>(leaf, other, visit);
    }
    /// The same for pairs within this tree; over all leaves each pair comes once.
    template <class Visit> void self_overlaps(std::int32_t leaf, Visit&& visit) const
    {
        if (!order_.empty()) traverse<true>(leaf, *this, visit);
    }

private:
    std::size_t begin_of(std::int32_t leaf) const
    {
        return (order_.size() * std::size_t(leaf)) >> levels_;
    }
    void split(const std::vector<FloatBox>& boxes);
    double inner_area() const;

    template <bool self, class Visit>
    void traverse(std::int32_t leaf, const Bvh& other, Visit& visit) const
    {
        struct Item {
            std::int32_t node, height;
        };
        const FloatBox query = nodes_[std::size_t(leaf + leaf_count() - 1)];
        Item stack[64];
        int depth = 0;
        stack[depth++] = {0, other.levels_};
        while (depth > 0) {
            const Item at = stack[--depth];
            // Leaves below this node: the last one must not come before the query's own.
            if (self && ((at.node + 2) << at.height) - leaf_count() <= leaf) continue;
            if (!other.nodes_[std::size_t(at.node)].overlaps(query)) continue;
            if (at.height > 0) {
                stack[depth++] = {2 * at.node + 2, at.height - 1};
                stack[depth++] = {2 * at.node + 1, at.height - 1};
                continue;
            }
            const std::int32_t target = at.node - other.leaf_count() + 1;
            const std::size_t end = other.begin_of(target + 1);
            for (std::size_t i = begin_of(leaf); i < begin_of(leaf + 1); ++i) {
                const FloatBox box = boxes_[i];
                std::size_t j = other.begin_of(target);
                if (self && target == leaf) j = i + 1;
                for (; j < end; ++j)
                    if (box.overlaps(other.boxes_[j])) visit(order_[i], other.order_[j]);
            }
        }
    }

    std::vector<std::int32_t> order_; // box numbers, leaf by leaf
    std::vector<FloatBox> boxes_;     // in that order
    std::vector<FloatBox> nodes_;
    int levels_ = 0; // levels above the leaves
    int builds_ = 0;
    double wear_at_build_ = 0;
};

} // namespace selvage
