#pragma once

#include "core/linear/linear_solver.h"

#include <random>

namespace selvage::test
{

/// A matrix with its filter and data, as a LinearSystem sees it.
struct Problem {
    BlockMatrix fixed, contact; ///< contact.pattern is null: none
    VertexFilter filter;
    VecX b, z;

    LinearSystem system() const
    {
        return {&fixed, contact.pattern ? &contact : nullptr, filter.size() ? &filter : nullptr};
    }
    int rows() const { return fixed.pattern->rows(); }
    MatX dense() const;    ///< A, both parts
    MatX S() const;        ///< block diagonal of projectors
    MatX filtered() const; ///< S A S + ρ(I−S), ρ the mean diagonal entry of A
    /// x by eliminating the constrained directions from the dense system.
    VecX eliminated() const;
};

VecX random_vector(int size, unsigned seed);
Vec3 random_unit(std::mt19937& rng);

/// Empty matrix on the pattern of all given pairs.
BlockMatrix pair_matrix(int vertices, const std::vector<std::int32_t>& pairs);
/// Adds the spring K (3×3, symmetric) between vertices i and j.
void add_spring(BlockMatrix& A, int i, int j, const Mat3& K);

/// n×n vertices, springs along edges and both diagonals and across two edges (bending), mass 1 on
/// the diagonal; no contacts, no constraints; random b, zero z.
Problem cloth_grid(int n, double stiffness);
/// Stiff normal springs between random pairs of vertices, `count` of them.
BlockMatrix random_contacts(int vertices, int count, unsigned seed);
/// Random positive definite matrix with every second block present.
Problem random_problem(int vertices, unsigned seed);
/// Every kind of filter, on about half of the vertices, and z in the constrained directions.
void add_mixed_filters(Problem& problem, unsigned seed);

} // namespace selvage::test
