#pragma once

#include "core/base/types.h"
#include "core/example/profile_tube.h"
#include "core/example/skeleton.h"

#include <Eigen/Geometry>

namespace selvage
{

/// The figure in the bind pose as an implicit surface: a mannequin of trunk, limbs, head, hands
/// and feet, blended smoothly where they meet and nowhere else (an arm does not melt into the
/// waist it hangs beside, nor a thigh into the other).
class ImplicitBody
{
public:
    explicit ImplicitBody(const Skeleton& skeleton);

    /// About the signed distance to the skin [m], negative inside.
    double distance(const Vec3& p) const;

    /// A box that holds the skin.
    Eigen::AlignedBox3d bounds() const;

private:
    double trunk(const Vec3& p) const;
    double head(const Vec3& p) const;
    double arm(const Vec3& p) const; ///< left side; the right one is its mirror image
    double leg(const Vec3& p) const;

    Vec3 shoulder_, wrist_, arm_direction_;
    ProfileTube trunk_, neck_, arm_, leg_, foot_;
};

} // namespace selvage
