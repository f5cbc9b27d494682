#pragma once

#include "core/session/session.h"

#include <vector>

namespace selvage
{

/// What became of a scene, judged frame by frame on the positions as written.
struct SceneOutcome {
    std::vector<State> states;     ///< of all frames that were reached, the start first
    std::vector<int> first_vertex; ///< of each cloth, then of each solid; at last the end
    int frames = 0;                ///< wanted, without the start
    int intersecting = 0;          ///< frames in which surfaces cross, by core/check
    int inverted = 0;              ///< frames with a tetrahedron inside out
    int overstretched = 0;         ///< frames in which a cloth is beyond its stretch limit
    int unconverged = 0;           ///< frames with a step that did not converge
    int most_contacts = 0;
    std::size_t contact_bytes = 0;  ///< most that contact took for itself
    double smallest_gap = infinity; ///< [m]
    double largest_strain = 0;
    double cpu_seconds = 0; ///< of all threads, simulation only
    FrameReport sum;        ///< iterations and times of all frames; the last message

    bool completed() const { return int(states.size()) == frames + 1; }
    bool clean() const { return intersecting == 0 && inverted == 0 && overstretched == 0; }
    const State& last() const { return states.back(); }
    /// [m] How far the middle of an object has come, counted as in first_vertex.
    Vec3 way_of(int object) const;
    /// [m] The highest point at the end.
    double top() const { return last().x.reshaped(3, last().x.size() / 3).row(1).maxCoeff(); }
};

/// Mean of the vertices [first, end).
Vec3 mean_place(const VecX& x, int first, int end);

/// Simulates a scene to its last frame, or until a step fails.
SceneOutcome run_scene(const SessionSetup& setup);

/// Whether the written geometry of a frame is free of intersections: objects among each other, and
/// with each collider as far as it has got. Colliders may cross each other.
bool judged_clean(const Session& session, const FrameResult& result, int frame);

/// CPU seconds of all threads of this process so far.
double process_seconds();

} // namespace selvage
