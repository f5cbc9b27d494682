#pragma once

#include "core/example/figure.h"

namespace selvage
{

struct SkirtSettings {
    int columns = 120;          ///< points around
    int rows = 36;              ///< points from waist to hem
    double waist_height = 1.05; ///< [m]
    double hem_height = 0.52;   ///< [m]
    double clearance = 0.012;   ///< from the skin at the start [m]
    double flare = 0.28;        ///< how far from the vertical it hangs [rad]
    int folds = 12;             ///< flutes along the hem
    double fold_depth = 0.06;   ///< of a flute at the hem [m]
};

/// A flared skirt, closed around the hips, cut to its starting pose, clear of the body.
///
/// Quads, counter-clockwise seen from outside, `columns` points per row, rows from waist to hem.
/// Point group `waist`: the top two rows, which a shot pins.
class Skirt
{
public:
    /// Cut to `figure` standing in `start`, facing +Z at the origin.
    Skirt(const Figure& figure, const Pose& start, const SkirtSettings& settings = {});

    const Geometry& geometry() const { return geometry_; }
    /// All points carried rigidly by the pelvis from the starting pose to `pose`: the targets of
    /// the pinned waist.
    Geometry carried_geometry(const Pose& pose) const;

private:
    Skeleton skeleton_;
    Eigen::Isometry3d start_; ///< motion of the pelvis in the starting pose
    VecX positions_;
    Geometry geometry_;
};

} // namespace selvage
