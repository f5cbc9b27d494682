#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace selvage
{

/// Memory for arrays that are streamed through, in pages of 2 MB where the system grants them: with
/// pages of 4 KB a product with a large sparse matrix spends a fifth of its time on looking up
/// where they are. Small requests are ordinary ones. Not initialised; throws std::bad_alloc.
void* allocate_large(std::size_t bytes);
void free_large(void* memory);

struct FreeLarge {
    void operator()(void* memory) const { free_large(memory); }
};

/// Lets a std::vector live there.
template <class T> struct LargeAllocator {
    using value_type = T;
    LargeAllocator() = default;
    template <class U> LargeAllocator(const LargeAllocator<U>&) {}
    T* allocate(std::size_t n) { return static_cast<T*>(allocate_large(n * sizeof(T))); }
    void deallocate(T* memory, std::size_t) { free_large(memory); }
    template <class U> bool operator==(const LargeAllocator<U>&) const { return true; }
    template <class U> bool operator!=(const LargeAllocator<U>&) const { return false; }
};

template <class T> using LargeVector = std::vector<T, LargeAllocator<T>>;

} // namespace selvage
