#include "core/session/field_sampler.h"

#include "core/base/error.h"
#include "core/session/field_assembly.h"

#include <fmt/format.h>

#include <cmath>

namespace selvage
{
FieldSampler::FieldSampler(const ColliderSetup& collider, LogSink& log)
    : source_(collider.geometry),
      who_(fmt::format("Collider '{}'", collider.name())),
      grid_(collider.collider.text("grid")),
      log_(&log)
{
}

const std::shared_ptr<const DistanceField>& FieldSampler::at(double frame)
{
    std::shared_ptr<const DistanceField>& field = samples_[frame];
    if (field) return field;
    const std::shared_ptr<const Geometry> geometry = read_input(*source_, frame, who_);
    try {
        field = signed_distance_of(*geometry, grid_);
    } catch (const InputError& e) {
        throw InputError(fmt::format("{}: {}", input_name(*source_, frame, who_), e.what()));
    }
    return field;
}

std::shared_ptr<const MovingField> FieldSampler::over(double first, double last)
{
    std::vector<double> times = {time(first)};
    if (source_->animated() && source_->has_subframes()) {
        if (last > first) times.push_back(last);
    } else if (source_->animated()) {
        times.clear();
        for (double f = std::floor(first); f <= std::ceil(last); ++f) times.push_back(f);
    }
    std::vector<MovingField::Sample> samples;
    for (const double t : times) samples.push_back({t, at(t)});
    // What is past is not asked for again, but for a scrub back.
    samples_.erase(samples_.begin(), samples_.find(times.front()));
    const auto same = [&] {
        if (!recent_ || recent_->samples().size() != samples.size()) return false;
        for (std::size_t k = 0; k < samples.size(); ++k)
            if (recent_->samples()[k].time != samples[k].time ||
                recent_->samples()[k].field != samples[k].field)
                return false;
        return true;
    };
    if (same()) return recent_;
    recent_ = std::make_shared<MovingField>(std::move(samples));
    if (!warned_ && times.size() > 1 &&
        recent_->surface_speed() * (times[1] - times[0]) > 0.9 * recent_->background()) {
        warned_ = true;
        log_->message(
            Severity::warning,
            fmt::format(
                "{} moves farther than its narrow band of {:.3g} m between frames {:g} and "
                "{:g}: what is in its way may be swallowed rather than pushed. Give it more "
                "band voxels (VDB from Polygons: Exterior and Interior Band), or use "
                "polygons.",
                who_, recent_->background(), times[0], times[1]));
    }
    return recent_;
}

} // namespace selvage
