#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace selvage
{

/// Deterministic parallel loops: the only door to the threading library.
///
/// Work is cut into chunks whose bounds depend on `count` and `grain` alone, never on the number
/// of threads, and reductions add the chunks' results in index order. So the same scene gives the
/// same bits on one thread or sixteen.

/// Calls body(begin, end) once per chunk of at most `grain` indices.
void parallel_chunks(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t begin, std::size_t end)>& body);

/// Sum of body(begin, end) over chunks, added in chunk order.
double parallel_sum(std::size_t count, std::size_t grain,
                    const std::function<double(std::size_t begin, std::size_t end)>& body);

/// Calls body(i) for each i; a chunk is `grain` consecutive indices.
template <class Body> void parallel_for(std::size_t count, std::size_t grain, Body&& body)
{
    parallel_chunks(count, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) body(i);
    });
}

/// While alive, parallel loops use at most `threads` threads (0: as many as the machine has).
class ThreadLimit
{
public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Threads that parallel loops may use right now.
int thread_count();

} // namespace selvage
