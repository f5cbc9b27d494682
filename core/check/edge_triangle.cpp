#include "core/check/edge_triangle.h"

#include "core/check/exact_predicates.h"

#include <algorithm>

namespace selvage
{
namespace
{

/// The plane's coordinates when axis k is dropped.
Vec2 drop(const Vec3& x, int k) { return {x[(k + 1) % 3], x[(k + 2) % 3]}; }

int area_sign(const Vec3& a, const Vec3& b, const Vec3& c, int dropped)
{
    return orient2d(drop(a, dropped), drop(b, dropped), drop(c, dropped));
}

/// An axis whose dropping keeps the plane of a, b, c a plane; −1 if they are collinear.
int axis_off_plane(const Vec3& a, const Vec3& b, const Vec3& c)
{
    for (int k = 0; k < 3; ++k)
        if (area_sign(a, b, c, k) != 0) return k;
    return -1;
}

template <class V> bool in_box(const V& x, const V& a, const V& b)
{
    return (x.array() >= a.cwiseMin(b).array()).all() && (x.array() <= a.cwiseMax(b).array()).all();
}

bool segments_meet_2d(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d)
{
    const int abc = orient2d(a, b, c), abd = orient2d(a, b, d);
    const int cda = orient2d(c, d, a), cdb = orient2d(c, d, b);
    if (abc * abd < 0 && cda * cdb < 0) return true;
    return (abc == 0 && in_box(c, a, b)) || (abd == 0 && in_box(d, a, b)) ||
           (cda == 0 && in_box(a, c, d)) || (cdb == 0 && in_box(b, c, d));
}

/// For x in the plane of p, q, r, which has area when axis k is dropped.
bool in_triangle(const Vec3& x, const Vec3& p, const Vec3& q, const Vec3& r, int k)
{
    const int turn = area_sign(p, q, r, k);
    return turn * area_sign(p, q, x, k) >= 0 && turn * area_sign(q, r, x, k) >= 0 &&
           turn * area_sign(r, p, x, k) >= 0;
}

bool meets_outline(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q, const Vec3& r)
{
    return segments_meet(a, b, p, q) || segments_meet(a, b, q, r) || segments_meet(a, b, r, p);
}

/// All five points in one plane.
bool coplanar_meet(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q, const Vec3& r)
{
    const int k = axis_off_plane(p, q, r);
    if (k < 0) return meets_outline(a, b, p, q, r);
    const auto cut = [&](const Vec3& c, const Vec3& d) {
        return segments_meet_2d(drop(a, k), drop(b, k), drop(c, k), drop(d, k));
    };
    return in_triangle(a, p, q, r, k) || cut(p, q) || cut(q, r) || cut(r, p);
}

/// Segment from corner p to b, in the triangle's plane: does it run over the triangle?
bool runs_into_triangle(const Vec3& b, const Vec3& p, const Vec3& q, const Vec3& r)
{
    const int k = axis_off_plane(p, q, r);
    if (k < 0) return false;
    const int turn = area_sign(p, q, r, k);
    return turn * area_sign(p, q, b, k) >= 0 && turn * area_sign(r, p, b, k) >= 0;
}

} // namespace

bool are_collinear(const Vec3& a, const Vec3& b, const Vec3& c)
{
    return axis_off_plane(a, b, c) < 0;
}

bool segments_meet(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    if (orient3d(a, b, c, d) != 0) return false;
    int k = axis_off_plane(a, b, c);
    if (k < 0) k = axis_off_plane(a, b, d);
    if (k < 0) k = axis_off_plane(a, c, d);
    if (k < 0) k = axis_off_plane(b, c, d);
    if (k >= 0) return segments_meet_2d(drop(a, k), drop(b, k), drop(c, k), drop(d, k));
    // All on one line: the segments overlap where their boxes do.
    return (a.cwiseMin(b).array() <= c.cwiseMax(d).array()).all() &&
           (c.cwiseMin(d).array() <= a.cwiseMax(b).array()).all();
}

bool edge_meets_triangle(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q, const Vec3& r)
{
    const int side_a = orient3d(p, q, r, a), side_b = orient3d(p, q, r, b);
    if (side_a * side_b > 0) return false;
    if (side_a == 0 && side_b == 0) return coplanar_meet(a, b, p, q, r);
    // The line meets the plane in one point; it is inside where all edges turn the same way.
    const int pq = orient3d(a, b, p, q), qr = orient3d(a, b, q, r);
    if (pq * qr < 0) return false;
    const int rp = orient3d(a, b, r, p);
    return pq * rp >= 0 && qr * rp >= 0;
}

Contact edge_triangle_contact(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q,
                              const Vec3& r)
{
    const bool a_at_corner = a == p || a == q || a == r, b_at_corner = b == p || b == q || b == r;
    if (a_at_corner && b_at_corner) return Contact::touching;
    if (!a_at_corner && !b_at_corner)
        return edge_meets_triangle(a, b, p, q, r) ? Contact::crossing : Contact::none;

    const Vec3 &corner = a_at_corner ? a : b, &far = a_at_corner ? b : a;
    // Off the plane, corner is the only common point.
    if (orient3d(p, q, r, far) != 0) return Contact::touching;
    const bool overlaps = corner == p   ? runs_into_triangle(far, p, q, r)
                          : corner == q ? runs_into_triangle(far, q, r, p)
                                        : runs_into_triangle(far, r, p, q);
    return overlaps ? Contact::crossing : Contact::touching;
}

} // namespace selvage
