#include "core/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

using namespace selvage;

TEST(Parallel, EveryIndexOnce)
{
    std::vector<std::atomic<int>> hits(10007);
    parallel_for(hits.size(), 64, [&](std::size_t i) { ++hits[i]; });
    for (const auto& h : hits) ASSERT_EQ(h, 1);
}

TEST(Parallel, SumHasTheSameBitsForAnyThreadCount)
{
    const auto sum = [] {
        return parallel_sum(100003, 100, [](std::size_t begin, std::size_t end) {
            double s = 0;
            for (std::size_t i = begin; i < end; ++i) s += 1.0 / double(i + 1);
            return s;
        });
    };
    double one = 0, many = 0;
    {
        ThreadLimit limit(1);
        one = sum();
    }
    {
        ThreadLimit limit(4);
        many = sum();
    }
    EXPECT_EQ(one, many);
}

TEST(Parallel, NothingToDo)
{
    parallel_chunks(0, 10, [](std::size_t, std::size_t) { FAIL(); });
    EXPECT_EQ(parallel_sum(0, 10, [](std::size_t, std::size_t) { return 1.0; }), 0.0);
}
