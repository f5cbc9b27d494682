#include "core/example/gait.h"

#include "core/base/error.h"
#include "core/example/easing.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

/// Part of the cycle that a foot is on the ground.
constexpr double duty = 0.6;
constexpr double heel_strike_roll = 0.30, toe_off_roll = 0.68; // [rad]

double degrees(double a) { return a * M_PI / 180; }

/// ∫ ease: distance gone when speed rises to 1 over x in [0, 1].
double ease_integral(double x)
{
    if (x <= 0) return 0;
    if (x >= 1) return x - 0.5;
    return x * x * x * x * (2.5 + x * (x - 3));
}

double heading_at(double s, const WalkSettings& w)
{
    return w.turn * ease((s - w.turn_start) / w.turn_length);
}

double curvature_at(double s, const WalkSettings& w)
{
    const double x = std::clamp((s - w.turn_start) / w.turn_length, 0.0, 1.0);
    return w.turn / w.turn_length * 30 * x * x * (1 - x) * (1 - x);
}

Vec3 direction(double heading) { return {std::sin(heading), 0, std::cos(heading)}; }

/// The path on the floor by arc length: straight, turn, straight.
Vec3 path_at(double s, const WalkSettings& w)
{
    const double first = w.turn_start, last = w.turn_start + w.turn_length;
    Vec3 p(0, 0, std::min(s, first));
    if (s <= first) return p;

    // Simpson's rule with panels that scale with s: smooth in s.
    const double end = std::min(s, last), h = (end - first) / 64;
    for (int i = 0; i < 64; ++i) {
        const double a = first + i * h;
        p += h / 6 *
             (direction(heading_at(a, w)) + 4 * direction(heading_at(a + h / 2, w)) +
              direction(heading_at(a + h, w)));
    }
    return p + std::max(0.0, s - last) * direction(w.turn);
}

/// A foot's print: where it stands when the body passes s.
FootTarget print_at(double s, const Vec3& standing, const WalkSettings& w)
{
    FootTarget f;
    f.heading = heading_at(s, w);
    f.ground = path_at(s, w) + Eigen::AngleAxisd(f.heading, Vec3::UnitY()) * standing;
    return f;
}

/// Foot at distance s along the path. `offset` [cycles]: its prints lie at (k + offset) stride, the
/// first of them where it stood; the body passes a print in the middle of its time on the ground.
FootTarget foot_at(double s, double offset, const Vec3& standing, const WalkSettings& w)
{
    const double phase = s / w.stride - offset + duty / 2;
    const double k = std::floor(phase), x = phase - k;
    const bool first_step = k + offset < 0;
    const double from = std::max(0.0, k + offset) * w.stride, to = (k + 1 + offset) * w.stride;

    if (x < duty) { // on the ground: from the heel to flat to the ball
        FootTarget foot = print_at(from, standing, w);
        const double u = x / duty;
        foot.heel_roll = heel_strike_roll * (1 - ease(u / 0.3));
        foot.ball_roll = foot.toes = toe_off_roll * ease(2 * u - 1);
        return foot;
    }

    // In the air: the first step begins from standing, so that its flight is shorter.
    const double leave = first_step ? 1 - offset + duty / 2 : duty;
    const double y = (x - leave) / (1 - leave);
    const double bump = 16 * y * y * (1 - y) * (1 - y);
    FootTarget foot = print_at(from + ease(y) * (to - from), standing, w); // around the other foot
    foot.lift = 0.045 * bump;
    foot.heel_roll = heel_strike_roll * ease((y - 0.35) / 0.6);
    foot.ball_roll = first_step ? 0.35 * bump : toe_off_roll * (1 - ease(y / 0.7));
    foot.toes = first_step ? 0 : toe_off_roll * (1 - ease(y / 0.5));
    return foot;
}

} // namespace

Posture walk_posture(const Skeleton& skeleton, double time, const WalkSettings& w)
{
    if (!(w.stride > 0 && w.turn_length > 0 && w.start_time > 0 && w.speed >= 0))
        throw InputError("Walk: stride, turn_length and start_time must be positive, speed must "
                         "not be negative.");
    const double s = w.speed * w.start_time * ease_integral((time - w.still_time) / w.start_time);
    const double cycle = 2 * M_PI * s / w.stride; // the left foot is passed at 0
    const double lean_in = ease(time / (w.still_time + 0.6 * w.start_time)); // weight shifts first
    const double under_way = ease((time - w.still_time) / w.start_time);
    const double curvature = curvature_at(s, w);

    Posture p = standing_posture(skeleton);
    p.heading = heading_at(s, w);
    const Vec3 left = direction(p.heading + M_PI / 2);
    const double sway = 0.024 * lean_in * std::cos(cycle);
    // Lower in a bend, where the outer foot has further to go.
    const double drop =
        under_way * (0.034 - 0.014 * std::cos(2 * cycle) + 0.016 * std::abs(curvature));
    p.pelvis = path_at(s, w) + direction(p.heading) * p.pelvis.z() +
               Vec3(0, p.pelvis.y() - drop, 0) + sway * left;

    // The pelvis follows the advancing leg, the shoulders counter it, the head looks ahead.
    const double bank = -0.4 * curvature * std::pow(w.speed * under_way, 2) / 9.81;
    const double twist = under_way * degrees(6) * std::sin(cycle);
    const double hip_drop = lean_in * degrees(3) * std::cos(cycle);
    p.pelvis_turn = Vec3(under_way * degrees(3), twist, bank + hip_drop);
    p.spine_turn = Vec3(under_way * degrees(1), -2.4 * twist, -1.2 * hip_drop + 0.3 * bank);
    p.head_turn = Vec3(-under_way * degrees(3), 1.4 * twist + 0.22 * curvature * under_way,
                       0.2 * hip_drop - 0.9 * bank);

    for (const Side side : {Side::left, Side::right}) {
        const auto i = std::size_t(side);
        const double sign = side == Side::left ? 1 : -1;
        p.feet[i] = foot_at(s, side == Side::left ? 0.0 : 0.5, p.feet[i].ground, w);
        // Each arm goes with the other leg, a little late.
        const double swing = sign * std::sin(cycle - 0.25);
        p.arms[i].swing += under_way * w.swing * (swing + 0.05);
        p.arms[i].elbow += under_way * (0.20 + 0.5 * w.swing * swing);
        p.arms[i].raise += under_way * 0.04;
    }
    return p;
}

Pose figure_pose(double time, const WalkSettings& settings)
{
    const Skeleton skeleton = figure_skeleton();
    return solve_posture(skeleton, walk_posture(skeleton, time, settings));
}

} // namespace selvage
