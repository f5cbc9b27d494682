#include "core/linear/filtered_matrix.h"

#include "core/base/parallel.h"
#include "core/linear/filtered_system.h"
#include "core/math/simd.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <iterator>

namespace selvage
{

namespace
{

constexpr std::size_t matrix_grain = 512; // block rows per task

/// A row's product, one sum per column of its blocks. Kept in registers: an array of sums in memory
/// would be stored and loaded again at every block.
struct RowSums {
    Real4 x = 0.0, y = 0.0, z = 0.0;

    /// Adds a row of blocks times p. A column of a block is loaded as four numbers, the fourth
    /// being the next column's first: three loads and three multiply-adds per block, no shuffles.
    SELVAGE_INLINE void add(const std::int32_t* columns, const double* a, std::int64_t count,
                            const double* p)
    {
        for (std::int64_t k = 0; k < count; ++k, a += 9) {
            const double* v = p + 3 * std::ptrdiff_t(columns[k]);
            x += load4(a) * v[0];
            y += load4(a + 3) * v[1];
            z += load4(a + 6) * v[2];
        }
    }
};

} // namespace

/// Rows are visited upwards: entries below the diagonal arrive in a row before its own, in
/// ascending order, so that no sorting is needed.
void FilteredMatrix::Rows::build(const BlockPattern& upper, bool with_diagonal)
{
    auto full = std::make_shared<RowPattern>();
    auto& begin = full->begin;
    auto& columns = full->columns;
    const int rows = upper.rows();
    begin.assign(std::size_t(rows) + 1, 0);
    const auto each = [&](auto&& visit) {
        for (int r = 0; r < rows; ++r)
            for (std::int64_t k = upper.row_begin()[std::size_t(r)] + !with_diagonal;
                 k < upper.row_begin()[std::size_t(r) + 1]; ++k)
                visit(r, upper.columns()[std::size_t(k)], k);
    };
    each([&](std::int32_t r, std::int32_t c, std::int64_t) {
        ++begin[std::size_t(r) + 1];
        if (c != r) ++begin[std::size_t(c) + 1];
    });
    for (std::size_t r = 0; r < std::size_t(rows); ++r) begin[r + 1] += begin[r];

    columns.resize(std::size_t(begin.back()));
    source.resize(columns.size());
    values.resize(9 * columns.size());
    std::vector<std::int64_t> cursor(begin.begin(), begin.end() - 1);
    const auto put = [&](std::int32_t r, std::int32_t c, std::int64_t from) {
        const auto k = std::size_t(cursor[std::size_t(r)]++);
        columns[k] = c;
        source[k] = from;
    };
    each([&](std::int32_t r, std::int32_t c, std::int64_t k) {
        put(r, c, k);
        if (c != r) put(c, r, ~k);
    });
    pattern = std::move(full);
}

bool FilteredMatrix::assemble(const LinearSystem& system)
{
    assert(system.fixed && system.fixed->pattern);
    assert(!system.contact || system.contact->pattern->rows() == system.fixed->pattern->rows());
    assert(!system.filter || system.filter->size() == system.fixed->pattern->rows());
    const bool changed = !fixed_pattern_ || !same_pattern(fixed_pattern_, system.fixed->pattern);
    if (changed) {
        fixed_pattern_ = system.fixed->pattern;
        rows_ = fixed_pattern_->rows();
        fixed_.build(*fixed_pattern_, true);
        diagonal_.resize(std::size_t(rows_));
        const RowPattern& p = *fixed_.pattern;
        for (std::size_t r = 0; r < diagonal_.size(); ++r)
            for (std::int64_t k = p.begin[r]; k < p.begin[r + 1]; ++k)
                if (p.columns[std::size_t(k)] == std::int32_t(r)) diagonal_[r] = k;
        inverse_.resize(6 * diagonal_.size());
    }
    const auto contact = system.contact ? system.contact->pattern : nullptr;
    const bool other_contacts = !same_pattern(contact_pattern_, contact);
    if (other_contacts) {
        contact_pattern_ = contact;
        contact_ = {};
        if (contact) contact_.build(*contact, false);
    }
    if (changed || other_contacts) merge_patterns();
    fill(system);
    return changed;
}

double FilteredMatrix::fill_row(const BlockMatrix& from, const VertexFilter* filter,
                                std::size_t row, Rows& to) const
{
    using Nine = Eigen::Matrix<double, 9, 1>;
    const RowPattern& p = *to.pattern;
    const bool free = !filter || filter->kind(int(row)) == VertexFilter::Kind::free;
    Nine probe = Nine::Zero();
    for (std::int64_t k = p.begin[row]; k < p.begin[row + 1]; ++k) {
        const std::int64_t s = to.source[std::size_t(k)];
        const double* block = from.values.data() + 9 * (s >= 0 ? s : ~s);
        const Eigen::Map<const Nine> entries(block);
        probe += entries - entries;
        // Row by row there, column by column here: a block that is to be transposed stays as it is.
        Eigen::Map<Mat3> out(to.values.data() + 9 * k);
        if (s >= 0)
            out = Eigen::Map<const Mat3>(block).transpose();
        else
            out = Eigen::Map<const Mat3>(block);
        const std::int32_t column = p.columns[std::size_t(k)];
        if (!free || (filter && filter->kind(column) != VertexFilter::Kind::free))
            out = filtered_block(Mat3(out), filter, int(row), column);
    }
    return probe.sum();
}

void FilteredMatrix::fill(const LinearSystem& system)
{
    const double rho = constraint_scale(system);
    std::atomic<bool> finite = true, definite = true;
    parallel_for(std::size_t(rows_), matrix_grain, [&](std::size_t r) {
        double probe = fill_row(*system.fixed, system.filter, r, fixed_);
        Eigen::Map<Mat3> D(fixed_.values.data() + 9 * diagonal_[r]);
        if (system.contact) {
            probe += fill_row(*system.contact, system.filter, r, contact_);
            const Mat3 C = system.contact->block(system.contact->pattern->row_begin()[r]);
            probe += (C - C).sum();
            D += filtered_block(C, system.filter, int(r), int(r));
        }
        if (system.filter) D += rho * (Mat3::Identity() - system.filter->projector(int(r)));
        if (probe != 0 || probe != probe)
            finite = false;
        else if (!invert_diagonal(r))
            definite = false;
    });
    finite_ = finite;
    definite_diagonal_ = definite;
}

/// A barrier's diagonal block may be stiff in one direction by 15 digits more than in the others;
/// its inverse then comes from eigenvalues, those lost in rounding lifted to it.
bool FilteredMatrix::invert_diagonal(std::size_t row)
{
    const Mat3 D = Eigen::Map<const Mat3>(fixed_.values.data() + 9 * diagonal_[row]);
    const Eigen::LLT<Mat3> llt(D);
    const double smallest = llt.matrixLLT().diagonal().minCoeff(); // square root of a pivot
    const double largest = D.diagonal().maxCoeff();
    Mat3 inverse;
    if (llt.info() == Eigen::Success && smallest * smallest > 1e-12 * largest) {
        inverse = llt.solve(Mat3::Identity());
    } else {
        const Eigen::SelfAdjointEigenSolver<Mat3> eigen(D);
        const double top = eigen.eigenvalues()[2], floor = 1e-15 * top;
        if (!(top > 0) || eigen.eigenvalues()[0] < -1e-13 * top) return false;
        const Vec3 lifted = eigen.eigenvalues().cwiseMax(floor);
        inverse = eigen.eigenvectors() * lifted.cwiseInverse().asDiagonal() *
                  eigen.eigenvectors().transpose();
    }
    double* m = inverse_.data() + 6 * row;
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) *m++ = inverse(i, j);
    return true;
}

double FilteredMatrix::multiply_rows(std::size_t begin, std::size_t end, const double* p,
                                     double* q) const
{
    const std::int64_t* row = fixed_.pattern->begin.data();
    const std::int32_t* columns = fixed_.pattern->columns.data();
    const double* values = fixed_.values.data();
    double dot = 0;
    for (std::size_t r = begin; r < end; ++r) {
        RowSums sum;
        sum.add(columns + row[r], values + 9 * row[r], row[r + 1] - row[r], p);
        if (contact_pattern_) {
            const std::int64_t first = contact_.pattern->begin[r];
            sum.add(contact_.pattern->columns.data() + first, contact_.values.data() + 9 * first,
                    contact_.pattern->begin[r + 1] - first, p);
        }
        const Real4 y = sum.x + sum.y + sum.z;
        for (std::size_t i = 0; i < 3; ++i) {
            q[3 * r + i] = y[i];
            dot += p[3 * r + i] * y[i];
        }
    }
    return dot;
}

double FilteredMatrix::precondition_rows(std::size_t begin, std::size_t end, const double* r,
                                         double* z) const
{
    double dot = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const double* m = inverse_.data() + 6 * i;
        const double x = r[3 * i], y = r[3 * i + 1], w = r[3 * i + 2];
        const double a = m[0] * x + m[1] * y + m[2] * w;
        const double b = m[1] * x + m[3] * y + m[4] * w;
        const double c = m[2] * x + m[4] * y + m[5] * w;
        z[3 * i] = a, z[3 * i + 1] = b, z[3 * i + 2] = c;
        dot += x * a + y * b + w * c;
    }
    return dot;
}

std::size_t FilteredMatrix::block_count() const
{
    return fixed_.pattern->block_count() + (contact_.pattern ? contact_.pattern->block_count() : 0);
}

void FilteredMatrix::merge_patterns()
{
    merged_ = fixed_.pattern;
    if (!contact_pattern_ || contact_.pattern->block_count() == 0) return;
    auto merged = std::make_shared<RowPattern>();
    merged->begin.reserve(std::size_t(rows_) + 1);
    merged->columns.reserve(block_count());
    for (std::size_t r = 0; r < std::size_t(rows_); ++r) {
        const auto row = [r](const RowPattern& p) {
            return std::pair(p.columns.begin() + p.begin[r], p.columns.begin() + p.begin[r + 1]);
        };
        const auto a = row(*fixed_.pattern), b = row(*contact_.pattern);
        std::set_union(a.first, a.second, b.first, b.second, std::back_inserter(merged->columns));
        merged->begin.push_back(std::int64_t(merged->columns.size()));
    }
    merged_ = std::move(merged);
}

template <class S> void FilteredMatrix::copy_to(BlockRows<S, 3, 3>& rows, Buffer<S>& inverse) const
{
    if (rows.pattern != merged_) rows.reset(merged_);
    inverse.resize(9 * std::size_t(rows_));
    using Block = Eigen::Map<Eigen::Matrix<S, 3, 3, Eigen::RowMajor>>;
    const auto source = [](const Rows& from, std::int64_t k) {
        return Eigen::Map<const Mat3>(from.values.data() + 9 * k).cast<S>();
    };
    parallel_for(std::size_t(rows_), matrix_grain, [&](std::size_t r) {
        std::int64_t k = fixed_.pattern->begin[r];
        std::int64_t c = contact_.pattern ? contact_.pattern->begin[r] : 0;
        const std::int64_t k_end = fixed_.pattern->begin[r + 1];
        const std::int64_t c_end = contact_.pattern ? contact_.pattern->begin[r + 1] : 0;
        for (std::int64_t m = merged_->begin[r]; m < merged_->begin[r + 1]; ++m) {
            const std::int32_t column = merged_->columns[std::size_t(m)];
            Block to(rows.block(m));
            const bool fixed = k < k_end && fixed_.pattern->columns[std::size_t(k)] == column;
            if (fixed) to = source(fixed_, k++);
            if (c < c_end && contact_.pattern->columns[std::size_t(c)] == column) {
                if (fixed)
                    to += source(contact_, c++);
                else
                    to = source(contact_, c++);
            }
        }
        const double* m = inverse_.data() + 6 * r;
        S* to = inverse.data() + 9 * r;
        for (const int place : {0, 1, 2, 1, 3, 4, 2, 4, 5}) *to++ = S(m[place]);
    });
}

template void FilteredMatrix::copy_to(BlockRows<float, 3, 3>&, Buffer<float>&) const;
template void FilteredMatrix::copy_to(BlockRows<double, 3, 3>&, Buffer<double>&) const;

std::size_t FilteredMatrix::bytes() const
{
    std::size_t sum = 8 * (diagonal_.capacity() + inverse_.capacity());
    for (const Rows* rows : {&fixed_, &contact_})
        if (rows->pattern)
            sum += rows->values.bytes() + 8 * rows->source.capacity() + rows->pattern->bytes();
    return sum;
}

} // namespace selvage
