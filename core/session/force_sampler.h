#pragma once

#include "core/model/drive.h"
#include "core/session/constraint_sampler.h"
#include "core/session/scene_assembly.h"
#include "core/session/session_setup.h"

#include <memory>
#include <vector>

namespace selvage
{

/// Samples the forces of a shot that change over time: links, pressure, turbulence, pin strength.
class ForceSampler
{
public:
    ForceSampler(const SessionSetup& setup, const AssembledScene& assembled);

    /// Fills what belongs to forces; the drive's colliders are sampled already.
    void sample(double frame_0, double frame_1, Drive& drive);

private:
    /// Stiffness and rest lengths of a set.
    LinkDrive strength(const LinkPlaces& set, double frame) const;
    std::vector<LinkDrive> links(double frame_0, double frame_1, const Drive& drive);
    std::vector<GasLaw> gas(double frame) const;
    VecX pin_strength(double frame) const;
    Turbulence turbulence(double frame) const;
    /// [m] How far the mean wind has blown since the first frame.
    Vec3 wind_path(double frame) const;

    const SessionSetup* setup_;
    std::shared_ptr<const Scene> scene_;
    std::vector<LinkPlaces> places_;
    std::vector<std::unique_ptr<PositionSampler>> surfaces_; ///< one per set; null: none of its own
    std::vector<ConstraintSampler> constraints_;             ///< one per entry of the set-up's
    std::vector<int> pins_of_cloth_, pins_of_solid_;
};

} // namespace selvage
