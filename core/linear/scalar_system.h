#pragma once

#include "core/linear/linear_solver.h"

#include <Eigen/SparseCore>

#include <cstdint>
#include <memory>
#include <vector>

namespace selvage
{

/// S A S + ρ(I−S) entry by entry, as direct solvers take it. The arrays of `lower()` are the lower
/// triangle by columns and, the matrix being symmetric, just as well the upper triangle by rows;
/// indices ascend, so each column starts with its diagonal.
///
/// Blocks that meet a fully fixed vertex are left out (ρ stays on its diagonal), so pins cost no
/// fill. The pattern is therefore a function of the fixed pattern, the contact pattern and the set
/// of fixed vertices, and of nothing that happened before.
class ScalarSystem
{
public:
    /// Takes pattern and values of `system`. True when the pattern differs from that of the last
    /// call. Without a change, values are copied in parallel to known places.
    bool assemble(const LinearSystem& system);

    int size() const { return int(lower_.cols()); }
    const Eigen::SparseMatrix<double>& lower() const { return lower_; }
    /// Whether no entry is infinite or NaN.
    bool finite() const { return finite_; }

    /// The same pattern vertex by vertex, upper triangle by rows with the diagonal first: orderings
    /// are found on this graph, a ninth of the size, and expanded.
    const std::vector<std::int32_t>& block_begin() const { return begin_; }
    const std::vector<std::int32_t>& block_columns() const { return columns_; }

private:
    bool same_structure(const LinearSystem& system) const;
    bool build_structure(const LinearSystem& system);
    void build_entries();
    void fill_values(const LinearSystem& system);

    // What the structure was built from.
    std::shared_ptr<const BlockPattern> fixed_pattern_, contact_pattern_;
    std::vector<bool> pinned_; ///< per vertex: fully fixed

    // Union of both patterns by block row, and for each block its place in either part, or -1.
    std::vector<std::int32_t> begin_, columns_;
    std::vector<std::int64_t> from_fixed_, from_contact_;

    Eigen::SparseMatrix<double> lower_;
    bool finite_ = true;
};

} // namespace selvage
