#pragma once

#include <cstddef>

namespace selvage::test
{

/// Largest amount of memory that was in use at once since construction, beyond what was in use
/// then. This test program counts in operator new.
class PeakMemory
{
public:
    PeakMemory();
    std::size_t bytes() const;

private:
    std::size_t start_;
};

} // namespace selvage::test
