#pragma once

#include "core/base/log.h"
#include "core/geometry/moving_field.h"
#include "core/session/session_setup.h"

#include <map>

namespace selvage
{

/// A collider's signed distance over spans of time.
class FieldSampler
{
public:
    FieldSampler(const ColliderSetup& collider, LogSink& log);

    /// The time of a frame, as the field's vertex has it: 0 where nothing moves.
    double time(double frame) const { return source_->animated() ? frame : 0; }
    /// From one frame to a later one, with samples at whole frames, or at both where the source has
    /// sub-frames.
    std::shared_ptr<const MovingField> over(double first, double last);

private:
    const std::shared_ptr<const DistanceField>& at(double frame);

    std::shared_ptr<GeometrySource> source_;
    std::string who_, grid_;
    LogSink* log_;
    std::map<double, std::shared_ptr<const DistanceField>> samples_;
    std::shared_ptr<const MovingField> recent_;
    bool warned_ = false;
};

} // namespace selvage
