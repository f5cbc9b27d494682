#pragma once

#include "core/linear/block_rows.h"
#include "core/linear/linear_solver.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace selvage
{

/// S A S + ρ(I−S) for products: 3×3 blocks by rows with both triangles stored, so that a row's
/// product needs no scatter and rows run in parallel. Off-diagonal contact blocks stand in rows of
/// their own, for their pattern changes from call to call; their diagonals join the fixed ones.
class FilteredMatrix
{
public:
    /// True when the fixed pattern was new.
    bool assemble(const LinearSystem& system);

    int rows() const { return rows_; }
    std::size_t block_count() const;
    /// Whether no entry is infinite or NaN.
    bool finite() const { return finite_; }
    /// Whether all diagonal blocks are positive definite up to rounding.
    bool definite_diagonal() const { return definite_diagonal_; }

    /// q = A p for block rows [begin, end); returns their part of pᵀq.
    double multiply_rows(std::size_t begin, std::size_t end, const double* p, double* q) const;
    /// z = M⁻¹ r for the same rows, M the block diagonal of A; returns their part of rᵀz.
    double precondition_rows(std::size_t begin, std::size_t end, const double* r, double* z) const;

    /// Both parts as one matrix, and the inverse diagonal blocks (nine numbers each).
    template <class S> void copy_to(BlockRows<S, 3, 3>& rows, Buffer<S>& inverse) const;

    /// Calls visit(column, block) for the blocks of a row: those of the fixed part, with the
    /// contacts' diagonal, and the contacts' others. Blocks are nine numbers, column by column.
    template <class Visit> void visit_fixed(std::size_t row, Visit&& visit) const
    {
        fixed_.visit(row, visit);
    }
    template <class Visit> void visit_contact(std::size_t row, Visit&& visit) const
    {
        if (contact_.pattern) contact_.visit(row, visit);
    }

    /// Memory held.
    std::size_t bytes() const;

private:
    /// Block k is nine doubles, column by column, at values[9k].
    struct Rows {
        std::shared_ptr<const RowPattern> pattern;
        std::vector<std::int64_t>
            source; ///< block k of the upper triangle, or ~k for its transpose
        Buffer<double> values;

        void build(const BlockPattern& upper, bool with_diagonal);
        template <class Visit> void visit(std::size_t row, Visit&& visit) const
        {
            for (std::int64_t k = pattern->begin[row]; k < pattern->begin[row + 1]; ++k)
                visit(pattern->columns[std::size_t(k)], values.data() + 9 * k);
        }
    };

    void fill(const LinearSystem& system);
    /// Returns 0 unless an entry is infinite or NaN.
    double fill_row(const BlockMatrix& from, const VertexFilter* filter, std::size_t row,
                    Rows& to) const;
    bool invert_diagonal(std::size_t row);
    void merge_patterns();

    int rows_ = 0;
    std::shared_ptr<const BlockPattern> fixed_pattern_, contact_pattern_;
    Rows fixed_, contact_;
    std::shared_ptr<const RowPattern> merged_; ///< of both parts
    std::vector<std::int64_t> diagonal_;       ///< per row: its diagonal block in fixed_
    std::vector<double> inverse_; ///< of the diagonal blocks, upper triangles: xx xy xz yy yz zz
    bool finite_ = true, definite_diagonal_ = true;
};

} // namespace selvage
