#include "core/example/dance.h"

#include "core/example/ease.h"

#include <cmath>

namespace selvage
{
namespace
{

/// 0 before `start`, 1 after `end` [s].
double phase(double time, double start, double end) { return ease((time - start) / (end - start)); }

/// 0, 1 between `rise` and `fall`, 0 again; each change takes `length` [s].
double held(double time, double rise, double fall, double length)
{
    return phase(time, rise, rise + length) - phase(time, fall, fall + length);
}

} // namespace

Posture dance_posture(const Skeleton& skeleton, double time, const DanceSettings& d)
{
    Posture p = standing_posture(skeleton);
    p.heading = d.turn * phase(time, 0.35, 1.4) - d.turn_back * phase(time, 3.0, 3.8);
    const double spin = held(time, 0.3, 1.2, 0.3) + held(time, 2.9, 3.6, 0.3);
    const double cross = held(time, 1.5, 2.5, 0.45);
    const double bend = held(time, 1.8, 2.4, 0.4);
    const double press = d.press * held(time, 1.9, 2.6, 0.4);

    p.pelvis.y() -= d.bend * bend + 0.02 * spin;
    p.pelvis_turn = Vec3(0.15 * bend, 0.12 * cross, 0);
    p.spine_turn = Vec3(0.2 * bend, -0.2 * cross + 0.1 * spin, 0);
    p.head_turn = Vec3(-0.25 * bend, 0.1 * spin, 0);

    // Turns are on the balls of the feet; the right foot crosses in front of the left.
    const Eigen::AngleAxisd heading(p.heading, Vec3::UnitY());
    for (const Side side : {Side::left, Side::right}) {
        const auto i = std::size_t(side);
        FootTarget& foot = p.feet[i];
        if (side == Side::right) {
            foot.ground += cross * Vec3(0.24, 0, 0.17);
            foot.lift = 0.06 * std::pow(std::sin(M_PI * phase(time, 1.5, 1.95)), 2) +
                        0.06 * std::pow(std::sin(M_PI * phase(time, 2.5, 2.95)), 2);
        }
        foot.ground = heading * foot.ground;
        foot.heading = p.heading;
        foot.ball_roll = foot.toes = 0.35 * spin;
        // Held out, drawn in for the turn, then down to the hips.
        ArmAngles& arm = p.arms[i];
        arm.raise = 1.25 - 0.25 * spin - 1.02 * press;
        arm.swing = 0.15 + 0.35 * spin - 0.1 * press;
        arm.elbow = 0.25 + 0.9 * spin + 0.95 * press;
        arm.turn = 0.25 + 0.75 * press;
    }
    p.pelvis = heading * p.pelvis;
    return p;
}

Pose dance_pose(double time, const DanceSettings& settings)
{
    const Skeleton skeleton = figure_skeleton();
    return solve_posture(skeleton, dance_posture(skeleton, time, settings));
}

} // namespace selvage
