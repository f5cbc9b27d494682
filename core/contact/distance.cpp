#include "core/contact/distance.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

using V = Vec3T<double>;

/// Below this sine the interior edge–edge case has to beat the end points.
constexpr double nearly_parallel_sine = 1e-4;
/// A triangle whose double area is below this fraction of its longest edge squared is treated as
/// its three edges.
constexpr double degenerate_area = 1e-12;

double squared_norm(const V& a) { return dot(a, a); }

struct SegmentPoint {
    V r;        ///< from the segment to the point
    int region; ///< 0: first end, 1: second end, 2: inside
};

/// Point at offset d from the segment's first end, segment vector e.
SegmentPoint closest_on_segment(const V& d, const V& e)
{
    const double along = dot(d, e), length = dot(e, e);
    if (!(along > 0)) return {d, 0};
    if (!(along < length)) return {d - e, 1};
    return {d - (along / length) * e, 2};
}

/// Where the features found along the way are kept; CCD keeps none.
struct NoRecord {
    double best = infinity;
    V r{};
    void offer(const SegmentPoint& s, int p, int a, int)
    {
        const double squared = squared_norm(s.r);
        if (!(squared < best)) return;
        best = squared;
        r = p < a ? s.r : -s.r;
    }
    void offer_interior(const V& difference, StencilKind)
    {
        best = squared_norm(difference);
        r = difference;
    }
};

struct Record {
    double best = infinity;
    ClosestFeature feature;
    /// Point p against edge (a, b), in the pair's numbering.
    void offer(const SegmentPoint& s, int p, int a, int b)
    {
        const double squared = squared_norm(s.r);
        if (!(squared < best)) return;
        best = squared;
        const auto at = [](int i) { return std::int8_t(i); };
        if (s.region == 2)
            feature = {StencilKind::point_edge, {at(p), at(a), at(b), -1}, best};
        else {
            const int q = s.region == 0 ? a : b;
            feature = {
                StencilKind::point_point, {at(std::min(p, q)), at(std::max(p, q)), -1, -1}, best};
        }
    }
    void offer_interior(const V& difference, StencilKind kind)
    {
        best = squared_norm(difference);
        feature = {kind, {0, 1, 2, 3}, best};
    }
};

template <class R> void point_triangle(const V (&x)[4], R& record)
{
    const V d = x[0] - x[1], e1 = x[2] - x[1], e2 = x[3] - x[1], n = cross(e1, e2), e3 = e2 - e1;
    const double area = dot(n, n);
    const double longest = std::max({dot(e1, e1), dot(e2, e2), dot(e3, e3)});
    const double b1 = dot(cross(d, e2), n), b2 = dot(cross(e1, d), n), b0 = area - b1 - b2;
    const bool degenerate = !(area > degenerate_area * degenerate_area * longest * longest);
    if (!degenerate && b0 > 0 && b1 > 0 && b2 > 0)
        return record.offer_interior(d - (b1 / area) * e1 - (b2 / area) * e2,
                                     StencilKind::point_triangle);
    // The closest point lies on an edge that the point sees from outside.
    if (degenerate || b2 <= 0) record.offer(closest_on_segment(d, e1), 0, 1, 2);
    if (degenerate || b1 <= 0) record.offer(closest_on_segment(d, e2), 0, 1, 3);
    if (degenerate || b0 <= 0) record.offer(closest_on_segment(d - e1, e3), 0, 2, 3);
}

template <class R> void edge_edge(const V (&x)[4], R& record)
{
    const V d = x[2] - x[0], u = x[1] - x[0], v = x[3] - x[2], n = cross(u, v);
    const double area = dot(n, n), scale = dot(u, u) * dot(v, v);
    const double a = dot(cross(d, v), n), b = dot(cross(d, u), n);
    const bool crossing = area > parallel_sine * parallel_sine * scale;
    const bool interior = crossing && a > 0 && a < area && b > 0 && b < area;
    const V between = interior ? (a / area) * u - (b / area) * v - d : V{};
    if (interior && area > nearly_parallel_sine * nearly_parallel_sine * scale)
        return record.offer_interior(between, StencilKind::edge_edge);
    record.offer(closest_on_segment(-d, v), 0, 2, 3);
    record.offer(closest_on_segment(u - d, v), 1, 2, 3);
    record.offer(closest_on_segment(d, u), 2, 0, 1);
    record.offer(closest_on_segment(d + v, u), 3, 0, 1);
    if (interior && squared_norm(between) < record.best)
        record.offer_interior(between, StencilKind::edge_edge);
}

template <class Stencil>
DistanceDerivatives<Stencil::N> derivatives(Stencil stencil,
                                            const Eigen::Matrix<double, 3 * Stencil::N, 1>& stacked)
{
    constexpr int N = Stencil::N;
    V x[N];
    unstack<N>(stacked, x);
    const auto c = closest_points(stencil, x);
    ElementResult<double, N> result{};
    for (int i = 0; i < N; ++i) result.gradient[i] = (2 * c.w[i]) * c.r;
    distance_hessian<Stencil>(c, result.hessian);
    return {squared_norm(c.r), stacked_gradient(result), stacked_hessian(result)};
}

} // namespace

ClosestFeature point_edge_feature(const V (&x)[3])
{
    Record record;
    record.offer(closest_on_segment(x[0] - x[1], x[2] - x[1]), 0, 1, 2);
    return record.feature;
}

ClosestFeature point_triangle_feature(const V (&x)[4])
{
    Record record;
    point_triangle(x, record);
    return record.feature;
}

ClosestFeature edge_edge_feature(const V (&x)[4])
{
    Record record;
    edge_edge(x, record);
    return record.feature;
}

double stencil_distance(StencilKind kind, const V (&x)[4])
{
    const auto length = [](const V& r) { return std::sqrt(squared_norm(r)); };
    switch (kind) {
    case StencilKind::point_point: return length(x[0] - x[1]);
    case StencilKind::point_edge: return length(closest_points(PointEdge{}, {x[0], x[1], x[2]}).r);
    case StencilKind::point_triangle: return length(closest_points(PointTriangle{}, x).r);
    case StencilKind::edge_edge: break;
    }
    return length(edge_edge_separation(x));
}

V point_edge_separation(const V (&x)[3]) { return closest_on_segment(x[0] - x[1], x[2] - x[1]).r; }

V point_triangle_separation(const V (&x)[4])
{
    NoRecord record;
    point_triangle(x, record);
    return record.r;
}

V edge_edge_separation(const V (&x)[4])
{
    NoRecord record;
    edge_edge(x, record);
    return record.r;
}

DistanceDerivatives<2> point_point_distance(const Vec6& x) { return derivatives(PointPoint{}, x); }
DistanceDerivatives<3> point_edge_distance(const Vec9& x) { return derivatives(PointEdge{}, x); }
DistanceDerivatives<4> point_triangle_distance(const Vec12& x)
{
    return derivatives(PointTriangle{}, x);
}
DistanceDerivatives<4> edge_edge_distance(const Vec12& x) { return derivatives(EdgeEdge{}, x); }

} // namespace selvage
