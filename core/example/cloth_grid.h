#pragma once

#include "core/geometry/geometry.h"

namespace selvage
{

enum class GridCells {
    quads,
    regular_triangles,     ///< all diagonals alike
    alternating_triangles, ///< diagonals as on a chequerboard, free of a preferred direction
    irregular_triangles    ///< inner points jittered, diagonals at random, both from a seed
};

/// A rectangular cloth of columns × rows cells in the plane y = 0, centred, facing +Y. Points go
/// along +X first, then along -Z.
///
/// Point groups: `top` (the last row, z = -size_z/2) and `corners`. Vertex attribute `uv`: the
/// cloth laid flat [m], from (0, 0) at +Z left to (size_x, size_z).
Geometry cloth_grid(int columns, int rows, double size_x, double size_z,
                    GridCells cells = GridCells::quads, unsigned seed = 1);

} // namespace selvage
