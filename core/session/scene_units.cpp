#include "core/session/scene_units.h"

#include "core/base/error.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

bool is_length(const Attribute& a)
{
    if (a.is_array || !is_real(a.storage)) return false;
    for (const char* name : {"P", "v", "rest", "restlength", "pscale", "width"})
        if (a.name == name) return true;
    return false;
}

Attribute scaled(const Attribute& a, double factor)
{
    Attribute out = make_attribute(a.name, a.owner, Storage::real64, a.tuple_size, a.size());
    out.type_info = a.type_info;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (int c = 0; c < a.tuple_size; ++c) out.set_number(i, c, factor * a.number(i, c));
    return out;
}

/// A host's input, in metres.
class MetricSource final : public GeometrySource
{
public:
    MetricSource(std::shared_ptr<GeometrySource> source, double unit)
        : source_(std::move(source)), unit_(unit)
    {
    }

    std::shared_ptr<const Geometry> at(double frame) override
    {
        const std::shared_ptr<const Geometry> given = source_->at(frame);
        if (given != given_) { // what does not move is converted once
            auto metric = std::make_shared<Geometry>(*given);
            for (const auto& a : given->attributes())
                if (is_length(*a)) metric->set(scaled(*a, unit_));
            for (Volume& v : metric->volumes)
                if (v.field)
                    v.field = std::make_shared<DistanceField>(scaled(v.field->samples(), unit_));
            given_ = given;
            metric_ = std::move(metric);
        }
        return metric_;
    }
    bool animated() const override { return source_->animated(); }
    bool has_subframes() const override { return source_->has_subframes(); }
    std::string describe(double frame) const override { return source_->describe(frame); }

private:
    std::shared_ptr<GeometrySource> source_;
    double unit_; ///< [m]
    std::shared_ptr<const Geometry> given_, metric_;
};

} // namespace

SessionSetup in_metres(const SessionSetup& setup)
{
    const double unit = setup.shot.real("unit");
    if (unit == 1) return setup;
    SessionSetup out = setup;
    const auto convert = [unit](std::shared_ptr<GeometrySource>& source) {
        if (source) source = std::make_shared<MetricSource>(source, unit);
    };
    for (ClothSetup& c : out.cloths)
        for (auto* s : {&c.geometry, &c.initial, &c.pin_target, &c.rest, &c.frame_of_reference})
            convert(*s);
    for (SolidSetup& s : out.solids)
        for (auto* source : {&s.geometry, &s.initial, &s.pin_target}) convert(*source);
    for (ColliderSetup& c : out.colliders) convert(c.geometry);
    for (AttachmentSetup& a : out.attachments) {
        convert(a.constraints);
        convert(a.to_geometry);
    }
    for (SeamSetup& s : out.seams) convert(s.constraints);
    for (ConstraintsSetup& c : out.constraints) convert(c.geometry);
    for (HairSetup& h : out.hairs) {
        convert(h.geometry);
        convert(h.rest);
    }
    return out;
}

void judge_size_and_place(const std::string& who, const Geometry& geometry, double unit,
                          LogSink& log)
{
    constexpr double giant = 30, tiny = 0.005; // [m]
    // In multiples of the size: from `far` on, 32-bit positions round to a thousandth of the size;
    // from `lost` on, 64-bit ones leave no digits to simulate with.
    constexpr double far = 2e4, lost = 1e9;
    if (geometry.point_count() == 0) return;
    const VecX x = geometry.positions();
    if (!x.allFinite()) return; // whoever uses the points names the one
    const auto points = x.reshaped(3, x.size() / 3);
    const double size = (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).norm();
    if (size > giant)
        log.message(Severity::warning,
                    fmt::format("{} is {:.3g} m across with a unit of {:g} m. Where the scene is "
                                "in centimetres, set \"unit\" to 0.01.",
                                who, size, unit));
    if (size > 0 && size < tiny)
        log.message(
            Severity::warning,
            fmt::format("{} is only {:.3g} m across with a unit of {:g} m. Where that is too "
                        "small, set \"unit\" to the metres that one unit of the geometry is.",
                        who, size, unit));
    const double distance = x.lpNorm<Eigen::Infinity>();
    const std::string place =
        fmt::format("{} is {:.3g} m across and lies {:.3g} m from the origin", who, size, distance);
    if (size > 0 && distance > lost * size)
        throw InputError(place + ": its points cannot be told apart there. Move the scene to the "
                                 "origin.");
    if (size > 0 && distance > far * size)
        log.message(Severity::warning,
                    place + ": files of 32 bits round its points coarsely. Move the scene near "
                            "the origin.");
}

} // namespace selvage
