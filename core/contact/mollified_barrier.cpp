#include "core/contact/mollified_barrier.h"

#include "core/contact/jacobi_clamp.h"

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

/// Eigenvalue clamp of a matrix that translations leave alone.
Mat12 clamp_translation_invariant(const Mat12& H)
{
    // Orthonormal rows, each orthogonal to (1, 1, 1, 1).
    constexpr double h = 0.5;
    constexpr double Q[3][4] = {{h, h, -h, -h}, {h, -h, h, -h}, {h, -h, -h, h}};
    double K[9][9];
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            Mat3 B = Mat3::Zero();
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) B += Q[a][i] * Q[b][j] * H.block<3, 3>(3 * i, 3 * j);
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) K[3 * a + r][3 * b + c] = B(r, c);
        }
    jacobi_clamp<9>(K);
    Mat12 out = Mat12::Zero();
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            Mat3 B;
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) B(r, c) = K[3 * a + r][3 * b + c];
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) out.block<3, 3>(3 * i, 3 * j) += Q[a][i] * Q[b][j] * B;
        }
    return out;
}

} // namespace

double mollified_barrier_energy(const Vec12& x, const MollifiedBarrier& pair)
{
    const double D = feature_of(x).squared_distance - pair.thickness * pair.thickness;
    const double b = barrier(D, pair.D_hat).value;
    return b > 0 ? pair.scale * mollifier(edge_cross_squared(x), pair.epsilon).value * b : 0;
}

void mollified_barrier_derivatives(const Vec12& x, const MollifiedBarrier& pair, Psd psd,
                                   Vec12& gradient, Mat12* hessian)
{
    const DistanceDerivatives<4> D = embedded_distance(x);
    const EdgeCross c = edge_cross(x);
    const BarrierValue<double> b = barrier(D.value - pair.thickness * pair.thickness, pair.D_hat);
    const Mollifier e = mollifier(c.value, pair.epsilon);
    const double s = pair.scale;
    gradient = s * (b.value * e.first * c.gradient + e.value * b.first * D.gradient);
    if (!hessian) return;
    Mat12 H = s * b.value * (e.second * c.gradient * c.gradient.transpose() + e.first * c.hessian);
    const Mat12 mixed = (s * e.first * b.first) * c.gradient * D.gradient.transpose();
    H += mixed + mixed.transpose();
    H += s * e.value * (b.second * D.gradient * D.gradient.transpose() + b.first * D.hessian);
    *hessian = psd == Psd::clamp ? clamp_translation_invariant(H) : H;
}

Vec12 mollified_barrier_gradient(const Vec12& x, const MollifiedBarrier& pair)
{
    Vec12 g;
    mollified_barrier_derivatives(x, pair, Psd::exact, g, nullptr);
    return g;
}

Mat12 mollified_barrier_hessian(const Vec12& x, const MollifiedBarrier& pair, Psd psd)
{
    Vec12 g;
    Mat12 H;
    mollified_barrier_derivatives(x, pair, psd, g, &H);
    return H;
}

} // namespace selvage
