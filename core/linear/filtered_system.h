#pragma once

#include "core/linear/linear_solver.h"

namespace selvage
{

/// Pieces of (S A S + ρ(I−S)) y = S(b − A z), x = y + z [Tamstorf et al. 2015] that direct and
/// iterative solvers share. Any z serves: y adds what the free directions lack.

/// ρ: mean diagonal entry of A, so that the constrained directions sit inside its spectrum and do
/// not spoil the condition number. 1 where the mean is not positive (A is not definite then).
double constraint_scale(const LinearSystem& system);

/// S(b − A z), z may be null. Costs one pass over the pattern, and reads only those blocks that
/// meet a nonzero part of z.
void filtered_right_hand_side(const LinearSystem& system, const VecX& b, const VecX* z, VecX& out);

/// x = S y + z. In exact arithmetic y has no constrained part; filtering removes its rounding, so
/// that (I−S)x = (I−S)z holds exactly at fixed vertices.
void assemble_solution(const LinearSystem& system, const VecX& y, const VecX* z, VecX& x);

/// S_row B S_column for block (row, column) of A; `filter` may be null.
Mat3 filtered_block(const Mat3& B, const VertexFilter* filter, int row, int column);

/// Whether both are the same pattern (or both none), without comparing entries where possible.
bool same_pattern(const std::shared_ptr<const BlockPattern>& a,
                  const std::shared_ptr<const BlockPattern>& b);

} // namespace selvage
