#include "core/example/implicit_body.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

const Vec3 up(0, 1, 0), forward(0, 0, 1);

// Half-dimensions in metres {t, side, front, back, shift}; t is the height for the trunk and the
// distance from the upper joint for limbs.

ProfileTube make_trunk()
{
    return {Vec3::Zero(),
            up,
            forward,
            {{0.850, 0.105, 0.058, 0.072, -0.008},
             {0.885, 0.144, 0.084, 0.098, -0.008},
             {0.930, 0.160, 0.099, 0.108, -0.008},
             {0.980, 0.158, 0.106, 0.106, -0.008},
             {1.050, 0.138, 0.102, 0.088, -0.008},
             {1.110, 0.129, 0.099, 0.082, -0.008},
             {1.180, 0.136, 0.104, 0.090, -0.012},
             {1.260, 0.152, 0.115, 0.103, -0.016},
             {1.330, 0.164, 0.114, 0.112, -0.020},
             {1.390, 0.164, 0.100, 0.106, -0.024},
             {1.435, 0.136, 0.076, 0.088, -0.026},
             {1.465, 0.085, 0.056, 0.062, -0.028}},
            0.04,
            0.03};
}

ProfileTube make_neck()
{
    return {Vec3(0, 1.43, -0.034),
            Vec3(0, 1.0, 0.16),
            forward,
            {{0.00, 0.066, 0.062, 0.064},
             {0.05, 0.056, 0.056, 0.058},
             {0.10, 0.052, 0.054, 0.056},
             {0.17, 0.052, 0.054, 0.058}},
            0.03,
            0.03};
}

/// From the deltoid to the finger tips; the palm faces the thigh.
ProfileTube make_arm(const Skeleton& s)
{
    const Vec3 shoulder = s.origin[Joint::upper_arm_left];
    return {shoulder,
            s.origin[Joint::forearm_left] - shoulder,
            forward,
            {{0.000, 0.047, 0.054, 0.054},
             {0.050, 0.052, 0.057, 0.056},
             {0.110, 0.047, 0.052, 0.050},
             {0.180, 0.042, 0.048, 0.046},
             {0.260, 0.036, 0.039, 0.039},
             {0.310, 0.037, 0.041, 0.041},
             {0.350, 0.038, 0.042, 0.040},
             {0.420, 0.033, 0.036, 0.035},
             {0.500, 0.025, 0.029, 0.028},
             {0.535, 0.022, 0.028, 0.028},
             {0.575, 0.020, 0.036, 0.036},
             {0.620, 0.019, 0.041, 0.040},
             {0.665, 0.017, 0.037, 0.037},
             {0.695, 0.014, 0.029, 0.030}},
            0.046,
            0.022};
}

ProfileTube make_leg(const Skeleton& s)
{
    const Vec3 hip = s.origin[Joint::thigh_left];
    return {hip,
            s.origin[Joint::foot_left] - hip,
            forward,
            {{0.000, 0.073, 0.072, 0.084},
             {0.080, 0.080, 0.084, 0.086},
             {0.160, 0.077, 0.083, 0.080},
             {0.260, 0.069, 0.075, 0.071},
             {0.350, 0.059, 0.064, 0.059, 0.002},
             {0.420, 0.052, 0.057, 0.050, 0.004},
             {0.460, 0.050, 0.053, 0.050, 0.003},
             {0.520, 0.052, 0.047, 0.060},
             {0.580, 0.053, 0.043, 0.066, -0.001},
             {0.650, 0.047, 0.040, 0.058},
             {0.730, 0.037, 0.036, 0.043},
             {0.790, 0.033, 0.034, 0.036},
             {0.850, 0.034, 0.036, 0.038}},
            0.12,
            0.03};
}

/// From heel to toes; "back" is the sole's side.
ProfileTube make_foot(const Skeleton& s)
{
    const Vec3 ankle = s.origin[Joint::foot_left];
    Vec3 axis = s.tip[Joint::toes_left] - ankle;
    axis.y() = 0;
    return {Vec3(ankle.x(), 0.032, ankle.z()),
            axis,
            up,
            {{-0.030, 0.028, 0.034, 0.036},
             {0.000, 0.034, 0.048, 0.040},
             {0.040, 0.036, 0.046, 0.040},
             {0.090, 0.042, 0.030, 0.040},
             {0.130, 0.046, 0.019, 0.040},
             {0.165, 0.041, 0.010, 0.038}},
            0.026,
            0.034};
}

} // namespace

ImplicitBody::ImplicitBody(const Skeleton& s)
    : shoulder_(s.origin[Joint::upper_arm_left]),
      wrist_(s.origin[Joint::hand_left]),
      arm_direction_((wrist_ - shoulder_).normalized()),
      trunk_(make_trunk()),
      neck_(make_neck()),
      arm_(make_arm(s)),
      leg_(make_leg(s)),
      foot_(make_foot(s))
{
}

double ImplicitBody::trunk(const Vec3& p) const
{
    double d = trunk_.distance(p);
    const Vec3 q(std::abs(p.x()), p.y(), p.z());
    d = smooth_union(d, ellipsoid_distance(q, {0.074, 1.342, 0.036}, {0.080, 0.062, 0.054}), 0.08);
    d = smooth_union(d, ellipsoid_distance(q, {0.078, 0.905, -0.060}, {0.078, 0.088, 0.070}), 0.07);
    // The slope from neck to shoulder.
    return smooth_union(
        d, tapered_capsule_distance(q, {0.02, 1.456, -0.036}, 0.050, shoulder_, 0.047), 0.06);
}

double ImplicitBody::head(const Vec3& p) const
{
    const double skull = ellipsoid_distance(p, {0, 1.652, -0.006}, {0.076, 0.098, 0.096});
    const double jaw = ellipsoid_distance(p, {0, 1.592, 0.034}, {0.053, 0.068, 0.058});
    const double nose =
        tapered_capsule_distance(p, {0, 1.640, 0.080}, 0.010, {0, 1.606, 0.094}, 0.013);
    double d = smooth_union(skull, jaw, 0.06);
    d = smooth_union(d, nose, 0.03);
    return smooth_union(d, neck_.distance(p), 0.03);
}

double ImplicitBody::arm(const Vec3& p) const
{
    const Vec3 thumb_root = wrist_ + 0.030 * arm_direction_ + 0.022 * forward;
    const Vec3 thumb_tip = wrist_ + 0.095 * arm_direction_ + 0.056 * forward;
    const double thumb = tapered_capsule_distance(p, thumb_root, 0.016, thumb_tip, 0.012);
    return smooth_union(arm_.distance(p), thumb, 0.018);
}

double ImplicitBody::leg(const Vec3& p) const
{
    // The sole is flat: cut at y = 0 with a rounded edge.
    const double foot = -smooth_union(-foot_.distance(p), p.y(), 0.012);
    return smooth_union(leg_.distance(p), foot, 0.045);
}

double ImplicitBody::distance(const Vec3& p) const
{
    const Vec3 left(std::abs(p.x()), p.y(), p.z()), right(-left.x(), p.y(), p.z());

    double d = smooth_union(trunk(p), head(p), 0.035);
    d = smooth_union(d, smooth_union(leg(left), leg(right), 0.008), 0.05);

    // Blend the arm into the shoulder only: beside the ribs the blend has faded out.
    const double away = (left - shoulder_).norm() / 0.10;
    const double blend = 0.004 + 0.056 * std::exp(-away * away);
    return smooth_union(d, arm(left), blend);
}

Eigen::AlignedBox3d ImplicitBody::bounds() const
{
    return {Vec3(-0.72, -0.03, -0.24), Vec3(0.72, 1.80, 0.26)};
}

} // namespace selvage
