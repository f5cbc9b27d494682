#pragma once

#include "core/base/types.h"
#include "core/linear/aggregation.h"
#include "core/linear/vertex_filter.h"

namespace selvage
{

/// Motions that cost (almost) no energy, which coarse levels must represent: the three translations
/// (K = 3), or those and the three linearised rotations (K = 6). One row-major B×K block per node.
using NearKernel = Buffer<double>;

/// On the vertices, with constrained directions taken out: S_i [I | r_i×] with
/// r×: (0,−z,y), (z,0,−x), (−y,x,0) and r_i relative to the centroid. `filter` may be null;
/// positions are read only for K = 6.
template <int K>
void vertex_kernel(const VecX* positions, const VertexFilter* filter, int n, NearKernel& out);

/// Splits the kernel aggregate by aggregate into an orthonormal basis Q (a B×K block per node, zero
/// where it is not coarsened) and its coefficients, which are the kernel of the coarse level:
/// K_a = Q_a R_a. Columns that depend on the ones before (an aggregate of one vertex cannot show
/// six motions) become zero in both.
template <class S, int B, int K>
void split_kernel(const NearKernel& kernel, const Aggregates& aggregates, Buffer<S>& Q,
                  NearKernel& coarse);

} // namespace selvage
