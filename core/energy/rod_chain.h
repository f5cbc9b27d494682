#pragma once

#include "core/energy/rod_bend.h"
#include "core/energy/rod_twist.h"
#include "core/linear/banded_ldlt.h"

#include <vector>

namespace selvage
{

/// Rods are evaluated four at a time, one per SIMD lane, point by point: no gathering, no
/// scattering, and the Hessians of all four are factored together. Unknowns of a point i are its
/// position and the turn of the edge that follows it, [x y z θ], so that all couplings lie within
/// ten rows. A rod with fewer points than its neighbours goes on with points that carry nothing.

inline constexpr int rod_band = 10;
using RodMatrix = BandMatrix<Real4, rod_band>;
using RodVector = std::vector<Real4>; ///< four per point, and room for rod_band more

/// Elastic laws of four rods. Edge i runs from point i to point i + 1.
struct RodChainLaws {
    std::vector<Real4> axial;              ///< k [N] per edge
    std::vector<Real4> rest_length;        ///< L [m] per edge
    std::vector<RodBendLaw<Real4>> bend;   ///< per point; first and last unused
    std::vector<RodTwistLaw<Real4>> twist; ///< likewise
};

/// Positions and frames of four rods.
struct RodChainShape {
    std::vector<Vec3T<Real4>> x;        ///< [m] per point
    std::vector<Vec3T<Real4>> tangent;  ///< per edge
    std::vector<Vec3T<Real4>> director; ///< m1, per edge
    std::vector<Real4> length;          ///< [m] per edge
    std::vector<Real4> twist;           ///< [rad] per point, over all turns; ends unused

    explicit RodChainShape(int points = 0);
    int points() const { return int(x.size()); }

    /// The given lanes become those of another shape of as many points.
    void take(const Mask4& lanes, const RodChainShape& from);
    /// Tangents and lengths of x as it is; directors are carried along from `tangent` as it was.
    void follow_points();
    /// The twist at each inner point, on the turn nearest to what it was plus `change`.
    void measure_twist(const std::vector<Real4>& change);
    RodVertex<Real4> vertex(int point) const;
};

/// Adds ∂E and the exact ∂²E of all elastic energies in the retraction's coordinates, see
/// rod_element.h; in lanes where `clamp` is 1, bending and twist are clamped point by point.
/// Stretch is added by `add_stretch`, which knows how far-off loads turn edges.
Real4 add_bend_and_twist(const RodChainLaws& laws, const RodChainShape& shape, Want want,
                         const Mask4& clamp, RodVector* gradient, RodMatrix* hessian);

/// Stretch energy, and its gradient where asked for.
Real4 stretch_energy(const RodChainLaws& laws, const RodChainShape& shape, RodVector* gradient);

/// Adds along t tᵀ + across (I − t tᵀ) by the ends of an edge.
void add_edge_stiffness(const Vec3T<Real4>& tangent, const Real4& along, const Real4& across,
                        int edge, RodMatrix& hessian);

} // namespace selvage
