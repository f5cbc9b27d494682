#include "core/example/example.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

using namespace selvage;

TEST(Example, CapeShotIsComplete)
{
    const auto example = make_example("cape");
    EXPECT_EQ(example->first_frame(), 1);
    EXPECT_EQ(example->last_frame(), 96);
    const auto still = example->still();
    ASSERT_EQ(still.size(), 1u);
    EXPECT_EQ(still[0].first, "cape");

    const auto first = example->at_frame(1), later = example->at_frame(60.5);
    ASSERT_EQ(first.size(), 2u);
    EXPECT_EQ(first[0].first, "body");
    EXPECT_EQ(first[1].first, "cape_anim");
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_TRUE(first[i].second.same_topology(later[i].second));
        EXPECT_GT((first[i].second.positions() - later[i].second.positions()).norm(), 1);
    }
    EXPECT_TRUE(still[0].second.same_topology(first[1].second));
    EXPECT_EQ(still[0].second.positions(), first[1].second.positions());
}

TEST(Example, CushionShotIsComplete)
{
    const auto example = make_example("cushion");
    const auto still = example->still(), first = example->at_frame(1),
               later = example->at_frame(13);
    ASSERT_EQ(still.size(), 1u);
    EXPECT_EQ(still[0].first, "cushion");
    for (const char* group : {"front_edge", "back_edge", "loops"})
        EXPECT_TRUE(still[0].second.find_group(Owner::point, group)) << group;
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0].first, "bar");
    EXPECT_GT((first[0].second.positions() - later[0].second.positions()).norm(), 0.1);
}

TEST(Example, StackShotIsComplete)
{
    const auto stack = make_example("stack")->still();
    ASSERT_EQ(stack.size(), 2u);
    EXPECT_EQ(stack[0].first, "cloths");
    EXPECT_TRUE(stack[0].second.find(Owner::primitive, "layer"));
    EXPECT_EQ(stack[1].first, "table");
}

TEST(Example, UnknownNameListsTheKnownOnes)
{
    try {
        make_example("cap");
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("cape"), std::string::npos);
    }
}
