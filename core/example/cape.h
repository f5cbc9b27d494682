#pragma once

#include "core/example/figure.h"
#include "core/example/skeleton.h"
#include "core/geometry/geometry.h"

namespace selvage
{

struct CapeSettings {
    int points = 10000;        ///< about; rows and columns are chosen for square-ish quads
    double wrap = 2.05;        ///< how far around it reaches, from the back to each side [rad]
    double hem_height = 0.36;  ///< of the lower edge above the floor [m]
    double clearance = 0.018;  ///< from the skin at the start [m]; below 0.015 it may come too near
    double flare = 0.07;       ///< how far from the vertical it hangs [rad]
    int folds = 9;             ///< flutes along the hem
    double fold_depth = 0.055; ///< of a flute at the hem [m]
};

/// A cape over back, shoulders and arms, open in front, cut to its starting pose: shaped over the
/// shoulders (as darts do), then falling in flutes. Its starting pose is its rest shape, clear of
/// the body.
///
/// Quads, counter-clockwise seen from outside, `columns()` points per row, rows from collar to hem.
/// Point group `collar`: the top two rows, which a shot pins. Vertex attribute `uv`: the cut laid
/// out flat as a sector of an annulus [m], u along the weft, v along the warp (down is -v).
class Cape
{
public:
    /// Cut to `figure` standing in `start`, facing +Z at the origin.
    Cape(const Figure& figure, const Pose& start, const CapeSettings& settings = {});

    const Geometry& geometry() const { return geometry_; }
    int rows() const { return rows_; }
    int columns() const { return columns_; }

    /// All points carried rigidly by the upper chest from the starting pose to `pose`: the targets
    /// of the pinned collar (the other points are along for the ride).
    VecX carried_positions(const Pose& pose) const;
    Geometry carried_geometry(const Pose& pose) const;

private:
    Skeleton skeleton_;
    Eigen::Isometry3d start_; ///< motion of the upper chest in the starting pose
    VecX positions_;
    int rows_ = 0, columns_ = 0;
    Geometry geometry_;
};

} // namespace selvage
