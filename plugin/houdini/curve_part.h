#pragma once

#include "core/geometry/geometry.h"
#include "core/session/geometry_source.h"

#include <memory>
#include <string>
#include <vector>

namespace selvage::houdini
{

/// The open curves of a geometry alone, with their points, attributes and point groups: what is
/// simulated as hair beside the polygons.
struct CurvePart {
    std::shared_ptr<const Geometry> geometry;
    std::vector<std::int32_t> points; ///< numbers in the whole geometry
};

/// Throws InputError naming a point that a curve shares with another primitive; the message starts
/// with `who`.
CurvePart curves_of(const Geometry& whole, const std::string& who);

bool is_curve(const Primitive& p);

/// The curves of another source, over time.
class CurveSource final : public GeometrySource
{
public:
    explicit CurveSource(std::shared_ptr<GeometrySource> whole) : whole_(std::move(whole)) {}
    std::shared_ptr<const Geometry> at(double frame) override
    {
        return curves_of(*whole_->at(frame), whole_->describe(frame)).geometry;
    }
    bool animated() const override { return whole_->animated(); }
    bool has_subframes() const override { return whole_->has_subframes(); }
    std::string describe(double frame) const override { return whole_->describe(frame); }

private:
    std::shared_ptr<GeometrySource> whole_;
};

} // namespace selvage::houdini
