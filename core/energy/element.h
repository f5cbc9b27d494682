#pragma once

#include "core/energy/scatter_map.h"
#include "core/math/simd.h"

namespace selvage
{

/// What a kernel computes for one element (T = double) or a batch of four (T = Real4).
template <class T, int N> struct ElementResult {
    T energy;
    Vec3T<T> gradient[N];
    Mat3T<T> hessian[pair_count(N)]; ///< blocks (i, j), i <= j, see pair_index

    Mat3T<T>& block(int i, int j) { return hessian[pair_index(N, i, j)]; }
};

/// Stacked [x0 y0 z0 x1 …] to the kernels' layout and back.
template <int N> void unstack(const Eigen::Matrix<double, 3 * N, 1>& x, Vec3T<double> (&out)[N])
{
    for (int i = 0; i < N; ++i) out[i] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
}
template <int N> Eigen::Matrix<double, 3 * N, 1> stacked_gradient(const ElementResult<double, N>& r)
{
    Eigen::Matrix<double, 3 * N, 1> g;
    for (int i = 0; i < N; ++i)
        g.template segment<3>(3 * i) << r.gradient[i].x, r.gradient[i].y, r.gradient[i].z;
    return g;
}
template <int N>
Eigen::Matrix<double, 3 * N, 3 * N> stacked_hessian(const ElementResult<double, N>& r)
{
    Eigen::Matrix<double, 3 * N, 3 * N> H;
    for (int i = 0; i < N; ++i)
        for (int j = i; j < N; ++j) {
            const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> B(
                r.hessian[pair_index(N, i, j)].m);
            H.template block<3, 3>(3 * i, 3 * j) = B;
            H.template block<3, 3>(3 * j, 3 * i) = B.transpose();
        }
    return H;
}

} // namespace selvage
