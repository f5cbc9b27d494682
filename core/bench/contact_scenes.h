#pragma once

#include "core/session/session_setup.h"

#include <string>
#include <vector>

namespace selvage
{

// The scenes by which contact is judged, in any size [Li 2020, ch. 4 and 5; names as there]. Small
// ones are tests, large ones benchmarks. Each gravity-driven scene falls along −y.

struct NamedScene {
    std::string name;
    SessionSetup setup;
};

/// Single tetrahedra and cubes that fall onto each other exactly aligned: point on point, parallel
/// edges, face on face, and stacks of five cubes, stiff and soft.
std::vector<NamedScene> aligned_scenes(double h, int steps);
/// A tetrahedron and a cube that fall into a slot 1 µm wider than they are.
std::vector<NamedScene> slot_scenes(double h, int steps);
/// Spikes, wedges and cubes on spikes, wedges, cracks, holes, cliffs and internal edges
/// [Erleben 2018].
std::vector<NamedScene> degenerate_scenes(double h, int steps);
/// A ball of 0.1 m thrown at a fixed board of 0.02 m, no gravity.
SessionSetup thrown_ball_scene(double speed, int cells);
/// Heavy on light and stiff on soft: a ball on a mat that lies on boards, a large cube on a small
/// one.
SessionSetup ratio_scene(int steps);
/// Miniature pairs, free and against fixed ones, column and pyramid of five cubes: what falls meets
/// the rest at 1 m/s in the third step, whatever the step.
std::vector<NamedScene> miniature_scenes(double h, int steps);
/// A chain that hangs from its first link: `around` × across² cells per link.
SessionSetup chain_scene(int links, int around, int across, double h, int steps);
/// Four rods of `cells` cells along them, twisted at both ends at 72° per second.
SessionSetup twisted_rods_scene(int cells, double h, int steps);

/// A unit cube on a slope of tangent 0.5.
SessionSetup slope_scene(double friction, double h, int steps);
/// Seven boards of 0.5 m × 0.5 m × 4 mm: two pairs that lean against each other, one laid across
/// them, and a pair on top.
SessionSetup card_house_scene(double friction, int cells, double h, int steps);
/// The house with friction 1, hit by two blocks from both sides at 6 m/s.
SessionSetup hit_house_scene(int cells, double h, int steps);
/// A masonry arch of 20 m: 25 stones along a catenary, on the ground.
SessionSetup arch_scene(double friction, double h, int steps);
/// A leaning rod of rubber whose upper end is dragged over the ground.
SessionSetup stick_slip_scene(double friction, double speed, double h, int steps);

/// Cotton, 1 m × 1 m of n × n points, above a ball of 0.152 m radius; `stretch_factor` scales the
/// membrane's stiffness, `limit` (0: none) its stretch; the ball turns by 180°/s after 25 steps
/// where `turning`.
struct DrapeOptions {
    int points = 50;
    int steps = 40;
    double stretch_factor = 1;
    double limit = 0.0608;
    double tolerance = 1e-2;
    bool turning = true;
    bool volume = false;     ///< the ball as a signed distance in voxels of 1 cm; it does not turn
    bool half_space = false; ///< the floor as one, instead of two triangles
};
SessionSetup sphere_drape_scene(const DrapeOptions& options);
/// Cotton of n × n points on a floor that begins to tilt: a half-space, or two triangles of a
/// kilometre.
SessionSetup tilting_floor_scene(int points, bool half_space, int steps);
/// Cotton of n × n points, level at first, hung by two corners of one side.
SessionSetup corner_hang_scene(int points, double stretch_factor, double limit, int steps);
/// Cloths of n × n points that fall, each turned a little, onto a board, with d̂ = gap.
SessionSetup cloth_stack_scene(int layers, int points, double gap, int steps);
/// Cloth of n × n points on upright needles, pulled to one side at 1 m/s after 25 steps.
SessionSetup needles_scene(int points, int needles, int steps);
/// Cube, tetrahedron, cylinder and ring on a table with a cloth of n × n points, which is pulled
/// away at `speed` after 10 steps.
SessionSetup tablecloth_scene(int points, double speed, int steps);
/// Cards of paper that fall onto each other, 0.1 mm thick with d̂ = 0.2 mm.
SessionSetup card_stack_scene(int cards, int cells, int steps);

} // namespace selvage
