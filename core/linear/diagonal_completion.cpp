#include "core/linear/diagonal_completion.h"

#include "core/base/parallel.h"
#include "core/math/simd.h"

#include <cassert>

namespace selvage
{
namespace
{

constexpr std::size_t rows_per_task = 1024;

/// Sum of blocks: entries 0 to 3, 4 to 7 and the last.
struct BlockSum {
    Real4 a{0.0}, b{0.0};
    double last = 0;

    SELVAGE_INLINE void add(const double* block)
    {
        a += load4(block), b += load4(block + 4), last += block[8];
    }
};

} // namespace

DiagonalCompletion::DiagonalCompletion(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)), begin_(std::size_t(pattern_->rows()) + 1, 0)
{
    const auto& begin = pattern_->row_begin();
    const auto& columns = pattern_->columns();
    const auto each_block = [&](auto&& visit) {
        for (std::size_t row = 0; row + 1 < begin.size(); ++row)
            for (std::int64_t k = begin[row] + 1; k < begin[row + 1]; ++k) {
                visit(row, k);
                visit(std::size_t(columns[std::size_t(k)]), k);
            }
    };
    each_block([&](std::size_t row, std::int64_t) { ++begin_[row + 1]; });
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    block_.resize(std::size_t(begin_.back()));
    std::vector<std::int64_t> cursor(begin_.begin(), begin_.end() - 1);
    each_block([&](std::size_t row, std::int64_t k) {
        block_[std::size_t(cursor[row]++)] = std::int32_t(k);
    });
}

void DiagonalCompletion::add(BlockMatrix& matrix) const
{
    assert(matrix.pattern == pattern_);
    const std::int64_t* begin = pattern_->row_begin().data();
    double* values = matrix.values.data();
    // Diagonal blocks are written, all others read: no task waits for another.
    parallel_for(std::size_t(pattern_->rows()), rows_per_task, [&](std::size_t row) {
        const std::int32_t* k = block_.data() + begin_[row];
        const std::int32_t* end = block_.data() + begin_[row + 1];
        BlockSum one, other; // two, so that additions do not wait for each other
        for (; k + 1 < end; k += 2) {
            one.add(values + 9 * std::ptrdiff_t(k[0]));
            other.add(values + 9 * std::ptrdiff_t(k[1]));
        }
        if (k < end) one.add(values + 9 * std::ptrdiff_t(*k));
        // S + Sᵀ is the same whether blocks below the diagonal are transposed or not: they are not.
        const Real4 a = one.a + other.a, b = one.b + other.b;
        const double xy = 0.5 * (a[1] + a[3]), xz = 0.5 * (a[2] + b[2]), yz = 0.5 * (b[1] + b[3]);
        double* d = values + 9 * begin[row];
        d[0] -= a[0], d[1] -= xy, d[2] -= xz;
        d[3] -= xy, d[4] -= b[0], d[5] -= yz;
        d[6] -= xz, d[7] -= yz, d[8] -= one.last + other.last;
    });
}

} // namespace selvage
