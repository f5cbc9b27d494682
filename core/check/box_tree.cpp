#include "core/check/box_tree.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <numeric>

namespace selvage
{
namespace
{
constexpr std::size_t boxes_per_leaf = 4;
}

BoxTree::BoxTree(std::vector<Box> boxes) : boxes_(std::move(boxes)), order_(boxes_.size())
{
    if (boxes_.empty()) return;
    std::iota(order_.begin(), order_.end(), 0);
    int levels = 0;
    while ((boxes_.size() >> levels) > boxes_per_leaf) ++levels;
    first_leaf_ = std::int32_t((std::size_t(1) << levels) - 1);
    nodes_.resize(2 * std::size_t(first_leaf_) + 1);
    nodes_[0].begin = 0;
    nodes_[0].end = std::int32_t(boxes_.size());

    const auto build = [&](std::size_t i) {
        Node& node = nodes_[i];
        Box centers;
        for_leaf(std::int32_t(i), [&](std::int32_t b) {
            const Box& box = boxes_[std::size_t(b)];
            node.box.add(box);
            centers.add(Vec3(0.5 * box.lower + 0.5 * box.upper));
        });
        if (is_leaf(std::int32_t(i))) return;
        int axis = 0;
        (centers.upper - centers.lower).maxCoeff(&axis);
        const auto key = [&](std::int32_t b) {
            const Box& box = boxes_[std::size_t(b)];
            return std::make_pair(0.5 * box.lower[axis] + 0.5 * box.upper[axis], b);
        };
        const std::int32_t middle = (node.begin + node.end) / 2;
        std::nth_element(order_.begin() + node.begin, order_.begin() + middle,
                         order_.begin() + node.end,
                         [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
        nodes_[2 * i + 1].begin = node.begin;
        nodes_[2 * i + 1].end = nodes_[2 * i + 2].begin = middle;
        nodes_[2 * i + 2].end = node.end;
    };
    for (int level = 0; level <= levels; ++level) {
        const std::size_t count = std::size_t(1) << level;
        parallel_for(count, std::max<std::size_t>(1, count / 64),
                     [&](std::size_t i) { build(count - 1 + i); });
    }
}

} // namespace selvage
