#pragma once

#include "core/linear/banded_ldlt.h"
#include "core/linear/filtered_matrix.h"

#include <array>
#include <vector>

namespace selvage
{

/// Unknowns (rows of the matrix entry by entry; −1: none) in an order in which they couple within
/// `chain_band` places; four to a point. No unknown is in two chains.
using Chain = std::vector<int>;

inline constexpr int chain_band = 10;

/// Solves with the part of a filtered matrix that lies on chains, exactly: the preconditioner of
/// iterative solvers for rods, whose stiffness along a strand no local smoother sees, and whose
/// twists, coupled to nothing but their own rod, are eliminated by it. Of contacts the diagonal and
/// what couples neighbours on a chain is taken along. Four chains at a time, one per SIMD lane.
class ChainSolver
{
public:
    /// True for block rows that have unknowns on chains.
    const std::vector<char>& covers() const { return covers_; }
    bool empty() const { return batches_.empty(); }

    /// Factorises; null or empty chains: there is nothing to do. False where a chain's part is not
    /// positive definite.
    bool prepare(const std::vector<Chain>* chains, const FilteredMatrix& matrix);
    /// z = A⁻¹ r on chains; z elsewhere stays as it is.
    void apply(const VecX& r, VecX& z);

private:
    struct Batch {
        std::array<const Chain*, 4> chain{}; ///< null in unused lanes
        int size = 0;
        BandMatrix<Real4, chain_band> matrix;
        std::vector<Real4> vector;
    };
    struct Place {
        int chain = -1, at = 0;
    };
    void arrange(const std::vector<Chain>& chains, int rows);
    void fill(Batch& batch, const FilteredMatrix& matrix, bool contact_between_points) const;

    const std::vector<Chain>* chains_ = nullptr;
    std::vector<Batch> batches_;
    std::vector<Place> place_; ///< of each unknown
    std::vector<char> covers_;
};

} // namespace selvage
