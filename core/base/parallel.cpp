#include "core/base/parallel.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <vector>

namespace selvage
{

void parallel_chunks(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t, std::size_t)>& body)
{
    if (count == 0) return;
    grain = std::max<std::size_t>(grain, 1);
    const std::size_t chunks = (count + grain - 1) / grain;
    const auto run = [&](std::size_t c) { body(c * grain, std::min(count, (c + 1) * grain)); };
    if (chunks == 1) return run(0);
    tbb::parallel_for(std::size_t(0), chunks, run);
}

double parallel_sum(std::size_t count, std::size_t grain,
                    const std::function<double(std::size_t, std::size_t)>& body)
{
    if (count == 0) return 0;
    grain = std::max<std::size_t>(grain, 1);
    std::vector<double> partial((count + grain - 1) / grain);
    parallel_chunks(count, grain, [&](std::size_t begin, std::size_t end) {
        partial[begin / grain] = body(begin, end);
    });
    double sum = 0;
    for (const double p : partial) sum += p;
    return sum;
}

struct ThreadLimit::Impl {
    tbb::global_control control;
};

ThreadLimit::ThreadLimit(int threads)
    : impl_(new Impl{tbb::global_control(
          tbb::global_control::max_allowed_parallelism,
          threads > 0 ? std::size_t(threads) : std::size_t(tbb::info::default_concurrency()))})
{
}

ThreadLimit::~ThreadLimit() = default;

int thread_count()
{
    return int(std::min<std::size_t>(
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism),
        std::size_t(tbb::info::default_concurrency())));
}

} // namespace selvage
