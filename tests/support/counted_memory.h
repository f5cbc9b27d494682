#pragma once

#include <cstddef>

namespace selvage::test
{

// Programs of tests that compile counted_memory.cpp count in operator new.

/// How often memory was asked for so far.
long allocation_count();

/// Largest amount of memory that was in use at once since construction, beyond what was in use
/// then.
class PeakMemory
{
public:
    PeakMemory();
    std::size_t bytes() const;

private:
    std::size_t start_;
};

} // namespace selvage::test
