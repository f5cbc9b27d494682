#pragma once

#include "core/session/geometry_source.h"
#include "core/session/parameter_set.h"

namespace selvage
{

/// A floor or wall from `plane.point` and `plane.normal`, which may be animated: a triangle around
/// the point, with corners 1 m from it, that carries the motion of the whole plane.
class PlaneSource final : public GeometrySource
{
public:
    /// `plane`: of scope "collider.plane"; `who` starts messages.
    PlaneSource(ParameterSet plane, std::string who);

    std::shared_ptr<const Geometry> at(double frame) override;
    bool animated() const override { return plane_.any_animated(); }
    bool has_subframes() const override { return true; }
    std::string describe(double) const override { return "plane"; }

private:
    ParameterSet plane_;
    std::string who_;
};

} // namespace selvage
