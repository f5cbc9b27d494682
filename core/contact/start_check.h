#pragma once

#include "core/contact/broad_phase.h"

#include <string>
#include <vector>

namespace selvage
{

/// A pair with which a barrier cannot start. Simulated pairs and pairs of a simulated and a
/// prescribed element are looked at; what does not collide is not.
struct OffendingPair {
    enum class Kind {
        piercing,       ///< edge a passes through triangle b
        point_triangle, ///< vertex a is at or below the thickness from triangle b
        edge_edge,      ///< edges a and b are
        point_edge,     ///< vertex a is so from edge b (wires)
        point_plane,    ///< vertex a is so from plane b, or behind it
        probe_field     ///< probe a is so from field b, or inside
    };
    Kind kind;
    std::int32_t a, b;    ///< elements of the ContactMesh
    int body_a, body_b;   ///< its bodies
    double distance = 0;  ///< [m], 0 where piercing, negative behind a plane or inside
    double thickness = 0; ///< [m] what it should exceed
};

/// All of them at x (all contact vertices), in order of kind, a, b. Found with the solver's own
/// trees; the judge of written frames is core/check, which shares no code with this. Where a filter
/// is given, only what it keeps; an edge pierces where both of its points collide.
std::vector<OffendingPair> find_offending_pairs(const ContactMesh& mesh, const VecX& x,
                                                const PairFilter& filter = {});

/// "'cape' edge (12, 13) passes through 'body' triangle (401, 402, 430)": points in the objects'
/// own numbers.
std::string describe(const ContactMesh& mesh, const OffendingPair& pair);

/// Only those that pierce, cheaper.
std::vector<OffendingPair> find_piercing_pairs(const ContactMesh& mesh, const VecX& x,
                                               const PairFilter& filter = {});

/// The pairs of elements that must not collide for the offending ones to come apart, sorted: every
/// edge–edge and point–triangle pair of a piercing edge and its triangle goes with it. What
/// is too near to planes and fields is not among them: points are released, see releases_for.
std::vector<ContactPair> pairs_to_ignore(const ContactMesh& mesh,
                                         const std::vector<OffendingPair>& pairs);

} // namespace selvage
