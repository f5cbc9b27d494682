#include "core/linear/block_matrix.h"

#include "core/base/parallel.h"

#include <cassert>

namespace selvage
{

BlockPattern::BlockPattern(int vertex_count, const std::vector<Tuples>& tuples)
{
    // Count, fill, then sort and merge each row: no global sort.
    std::vector<std::int64_t> begin(std::size_t(vertex_count) + 1, 0);
    const auto each_pair = [&](auto&& visit) {
        for (const Tuples& t : tuples)
            for (std::size_t e = 0; e < t.count; ++e) {
                const std::int32_t* v = t.vertices + e * std::size_t(t.arity);
                for (int i = 0; i < t.arity; ++i)
                    for (int j = i + 1; j < t.arity; ++j)
                        if (v[i] != v[j]) visit(std::min(v[i], v[j]), std::max(v[i], v[j]));
            }
    };
    each_pair([&](std::int32_t row, std::int32_t) { ++begin[std::size_t(row) + 1]; });
    for (int r = 0; r < vertex_count; ++r) begin[std::size_t(r) + 1] += begin[std::size_t(r)];
    std::vector<std::int32_t> all(std::size_t(begin.back()));
    std::vector<std::int64_t> cursor(begin.begin(), begin.end() - 1);
    each_pair([&](std::int32_t row, std::int32_t column) {
        all[std::size_t(cursor[std::size_t(row)]++)] = column;
    });

    row_begin_.assign(1, 0);
    row_begin_.reserve(std::size_t(vertex_count) + 1);
    for (int r = 0; r < vertex_count; ++r) {
        const auto first = all.begin() + begin[std::size_t(r)],
                   last = all.begin() + begin[std::size_t(r) + 1];
        std::sort(first, last);
        columns_.push_back(r);
        columns_.insert(columns_.end(), first, std::unique(first, last));
        row_begin_.push_back(std::int64_t(columns_.size()));
    }
}

std::int64_t BlockPattern::find(int row, int column) const
{
    const auto first = columns_.begin() + row_begin_[std::size_t(row)];
    const auto last = columns_.begin() + row_begin_[std::size_t(row) + 1];
    const auto it = std::lower_bound(first, last, column);
    return it != last && *it == column ? it - columns_.begin() : -1;
}

bool BlockPattern::operator==(const BlockPattern& other) const
{
    return row_begin_ == other.row_begin_ && columns_ == other.columns_;
}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> p)
    : pattern(std::move(p)), values(9 * std::size_t(pattern->block_count()), 0.0)
{
}

void BlockMatrix::set_zero()
{
    constexpr std::size_t grain = 1 << 16;
    parallel_chunks(values.size(), grain, [&](std::size_t begin, std::size_t end) {
        std::fill(values.begin() + std::ptrdiff_t(begin), values.begin() + std::ptrdiff_t(end),
                  0.0);
    });
}

Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> BlockMatrix::block(std::int64_t k)
{
    return Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(values.data() + 9 * k);
}

Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>
BlockMatrix::block(std::int64_t k) const
{
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(values.data() + 9 * k);
}

void BlockMatrix::add_diagonal(const VecX& per_vertex)
{
    assert(per_vertex.size() == pattern->rows());
    for (int r = 0; r < pattern->rows(); ++r)
        block(pattern->row_begin()[std::size_t(r)]).diagonal().array() += per_vertex[r];
}

VecX BlockMatrix::multiply(const VecX& x) const
{
    VecX y = VecX::Zero(x.size());
    const auto& begin = pattern->row_begin();
    for (int r = 0; r < pattern->rows(); ++r)
        for (std::int64_t k = begin[std::size_t(r)]; k < begin[std::size_t(r) + 1]; ++k) {
            const int c = pattern->columns()[std::size_t(k)];
            y.segment<3>(3 * r) += block(k) * x.segment<3>(3 * c);
            if (c != r) y.segment<3>(3 * c) += block(k).transpose() * x.segment<3>(3 * r);
        }
    return y;
}

MatX BlockMatrix::dense() const
{
    MatX A = MatX::Zero(3 * pattern->rows(), 3 * pattern->rows());
    const auto& begin = pattern->row_begin();
    for (int r = 0; r < pattern->rows(); ++r)
        for (std::int64_t k = begin[std::size_t(r)]; k < begin[std::size_t(r) + 1]; ++k) {
            const int c = pattern->columns()[std::size_t(k)];
            A.block<3, 3>(3 * r, 3 * c) = block(k);
            A.block<3, 3>(3 * c, 3 * r) = block(k).transpose();
        }
    return A;
}

} // namespace selvage
