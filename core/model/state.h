#pragma once

#include "core/contact/releases.h"

namespace selvage
{

/// All that the next step depends on: what a frame cache stores and a checkpoint saves, in doubles.
struct State {
    double time = 0; ///< [s] since the start frame, in simulated time
    VecX x;          ///< [m] positions of all vertices, [x0 y0 z0 x1 …]
    VecX v;          ///< [m/s]

    VecX creases; ///< [rad] what hinges have yielded, all cloths in order; empty where none can

    VecX broken; ///< 1 for each broken link of Scene::links, in order; empty where none can break

    // Rods, all hairs in order, by rod point (see Hair); empty where there are none.
    VecX rod_directors; ///< m1 of edges, three each: the material frame
    VecX rod_twists;    ///< [rad] at inner points, over all turns
    VecX rod_spins;     ///< [rad/s] of edges about themselves

    // Contacts of strands, where the next step starts from; ascending.
    std::vector<std::uint64_t> strand_contacts; ///< StrandContact::key
    VecX strand_forces;                         ///< [N] on the first side, three each
    VecX strand_loads; ///< [N] their sums at vertices of strands at rest; empty: none

    // The step before, for BDF-2; h_prev = 0 where there is none (start, reset, user edit).
    VecX x_prev;
    VecX v_prev;
    double h_prev = 0; ///< [s]

    /// [m] Where the colliders have got to, one after the other: their animation, unless cloth that
    /// they pinch held them up. Empty before the first step.
    VecX colliders;

    Releases released; ///< what does not collide for now

    std::size_t bytes() const
    {
        return released.bytes() + sizeof(std::uint64_t) * strand_contacts.size() +
               sizeof(double) *
                   std::size_t(strand_forces.size() + strand_loads.size() + x.size() + v.size() +
                               x_prev.size() + v_prev.size() + creases.size() + broken.size() +
                               colliders.size() + rod_directors.size() + rod_twists.size() +
                               rod_spins.size());
    }
};

} // namespace selvage
