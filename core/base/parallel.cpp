#include "core/base/parallel.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <vector>

#ifdef __SANITIZE_THREAD__
#include <atomic>
#include <thread>
#endif

namespace selvage
{

namespace
{

#ifdef __SANITIZE_THREAD__

/// The thread sanitizer sees only synchronisation that was compiled with it, which the library's is
/// not: under it chunks run on threads of our own. A loop inside a loop runs where it stands.
template <class Run> void run_chunks(std::size_t chunks, const Run& run)
{
    static thread_local bool inside = false;
    std::atomic<std::size_t> next{0};
    const bool outer = inside;
    const auto work = [&] {
        inside = true;
        for (std::size_t c = next++; c < chunks; c = next++) run(c);
        inside = outer;
    };
    std::vector<std::thread> others;
    const std::size_t most = outer ? 1 : std::min(chunks, std::size_t(thread_count()));
    for (std::size_t t = 1; t < most; ++t) others.emplace_back(work);
    work();
    for (std::thread& t : others) t.join();
}

#else

template <class Run> void run_chunks(std::size_t chunks, const Run& run)
{
    tbb::parallel_for(std::size_t(0), chunks, run);
}

#endif

} // namespace

void parallel_chunks(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t, std::size_t)>& body)
{
    if (count == 0) return;
    grain = std::max<std::size_t>(grain, 1);
    const std::size_t chunks = (count + grain - 1) / grain;
    const auto run = [&](std::size_t c) { body(c * grain, std::min(count, (c + 1) * grain)); };
    if (chunks == 1) return run(0);
    run_chunks(chunks, run);
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
