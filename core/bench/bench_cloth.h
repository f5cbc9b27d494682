#pragma once

#include "core/energy/hinge_bending.h"
#include "core/energy/scatter_map.h"
#include "core/energy/sink.h"
#include "core/energy/stvk_membrane.h"
#include "core/linear/block_matrix.h"

#include <memory>
#include <vector>

namespace selvage
{

/// A wrinkled square cloth of n × n vertices with its membrane, hinges and matrix, in the middle of
/// a step: what an assembly and a linear solve see.
struct BenchCloth {
    int vertices = 0;
    VecX x_rest, x, gradient;
    std::vector<std::int32_t> triangle_vertices, hinge_vertices;
    std::unique_ptr<StvkMembrane> membrane;
    std::unique_ptr<HingeBending> bending;
    std::shared_ptr<const BlockPattern> pattern;
    ScatterMap membrane_map, bending_map;
    BlockMatrix matrix;
    Sink sink;

    explicit BenchCloth(int n, BendingForm form = BendingForm::tangent);

    std::size_t triangles() const { return triangle_vertices.size() / 3; }
    std::size_t hinges() const { return hinge_vertices.size() / 4; }

    void evaluate_membrane(Want want);
    void evaluate_bending(Want want);
    /// Zeroes and fills gradient and matrix.
    void assemble();
    /// Adds lumped masses, as a step of h seconds has them: M + h² H.
    void make_system(double h, double areal_density);
};

} // namespace selvage
