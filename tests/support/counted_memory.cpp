#include "tests/support/counted_memory.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace
{

std::atomic<std::size_t> used{0}, peak{0};
std::atomic<long> count{0};

void* counted(std::size_t size, std::size_t alignment)
{
    void* p = alignment
                  ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                  : std::malloc(size ? size : 1);
    if (!p) throw std::bad_alloc();
    ++count;
    const std::size_t now = used += malloc_usable_size(p);
    std::size_t old = peak;
    while (now > old && !peak.compare_exchange_weak(old, now)) {}
    return p;
}

void release(void* p)
{
    if (!p) return;
    used -= malloc_usable_size(p);
    std::free(p);
}

} // namespace

void* operator new(std::size_t n) { return counted(n, 0); }
void* operator new[](std::size_t n) { return counted(n, 0); }
void* operator new(std::size_t n, std::align_val_t a) { return counted(n, std::size_t(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return counted(n, std::size_t(a)); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }

namespace selvage::test
{

long allocation_count() { return count; }

PeakMemory::PeakMemory() : start_(used) { peak = used.load(); }
std::size_t PeakMemory::bytes() const { return peak > start_ ? peak - start_ : 0; }

} // namespace selvage::test
