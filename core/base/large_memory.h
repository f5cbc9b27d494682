#pragma once

#include <cstddef>
#include <memory>

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

} // namespace selvage
