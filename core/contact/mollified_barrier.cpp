#include "core/contact/mollified_barrier.h"

#include "core/contact/jacobi_clamp.h"

#include <algorithm>
#include <cassert>

namespace selvage
{
namespace
{

ClosestFeature feature_of(const Vec12& x)
{
    Vec3T<double> p[4];
    unstack<4>(x, p);
    return edge_edge_feature(p);
}

/// Value and derivatives of the closest feature, in the pair's twelve coordinates.
DistanceDerivatives<4> embedded_distance(const Vec12& x)
{
    const ClosestFeature f = feature_of(x);
    if (f.kind == StencilKind::edge_edge) return edge_edge_distance(x);
    DistanceDerivatives<4> out{0, Vec12::Zero(), Mat12::Zero()};
    const auto embed = [&](const auto& part, int n) {
        out.value = part.value;
        for (int i = 0; i < n; ++i) {
            const int a = 3 * f.vertices[std::size_t(i)];
            out.gradient.segment<3>(a) = part.gradient.template segment<3>(3 * i);
            for (int j = 0; j < n; ++j)
                out.hessian.block<3, 3>(a, 3 * f.vertices[std::size_t(j)]) =
                    part.hessian.template block<3, 3>(3 * i, 3 * j);
        }
    };
    const auto vertex = [&](std::size_t i) { return x.segment<3>(3 * f.vertices[i]); };
    if (f.kind == StencilKind::point_point) {
        Vec6 y;
        for (std::size_t i = 0; i < 2; ++i) y.segment<3>(3 * Eigen::Index(i)) = vertex(i);
        embed(point_point_distance(y), 2);
    } else {
        Vec9 y;
        for (std::size_t i = 0; i < 3; ++i) y.segment<3>(3 * Eigen::Index(i)) = vertex(i);
        embed(point_edge_distance(y), 3);
    }
    return out;
}

/// Eigenvalue clamp of matrices that translations leave alone, up to four at once.
void clamp_translation_invariant(Mat12* H, std::size_t count)
{
    // Orthonormal rows, each orthogonal to (1, 1, 1, 1).
    constexpr double h = 0.5;
    constexpr double Q[3][4] = {{h, h, -h, -h}, {h, -h, h, -h}, {h, -h, -h, h}};
    Real4 half[12][9], K[9][9]; // H Qᵀ, Q H Qᵀ
    for (int i = 0; i < 12; ++i)
        for (int b = 0; b < 9; ++b) {
            half[i][b] = Real4(0.0);
            for (int j = 0; j < 4; ++j) {
                Real4 entry;
                for (std::size_t lane = 0; lane < 4; ++lane)
                    entry[lane] = H[std::min(lane, count - 1)](i, 3 * j + b % 3);
                half[i][b] = half[i][b] + Real4(Q[b / 3][j]) * entry;
            }
        }
    for (int a = 0; a < 9; ++a)
        for (int b = 0; b < 9; ++b) {
            K[a][b] = Real4(0.0);
            for (int i = 0; i < 4; ++i)
                K[a][b] = K[a][b] + Real4(Q[a / 3][i]) * half[3 * i + a % 3][b];
        }
    jacobi_clamp<9>(K);
    for (int i = 0; i < 12; ++i)
        for (int b = 0; b < 9; ++b) {
            half[i][b] = Real4(0.0);
            for (int a = 0; a < 3; ++a)
                half[i][b] = half[i][b] + Real4(Q[a][i / 3]) * K[3 * a + i % 3][b];
        }
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) {
            Real4 entry(0.0);
            for (int b = 0; b < 3; ++b) entry = entry + Real4(Q[b][j / 3]) * half[i][3 * b + j % 3];
            for (std::size_t lane = 0; lane < count; ++lane) H[lane](i, j) = entry[lane];
        }
}

} // namespace

double mollified_barrier_energy(const Vec12& x, const MollifiedBarrier& pair)
{
    const double D = feature_of(x).squared_distance - pair.thickness * pair.thickness;
    const double b = barrier(D, pair.D_hat).value;
    return b > 0 ? pair.scale * mollifier(edge_cross_squared(x), pair.epsilon).value * b : 0;
}

void mollified_barrier_derivatives(const Vec12* x, const MollifiedBarrier* pair, std::size_t count,
                                   Psd psd, Vec12* gradient, Mat12* hessian)
{
    assert(count > 0 && count <= 4);
    for (std::size_t k = 0; k < count; ++k) {
        const DistanceDerivatives<4> D = embedded_distance(x[k]);
        const EdgeCross c = edge_cross(x[k]);
        const double xi = pair[k].thickness, s = pair[k].scale;
        const BarrierValue<double> b = barrier(D.value - xi * xi, pair[k].D_hat);
        const Mollifier e = mollifier(c.value, pair[k].epsilon);
        gradient[k] = s * (b.value * e.first * c.gradient + e.value * b.first * D.gradient);
        if (!hessian) continue;
        Mat12& H = hessian[k];
        H = s * b.value * (e.second * c.gradient * c.gradient.transpose() + e.first * c.hessian);
        const Mat12 mixed = (s * e.first * b.first) * c.gradient * D.gradient.transpose();
        H += mixed + mixed.transpose();
        H += s * e.value * (b.second * D.gradient * D.gradient.transpose() + b.first * D.hessian);
    }
    if (hessian && psd == Psd::clamp) clamp_translation_invariant(hessian, count);
}

Vec12 mollified_barrier_gradient(const Vec12& x, const MollifiedBarrier& pair)
{
    Vec12 g;
    mollified_barrier_derivatives(&x, &pair, 1, Psd::exact, &g, nullptr);
    return g;
}

Mat12 mollified_barrier_hessian(const Vec12& x, const MollifiedBarrier& pair, Psd psd)
{
    Vec12 g;
    Mat12 H;
    mollified_barrier_derivatives(&x, &pair, 1, psd, &g, &H);
    return H;
}

} // namespace selvage
