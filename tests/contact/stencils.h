#pragma once

#include "core/contact/distance.h"
#include "tests/support/meshes.h"

#include <map>
#include <utility>

namespace selvage::test
{

using Point = Vec3T<double>;

/// Squared distance of a pair's closed sets with derivatives, embedded in the pair's vertices.
struct PairDistance {
    ClosestFeature feature;
    double value;
    VecX gradient;
    MatX hessian;
};

template <int N>
PairDistance pair_distance(const Eigen::Matrix<double, 3 * N, 1>& x,
                           ClosestFeature (*classify)(const Point (&)[N]))
{
    Point p[N];
    unstack<N>(x, p);
    PairDistance out{classify(p), 0, VecX::Zero(3 * N), MatX::Zero(3 * N, 3 * N)};
    const auto embed = [&](auto&& derivatives, int n) {
        out.value = derivatives.value;
        for (int i = 0; i < n; ++i) {
            const int a = out.feature.vertices[std::size_t(i)];
            out.gradient.segment<3>(3 * a) += derivatives.gradient.template segment<3>(3 * i);
            for (int j = 0; j < n; ++j)
                out.hessian.block<3, 3>(3 * a, 3 * out.feature.vertices[std::size_t(j)]) +=
                    derivatives.hessian.template block<3, 3>(3 * i, 3 * j);
        }
    };
    const auto sub = [&](auto y) {
        for (int i = 0; i < int(y.size()) / 3; ++i)
            y.template segment<3>(3 * i) =
                x.template segment<3>(3 * out.feature.vertices[std::size_t(i)]);
        return y;
    };
    switch (out.feature.kind) {
    case StencilKind::point_point: embed(point_point_distance(sub(Vec6())), 2); break;
    case StencilKind::point_edge: embed(point_edge_distance(sub(Vec9())), 3); break;
    case StencilKind::point_triangle: embed(point_triangle_distance(sub(Vec12())), 4); break;
    case StencilKind::edge_edge: embed(edge_edge_distance(sub(Vec12())), 4); break;
    }
    return out;
}

inline PairDistance point_triangle_pair(const Vec12& x)
{
    return pair_distance<4>(x, point_triangle_feature);
}
inline PairDistance edge_edge_pair(const Vec12& x)
{
    return pair_distance<4>(x, edge_edge_feature);
}

} // namespace selvage::test
