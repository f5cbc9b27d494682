#include "core/energy/fetch_list.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

using Lines = std::vector<std::uint32_t>;

Lines of_batch(const FetchList& list, std::size_t b)
{
    return {list.line.begin() + list.begin[b], list.line.begin() + list.begin[b + 1]};
}

} // namespace

// Things of 24 bytes: number 0 lies in line 0, 2 in lines 0 and 1, 5 in lines 1 and 2.
TEST(FetchList, NamesEachLineOncePerChunkWhereItIsTouchedFirst)
{
    const std::vector<std::int32_t> touched = {0, 2, 2, 5, 5, 0}; // three batches of two
    const FetchList one({0, 3}, touched.data(), 2, 0xff, 8, 24);
    EXPECT_EQ(of_batch(one, 0), (Lines{0, 1}));
    EXPECT_EQ(of_batch(one, 1), (Lines{2}));
    EXPECT_EQ(of_batch(one, 2), Lines());

    const FetchList two({0, 2, 3}, touched.data(), 2, 0xff, 8, 24);
    EXPECT_EQ(of_batch(two, 1), (Lines{2}));
    EXPECT_EQ(of_batch(two, 2), (Lines{1, 2, 0}));
}

TEST(FetchList, IgnoresBitsOutsideOfTheMask)
{
    const std::vector<std::int32_t> touched = {0x100 | 5};
    EXPECT_EQ(of_batch(FetchList({0, 1}, touched.data(), 1, 0xff, 8, 24), 0), (Lines{1, 2}));
}
