#include "core/example/dance.h"

#include "core/example/easing.h"

#include <cmath>

namespace selvage
{
namespace
{

/// Rises from `from` on and falls until `to` [s], each within `slope` [s]: 0 … 1 … 0.
double pulse(double time, double from, double to, double slope)
{
    return ease((time - from) / slope) * ease((to - time) / slope);
}

/// One leg over the other: where the feet go from where they stand, in the figure's own axes.
void cross_legs(double amount, Side over, Posture& p)
{
    const double sign = over == Side::left ? 1 : -1;
    FootTarget &front = p.feet[std::size_t(over)], &back = p.feet[1 - std::size_t(over)];
    front.ground += amount * Vec3(-0.17 * sign, 0, 0.17);
    back.ground += amount * Vec3(0.03 * sign, 0, -0.09);
    front.heading += -0.25 * sign * amount;
    front.lift += 0.06 * 4 * amount * (1 - amount);
    back.ball_roll += 0.3 * amount;
    back.toes += 0.3 * amount;
}

} // namespace

Posture dance_posture(const Skeleton& skeleton, double time)
{
    Posture p = standing_posture(skeleton);
    const double left_turn = ease((time - 0.30) / 0.60), right_turn = ease((time - 1.05) / 0.70);
    p.heading = 3.0 * left_turn - 4.6 * right_turn;
    cross_legs(pulse(time, 0.30, 1.10, 0.35), Side::left, p);
    cross_legs(pulse(time, 1.05, 1.90, 0.35), Side::right, p);
    for (FootTarget& foot : p.feet) {
        foot.heading += p.heading;
        foot.ground = Eigen::AngleAxisd(p.heading, Vec3::UnitY()) * foot.ground;
    }
    const Vec3 above =
        Eigen::AngleAxisd(p.heading, Vec3::UnitY()) * Vec3(p.pelvis.x(), 0, p.pelvis.z());
    const double crouch = 0.05 * pulse(time, 0.25, 1.95, 0.4);
    p.pelvis = Vec3(above.x(), p.pelvis.y() - crouch, above.z());

    const double flung = pulse(time, 0.25, 1.75, 0.45);
    const double pressed = pulse(time, 1.75, 2.70, 0.35);
    for (ArmAngles& arm : p.arms) {
        arm.raise += 0.35 + 0.65 * flung - 0.55 * pressed; // off the skirt, but when they press it
        arm.elbow += 0.25 * flung - 0.12 * pressed;
        arm.swing += 0.16 * pressed;
    }
    return p;
}

Pose dance_pose(double time)
{
    const Skeleton skeleton = figure_skeleton();
    return solve_posture(skeleton, dance_posture(skeleton, time));
}

} // namespace selvage
