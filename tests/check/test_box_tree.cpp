#include "core/check/box_tree.h"

#include <gtest/gtest.h>

#include <random>

using namespace selvage;

namespace
{

std::vector<Box> random_boxes(int count, double size, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<Box> boxes(static_cast<std::size_t>(count));
    for (Box& box : boxes) {
        const Vec3 corner(unit(random), unit(random), unit(random));
        box.add(corner);
        box.add(Vec3(corner + size * Vec3(unit(random), unit(random), unit(random))));
    }
    return boxes;
}

} // namespace

TEST(BoxTree, OverlapsAgreeWithTryingAll)
{
    for (const int count : {0, 1, 3, 5, 9, 64, 1000}) {
        const std::vector<Box> boxes = random_boxes(count, 0.1, 11);
        const BoxTree tree(boxes);
        std::size_t hits = 0;
        for (const Box& query : random_boxes(50, 0.2, 12)) {
            std::vector<int> expected, found;
            for (int i = 0; i < count; ++i)
                if (boxes[std::size_t(i)].overlaps(query)) expected.push_back(i);
            tree.overlapping(query, [&](int i) { found.push_back(i); });
            std::sort(found.begin(), found.end());
            ASSERT_EQ(found, expected);
            hits += found.size();
        }
        EXPECT_TRUE(hits > 0 || count < 64);
    }
}

TEST(BoxTree, BoxesAtOnePlaceAreAllFound)
{
    Box box;
    box.add(Vec3::Ones());
    const BoxTree tree(std::vector<Box>(333, box));
    int count = 0;
    tree.overlapping(box, [&](int) { ++count; });
    EXPECT_EQ(count, 333);
}

TEST(BoxTree, ShrinkingLimitFindsTheNearest)
{
    const std::vector<Box> boxes = random_boxes(500, 0.01, 13);
    const BoxTree tree(boxes);
    for (const Box& query : random_boxes(100, 0.01, 14)) {
        double nearest = infinity, found = infinity;
        for (const Box& box : boxes) nearest = std::min(nearest, box.squared_distance(query));
        int visited = 0;
        tree.within(
            query, [&] { return found; },
            [&](int i) {
                found = std::min(found, boxes[std::size_t(i)].squared_distance(query));
                ++visited;
            });
        EXPECT_EQ(found, nearest);
        EXPECT_LT(visited, 100);
    }
}
