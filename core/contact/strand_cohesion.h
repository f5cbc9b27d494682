#pragma once

#include "core/contact/broad_phase.h"

namespace selvage
{

/// What a vertex of the contact mesh brings along.
struct CohesivePoint {
    int strand = -1;     ///< −1: attracts nothing
    double strength = 0; ///< [N] its half of the attraction to each strand beside it
    double range = 0;    ///< [m] between surfaces, where the attraction ends
};

/// Strands side by side attract each other. Each point is drawn to the nearest place of every other
/// strand within its range by
///   strength · (1 − gap/range),  gap ≥ 0 the distance of surfaces,
/// and that place to it by as much. The forces are bounded, vanish continuously, and sum to
/// nothing.
class StrandCohesion
{
public:
    /// `points` by vertex; the mesh need have strands only.
    StrandCohesion(ContactMesh mesh, std::vector<CohesivePoint> points);
    StrandCohesion(const StrandCohesion&) = delete;
    StrandCohesion& operator=(const StrandCohesion&) = delete;

    /// [N] on all vertices of the mesh at x.
    VecX forces(const VecX& x);

private:
    /// A point and the nearest place found on another strand.
    struct Bond {
        std::int32_t vertex, edge;
        int strand;
        double distance, along; ///< along: 0 … 1 of the edge
    };
    void add_bonds(std::int32_t edge, std::int32_t other, const VecX& x,
                   std::vector<Bond>& out) const;

    ContactMesh mesh_;
    std::vector<CohesivePoint> points_;
    double longest_range_ = 0;
    BroadPhase broad_phase_;
    Candidates candidates_;
};

} // namespace selvage
