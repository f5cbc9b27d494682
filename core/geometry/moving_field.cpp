#include "core/geometry/moving_field.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace selvage
{
namespace
{

/// [m] How far b is from a at a's lattice points next to its surface, at most.
double change_at_surface(const DistanceField& a, const DistanceField& b)
{
    double most = 0;
    a.for_each_point([&](const Vec3& x, double value) {
        if (std::abs(value) < a.voxel_size()) most = std::max(most, std::abs(b.value(x) - value));
    });
    return most;
}

} // namespace

MovingField::MovingField(std::vector<Sample> samples) : samples_(std::move(samples))
{
    assert(!samples_.empty());
    for (std::size_t k = 0; k < samples_.size(); ++k) {
        const DistanceField& field = *samples_[k].field;
        lipschitz_ = std::max(lipschitz_, field.lipschitz());
        curvature_ = std::max(curvature_, field.curvature());
        background_ = std::min(background_, field.background());
        voxel_size_ = std::min(voxel_size_, field.voxel_size());
        if (k == 0 || samples_[k - 1].field == samples_[k].field) continue;
        const double span = samples_[k].time - samples_[k - 1].time;
        surface_speed_ =
            std::max(surface_speed_, change_at_surface(*samples_[k - 1].field, field) / span);
        // Every value lies between both backgrounds; a little beyond, where sharp edges overshoot.
        fastest_ = std::max(
            fastest_, 1.5 * (field.background() + samples_[k - 1].field->background()) / span);
    }
}

std::pair<std::size_t, double> MovingField::place(double time) const
{
    std::size_t k = 0;
    while (k + 1 < samples_.size() && samples_[k + 1].time <= time) ++k;
    if (k + 1 == samples_.size() || time <= samples_[k].time) return {k, 0};
    return {k, (time - samples_[k].time) / (samples_[k + 1].time - samples_[k].time)};
}

double MovingField::next_change(double time) const
{
    for (const Sample& s : samples_)
        if (s.time > time) return s.time;
    return infinity;
}

double MovingField::lowest(const Vec3& x, double first, double last) const
{
    if (samples_.size() == 1) return value(x, first);
    double least = std::min(value(x, first), value(x, last));
    for (const Sample& s : samples_)
        if (s.time > first && s.time < last) least = std::min(least, s.field->value(x));
    return least;
}

double MovingField::rate_lipschitz(double time) const
{
    const std::size_t k = place(time).first;
    if (k + 1 == samples_.size() || samples_[k].field == samples_[k + 1].field) return 0;
    return (samples_[k].field->lipschitz() + samples_[k + 1].field->lipschitz()) /
           (samples_[k + 1].time - samples_[k].time);
}

double MovingField::value(const Vec3& x, double time) const
{
    const auto [k, lambda] = place(time);
    const double a = samples_[k].field->value(x);
    if (lambda == 0 || samples_[k].field == samples_[k + 1].field) return a;
    return a + lambda * (samples_[k + 1].field->value(x) - a);
}

MovingField::Value MovingField::slope(const Vec3& x, double time) const
{
    const auto [k, lambda] = place(time);
    Value out;
    out.value = samples_[k].field->value(x);
    if (k + 1 == samples_.size() || samples_[k].field == samples_[k + 1].field) return out;
    const double change = samples_[k + 1].field->value(x) - out.value;
    out.value += lambda * change;
    out.rate = change / (samples_[k + 1].time - samples_[k].time);
    return out;
}

MovingField::Value MovingField::at(const Vec3& x, double time) const
{
    const auto [k, lambda] = place(time);
    Value out;
    static_cast<DistanceField::Value&>(out) = samples_[k].field->at(x);
    if (k + 1 == samples_.size() || samples_[k].field == samples_[k + 1].field) return out;
    const DistanceField::Value next = samples_[k + 1].field->at(x);
    const double span = samples_[k + 1].time - samples_[k].time;
    out.rate = (next.value - out.value) / span;
    out.rate_gradient = (next.gradient - out.gradient) / span;
    out.value += lambda * (next.value - out.value);
    out.gradient += lambda * (next.gradient - out.gradient);
    out.hessian += lambda * (next.hessian - out.hessian);
    return out;
}

} // namespace selvage
