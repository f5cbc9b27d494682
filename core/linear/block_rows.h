#pragma once

#include "core/base/large_memory.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace selvage
{

/// An array that is neither cleared nor copied when it grows: hundreds of megabytes are written
/// once, by the threads that compute them. Eight more numbers than asked for may be read behind the
/// end, so that blocks can be loaded in whole SIMD packs.
template <class T> class Buffer
{
    static_assert(std::is_arithmetic_v<T>);

public:
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return capacity_ * sizeof(T); }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }

    /// Contents are undefined afterwards.
    void resize(std::size_t size)
    {
        size_ = size;
        if (size + tail <= capacity_) return;
        capacity_ = size + tail;
        data_.reset(); // before the new one is taken
        data_.reset(static_cast<T*>(allocate_large(capacity_ * sizeof(T))));
        for (std::size_t i = size; i < capacity_; ++i) data_[i] = T(0);
    }

private:
    static constexpr std::size_t tail = 8;

    std::unique_ptr<T[], FreeLarge> data_;
    std::size_t size_ = 0, capacity_ = 0;
};

/// Where a matrix of blocks has entries: compressed rows, columns ascending.
struct RowPattern {
    std::vector<std::int64_t> begin{0};
    std::vector<std::int32_t> columns;

    std::size_t rows() const { return begin.size() - 1; }
    std::size_t block_count() const { return columns.size(); }
    std::size_t bytes() const { return 8 * begin.capacity() + 4 * columns.capacity(); }
};

/// Blocks of R×C numbers on a pattern, each row-major, one after the other.
template <class S, int R, int C> struct BlockRows {
    std::shared_ptr<const RowPattern> pattern;
    Buffer<S> values;

    /// Values are undefined afterwards.
    void reset(std::shared_ptr<const RowPattern> p)
    {
        pattern = std::move(p);
        values.resize(pattern->block_count() * R * C);
    }
    std::size_t rows() const { return pattern ? pattern->rows() : 0; }
    S* block(std::int64_t k) { return values.data() + k * (R * C); }
    const S* block(std::int64_t k) const { return values.data() + k * (R * C); }
};

} // namespace selvage
