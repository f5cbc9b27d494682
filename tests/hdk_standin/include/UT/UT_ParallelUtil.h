#pragma once
#include <SYS/SYS_Types.h>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

template <class T> using UT_BlockedRange = tbb::blocked_range<T>;

template <class Range, class Body>
void UTparallelFor(const Range& range, const Body& body, int /*subscribe_ratio*/ = 2,
                   int /*min_grain*/ = 1, bool /*force_use_of_task_scope*/ = true)
{
    tbb::parallel_for(range, body);
}
template <class Range, class Body>
void UTparallelForLightItems(const Range& range, const Body& body)
{
    tbb::parallel_for(range, body);
}
template <class Range, class Body>
void UTparallelForHeavyItems(const Range& range, const Body& body)
{
    tbb::parallel_for(range, body);
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
    tbb::parallel_reduce(range, body);
}
