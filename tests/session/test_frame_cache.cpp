#include "core/session/frame_cache.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

std::shared_ptr<const CachedFrame> entry_of(int doubles)
{
    auto e = std::make_shared<CachedFrame>();
    e->state.x = VecX::Zero(doubles);
    return e;
}

} // namespace

TEST(FrameCache, KeepsStartAndNewestWithinTheLimit)
{
    FrameCache cache(3 * 800);
    for (int f = 1; f <= 10; ++f) cache.store(f, entry_of(100));
    EXPECT_LE(cache.bytes(), 3u * 800);
    EXPECT_TRUE(cache.find(1));
    EXPECT_TRUE(cache.find(10));
    EXPECT_TRUE(cache.find(9));
    EXPECT_FALSE(cache.find(5));
}

TEST(FrameCache, LatestUntil)
{
    FrameCache cache(1e9);
    for (const int f : {1, 4, 6}) cache.store(f, entry_of(1));
    EXPECT_EQ(cache.latest_until(5), 4);
    EXPECT_EQ(cache.latest_until(6), 6);
    EXPECT_EQ(cache.latest_until(0), 1);
}

TEST(FrameCache, DroppingKeepsTheBooks)
{
    FrameCache cache(1e9);
    for (int f = 1; f <= 4; ++f) cache.store(f, entry_of(10));
    cache.store(4, entry_of(20)); // replaces
    EXPECT_EQ(cache.bytes(), 8u * 50);
    cache.drop_after(2);
    EXPECT_EQ(cache.bytes(), 8u * 20);
    EXPECT_FALSE(cache.find(3));
    cache.clear();
    EXPECT_EQ(cache.bytes(), 0u);
}
