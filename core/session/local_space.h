#pragma once

#include "core/model/scene.h"
#include "core/model/state.h"
#include "core/session/session_setup.h"

#include <vector>

namespace selvage
{

/// Simulation in the local space of a moving frame: before each step the cloth is carried along
/// with the part of the frame's rigid motion that it should not feel, so that only the inherited
/// part acts on it as inertia. inherit = 1 leaves the state alone.
class LocalSpace
{
public:
    LocalSpace(const SessionSetup& setup, std::shared_ptr<const Scene> scene);
    /// Moves positions and turns velocities (those of the step before too) of every carried cloth.
    void carry(double frame_0, double frame_1, State& state);

private:
    struct Carried {
        int first_vertex, vertex_count;
        const ParameterSet* parameters;
        std::vector<int> points; ///< of the reference; empty means all
        PositionSampler reference;
        VecX at(double frame);
    };
    std::vector<Carried> carried_;
};

} // namespace selvage
