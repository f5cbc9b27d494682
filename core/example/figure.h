#pragma once

#include "core/example/skeleton.h"
#include "core/example/skinning.h"
#include "core/geometry/geometry.h"

namespace selvage
{

struct FigureSettings {
    /// Edge length [m]. 0.0175 gives about 18 thousand triangles; the number goes with 1/cell².
    /// Above 0.022 hands and neck lose their shape.
    double cell = 0.0175;
};

/// A human-like character: one smooth closed mesh on a skeleton. It knows nothing of motion: any
/// function of time that returns a Pose animates it (see core/example/gait.h).
///
/// Its geometry has closed triangles, counter-clockwise seen from outside, and point groups head,
/// torso, arm_left, arm_right, leg_left, leg_right, which cover each point once.
class Figure
{
public:
    explicit Figure(const FigureSettings& settings = {});

    const Skeleton& skeleton() const { return skeleton_; }
    const SkinWeights& weights() const { return weights_; }
    const Geometry& bind_geometry() const { return bind_; }

    VecX positions(const Pose& pose) const;
    Geometry geometry(const Pose& pose) const;

private:
    Skeleton skeleton_;
    Geometry bind_;
    VecX bind_positions_; ///< in doubles, as opposed to bind_'s P
    SkinWeights weights_;
};

} // namespace selvage
