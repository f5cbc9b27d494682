#pragma once

#include "core/contact/closest_points.h"

#include <array>
#include <cstdint>

namespace selvage
{

/// Which closed form the distance of a pair takes: the kinds of stencil of the barrier.
enum class StencilKind : std::uint8_t { point_point, point_edge, point_triangle, edge_edge };

constexpr int arity(StencilKind kind)
{
    return kind == StencilKind::point_point ? 2 : kind == StencilKind::point_edge ? 3 : 4;
}

/// The closest feature of a pair: the reduced stencil as positions in the pair's own vertices.
///   pair (p, t0 t1 t2) of point and triangle: 0 | 1 2 3
///   pair (a0 a1, b0 b1) of two edges:         0 1 | 2 3
///   pair (p, e0 e1) of point and edge:        0 | 1 2
struct ClosestFeature {
    StencilKind kind = StencilKind::point_point;
    std::array<std::int8_t, 4> vertices = {0, 1, -1, -1};
    double squared_distance = 0; ///< [m²]
};

/// Closest features of closed sets. Every result is the squared length between two points that lie
/// on the sets, hence never below the true distance by more than rounding (some 1e-16 of the
/// coordinates); triangles and edges may be degenerate. Distances vary continuously across cases.
///
/// Edges whose sine is below `parallel_sine` are never classed edge_edge: the best point–edge or
/// point–point case stands in, exact to (length × sine)² / 2 distance. Below 1e-4 the interior case
/// must also win against the end points, so that its ill-conditioned parameters cannot do harm.
ClosestFeature point_edge_feature(const Vec3T<double> (&x)[3]);
ClosestFeature point_triangle_feature(const Vec3T<double> (&x)[4]);
ClosestFeature edge_edge_feature(const Vec3T<double> (&x)[4]);

inline constexpr double parallel_sine = 1e-10;

/// [m] distance of a reduced stencil; of a triangle as of its whole plane.
double stencil_distance(StencilKind kind, const Vec3T<double> (&x)[4]);

/// The difference r of the closest points, first set minus second, as CCD needs it: the same
/// distances, without recording the feature.
Vec3T<double> point_edge_separation(const Vec3T<double> (&x)[3]);
Vec3T<double> point_triangle_separation(const Vec3T<double> (&x)[4]);
Vec3T<double> edge_edge_separation(const Vec3T<double> (&x)[4]);

/// d² of a reduced stencil with derivatives, x stacked; for tests and cold paths. The closest
/// points must be interior to the stencil (see ClosestPoints).
template <int N> struct DistanceDerivatives {
    double value;                                ///< [m²]
    Eigen::Matrix<double, 3 * N, 1> gradient;    ///< [m]
    Eigen::Matrix<double, 3 * N, 3 * N> hessian; ///< not projected
};
DistanceDerivatives<2> point_point_distance(const Vec6& x);
DistanceDerivatives<3> point_edge_distance(const Vec9& x);
DistanceDerivatives<4> point_triangle_distance(const Vec12& x);
DistanceDerivatives<4> edge_edge_distance(const Vec12& x);

} // namespace selvage
