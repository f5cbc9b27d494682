#pragma once

#include "core/model/drive.h"
#include "core/model/scene.h"
#include "core/model/state.h"
#include "core/solver/rod_newton.h"

#include <array>

namespace selvage
{

/// Up to four strands that are solved together, one per SIMD lane.
struct RodGroup {
    int points = 0; ///< of the longest
    std::array<int, 4> hair{}, strand{};
    int strands = 0; ///< lanes beyond repeat the last strand and are never stored
};

/// A strand of a scene.
struct StrandNumber {
    int hair, strand;
};

/// The longest strands first, so that groups hold strands of about equal length.
std::vector<RodGroup> make_rod_groups(const Scene& scene, const std::vector<StrandNumber>& strands);
/// All strands of a scene.
std::vector<RodGroup> make_rod_groups(const Scene& scene);

/// [m] Of the edges of a hair, by rod point: as driven, else its own.
inline const VecX& rest_length(const Hair& hair, const std::vector<HairDrive>& drive,
                               std::size_t number)
{
    const bool driven = number < drive.size() && drive[number].rest.length.size() > 0;
    return driven ? drive[number].rest.length : hair.rest_length;
}

/// Elastic laws of a group at rest state, as driven, and stiffness of the material.
RodChainLaws rod_laws(const Scene& scene, const RodGroup& group,
                      const std::vector<HairDrive>& drive = {});

/// Laws that give the viscous forces of a step as well: since
///   ½ k (s − s̄)² + ½ (β k/h)(s − s_0)² = ½ k (1 + β/h)(s − s')² + const,
/// viscosity is a stiffer law with a rest value s' between the rest and where the step began.
/// Exact, invariant under rigid motion, and the same in every kernel.
void add_viscosity(const Scene& scene, const RodGroup& group, const RodChainShape& start, double h,
                   RodChainLaws& laws);

/// Which unknowns are held, and whether the rods hang.
void set_held(const Scene& scene, const RodGroup& group, RodProblem& problem);

/// Positions (relative to `origin`, one per lane) and frames of a state.
RodChainShape load_shape(const Scene& scene, const RodGroup& group, const State& state,
                         const std::array<Vec3, 4>& origin);

/// Writes lane by lane into a state of the right sizes.
void store_shape(const Scene& scene, const RodGroup& group, const RodChainShape& shape,
                 const std::array<Vec3, 4>& origin, State& state);

/// Calls visit(lane, i, rod point of all hairs, vertex) for each point of each stored strand.
template <class Visit> void for_rod_points(const Scene& scene, const RodGroup& group, Visit&& visit)
{
    for (int lane = 0; lane < group.strands; ++lane) {
        const Hair& hair = scene.hairs[std::size_t(group.hair[std::size_t(lane)])];
        const std::size_t strand = std::size_t(group.strand[std::size_t(lane)]);
        const int begin = hair.strand_begin[strand], end = hair.strand_begin[strand + 1];
        for (int k = begin; k < end; ++k)
            visit(std::size_t(lane), std::size_t(k - begin), hair.first_rod_point + k,
                  hair.first_vertex + hair.points[std::size_t(k)]);
    }
}

} // namespace selvage
