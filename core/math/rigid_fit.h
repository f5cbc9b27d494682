#pragma once

#include "core/base/types.h"

namespace selvage
{

/// x ↦ R (x − center_0) + center_1.
struct RigidMotion {
    Mat3 rotation = Mat3::Identity();
    Vec3 center_0 = Vec3::Zero();
    Vec3 center_1 = Vec3::Zero();

    Vec3 apply(const Vec3& x) const { return rotation * (x - center_0) + center_1; }
};

/// Least-squares rigid motion that takes points a to points b (stacked [x0 y0 z0 …], same size).
RigidMotion rigid_fit(const VecX& a, const VecX& b);

/// The part `fraction` of a motion: rotation about the same axis, centre along the straight line.
RigidMotion partial_motion(const RigidMotion& motion, double fraction);

} // namespace selvage
