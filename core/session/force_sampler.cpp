#include "core/session/force_sampler.h"

#include <fmt/format.h>

#include <cmath>

namespace selvage
{
namespace
{

/// 1 before the first of the frames, 0 after the last; what is left of a seam's threads.
double left_open(const ParameterSet& seam, double frame)
{
    if (!seam.has("close")) return 0;
    const Vec3 close = seam.vector("close");
    if (frame >= close[1]) return 0;
    return frame <= close[0] ? 1 : (close[1] - frame) / (close[1] - close[0]);
}

} // namespace

ForceSampler::ForceSampler(const SessionSetup& setup, const AssembledScene& assembled)
    : setup_(&setup),
      scene_(assembled.scene),
      places_(assembled.link_places),
      pins_of_cloth_(assembled.pins_of_cloth),
      pins_of_solid_(assembled.pins_of_solid)
{
    for (const ConstraintsSetup& c : setup.constraints)
        constraints_.emplace_back(c, setup.first_frame());
    for (std::size_t i = 0; i < places_.size(); ++i)
        surfaces_.push_back(places_[i].animated() && places_[i].collider < 0
                                ? std::make_unique<PositionSampler>(
                                      places_[i].source, scene_->links[i].name + ", target",
                                      places_[i].points, setup.first_frame())
                                : nullptr);
}

LinkDrive ForceSampler::strength(const LinkPlaces& set, double frame) const
{
    LinkDrive d;
    if (set.owner == LinkOwner::seam) {
        const ParameterSet& p = setup_->seams[set.index].seam;
        d.rest_scale = left_open(p, frame);
        const bool begun = !p.has("close") || frame > p.vector("close")[0];
        d.stiffness = begun ? p.real("stiffness", frame) : 0;
        return d;
    }
    const bool attachment = set.owner == LinkOwner::attachment;
    const ParameterSet& p = attachment ? setup_->attachments[set.index].attachment
                                       : setup_->constraints[set.index].constraints;
    d.stiffness = p.real(attachment ? "stiffness" : "stiffness_scale", frame);
    d.rest_scale = p.real("rest_scale", frame);
    return d;
}

std::vector<LinkDrive> ForceSampler::links(double frame_0, double frame_1, const Drive& drive)
{
    std::vector<LinkDrive> out;
    for (std::size_t i = 0; i < scene_->links.size(); ++i) {
        const LinkPlaces& places = places_[i];
        LinkDrive d = strength(places, frame_1);
        if (places.owner == LinkOwner::constraints && constraints_[places.index].animated())
            constraints_[places.index].sample(frame_1, scene_->links[i].links, places.origins, d);
        if (surfaces_[i]) {
            d.place_0 = places.at(surfaces_[i]->at(frame_0));
            d.place_1 = places.at(surfaces_[i]->at(frame_1));
        } else if (places.animated()) {
            d.place_0 = places.at(drive.collider_0[std::size_t(places.collider)]);
            d.place_1 = places.at(drive.collider_1[std::size_t(places.collider)]);
        }
        out.push_back(std::move(d));
    }
    return out;
}

std::vector<GasLaw> ForceSampler::gas(double frame) const
{
    std::vector<GasLaw> laws;
    for (const ClothChamber& c : scene_->chambers) {
        const ParameterSet& p = setup_->cloths[std::size_t(c.cloth)].pressure;
        GasLaw law;
        law.model = p.text("model") == "gas"      ? GasLaw::Model::gas
                    : p.text("model") == "volume" ? GasLaw::Model::volume
                                                  : GasLaw::Model::constant;
        law.pressure = p.real("pressure", frame);
        law.volume =
            (p.has("volume") ? p.real("volume") : c.rest_volume) * p.real("volume_scale", frame);
        law.stiffness = p.real("stiffness", frame);
        law.ambient = p.real("ambient");
        laws.push_back(law);
    }
    return laws;
}

VecX ForceSampler::pin_strength(double frame) const
{
    VecX strength(Eigen::Index(scene_->pins.size()));
    for (std::size_t i = 0; i + 1 < pins_of_cloth_.size(); ++i)
        strength.segment(pins_of_cloth_[i], pins_of_cloth_[i + 1] - pins_of_cloth_[i])
            .setConstant(setup_->cloths[i].pins.real("strength", frame));
    for (std::size_t i = 0; i + 1 < pins_of_solid_.size(); ++i)
        strength.segment(pins_of_solid_[i], pins_of_solid_[i + 1] - pins_of_solid_[i])
            .setConstant(setup_->solids[i].pins.real("strength", frame));
    return strength;
}

Vec3 ForceSampler::wind_path(double frame) const
{
    // Trapezoids from frame to frame: exact for keys on whole frames.
    const ParameterSet& shot = setup_->shot;
    const auto speed = [&](double f) -> Vec3 { // [m per frame]
        return shot.vector("wind", f) * shot.real("time_scale", f) / shot.real("fps");
    };
    Vec3 path = Vec3::Zero();
    for (double f = setup_->first_frame(); f < frame; f += 1) {
        const double next = std::min(f + 1, frame);
        path += (next - f) / 2 * (speed(f) + speed(next));
    }
    return path;
}

Turbulence ForceSampler::turbulence(double frame) const
{
    const ParameterSet& p = setup_->turbulence;
    Turbulence t;
    t.amplitude = p.real("amplitude", frame);
    t.scale = p.real("scale");
    t.swirl = p.real("swirl");
    t.gust = p.real("gust", frame);
    t.gust_frequency = p.real("gust_frequency");
    t.seed = p.integer("seed");
    if (t.amplitude > 0) t.drift = wind_path(frame);
    return t;
}

void ForceSampler::sample(double frame_0, double frame_1, Drive& drive)
{
    drive.links = links(frame_0, frame_1, drive);
    drive.gas = gas(frame_1);
    drive.pin_strength = pin_strength(frame_1);
    drive.turbulence = turbulence(frame_1);
}

} // namespace selvage
