#include "core/session/drive_sampler.h"

#include <fmt/format.h>

#include <algorithm>

namespace selvage
{
namespace
{

/// The pins' own target, or the object's (perhaps animated) geometry.
template <class Setup> std::shared_ptr<GeometrySource> target_of(const Setup& s)
{
    return s.pin_target ? s.pin_target : s.geometry;
}

} // namespace

DriveSampler::DriveSampler(const SessionSetup& setup, const AssembledScene& assembled, LogSink& log)
    : setup_(&setup), scene_(assembled.scene), forces_(setup, assembled)
{
    const auto add_pins = [&](const auto& objects, const auto& setups,
                              const std::vector<int>& first_pin, const char* kind) {
        for (std::size_t i = 0; i < objects.size(); ++i) {
            if (first_pin[i] == first_pin[i + 1]) continue;
            pins_.push_back(
                {first_pin[i], first_pin[i + 1], objects[i].first_vertex,
                 PositionSampler(target_of(setups[i]),
                                 fmt::format("{} '{}', pin target", kind, objects[i].name),
                                 std::size_t(objects[i].point_count()), setup.first_frame())});
        }
    };
    add_pins(scene_->cloths, setup.cloths, assembled.pins_of_cloth, "Cloth");
    add_pins(scene_->solids, setup.solids, assembled.pins_of_solid, "Solid");
    for (std::size_t i = 0; i < setup.cloths.size(); ++i) {
        const Cloth& cloth = scene_->cloths[i];
        const std::shared_ptr<GeometrySource>& source = setup.cloths[i].rest;
        // One that stands still is the cloth's own shape already, unless that comes from elsewhere.
        const bool blends = source && (source->animated() ||
                                       setup.cloths[i].rest_parameters.text("from") != "auto");
        rest_.push_back(blends ? std::make_unique<PositionSampler>(
                                     source, fmt::format("Cloth '{}', rest shape", cloth.name),
                                     std::size_t(cloth.point_count()), setup.first_frame())
                               : nullptr);
    }
    hair_binding_ = assembled.hair_binding;
    for (std::size_t i = 0; i < setup.hairs.size(); ++i) {
        const Hair& hair = scene_->hairs[i];
        const double start = setup.first_frame();
        hair_rest_.emplace_back(setup.hairs[i], hair, *assembled.hair_geometry[i], start);
        hair_orient_.emplace_back(setup.hairs[i].geometry, hair, start);
        hair_.emplace_back(setup.hairs[i].geometry, fmt::format("Hair '{}'", setup.hairs[i].name()),
                           std::size_t(hair.point_count), start);
    }
    for (std::size_t i = 0; i < setup.colliders.size(); ++i) {
        colliders_.emplace_back(setup.colliders[i].geometry,
                                fmt::format("Collider '{}'", setup.colliders[i].name()),
                                assembled.collider_points[i], setup.first_frame());
        fields_.push_back(scene_->colliders[i].field
                              ? std::make_unique<FieldSampler>(setup.colliders[i], log)
                              : nullptr);
    }
}

VecX DriveSampler::pin_targets(double frame)
{
    VecX targets(3 * Eigen::Index(scene_->pins.size()));
    for (PinTarget& p : pins_) {
        const VecX x = p.sampler.at(frame);
        for (int k = p.first_pin; k < p.end_pin; ++k)
            targets.segment<3>(3 * k) =
                x.segment<3>(3 * (scene_->pins[std::size_t(k)].vertex - p.first_vertex));
    }
    return targets;
}

std::vector<VecX> DriveSampler::colliders(double frame)
{
    std::vector<VecX> x;
    for (std::size_t i = 0; i < colliders_.size(); ++i)
        x.push_back(fields_[i] ? VecX(Vec3(fields_[i]->time(frame), 0, 0))
                               : colliders_[i].at(frame));
    return x;
}

void DriveSampler::sample_fields(double frame_0, double frame_1, const VecX& reached, Drive& drive)
{
    Eigen::Index first = 0; // of the collider among those reached
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        drive.fields.push_back(nullptr);
        if (fields_[i]) {
            const double behind = reached.size() > first ? reached[first] : frame_0;
            drive.fields.back() = fields_[i]->over(std::min(behind, frame_0), frame_1);
        }
        first += drive.collider_1[i].size();
    }
}

RestDrive DriveSampler::rest(std::size_t cloth, double frame)
{
    const ParameterSet& p = setup_->cloths[cloth].rest_parameters;
    RestDrive d;
    d.scale = p.real("scale", frame);
    if (!rest_[cloth]) return d;
    d.blend = p.real("blend", frame);
    if (!(d.blend > 0)) return d;
    VecX x = rest_[cloth]->at(frame);
    if (p.text("from") == "pattern" || x != scene_->cloths[cloth].x_rest) d.x = std::move(x);
    return d; // else the own shape, without blending: attributes that stand still are common
}

RestShape DriveSampler::rest_shape_at(std::size_t cloth, double frame)
{
    RestRepair ignored;
    return driven_rest(scene_->cloths[cloth], rest(cloth, frame), ignored);
}

HairDrive DriveSampler::hair(std::size_t number, double frame, const std::vector<VecX>& surfaces)
{
    HairDrive d;
    if (const auto& binding = hair_binding_[number])
        d = binding->at(scene_->hairs[number], surfaces[std::size_t(binding->collider)]);
    else
        d.x = hair_[number].at(frame), d.directors = hair_orient_[number].at(frame);
    d.rest = hair_rest_[number].at(frame);
    return d;
}

Drive DriveSampler::sample(double frame_0, double frame_1, const VecX& reached)
{
    Drive d;
    d.pin_target_0 = pin_targets(frame_0);
    d.pin_target_1 = pin_targets(frame_1);
    d.collider_0 = colliders(frame_0);
    d.collider_1 = colliders(frame_1);
    sample_fields(frame_0, frame_1, reached, d);
    for (std::size_t i = 0; i < scene_->cloths.size(); ++i) d.rest.push_back(rest(i, frame_1));
    for (std::size_t i = 0; i < scene_->hairs.size(); ++i)
        d.hair.push_back(hair(i, frame_1, d.collider_1));
    d.gravity = setup_->shot.vector("gravity", frame_1);
    d.wind = setup_->shot.vector("wind", frame_1);
    d.air_density = setup_->shot.real("air_density", frame_1);
    forces_.sample(frame_0, frame_1, d);
    return d;
}

} // namespace selvage
