#include "core/session/geometry_source.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
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

void expect_same_primitives(const Geometry& geometry, const Geometry& start,
                            const GeometrySource& source, double frame, const std::string& who)
{
    const std::optional<std::size_t> k = geometry.first_different_primitive(start);
    if (!k) return;
    const auto described = [&](const Geometry& g) -> std::string {
        if (*k >= g.primitive_count()) return "is missing";
        const std::vector<std::int32_t> points = g.points_of(g.primitives()[*k]);
        constexpr std::size_t shown = 8;
        const auto end = points.begin() + std::ptrdiff_t(std::min(points.size(), shown));
        return fmt::format("connects points {}{}", fmt::join(points.begin(), end, ", "),
                           points.size() > shown ? ", …" : "");
    };
    throw InputError(fmt::format(
        "{}: primitive {} {}; at the start frame it {}. Inputs must keep their polygons over the "
        "shot: take those of one frame and animate its points.",
        input_name(source, frame, who), *k, described(geometry), described(start)));
}

PositionSampler::PositionSampler(std::shared_ptr<GeometrySource> source, std::string who,
                                 std::size_t points, double start_frame)
    : source_(std::move(source)), who_(std::move(who)), points_(points), start_frame_(start_frame)
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
    if (source_->animated()) {
        if (!start_)
            start_ = frame == start_frame_ ? geometry : read_input(*source_, start_frame_, who_);
        expect_same_primitives(*geometry, *start_, *source_, frame, who_);
    }
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
