#pragma once

#include "core/geometry/geometry.h"

#include <string>
#include <vector>

namespace selvage::houdini
{

/// Points bound to a surface: each to its nearest triangle, by barycentric coordinates and a height
/// along the interpolated vertex normal,
///   x = Σ bᵢ pᵢ + h n,   n = Σ bᵢ nᵢ / ‖Σ bᵢ nᵢ‖,
/// so that neighbouring points move alike across triangle borders, coincident points stay
/// coincident (seams), and two sides of a cloth keep their distance.
class SurfaceBinding
{
public:
    /// Binds `points` [m] to the surface's triangles within `radius` [m].
    SurfaceBinding(const Geometry& surface, const VecX& points, double radius);

    /// Where the points go when the surface is `moved`; unbound ones stay at `points`. Throws
    /// InputError where its points are others than the surface's.
    VecX positions(const Geometry& moved, const VecX& points) const;
    /// Empty where all points are bound.
    std::string unbound_message() const;

private:
    struct Bound {
        int triangle = -1;
        Vec3 barycentric = Vec3::Zero();
        double height = 0;
    };
    std::vector<Vec3> normals(const VecX& x) const;

    std::vector<Vec3i> triangles_;
    std::size_t surface_points_;
    std::vector<Bound> bound_;
    std::size_t unbound_ = 0;
    std::size_t first_unbound_ = 0;
    double radius_;
};

} // namespace selvage::houdini
