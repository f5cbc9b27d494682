#include "core/contact/bvh.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace selvage
{
namespace
{

constexpr std::size_t leaf_capacity = 8;
/// Rebuild where the inner boxes have grown this much relative to the leaves' own.
constexpr double worn_factor = 1.5;
constexpr std::size_t box_grain = 1024;

/// A box's centre with its number.
struct Centre {
    float c[3];
    std::int32_t box;
};

} // namespace

FloatBox FloatBox::empty()
{
    const float inf = std::numeric_limits<float>::infinity();
    FloatBox b;
    b.lower = Real4f([&](auto i) { return i < 3 ? inf : 0.0f; });
    b.upper = Real4f([&](auto i) { return i < 3 ? -inf : 0.0f; });
    return b;
}

FloatBox FloatBox::around(const Vec3& lower, const Vec3& upper)
{
    // A float is off by at most half its last place: one part in 2^23 and a denormal cover it.
    constexpr float part = 1.2e-7f, least = 1e-37f;
    const auto slack = [&](float f) { return std::abs(f) * part + least; };
    const float l[3] = {float(lower[0]), float(lower[1]), float(lower[2])};
    const float u[3] = {float(upper[0]), float(upper[1]), float(upper[2])};
    FloatBox b;
    b.lower = Real4f([&](auto i) { return i == 3 ? 0.0f : l[i % 3] - slack(l[i % 3]); });
    b.upper = Real4f([&](auto i) { return i == 3 ? 0.0f : u[i % 3] + slack(u[i % 3]); });
    return b;
}

double FloatBox::half_area() const
{
    const Real4f e = upper - lower;
    if (!(e[0] >= 0)) return 0;
    return double(e[0]) * e[1] + double(e[1]) * e[2] + double(e[2]) * e[0];
}

void Bvh::split(const std::vector<FloatBox>& boxes)
{
    std::vector<Centre> centres(boxes.size());
    parallel_for(boxes.size(), box_grain, [&](std::size_t i) {
        const auto m = boxes[i].lower + boxes[i].upper;
        centres[i] = {{m[0], m[1], m[2]}, std::int32_t(i)};
    });
    for (int level = 0; level < levels_; ++level) {
        // Leaves below a node of this level are consecutive, and so are their boxes.
        const int height = levels_ - level;
        parallel_for(std::size_t(1) << level, 1, [&](std::size_t k) {
            const std::int32_t leaf = std::int32_t(k << height);
            const auto first = centres.begin() + std::ptrdiff_t(begin_of(leaf));
            const auto last =
                centres.begin() + std::ptrdiff_t(begin_of(leaf + (std::int32_t(1) << height)));
            const auto middle = centres.begin() +
                                std::ptrdiff_t(begin_of(leaf + (std::int32_t(1) << (height - 1))));
            std::array<float, 3> low, high;
            low.fill(std::numeric_limits<float>::infinity());
            high.fill(-std::numeric_limits<float>::infinity());
            for (auto it = first; it != last; ++it)
                for (std::size_t a = 0; a < 3; ++a) {
                    low[a] = std::min(low[a], it->c[a]);
                    high[a] = std::max(high[a], it->c[a]);
                }
            std::size_t axis = 0;
            for (std::size_t a = 1; a < 3; ++a)
                if (high[a] - low[a] > high[axis] - low[axis]) axis = a;
            std::nth_element(first, middle, last, [axis](const Centre& a, const Centre& b) {
                return a.c[axis] != b.c[axis] ? a.c[axis] < b.c[axis] : a.box < b.box;
            });
        });
    }
    for (std::size_t i = 0; i < centres.size(); ++i) order_[i] = centres[i].box;
}

void Bvh::build(const std::vector<FloatBox>& boxes)
{
    order_.resize(boxes.size());
    levels_ = 0;
    while ((boxes.size() >> levels_) > leaf_capacity) ++levels_;
    nodes_.resize((std::size_t(2) << levels_) - 1);
    boxes_.resize(boxes.size());
    if (boxes.empty()) return;
    split(boxes);
    refit(boxes);
    wear_at_build_ = inner_area();
    ++builds_;
}

void Bvh::refit(const std::vector<FloatBox>& boxes)
{
    assert(boxes.size() == order_.size());
    if (boxes.empty()) return;
    const std::size_t leaves = std::size_t(leaf_count());
    parallel_for(leaves, box_grain / 8, [&](std::size_t leaf) {
        FloatBox all = FloatBox::empty();
        for (std::size_t i = begin_of(std::int32_t(leaf)); i < begin_of(std::int32_t(leaf) + 1);
             ++i) {
            boxes_[i] = boxes[std::size_t(order_[i])];
            all.add(boxes_[i]);
        }
        nodes_[leaves - 1 + leaf] = all;
    });
    for (std::size_t count = leaves / 2; count > 0; count /= 2)
        parallel_for(count, box_grain, [&](std::size_t k) {
            const std::size_t node = count - 1 + k;
            nodes_[node] = nodes_[2 * node + 1];
            nodes_[node].add(nodes_[2 * node + 2]);
        });
}

/// Expected number of node visits of a query, up to a factor: inner areas over leaf boxes' areas.
double Bvh::inner_area() const
{
    const auto area = [](const std::vector<FloatBox>& boxes) {
        return parallel_sum(boxes.size(), 4 * box_grain, [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += boxes[i].half_area();
            return sum;
        });
    };
    const double own = area(boxes_);
    return own > 0 ? area(nodes_) / own : 0;
}

void Bvh::update(const std::vector<FloatBox>& boxes)
{
    if (boxes.size() != order_.size() || builds_ == 0) return build(boxes);
    refit(boxes);
    if (inner_area() > worn_factor * wear_at_build_) build(boxes);
}

std::size_t Bvh::bytes() const
{
    return order_.capacity() * sizeof(std::int32_t) +
           (boxes_.capacity() + nodes_.capacity()) * sizeof(FloatBox);
}

} // namespace selvage
