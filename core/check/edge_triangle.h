#pragma once

#include "core/base/types.h"

namespace selvage
{

/// How a segment and a triangle (both closed sets) meet.
enum class Contact {
    none,
    touching, ///< only at coinciding points or along a coinciding edge, as at an unfused seam
    crossing  ///< any other common point: piercing, an end on the face, coplanar overlap
};

/// Does segment a–b meet triangle p, q, r? Decided exactly for the given doubles.
///
/// The rule: one common point is enough. An end that lies on the triangle, an edge that grazes a
/// corner and a segment that overlaps the triangle in its plane all meet it. A triangle without
/// area is its three edges; a segment without length is a point.
bool edge_meets_triangle(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q, const Vec3& r);

/// As above, telling seams apart. Where points with different numbers lie at exactly the same
/// place (sheets that were not fused), neighbouring elements meet there by construction. Such a
/// pair is `touching` as long as all they have in common is
/// - one end of the segment that equals a corner, or
/// - the whole segment, both ends equal to corners.
/// A segment that starts at a corner and runs on inside the triangle's plane over the triangle is
/// `crossing`. With a triangle without area, a coinciding end makes the pair `touching`.
Contact edge_triangle_contact(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q,
                              const Vec3& r);

/// Do the closed segments a–b and c–d have a point in common? Exact.
bool segments_meet(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Do a, b, c lie on one line (or in one point)? Exact: the area is zero.
bool are_collinear(const Vec3& a, const Vec3& b, const Vec3& c);

} // namespace selvage
