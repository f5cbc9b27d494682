#pragma once

#include "core/geometry/geometry.h"

#include <SIM/SIM_Object.h>

#include <memory>

namespace selvage::houdini
{

/// Where a DOP object's geometry lies in the world, in which its neighbours collide with it.
class ObjectSpace
{
public:
    explicit ObjectSpace(const SIM_Object& object);

    /// P, targetP, rest, v and orient of points; the others are left alone.
    std::shared_ptr<const Geometry> to_world(std::shared_ptr<const Geometry> geometry) const;
    Geometry from_world(const Geometry& geometry) const;

private:
    bool is_world_ = true;
    Mat3 axes_ = Mat3::Identity(); ///< x_world = axes · x + origin
    Vec3 origin_ = Vec3::Zero();
};

} // namespace selvage::houdini
