#pragma once

#include "core/model/drive.h"
#include "core/session/field_sampler.h"
#include "core/session/force_sampler.h"
#include "core/session/hair_animation.h"
#include "core/session/scene_assembly.h"
#include "core/session/session_setup.h"

#include <vector>

namespace selvage
{

/// Samples everything animated into the Drive of a step. Fractional frames are interpolated here,
/// once for all hosts.
class DriveSampler
{
public:
    DriveSampler(const SessionSetup& setup, const AssembledScene& assembled, LogSink& log);

    /// For the step from frame_0 to frame_1; `reached` (State::colliders, may be empty) tells which
    /// colliders are behind.
    Drive sample(double frame_0, double frame_1, const VecX& reached = VecX());
    /// The rest shape that a cloth has at a frame.
    RestShape rest_shape_at(std::size_t cloth, double frame);

private:
    VecX pin_targets(double frame);
    std::vector<VecX> colliders(double frame);
    void sample_fields(double frame_0, double frame_1, const VecX& reached, Drive& drive);
    RestDrive rest(std::size_t cloth, double frame);
    /// `surfaces`: the colliders at that frame.
    HairDrive hair(std::size_t number, double frame, const std::vector<VecX>& surfaces);

    struct PinTarget {
        int first_pin, end_pin;
        int first_vertex;
        PositionSampler sampler;
    };

    const SessionSetup* setup_;
    std::shared_ptr<const Scene> scene_;
    std::vector<PinTarget> pins_;
    std::vector<PositionSampler> hair_;
    // One per hair.
    std::vector<std::optional<RootBinding>> hair_binding_;
    std::vector<HairRestAnimation> hair_rest_;
    std::vector<RootOrientation> hair_orient_;
    std::vector<PositionSampler> colliders_;            ///< unused for fields
    std::vector<std::unique_ptr<FieldSampler>> fields_; ///< per collider; null for other kinds
    ForceSampler forces_;
    std::vector<std::unique_ptr<PositionSampler>> rest_; ///< per cloth; null where nothing moves
};

} // namespace selvage
