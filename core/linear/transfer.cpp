#include "core/linear/transfer.h"

#include "core/base/parallel.h"
#include "core/linear/block_kernels.h"

#include <algorithm>

namespace selvage
{

namespace
{

constexpr std::size_t transfer_grain = 256;   // block rows per task
constexpr std::size_t coarse_grain = 64;      // coarse ones
constexpr std::size_t longest_stretch = 1024; // of coarse nodes whose rows of A P fit the cache

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

/// Rows are visited upwards: entries below the diagonal arrive in a row before its own, ascending.
std::shared_ptr<const RowPattern> both_triangles(const RowPattern& upper)
{
    auto full = std::make_shared<RowPattern>();
    full->begin.assign(upper.rows() + 1, 0);
    const auto each = [&](auto&& visit) {
        for (std::size_t r = 0; r < upper.rows(); ++r)
            for (auto k = upper.begin[r]; k < upper.begin[r + 1]; ++k) {
                const auto c = std::size_t(upper.columns[std::size_t(k)]);
                visit(r, c);
                if (c != r) visit(c, r);
            }
    };
    each([&](std::size_t r, std::size_t) { ++full->begin[r + 1]; });
    for (std::size_t r = 0; r < upper.rows(); ++r) full->begin[r + 1] += full->begin[r];
    full->columns.resize(std::size_t(full->begin.back()));
    std::vector<std::int64_t> cursor(full->begin.begin(), full->begin.end() - 1);
    each([&](std::size_t r, std::size_t c) {
        full->columns[std::size_t(cursor[r]++)] = std::int32_t(c);
    });
    return full;
}

/// A row of a pattern.
struct RowView {
    const std::int32_t* first;
    std::ptrdiff_t count;

    RowView(const RowPattern& p, std::size_t row)
        : first(p.columns.data() + p.begin[row]), count(p.begin[row + 1] - p.begin[row])
    {
    }
    /// Of a column that it has.
    std::ptrdiff_t place(std::int32_t column) const
    {
        return std::lower_bound(first, first + count, column) - first;
    }
};

/// Where each column stands within one row of a pattern at a time: a table of all columns, of which
/// few are touched. Searching rows takes longer than the products that are added there.
class Places
{
public:
    explicit Places(int columns) : place_(std::size_t(columns), missing) {}

    void look_at(const RowView& row)
    {
        for (const std::int32_t c : before_) place_[std::size_t(c)] = missing;
        before_.assign(row.first, row.first + row.count);
        for (std::size_t k = 0; k < before_.size(); ++k)
            place_[std::size_t(before_[k])] = std::int32_t(k);
    }
    /// Of a column; negative where the row has no such.
    std::ptrdiff_t operator[](std::int32_t column) const { return place_[std::size_t(column)]; }

private:
    static constexpr std::int32_t missing = -1;

    std::vector<std::int32_t> place_, before_;
};

/// Rows per task where each task has such a table: the work must outweigh making it.
std::size_t grain_with_places(std::size_t least, int columns)
{
    return std::max(least, least * std::size_t(columns) / 4096);
}

/// What the weak connections of a row contribute to A Q, their ends moving with the row's own
/// aggregate as one rigid body: Σ A_ij K_j R⁻¹. In doubles, for K is about the centre of the cloth.
template <int B, int K> class WeakPart
{
public:
    using Wide = Eigen::Matrix<double, B, K, Eigen::RowMajor>;

    WeakPart()
    {
        for (int r = 0; r < B; ++r) left_[r].setZero(), right_[r].setZero();
    }

    template <class S> SELVAGE_INLINE void add(const S* block, const double* kernel)
    {
#pragma GCC unroll 6
        for (int r = 0; r < B; ++r)
#pragma GCC unroll 6
            for (int k = 0; k < B; ++k) {
                const double a = double(block[B * r + k]);
                blocks_(r, k) += a;
                left_[r] += a * Eigen::Map<const Left>(kernel + K * k);
                if constexpr (K == 6) right_[r] += a * Eigen::Map<const Right>(kernel + K * k + 4);
            }
    }

    /// r: R of the aggregate, upper triangular. Rotations that its members hardly show (they lie on
    /// a line) cannot be continued: the ends then move as the row's own node does, by q.
    template <class S> Wide of_rigid_body(const double* r, const S* q) const
    {
        const Eigen::Map<const Eigen::Matrix<double, K, K, Eigen::RowMajor>> R(r);
        const double most = R.diagonal().template tail<3>().maxCoeff();
        const Wide near =
            blocks_ *
            Eigen::Map<const Eigen::Matrix<S, B, K, Eigen::RowMajor>>(q).template cast<double>();
        Wide X;
        for (int r = 0; r < B; ++r) {
            X.row(r).template head<left>() = left_[r].transpose();
            if constexpr (K == 6) X.row(r).template tail<2>() = right_[r].transpose();
        }
        for (int c = 0; c < K; ++c) {
            if (R(c, c) == 0 || (c >= 3 && R(c, c) < hardly * most)) {
                X.col(c) = near.col(c);
                continue;
            }
            for (int p = 0; p < c; ++p) X.col(c) -= R(p, c) * X.col(p);
            X.col(c) /= R(c, c);
        }
        return X;
    }

private:
    using Square = Eigen::Matrix<double, B, B, Eigen::RowMajor>;
    static constexpr double hardly = 0.1;
    static constexpr int left = K == 6 ? 4 : K; // columns: whole registers
    using Left = Eigen::Matrix<double, left, 1>;
    using Right = Eigen::Matrix<double, 2, 1>;

    Square blocks_ = Square::Zero(); ///< Σ A_ij
    Left left_[B];                   ///< Σ A_ij K_j, by rows: the first columns…
    Right right_[B];                 ///< …and the last two of six
};

} // namespace

template <class S, int B, int K>
void Transfer<S, B, K>::analyse(const std::shared_ptr<const RowPattern>& A_pattern,
                                Aggregates aggregates, const Buffer<float>& strength,
                                float threshold)
{
    const RowPattern& A = *A_pattern;
    aggregates_ = std::move(aggregates);
    const auto& of = aggregates_.of;
    auto pattern =
        make_rows(A.rows(), transfer_grain, [&](std::size_t i, std::vector<std::int32_t>& list) {
            if (of[i] < 0) return;
            insert(list, of[i]);
            float most = 0;
            for (auto k = A.begin[i]; k < A.begin[i + 1]; ++k)
                most = std::max(most, strength[std::size_t(k)]);
            for (auto k = A.begin[i]; k < A.begin[i + 1]; ++k) {
                const std::int32_t c = of[std::size_t(A.columns[std::size_t(k)])];
                if (c >= 0 && strength[std::size_t(k)] > threshold * most) insert(list, c);
            }
        });
    if (A_pattern == A_pattern_ && pattern->begin == P_.pattern->begin &&
        pattern->columns == P_.pattern->columns)
        return;
    A_pattern_ = A_pattern;
    P_.reset(std::move(pattern));
    transpose();
    find_products();
    const RowPattern& AP = *AP_pattern_;
    const auto upper =
        make_rows(std::size_t(aggregates_.count), coarse_grain,
                  [&](std::size_t c, std::vector<std::int32_t>& list) {
                      for (auto e = column_begin_[c]; e < column_begin_[c + 1]; ++e) {
                          const auto i = std::size_t(entries_[std::size_t(e)].row);
                          for (auto m = AP.begin[i]; m < AP.begin[i + 1]; ++m)
                              if (AP.columns[std::size_t(m)] >= std::int32_t(c))
                                  insert(list, AP.columns[std::size_t(m)]);
                      }
                  });
    coarse_pattern_ = both_triangles(*upper);
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
                               const Buffer<S>& Q, const NearKernel& kernel,
                               const NearKernel& coarse_kernel, S omega)
{
    const RowPattern& pattern = *A.pattern;
    const RowPattern& P = *P_.pattern;
    const auto& of = aggregates_.of;
    const std::size_t grain = grain_with_places(transfer_grain, aggregates_.count);
    parallel_chunks(A.rows(), grain, [&](std::size_t begin, std::size_t end) {
        Places places(aggregates_.count);
        std::vector<RowPack<S, K>> sums;
        for (std::size_t i = begin; i < end; ++i) {
            const RowView row(P, i);
            if (row.count == 0) continue;
            places.look_at(row);
            const std::ptrdiff_t own = places[of[i]];
            sums.assign(std::size_t(row.count) * B, RowPack<S, K>::Zero());
            WeakPart<B, K> weak;
            for (auto k = pattern.begin[i]; k < pattern.begin[i + 1]; ++k) {
                const auto j = std::size_t(pattern.columns[std::size_t(k)]);
                if (of[j] < 0) continue;
                const std::ptrdiff_t place = places[of[j]];
                if (place >= 0)
                    add_block_product<S, B, K>(A.block(k), Q.data() + j * B * K,
                                               sums.data() + place * B);
                else
                    weak.add(A.block(k), kernel.data() + j * B * K);
            }
            const auto own_weak = weak.of_rigid_body(
                coarse_kernel.data() + std::size_t(of[i]) * K * K, Q.data() + i * B * K);
            for (int r = 0; r < B; ++r)
                for (int c = 0; c < K; ++c) sums[std::size_t(own * B + r)][c] += S(own_weak(r, c));
            for (std::ptrdiff_t m = 0; m < row.count; ++m) {
                // Q_i − ω D⁻¹ (A Q)_i
                RowPack<S, K> smoothed[B];
                for (int r = 0; r < B; ++r) smoothed[r].setZero();
                add_block_product<S, B, K>(inverse.data() + i * B * B, sums.data() + m * B,
                                           smoothed);
                const S* q = Q.data() + i * B * K;
                for (int r = 0; r < B; ++r) {
                    smoothed[r] *= -omega;
                    if (m == own) smoothed[r] += load_row<S, K>(q + K * r);
                }
                store_rows<S, B, K>(smoothed, P_.block(P.begin[i] + m));
            }
        }
    });
}

/// The pattern of A P. Row i of it meets row c of Pᵀ for the columns c of row i of P; for the upper
/// triangle of PᵀAP nothing left of the first of them is needed.
template <class S, int B, int K> void Transfer<S, B, K>::find_products()
{
    const RowPattern &A = *A_pattern_, &P = *P_.pattern;
    AP_pattern_ =
        make_rows(A.rows(), transfer_grain, [&](std::size_t i, std::vector<std::int32_t>& list) {
            if (P.begin[i] == P.begin[i + 1]) return;
            const std::int32_t first = P.columns[std::size_t(P.begin[i])];
            for (auto k = A.begin[i]; k < A.begin[i + 1]; ++k) {
                const auto j = std::size_t(A.columns[std::size_t(k)]);
                for (auto m = P.begin[j]; m < P.begin[j + 1]; ++m)
                    if (P.columns[std::size_t(m)] >= first) insert(list, P.columns[std::size_t(m)]);
            }
        });
}

/// The rows of A P that a stretch of coarse nodes needs, one pack per row of a block.
template <class S, int B, int K> class Transfer<S, B, K>::Products
{
public:
    Products(const Transfer& t, const BlockRows<S, B, B>& A, std::size_t begin, std::size_t end)
    {
        const RowPattern& AP = *t.AP_pattern_;
        const Entry* const first = t.entries_.data() + t.column_begin_[begin];
        const Entry* const last = t.entries_.data() + t.column_begin_[end];
        std::int32_t high = 0;
        low_ = std::int32_t(AP.rows());
        for (const Entry* e = first; e < last; ++e) {
            low_ = std::min(low_, e->row);
            high = std::max(high, e->row + 1);
        }
        start_.assign(std::size_t(std::max(high - low_, 0)), unused);
        for (const Entry* e = first; e < last; ++e) start_[std::size_t(e->row - low_)] = 0;
        std::int64_t size = 0;
        for (std::size_t k = 0; k < start_.size(); ++k) {
            if (start_[k] == unused) continue;
            start_[k] = size;
            size += B * RowView(AP, k + std::size_t(low_)).count;
        }
        packs_.resize(std::size_t(size));
        Places places(t.aggregates_.count);
        for (std::size_t k = 0; k < start_.size(); ++k)
            if (start_[k] != unused)
                multiply(t, A, k + std::size_t(low_), places, packs_.data() + start_[k]);
    }

    const RowPack<S, K>* row(std::int32_t i) const
    {
        return packs_.data() + start_[std::size_t(i - low_)];
    }

private:
    static constexpr std::int64_t unused = -1;

    static void multiply(const Transfer& t, const BlockRows<S, B, B>& A, std::size_t i,
                         Places& places, RowPack<S, K>* sums)
    {
        const RowPattern& P = *t.P_.pattern;
        const RowView row(*t.AP_pattern_, i), neighbours(*A.pattern, i);
        places.look_at(row);
        for (std::ptrdiff_t m = 0; m < row.count * B; ++m) sums[m].setZero();
        const S* a = A.block(A.pattern->begin[i]);
        for (std::ptrdiff_t k = 0; k < neighbours.count; ++k, a += B * B) {
            const RowView from(P, std::size_t(neighbours.first[k]));
            const S* p = t.P_.block(P.begin[std::size_t(neighbours.first[k])]);
            for (std::ptrdiff_t m = 0; m < from.count; ++m, p += B * K) {
                const std::ptrdiff_t place = places[from.first[m]];
                if (place >= 0) add_block_product<S, B, K>(a, p, sums + place * B);
            }
        }
    }

    std::int32_t low_ = 0;            ///< the first of the rows
    std::vector<std::int64_t> start_; ///< of each row from there on in packs_, or unused
    std::vector<RowPack<S, K>> packs_;
};

/// Stretches of coarse nodes have the rows of A P that they need to themselves, in the cache: as a
/// whole A P would go through memory twice. Where stretches meet, rows are computed for both; the
/// result does not show where they do.
template <class S, int B, int K>
void Transfer<S, B, K>::galerkin(const BlockRows<S, B, B>& A, BlockRows<S, K, K>& coarse)
{
    if (!AP_pattern_) find_products();
    coarse.reset(coarse_pattern_);
    const RowPattern& AP = *AP_pattern_;
    const RowPattern& C = *coarse_pattern_;
    const std::size_t stretch =
        std::min(longest_stretch, C.rows() / (2 * std::size_t(thread_count())) + 1);
    parallel_chunks(C.rows(), stretch, [&](std::size_t begin, std::size_t end) {
        const Products products(*this, A, begin, end);
        Places places(aggregates_.count);
        std::vector<RowPack<S, K>> memory;
        for (std::size_t c = begin; c < end; ++c) {
            const RowView row(C, c);
            places.look_at(row);
            memory.assign(std::size_t(row.count) * K, RowPack<S, K>::Zero());
            RowPack<S, K>* const sums = memory.data();
            const Entry* entry = entries_.data() + column_begin_[c];
            const Entry* const last = entries_.data() + column_begin_[c + 1];
            for (; entry < last; ++entry) {
                const RowView from(AP, std::size_t(entry->row));
                const S* p = P_.block(entry->block);
                const RowPack<S, K>* ap = products.row(entry->row);
                // The upper triangle alone: backwards to the diagonal.
                for (std::ptrdiff_t m = from.count; m-- > 0 && from.first[m] >= std::int32_t(c);)
                    add_transposed_product<S, B, K>(p, ap + m * B,
                                                    sums + places[from.first[m]] * K);
            }
            for (std::ptrdiff_t m = 0; m < row.count; ++m)
                if (row.first[m] >= std::int32_t(c))
                    store_rows<S, K, K>(sums + m * K, coarse.block(C.begin[c] + m));
        }
    });
    mirror(coarse);
}

template <class S, int B, int K> void Transfer<S, B, K>::end_setup()
{
    AP_pattern_ = nullptr;
    decltype(aggregates_.of)().swap(aggregates_.of);
}

/// Copies the upper triangle to the lower one, and completes the diagonal blocks.
template <class S, int B, int K> void Transfer<S, B, K>::mirror(BlockRows<S, K, K>& coarse) const
{
    const RowPattern& C = *coarse_pattern_;
    parallel_for(C.rows(), coarse_grain, [&](std::size_t c) {
        const RowView row(C, c);
        std::ptrdiff_t m = 0;
        for (; row.first[m] < std::int32_t(c); ++m) {
            const auto other = std::size_t(row.first[m]);
            const S* from = coarse.block(C.begin[other] + RowView(C, other).place(std::int32_t(c)));
            S* to = coarse.block(C.begin[c] + m);
            for (int r = 0; r < K; ++r)
                for (int s = 0; s < K; ++s) to[r * K + s] = from[s * K + r];
        }
        S* block = coarse.block(C.begin[c] + m);
        S most = 0;
        for (int r = 0; r < K; ++r) most = std::max(most, block[r * K + r]);
        for (int r = 0; r < K; ++r) {
            for (int s = 0; s < r; ++s) block[r * K + s] = block[s * K + r];
            if (block[r * K + r] == 0) block[r * K + r] = most > 0 ? most : S(1);
        }
    });
}

template <class S, int B, int K> void Transfer<S, B, K>::restrict_to(const S* r, S* f_coarse) const
{
    parallel_for(std::size_t(aggregates_.count), 128, [&](std::size_t c) {
        RowPack<S, K> sums[3]; // chains of additions side by side
        for (RowPack<S, K>& sum : sums) sum.setZero();
        for (auto e = column_begin_[c]; e < column_begin_[c + 1]; ++e) {
            const Entry entry = entries_[std::size_t(e)];
            const S* p = P_.block(entry.block);
            const S* from = r + std::ptrdiff_t(entry.row) * B;
#pragma GCC unroll 6
            for (int k = 0; k < B; ++k) sums[k % 3] += from[k] * load_row<S, K>(p + K * k);
        }
        const RowPack<S, K> sum = sums[0] + sums[1] + sums[2];
        for (int k = 0; k < K; ++k) f_coarse[c * K + std::size_t(k)] = sum[k];
    });
}

template <class S, int B, int K> void Transfer<S, B, K>::prolong_add(const S* x_coarse, S* x) const
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
    return P_.values.bytes() + P_.pattern->bytes() + (AP_pattern_ ? AP_pattern_->bytes() : 0) +
           4 * (aggregates_.of.size() + column_begin_.size()) + sizeof(Entry) * entries_.size();
}

template class Transfer<float, 3, 3>;
template class Transfer<float, 3, 6>;
template class Transfer<float, 6, 6>;
template class Transfer<double, 3, 3>;
template class Transfer<double, 3, 6>;
template class Transfer<double, 6, 6>;

} // namespace selvage
