#pragma once
#include <SYS/SYS_Types.h>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#ifdef __SANITIZE_THREAD__
#include <list>
#include <thread>
#include <vector>
#endif

template <class T> using UT_BlockedRange = tbb::blocked_range<T>;

namespace standin
{
#ifdef __SANITIZE_THREAD__

// The thread sanitizer sees only synchronisation that was compiled with it, which TBB's is not:
// under it the pieces of a range run on threads of their own.
constexpr std::size_t most_pieces = 4;

template <class Range> std::list<Range> pieces_of(const Range& whole)
{
    std::list<Range> pieces{whole};
    for (auto p = pieces.begin(); p != pieces.end() && pieces.size() < most_pieces;) {
        if (p->is_divisible())
            pieces.emplace(std::next(p), *p, tbb::split());
        else
            ++p;
    }
    return pieces;
}

template <class Range, class Body> void parallel_for(const Range& range, const Body& body)
{
    if (range.empty()) return;
    const std::list<Range> pieces = pieces_of(range);
    std::vector<std::thread> threads;
    for (const Range& piece : pieces) threads.emplace_back([&body, &piece] { body(piece); });
    for (std::thread& t : threads) t.join();
}

template <class Range, class Body> void parallel_reduce(const Range& range, Body& body)
{
    if (range.empty()) return;
    const std::list<Range> pieces = pieces_of(range);
    std::list<Body> bodies;
    std::vector<std::thread> threads;
    for (const Range& piece : pieces) {
        Body& part = bodies.emplace_back(body, tbb::split());
        threads.emplace_back([&part, &piece] { part(piece); });
    }
    for (std::thread& t : threads) t.join();
    for (Body& part : bodies) body.join(part);
}

#else

using tbb::parallel_for;
using tbb::parallel_reduce;

#endif
} // namespace standin

template <class Range, class Body>
void UTparallelFor(const Range& range, const Body& body, int /*subscribe_ratio*/ = 2,
                   int /*min_grain*/ = 1, bool /*force_use_of_task_scope*/ = true)
{
    standin::parallel_for(range, body);
}
template <class Range, class Body>
void UTparallelForLightItems(const Range& range, const Body& body)
{
    standin::parallel_for(range, body);
}
template <class Range, class Body>
void UTparallelForHeavyItems(const Range& range, const Body& body)
{
    standin::parallel_for(range, body);
}
template <class Range, class Body> void UTserialFor(const Range& range, const Body& body)
{
    body(range);
}
template <class Body> void UTparallelForEachNumber(exint n, const Body& body, int /*ratio*/ = 2)
{
    UTparallelFor(UT_BlockedRange<exint>(0, n), body);
}
template <class Range, class Body>
void UTparallelReduce(const Range& range, Body& body, int = 0, int = 1)
{
    standin::parallel_reduce(range, body);
}
