#pragma once

#include "core/model/drive.h"
#include "core/model/hair.h"
#include "core/session/geometry_source.h"
#include "core/session/session_setup.h"

#include <optional>

namespace selvage
{

/// The rest shape of a hair over time, from an animated groom:
///   curvature and twist   own + w (shape now − shape at the start),
///   lengths               own · (1 + w (length now/length at the start − 1)),
/// with w = `rest_blend` × the point attribute of that name, and lengths times `rest_scale`. So a
/// rest shape that was solved for at the start (sag-free) keeps what gravity asked for.
class HairRestAnimation
{
public:
    HairRestAnimation(const HairSetup& setup, const Hair& hair, const Geometry& geometry,
                      double start_frame);

    /// Empty where nothing changes.
    RodRest at(double frame);

private:
    RodRest shape(const VecX& x) const;

    const HairSetup* setup_;
    Hair hair_; ///< without twist at rest: its frames are transported
    const Hair* own_;
    std::optional<PositionSampler> groom_;
    VecX weight_;                         ///< per rod point
    VecX x_start_, tangents_, directors_; ///< of the groom and its roots at the start
    RodRest start_;
};

/// Directions of roots from an animated point attribute `orient`, three per strand; empty where
/// the curves are still or have none.
class RootOrientation
{
public:
    RootOrientation(std::shared_ptr<GeometrySource> geometry, const Hair& hair, double start_frame);
    VecX at(double frame);

private:
    VecX whole(double frame) const; ///< quaternions of roots, four per strand

    std::shared_ptr<GeometrySource> source_; ///< null: not wanted
    const Hair* hair_;
};

} // namespace selvage
