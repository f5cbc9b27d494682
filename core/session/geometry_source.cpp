#include "core/session/geometry_source.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <cmath>

namespace selvage
{

std::string input_name(const GeometrySource& source, double frame, const std::string& who)
{
    return source.animated()
               ? fmt::format("{} at frame {:g} ({})", who, frame, source.describe(frame))
               : fmt::format("{} ({})", who, source.describe(frame));
}

std::shared_ptr<const Geometry> read_input(GeometrySource& source, double frame,
                                           const std::string& who)
{
    try {
        return source.at(frame);
    } catch (const InputError& e) {
        throw InputError(fmt::format("{}: {}", input_name(source, frame, who), e.what()));
    }
}

PositionSampler::PositionSampler(std::shared_ptr<GeometrySource> source, std::string who,
                                 std::size_t points)
    : source_(std::move(source)), who_(std::move(who)), points_(points)
{
}

const VecX& PositionSampler::whole(double frame)
{
    for (const Sample& s : recent_)
        if (s.x.size() && s.frame == frame) return s.x;
    const std::shared_ptr<const Geometry> geometry = read_input(*source_, frame, who_);
    const std::string where = input_name(*source_, frame, who_);
    if (geometry->point_count() != points_)
        throw InputError(fmt::format(
            "{} has {} points but {} at the start frame. Inputs must keep their points over "
            "the shot.",
            where, geometry->point_count(), points_));
    Sample& s = recent_[next_];
    next_ = 1 - next_;
    s.frame = frame;
    s.x = geometry->positions();
    for (Eigen::Index i = 0; i < s.x.size(); ++i)
        if (!std::isfinite(s.x[i]))
            throw InputError(
                fmt::format("{}: point {} is not a number. Repair that frame.", where, i / 3));
    return s.x;
}

VecX PositionSampler::at(double frame)
{
    if (!source_->animated()) return whole(0);
    const double before = std::floor(frame);
    if (source_->has_subframes() || frame == before) return whole(frame);
    const VecX a = whole(before);
    return a + (frame - before) * (whole(before + 1) - a);
}

} // namespace selvage
