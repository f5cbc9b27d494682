#pragma once

#include "core/example/figure.h"
#include "core/example/skeleton.h"
#include "core/geometry/geometry.h"

namespace selvage
{

struct SkirtSettings {
    int columns = 144;          ///< around
    int rows = 42;              ///< from waist to hem
    double waist_height = 1.06; ///< [m]
    double hem_height = 0.47;   ///< [m]
    double clearance = 0.012;   ///< from the skin at the start [m]
    double flare = 0.30;        ///< how far from the vertical it hangs [rad]
    int folds = 14;             ///< flutes along the hem
    double fold_depth = 0.07;   ///< of a flute at the hem [m]
};

/// A wide skirt that hangs from the waist in flutes, closed all around. Its starting pose is its
/// rest shape, clear of the body (arms left out: the figure must hold them away).
///
/// Quads, counter-clockwise seen from outside, rows from waist to hem. Point group `waist`: the top
/// two rows, which a shot pins.
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
    Pose start_;
    Geometry geometry_;
};

} // namespace selvage
