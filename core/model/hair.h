#pragma once

#include "core/base/types.h"
#include "core/model/hair_material.h"

#include <cstdint>
#include <string>
#include <vector>

namespace selvage
{

/// Which ends of strands follow the animation, in place and direction.
enum class HairRoots { first_point, both_ends, none };

/// Strands, each an elastic rod; their points are the scene's vertices [first_vertex,
/// first_vertex + n). What belongs to rods is stored along the strands, one after the other from
/// root to tip: *rod point* k is point `points[k]`. Values of an edge stand at the rod point before
/// it and are void at the last one of a strand.
struct Hair {
    std::string name;
    int first_vertex = 0;
    int first_rod_point = 0;           ///< of this hair in State::rod_directors and the like
    int point_count = 0;               ///< of the geometry
    std::vector<int> points;           ///< rod point → point
    std::vector<int> strand_begin;     ///< first rod point of each strand, and the end
    std::vector<int> strand_primitive; ///< input primitive of each strand, for messages
    HairMaterial material;
    HairRoots roots = HairRoots::first_point;
    bool self_collision = true; ///< strands of this hair with each other

    // Per rod point.
    VecX radius;          ///< [m]
    VecX stiffness_scale; ///< multiplies bending and twist
    VecX rest_length;     ///< [m] of edges
    VecX rest_curvature;  ///< two per rod point, as in rod_bend.h
    VecX rest_twist;      ///< [rad]
    VecX target_rate;     ///< [1/s] angular frequency of the pull to the animated groom; 0: none
    /// 1 where the point is held by the animation in place, besides the roots; empty: nowhere.
    std::vector<std::uint8_t> pinned;

    int strand_count() const { return int(strand_begin.size()) - 1; }
    int rod_points() const { return int(points.size()); }
};

/// Frames of rods, in the order of rod points; see State.
struct RodFrames {
    VecX directors; ///< m1 of edges, three per rod point
    VecX twists;    ///< [rad] at inner points, over all turns
};

/// True where rod point `i` of a strand of n is held by the animation; edges: both ends are.
inline bool held_point(HairRoots roots, int i, int n)
{
    if (roots == HairRoots::none) return false;
    return i < 2 || (roots == HairRoots::both_ends && i >= n - 2);
}
inline bool held_edge(HairRoots roots, int i, int n)
{
    return held_point(roots, i, n) && held_point(roots, i + 1, n);
}

/// The same with pinned points, which turn freely; i counts from the strand's first point.
bool held_point(const Hair& hair, int strand, int i);
/// Whether anything but the first points of a strand is held: then it does not simply hang.
bool held_beyond_root(const Hair& hair, int strand);

/// The length of rod that bends at inner point i of a strand whose edges have these lengths (by rod
/// point): half of each adjacent edge, but nothing of an edge that is held, which is stiff.
double bending_length(const Hair& hair, const VecX& length, int strand, int i);
inline double bending_length(const Hair& hair, int strand, int i) ///< at rest
{
    return bending_length(hair, hair.rest_length, strand, i);
}

/// [kg] per point of the geometry: half of each adjacent edge.
VecX hair_mass(const Hair& hair);

} // namespace selvage
