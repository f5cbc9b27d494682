#pragma once

#include "core/contact/broad_phase.h"
#include "core/contact/distance.h"
#include "core/contact/field_contact.h"

#include <array>
#include <vector>

namespace selvage
{

/// A stencil in contact. Many pairs reduce to the same point–point or point–edge stencil: they are
/// merged, never dropped, since each adds its share to the energy.
struct ContactStencil {
    std::array<std::int32_t, 4> vertices = {-1, -1, -1, -1}; ///< in the stencil's order
    double thickness = 0;                                    ///< ξ [m] of the pair
    double activation = 0;                                   ///< d̂ [m] of the pair
    double multiplicity = 1;
};

/// Two nearly parallel edges in contact; kept apart since its energy depends on all four vertices
/// whatever its closest feature.
struct MollifiedContact {
    std::array<std::int32_t, 4> vertices;
    double thickness, activation;
    double epsilon; ///< see MollifiedBarrier
};

/// All pairs nearer than their ξ + d̂ at a configuration, sorted: the set and its order are a
/// function of the configuration alone, since candidates come sorted, whatever else is among them.
struct ContactSet {
    std::array<std::vector<ContactStencil>, 4> contacts; ///< by StencilKind
    std::vector<MollifiedContact> mollified;
    std::vector<FieldContact> fields;
    double min_gap = infinity; ///< [m] distance − ξ, smallest over the set; infinity where empty
    std::size_t pair_count = 0;

    const std::vector<ContactStencil>& operator[](StencilKind k) const
    {
        return contacts[std::size_t(k)];
    }
    /// Whether every pair is farther apart than its thickness.
    bool feasible() const { return min_gap > 0; }
    std::size_t bytes() const;
};

/// The set at x (all contact vertices) out of candidates that must contain every pair nearer than
/// ξ + d_hat [m].
void find_contacts(const ContactMesh& mesh, const Candidates& candidates, const VecX& x,
                   double d_hat, ContactSet& out);

} // namespace selvage
