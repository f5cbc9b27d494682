#pragma once

#include "core/geometry/nearest_surface.h"

#include <cstdint>
#include <vector>

namespace selvage
{

/// A tree over the triangles of a surface at one moment: tells where points are in relation to it.
class SurfaceTree
{
public:
    /// Triangles of the points x; both are copied as far as they are needed.
    SurfaceTree(std::vector<Vec3i> triangles, const VecX& x);

    /// The place nearest to p; none in an empty tree.
    SurfacePlace nearest(const Vec3& p) const;
    const Vec3i& triangle(int t) const { return triangles_[std::size_t(t)]; }
    /// Unit normal, counter-clockwise; zero where degenerate.
    Vec3 normal(int t) const;
    /// [m] of p over the plane of a triangle.
    double height(int t, const Vec3& p) const { return normal(t).dot(p - corner(t, 0)); }

    /// How often the surface winds around p [Jacobson et al. 2013]: 1 inside a closed surface whose
    /// normals point outwards, 2 where two parts of it overlap, 0 outside, and in between where it
    /// has holes. Far clusters count as dipoles [Barill et al. 2018].
    double winding_number(const Vec3& p) const;
    /// Whether the surface has an inside: holes (neck, wrists) may make up two per cent of it.
    bool closed() const { return closed_; }
    /// False for all points of a surface that is not closed.
    bool inside(const Vec3& p) const;

private:
    struct Node {
        Vec3 lower, upper;
        Vec3 centre = Vec3::Zero();      ///< area-weighted
        Vec3 vector_area = Vec3::Zero(); ///< Σ area × normal
        double radius = 0;               ///< around the centre
        std::int32_t begin = 0, end = 0; ///< into order_
        std::int32_t right = -1;         ///< second child (the first follows); −1: leaf
    };
    std::int32_t build(std::int32_t begin, std::int32_t end);
    bool find_closed() const;
    const Vec3& corner(std::int32_t t, int k) const
    {
        return corners_[3 * std::size_t(t) + std::size_t(k)];
    }

    std::vector<Vec3i> triangles_;
    std::vector<Vec3> corners_; // three per triangle
    std::vector<std::int32_t> order_;
    std::vector<Node> nodes_;
    bool closed_ = false;
};

} // namespace selvage
