#include "core/linear/transfer.h"

#include "core/base/parallel.h"
#include "core/linear/block_kernels.h"

#include <algorithm>

namespace selvage
{

namespace
{

constexpr std::size_t grain = 256; // block rows per task

/// Few distinct numbers: rows of P have about three entries, of A P about six, so a linear search
/// beats any table.
void insert(std::vector<std::int32_t>& list, std::int32_t value)
{
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

/// A pattern whose row i holds what `row(i, list)` puts into the empty list.
template <class Row>
std::shared_ptr<const RowPattern> make_rows(std::size_t rows, std::size_t chunk, Row&& row)
{
    auto pattern = std::make_shared<RowPattern>();
    pattern->begin.assign(rows + 1, 0);
    std::vector<std::vector<std::int32_t>> parts((rows + chunk - 1) / chunk);
    parallel_chunks(rows, chunk, [&](std::size_t begin, std::size_t end) {
        std::vector<std::int32_t>& part = parts[begin / chunk];
        std::vector<std::int32_t> list;
        for (std::size_t i = begin; i < end; ++i) {
            list.clear();
            row(i, list);
            std::sort(list.begin(), list.end());
            part.insert(part.end(), list.begin(), list.end());
            pattern->begin[i + 1] = std::int64_t(list.size());
        }
    });
    for (std::size_t i = 0; i < rows; ++i) pattern->begin[i + 1] += pattern->begin[i];
    pattern->columns.resize(std::size_t(pattern->begin.back()));
    parallel_chunks(rows, chunk, [&](std::size_t begin, std::size_t) {
        const auto& part = parts[begin / chunk];
        std::copy(part.begin(), part.end(), pattern->columns.begin() + pattern->begin[begin]);
    });
    return pattern;
}

/// Place of a column within the sorted row of a pattern.
struct RowView {
    const std::int32_t* first;
    std::ptrdiff_t count;

    RowView(const RowPattern& p, std::size_t row)
        : first(p.columns.data() + p.begin[row]), count(p.begin[row + 1] - p.begin[row])
    {
    }
    std::ptrdiff_t place(std::int32_t column) const
    {
        std::ptrdiff_t k = 0;
        while (first[k] != column) ++k;
        return k;
    }
};

} // namespace

template <class S, int B, int K>
void Transfer<S, B, K>::analyse(const RowPattern& A, Aggregates aggregates)
{
    aggregates_ = std::move(aggregates);
    const auto& of = aggregates_.of;
    P_.reset(make_rows(A.rows(), grain, [&](std::size_t i, std::vector<std::int32_t>& list) {
        if (of[i] < 0) return;
        for (auto k = A.begin[i]; k < A.begin[i + 1]; ++k) {
            const std::int32_t c = of[std::size_t(A.columns[std::size_t(k)])];
            if (c >= 0) insert(list, c);
        }
    }));
    transpose();
    const RowPattern& P = *P_.pattern;
    AP_.reset(make_rows(A.rows(), grain, [&](std::size_t i, std::vector<std::int32_t>& list) {
        if (of[i] < 0) return;
        for (auto k = A.begin[i]; k < A.begin[i + 1]; ++k) {
            const auto j = std::size_t(A.columns[std::size_t(k)]);
            for (auto m = P.begin[j]; m < P.begin[j + 1]; ++m)
                insert(list, P.columns[std::size_t(m)]);
        }
    }));
    const RowPattern& AP = *AP_.pattern;
    coarse_pattern_ = make_rows(std::size_t(aggregates_.count), 64,
                                [&](std::size_t c, std::vector<std::int32_t>& list) {
                                    insert(list, std::int32_t(c));
                                    for (auto e = column_begin_[c]; e < column_begin_[c + 1]; ++e) {
                                        const auto i = std::size_t(entries_[std::size_t(e)].row);
                                        for (auto m = AP.begin[i]; m < AP.begin[i + 1]; ++m)
                                            insert(list, AP.columns[std::size_t(m)]);
                                    }
                                });
}

template <class S, int B, int K> void Transfer<S, B, K>::transpose()
{
    const RowPattern& P = *P_.pattern;
    column_begin_.assign(std::size_t(aggregates_.count) + 1, 0);
    for (const std::int32_t c : P.columns) ++column_begin_[std::size_t(c) + 1];
    for (std::size_t c = 0; c + 1 < column_begin_.size(); ++c)
        column_begin_[c + 1] += column_begin_[c];
    entries_.resize(P.columns.size());
    std::vector<std::int32_t> cursor(column_begin_.begin(), column_begin_.end() - 1);
    for (std::size_t i = 0; i < P.rows(); ++i)
        for (auto k = P.begin[i]; k < P.begin[i + 1]; ++k) {
            const auto c = std::size_t(P.columns[std::size_t(k)]);
            entries_[std::size_t(cursor[c]++)] = {std::int32_t(i), std::int32_t(k)};
        }
}

template <class S, int B, int K>
void Transfer<S, B, K>::smooth(const BlockRows<S, B, B>& A, const Buffer<S>& inverse,
                               const Buffer<S>& Q, S omega)
{
    const RowPattern& pattern = *A.pattern;
    const RowPattern& P = *P_.pattern;
    const auto& of = aggregates_.of;
    parallel_chunks(A.rows(), grain, [&](std::size_t begin, std::size_t end) {
        std::vector<RowPack<S, K>> sums;
        for (std::size_t i = begin; i < end; ++i) {
            const RowView row(P, i);
            if (row.count == 0) continue;
            sums.assign(std::size_t(row.count) * B, RowPack<S, K>::Zero());
            for (auto k = pattern.begin[i]; k < pattern.begin[i + 1]; ++k) {
                const auto j = std::size_t(pattern.columns[std::size_t(k)]);
                if (of[j] < 0) continue;
                add_block_product<S, B, K>(A.block(k), Q.data() + j * B * K,
                                           sums.data() + row.place(of[j]) * B);
            }
            for (std::ptrdiff_t m = 0; m < row.count; ++m) {
                // Q_i − ω D⁻¹ (A Q)_i
                RowPack<S, K> smoothed[B];
                for (int r = 0; r < B; ++r) smoothed[r].setZero();
                add_block_product<S, B, K>(inverse.data() + i * B * B, sums.data() + m * B,
                                           smoothed);
                const S* q = Q.data() + i * B * K;
                const bool own = row.first[m] == of[i];
                for (int r = 0; r < B; ++r) {
                    smoothed[r] *= -omega;
                    if (own) smoothed[r] += load_row<S, K>(q + K * r);
                }
                store_rows<S, B, K>(smoothed, P_.block(P.begin[i] + m));
            }
        }
    });
}

template <class S, int B, int K>
void Transfer<S, B, K>::galerkin(const BlockRows<S, B, B>& A, BlockRows<S, K, K>& coarse)
{
    const RowPattern& pattern = *A.pattern;
    const RowPattern& P = *P_.pattern;
    const RowPattern& AP = *AP_.pattern;
    parallel_chunks(A.rows(), grain, [&](std::size_t begin, std::size_t end) {
        std::vector<RowPack<S, K>> sums;
        for (std::size_t i = begin; i < end; ++i) {
            const RowView row(AP, i);
            if (row.count == 0) continue;
            sums.assign(std::size_t(row.count) * B, RowPack<S, K>::Zero());
            for (auto k = pattern.begin[i]; k < pattern.begin[i + 1]; ++k) {
                const auto j = std::size_t(pattern.columns[std::size_t(k)]);
                std::ptrdiff_t place = 0; // both rows ascend
                for (auto m = P.begin[j]; m < P.begin[j + 1]; ++m) {
                    while (row.first[place] != P.columns[std::size_t(m)]) ++place;
                    add_block_product<S, B, K>(A.block(k), P_.block(m), sums.data() + place * B);
                }
            }
            for (std::ptrdiff_t m = 0; m < row.count; ++m)
                store_rows<S, B, K>(sums.data() + m * B, AP_.block(AP.begin[i] + m));
        }
    });

    // The upper triangle row by row, then its mirror image.
    coarse.reset(coarse_pattern_);
    const RowPattern& C = *coarse_pattern_;
    const auto rows = std::size_t(aggregates_.count);
    parallel_chunks(rows, 64, [&](std::size_t begin, std::size_t end) {
        std::vector<RowPack<S, K>> sums;
        for (std::size_t c = begin; c < end; ++c) {
            const RowView row(C, c);
            sums.assign(std::size_t(row.count) * K, RowPack<S, K>::Zero());
            for (auto e = column_begin_[c]; e < column_begin_[c + 1]; ++e) {
                const Entry entry = entries_[std::size_t(e)];
                std::ptrdiff_t place = 0;
                for (auto m = AP.begin[std::size_t(entry.row)];
                     m < AP.begin[std::size_t(entry.row) + 1]; ++m) {
                    const std::int32_t column = AP.columns[std::size_t(m)];
                    if (column < std::int32_t(c)) continue;
                    while (row.first[place] != column) ++place;
                    add_transposed_product<S, B, K>(P_.block(entry.block), AP_.block(m),
                                                    sums.data() + place * K);
                }
            }
            for (std::ptrdiff_t m = 0; m < row.count; ++m) {
                if (row.first[m] < std::int32_t(c)) continue;
                S* block = coarse.block(C.begin[c] + m);
                store_rows<S, K, K>(sums.data() + m * K, block);
                if (row.first[m] != std::int32_t(c)) continue;
                S most = 0;
                for (int r = 0; r < K; ++r) most = std::max(most, block[r * K + r]);
                for (int r = 0; r < K; ++r) {
                    for (int s = 0; s < r; ++s) block[r * K + s] = block[s * K + r];
                    if (block[r * K + r] == 0) block[r * K + r] = most > 0 ? most : S(1);
                }
            }
        }
    });
    parallel_for(rows, 64, [&](std::size_t c) {
        const RowView row(C, c);
        for (std::ptrdiff_t m = 0; m < row.count && row.first[m] < std::int32_t(c); ++m) {
            const auto other = std::size_t(row.first[m]);
            const S* from =
                coarse.block(C.begin[other] + RowView(C, other).place(std::int32_t(c)));
            S* to = coarse.block(C.begin[c] + m);
            for (int r = 0; r < K; ++r)
                for (int s = 0; s < K; ++s) to[r * K + s] = from[s * K + r];
        }
    });
}

template <class S, int B, int K>
void Transfer<S, B, K>::restrict_to(const S* r, S* f_coarse) const
{
    parallel_for(std::size_t(aggregates_.count), 128, [&](std::size_t c) {
        RowPack<S, K> sum = RowPack<S, K>::Zero();
        for (auto e = column_begin_[c]; e < column_begin_[c + 1]; ++e) {
            const Entry entry = entries_[std::size_t(e)];
            const S* p = P_.block(entry.block);
            const S* from = r + std::ptrdiff_t(entry.row) * B;
#pragma GCC unroll 6
            for (int k = 0; k < B; ++k) sum += from[k] * load_row<S, K>(p + K * k);
        }
        for (int k = 0; k < K; ++k) f_coarse[c * K + std::size_t(k)] = sum[k];
    });
}

template <class S, int B, int K>
void Transfer<S, B, K>::prolong_add(const S* x_coarse, S* x) const
{
    const RowPattern& P = *P_.pattern;
    parallel_for(P.rows(), 1024, [&](std::size_t i) {
        const std::int64_t first = P.begin[i];
        S y[B];
        row_product<S, B, K>(P.columns.data() + first, P_.block(first), P.begin[i + 1] - first,
                             x_coarse, y);
        for (int k = 0; k < B; ++k) x[i * B + std::size_t(k)] += y[k];
    });
}

template <class S, int B, int K> std::size_t Transfer<S, B, K>::bytes() const
{
    if (!P_.pattern) return 0;
    return P_.values.bytes() + AP_.values.bytes() + P_.pattern->bytes() + AP_.pattern->bytes() +
           4 * (aggregates_.of.size() + column_begin_.size()) + sizeof(Entry) * entries_.size();
}

template class Transfer<float, 3, 3>;
template class Transfer<float, 3, 6>;
template class Transfer<float, 6, 6>;
template class Transfer<double, 3, 3>;
template class Transfer<double, 3, 6>;
template class Transfer<double, 6, 6>;

} // namespace selvage
