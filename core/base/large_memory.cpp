#include "core/base/large_memory.h"

#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace selvage
{

void* allocate_large(std::size_t bytes)
{
    constexpr std::size_t page = std::size_t(2) << 20, line = 64;
    // Rounding up to whole pages must not waste more than a quarter.
    const bool large = bytes >= 4 * page;
    const std::size_t whole = (bytes + page - 1) / page * page;
    const std::size_t lines = (bytes + line - 1) / line * line;
    void* memory = large ? std::aligned_alloc(page, whole) : std::aligned_alloc(line, lines);
    if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (large) madvise(memory, whole, MADV_HUGEPAGE); // a wish: ordinary pages serve as well
#endif
    return memory;
}

void free_large(void* memory) { std::free(memory); }

} // namespace selvage
