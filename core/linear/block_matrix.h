#pragma once

#include "core/base/large_memory.h"
#include "core/base/types.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace selvage
{

/// Where a symmetric matrix of 3×3 blocks has entries: block compressed rows of the upper triangle,
/// columns ascending, the diagonal always present (and therefore first in its row).
class BlockPattern
{
public:
    BlockPattern() = default;
    /// From tuples of `arity` vertices each of which couples all its members; tuples from several
    /// arrays are merged. Vertex numbers must lie in [0, vertex_count).
    struct Tuples {
        const std::int32_t* vertices = nullptr;
        std::size_t count = 0; ///< number of tuples
        int arity = 0;
    };
    BlockPattern(int vertex_count, const std::vector<Tuples>& tuples);

    int rows() const { return int(row_begin_.size()) - 1; }
    std::int64_t block_count() const { return row_begin_.empty() ? 0 : row_begin_.back(); }
    const std::vector<std::int64_t>& row_begin() const { return row_begin_; }
    const std::vector<std::int32_t>& columns() const { return columns_; }

    /// Index of block (row, column), row <= column, or -1 where the pattern has none.
    std::int64_t find(int row, int column) const;
    bool operator==(const BlockPattern& other) const;

private:
    std::vector<std::int64_t> row_begin_{0};
    std::vector<std::int32_t> columns_;
};

/// Values on a pattern. Block k is nine doubles, row-major, at values[9k]; the lower triangle is
/// the transpose of the upper and not stored.
struct BlockMatrix {
    std::shared_ptr<const BlockPattern> pattern;
    LargeVector<double> values;

    BlockMatrix() = default;
    explicit BlockMatrix(std::shared_ptr<const BlockPattern> p);

    void set_zero();
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> block(std::int64_t k);
    Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> block(std::int64_t k) const;
    /// Adds s_i to the three diagonal entries of vertex i.
    void add_diagonal(const VecX& per_vertex);
    /// y = A x with the symmetric whole; serial, for tests and small systems.
    VecX multiply(const VecX& x) const;
    /// The symmetric whole as a dense matrix; for tests.
    MatX dense() const;
};

} // namespace selvage
