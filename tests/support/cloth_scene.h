#pragma once

#include "core/model/drive.h"
#include "core/model/scene.h"
#include "core/model/state.h"

#include <memory>

namespace selvage::test
{

/// A rectangular sheet hanging in the plane z = 0 below y = 0, warp along y, columns × rows cells
/// of two triangles with alternating diagonals; point (i, j) is number j (columns + 1) + i and lies
/// at (width i/columns, −height j/rows, 0).
struct SheetScene {
    int columns = 10, rows = 10;
    double width = 1, height = 1; ///< [m]
    ClothMaterial material;
    bool pin_top = true;      ///< exactly
    double pin_stiffness = 0; ///< [N/m] > 0: softly instead
    bool air = false;         ///< keep the material's drag
    bool collide = false;     ///< with itself

    std::shared_ptr<const Scene> scene() const;
    /// At rest in the rest pose.
    State start() const;
    /// Pins stay where they start; gravity as given.
    Drive still(const Vec3& gravity = {0, -9.81, 0}) const;
    int point(int column, int row) const { return row * (columns + 1) + column; }
    int point_count() const { return (columns + 1) * (rows + 1); }
};

/// Isotropic, undamped, no air.
ClothMaterial plain_material(double density, double young, double poisson, double bend);

} // namespace selvage::test
