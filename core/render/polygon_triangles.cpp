#include "core/render/polygon_triangles.h"

#include <Eigen/Geometry>

#include <numeric>

namespace selvage
{
namespace
{

/// Twice the signed area of a triangle in the plane.
double signed_area(const Vec2& a, const Vec2& b, const Vec2& c)
{
    return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
}

/// The corners seen along the polygon's area vector, counter-clockwise.
std::vector<Vec2> flatten(const std::vector<Vec3>& corners)
{
    Vec3 area = Vec3::Zero(); // twice the area vector, from triangles with corner 0
    for (std::size_t i = 2; i < corners.size(); ++i)
        area += (corners[i - 1] - corners[0]).cross(corners[i] - corners[0]);
    const Vec3 n = area.norm() > 0 ? area.normalized() : Vec3(Vec3::UnitY());
    const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
    std::vector<Vec2> flat;
    for (const Vec3& c : corners) flat.emplace_back(u.dot(c - corners[0]), v.dot(c - corners[0]));
    return flat;
}

bool is_ear(const std::vector<Vec2>& p, const std::vector<int>& ring, std::size_t i)
{
    const std::size_t n = ring.size();
    const int ia = ring[(i + n - 1) % n], ib = ring[i], ic = ring[(i + 1) % n];
    const Vec2 &a = p[std::size_t(ia)], &b = p[std::size_t(ib)], &c = p[std::size_t(ic)];
    if (!(signed_area(a, b, c) > 0)) return false;
    for (const int k : ring) {
        if (k == ia || k == ib || k == ic) continue;
        const Vec2& q = p[std::size_t(k)];
        if (q == a || q == b || q == c) continue; // bridges to holes repeat a corner
        if (signed_area(a, b, q) >= 0 && signed_area(b, c, q) >= 0 && signed_area(c, a, q) >= 0)
            return false;
    }
    return true;
}

} // namespace

std::vector<std::array<int, 3>> triangulate_polygon(const std::vector<Vec3>& corners)
{
    std::vector<std::array<int, 3>> triangles;
    if (corners.size() < 3) return triangles;
    if (corners.size() == 3) return {{0, 1, 2}};
    if (corners.size() == 4) {
        // The diagonal whose triangles both face forwards; of two such, the shorter one.
        const auto p = flatten(corners);
        const bool by_02 = signed_area(p[0], p[1], p[2]) > 0 && signed_area(p[0], p[2], p[3]) > 0;
        const bool by_13 = signed_area(p[0], p[1], p[3]) > 0 && signed_area(p[1], p[2], p[3]) > 0;
        const bool shorter_13 =
            (corners[3] - corners[1]).squaredNorm() < (corners[2] - corners[0]).squaredNorm();
        if (by_13 && (!by_02 || shorter_13)) return {{0, 1, 3}, {1, 2, 3}};
        return {{0, 1, 2}, {0, 2, 3}};
    }

    const std::vector<Vec2> flat = flatten(corners);
    std::vector<int> ring(corners.size());
    std::iota(ring.begin(), ring.end(), 0);
    while (ring.size() > 3) {
        std::size_t ear = 0;
        while (ear < ring.size() && !is_ear(flat, ring, ear)) ++ear;
        if (ear == ring.size()) ear = 1; // crossing or collinear outline: go on as a fan
        const std::size_t n = ring.size();
        triangles.push_back({ring[(ear + n - 1) % n], ring[ear], ring[(ear + 1) % n]});
        ring.erase(ring.begin() + std::ptrdiff_t(ear));
    }
    triangles.push_back({ring[0], ring[1], ring[2]});
    return triangles;
}

} // namespace selvage
