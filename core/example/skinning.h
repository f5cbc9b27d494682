#pragma once

#include "core/base/types.h"
#include "core/example/skeleton.h"
#include "core/example/surface_extraction.h"

#include <vector>

namespace selvage
{

/// Which bones move a point, and how much; weights sum to 1.
struct Influence {
    int joint;
    double weight;
};
using SkinWeights = std::vector<std::vector<Influence>>; ///< per point

/// Smooth weights: each point is heated by its nearest bone and the heat spreads over the skin
/// [Baran and Popović 2007],
///   (L + M H) w_j = M H p_j,   H = 1/d²,
/// L the cotangent Laplacian, M the points' areas, d the distance to the nearest bone, p_j = 1
/// where that is bone j. Here "nearest" is measured in girths of the bone, so that the thick trunk
/// is not won by the thin arm beside it, and visibility is not tested (the bind pose keeps limbs
/// apart).
SkinWeights heat_weights(const TriangleMesh& mesh, const Skeleton& skeleton);

/// Dual-quaternion skinning [Kavan et al. 2007]: blends the bones' rigid motions to a rigid motion,
/// so that a twisted joint keeps its volume. `points` [x0 y0 z0 ...] in the bind pose.
VecX skin(const VecX& points, const SkinWeights& weights, const PerJoint<Eigen::Isometry3d>& bones);

} // namespace selvage
