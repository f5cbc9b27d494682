#include "core/linear/scalar_system.h"

#include "core/base/parallel.h"
#include "core/linear/filtered_system.h"

#include <atomic>
#include <cassert>
#include <limits>

namespace selvage
{

namespace
{

constexpr std::size_t scalar_grain = 1024; // block rows per task

bool is_fixed(const VertexFilter* filter, int vertex)
{
    return filter && filter->kind(vertex) == VertexFilter::Kind::fixed;
}

std::vector<bool> fixed_vertices(const LinearSystem& system)
{
    std::vector<bool> pinned(std::size_t(system.fixed->pattern->rows()));
    for (std::size_t i = 0; i < pinned.size(); ++i) pinned[i] = is_fixed(system.filter, int(i));
    return pinned;
}

/// Calls visit(column, place in a or -1, place in b or -1) for the union of two rows in ascending
/// order; b may be null. Columns of pinned vertices are skipped, apart from the diagonal.
template <class Visit>
void merge_row(const BlockPattern& a, const BlockPattern* b, const std::vector<bool>& pinned,
               int row, Visit&& visit)
{
    const auto r = std::size_t(row);
    std::int64_t i = a.row_begin()[r], j = b ? b->row_begin()[r] : 0;
    const std::int64_t i_end = a.row_begin()[r + 1], j_end = b ? b->row_begin()[r + 1] : 0;
    constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
    while (i < i_end || j < j_end) {
        const std::int32_t in_a = i < i_end ? a.columns()[std::size_t(i)] : none;
        const std::int32_t in_b = j < j_end ? b->columns()[std::size_t(j)] : none;
        const std::int32_t column = std::min(in_a, in_b);
        if (column == row || !(pinned[r] || pinned[std::size_t(column)]))
            visit(column, in_a == column ? i : -1, in_b == column ? j : -1);
        i += in_a == column;
        j += in_b == column;
    }
}

} // namespace

bool ScalarSystem::assemble(const LinearSystem& system)
{
    assert(system.fixed && system.fixed->pattern);
    assert(!system.contact || system.contact->pattern->rows() == system.fixed->pattern->rows());
    assert(!system.filter || system.filter->size() == system.fixed->pattern->rows());
    const bool changed = !same_structure(system) && build_structure(system);
    if (changed) build_entries();
    fill_values(system);
    return changed;
}

bool ScalarSystem::same_structure(const LinearSystem& system) const
{
    const auto contact = system.contact ? system.contact->pattern : nullptr;
    return fixed_pattern_ && same_pattern(fixed_pattern_, system.fixed->pattern) &&
           same_pattern(contact_pattern_, contact) && pinned_ == fixed_vertices(system);
}

/// True when the union differs from the last one: contacts between vertices that are coupled
/// anyway come and go without a new symbolic analysis.
bool ScalarSystem::build_structure(const LinearSystem& system)
{
    const bool first = !fixed_pattern_;
    fixed_pattern_ = system.fixed->pattern;
    contact_pattern_ = system.contact ? system.contact->pattern : nullptr;
    pinned_ = fixed_vertices(system);
    const BlockPattern& fixed = *fixed_pattern_;
    const BlockPattern* contact = contact_pattern_.get();
    const auto rows = std::size_t(fixed.rows());

    std::vector<std::int32_t> begin(rows + 1, 0);
    parallel_for(rows, scalar_grain, [&](std::size_t r) {
        merge_row(fixed, contact, pinned_, int(r),
                  [&](std::int32_t, std::int64_t, std::int64_t) { ++begin[r + 1]; });
    });
    for (std::size_t r = 0; r < rows; ++r) begin[r + 1] += begin[r];

    std::vector<std::int32_t> columns(std::size_t(begin.back()));
    from_fixed_.resize(columns.size());
    from_contact_.resize(columns.size());
    parallel_for(rows, scalar_grain, [&](std::size_t r) {
        auto k = std::size_t(begin[r]);
        merge_row(fixed, contact, pinned_, int(r),
                  [&](std::int32_t column, std::int64_t in_fixed, std::int64_t in_contact) {
                      columns[k] = column;
                      from_fixed_[k] = in_fixed;
                      from_contact_[k] = in_contact;
                      ++k;
                  });
    });

    if (!first && begin == begin_ && columns == columns_) return false;
    begin_ = std::move(begin);
    columns_ = std::move(columns);
    return true;
}

/// A block row of m blocks becomes three scalar rows of 3m, 3m−1 and 3m−2 entries: block q of it
/// has entry (i, j) at offset 3q + j − i of scalar row i.
void ScalarSystem::build_entries()
{
    const std::size_t rows = begin_.size() - 1;
    const std::int64_t entries = 9 * std::int64_t(columns_.size()) - 3 * std::int64_t(rows);
    assert(entries <= std::numeric_limits<int>::max());
    lower_.resize(Eigen::Index(3 * rows), Eigen::Index(3 * rows));
    lower_.resizeNonZeros(Eigen::Index(entries));
    int* outer = lower_.outerIndexPtr();
    int* inner = lower_.innerIndexPtr();
    outer[0] = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        const int m = begin_[r + 1] - begin_[r];
        for (int i = 0; i < 3; ++i) outer[3 * r + i + 1] = outer[3 * r + i] + 3 * m - i;
    }
    parallel_for(rows, scalar_grain, [&](std::size_t r) {
        for (int i = 0; i < 3; ++i) {
            int* to = inner + outer[3 * r + i] - i;
            for (int k = begin_[r]; k < begin_[r + 1]; ++k, to += 3)
                for (int j = k == begin_[r] ? i : 0; j < 3; ++j)
                    to[j] = 3 * columns_[std::size_t(k)] + j;
        }
    });
}

void ScalarSystem::fill_values(const LinearSystem& system)
{
    const double rho = constraint_scale(system);
    const int* outer = lower_.outerIndexPtr();
    double* values = lower_.valuePtr();
    std::atomic<bool> finite = true;
    parallel_for(begin_.size() - 1, scalar_grain, [&](std::size_t r) {
        double probe = 0; // stays 0 unless an entry is infinite or NaN
        for (int k = begin_[r]; k < begin_[r + 1]; ++k) {
            const int column = columns_[std::size_t(k)];
            const std::int64_t in_fixed = from_fixed_[std::size_t(k)];
            const std::int64_t in_contact = from_contact_[std::size_t(k)];
            Mat3 B = Mat3::Zero();
            if (in_fixed >= 0) B = system.fixed->block(in_fixed);
            if (in_contact >= 0) B += system.contact->block(in_contact);
            probe += (B - B).sum();
            B = filtered_block(B, system.filter, int(r), column);
            const bool diagonal = k == begin_[r];
            if (diagonal && system.filter)
                B += rho * (Mat3::Identity() - system.filter->projector(int(r)));
            for (int i = 0; i < 3; ++i) {
                double* to = values + outer[3 * r + i] + 3 * (k - begin_[r]) - i;
                for (int j = diagonal ? i : 0; j < 3; ++j) to[j] = B(i, j);
            }
        }
        if (probe != 0 || probe != probe) finite = false;
    });
    finite_ = finite;
}

} // namespace selvage
