#include "core/contact/barrier.h"

#include "core/contact/barrier_kernel.h"
#include "core/contact/mollified_barrier.h"
#include "core/math/psd.h"
#include "tests/contact/stencils.h"
#include "tests/support/eigenvalues.h"
#include "tests/support/finite_difference.h"

#include <gtest/gtest.h>

#include <random>

namespace selvage
{
namespace
{

using namespace test;

TEST(Barrier, VanishesSmoothlyAtTheActivationDistance)
{
    const double d_hat = 1e-3;
    const auto b = barrier(d_hat * (1 - 1e-6), d_hat);
    EXPECT_NEAR(b.value / (d_hat * d_hat), 0, 1e-17);
    EXPECT_NEAR(b.first / d_hat, 0, 1e-11);
    EXPECT_NEAR(b.second, 0, 1e-5);
    for (const double d : {d_hat, 2 * d_hat}) {
        EXPECT_EQ(barrier(d, d_hat).value, 0);
        EXPECT_EQ(barrier(d, d_hat).first, 0);
        EXPECT_EQ(barrier(d, d_hat).second, 0);
    }
    EXPECT_EQ(barrier(0.0, d_hat).value, infinity);
    EXPECT_EQ(barrier(-1.0, d_hat).value, infinity);
    for (const double s : {0.01, 0.1, 0.5, 0.9}) {
        const VecX d = VecX::Constant(1, s * d_hat);
        const auto value = [&](const VecX& y) { return barrier(y[0], d_hat).value; };
        const auto first = [&](const VecX& y) { return barrier(y[0], d_hat).first; };
        const auto at = barrier(d[0], d_hat);
        EXPECT_NEAR(at.first / fd_gradient(value, d, 0.005 * d[0])[0], 1, 1e-9);
        EXPECT_NEAR(at.second / fd_gradient(first, d, 0.005 * d[0])[0], 1, 1e-9);
    }
}

TEST(Barrier, StiffnessMatchesItsEstimate)
{
    // κ_min ≈ 2.5e-6 m l²/d̂⁴ without thickness, 1.1e6 m for ξ = d̂ = 1 mm, l = 1 m.
    const StiffnessRange thin = barrier_stiffness_range(1, 1, 0, 1e-3);
    EXPECT_NEAR(thin.minimum, 2.5e6, 0.05e6);
    EXPECT_EQ(thin.maximum, 1e4 * thin.minimum);
    EXPECT_NEAR(barrier_stiffness_range(1, 1, 1e-3, 1e-3).minimum, 1.1e6, 0.1e6);

    EXPECT_EQ(adapted_barrier_stiffness(4e6, 9e-6, 8e-6, 1e-3, thin), 1.6e7);
    EXPECT_EQ(adapted_barrier_stiffness(4e6, 8e-6, 9e-6, 1e-3, thin), 4e6);
    EXPECT_EQ(adapted_barrier_stiffness(4e6, 2e-5, 8e-6, 1e-3, thin), 4e6);
    EXPECT_EQ(adapted_barrier_stiffness(thin.maximum, 9e-6, 8e-6, 1e-3, thin), thin.maximum);
}

TEST(Barrier, StiffnessHoldsTheMostPressedVertexAtAFifthOfTheGap)
{
    for (const double thickness : {0.0, 2e-3}) {
        const double d_hat = 1e-3, gap = 0.2 * d_hat, d = thickness + gap;
        const StiffnessRange range{1, 1e12};
        // Two vertices pressed upwards by 3 and 7, one pulled away, one not in contact.
        VecX barrier_gradient = VecX::Zero(12), other = VecX::Zero(12);
        barrier_gradient[1] = -0.5, other[1] = 3;
        barrier_gradient[4] = -0.1, other[4] = 7;
        barrier_gradient[7] = -0.1, other[7] = -9;
        other[10] = 50;
        const double kappa =
            initial_barrier_stiffness(barrier_gradient, other, thickness, d_hat, range);
        const double force =
            -2 * d * kappa *
            barrier(d * d - thickness * thickness, activation_distance(thickness, d_hat)).first;
        EXPECT_NEAR(force, 7, 1e-6);
        EXPECT_EQ(initial_barrier_stiffness(VecX::Zero(12), other, thickness, d_hat, range), 1);
        EXPECT_EQ(
            initial_barrier_stiffness(barrier_gradient, 1e30 * other, thickness, d_hat, range),
            range.maximum);
    }
}

/// Gap at which the barrier carries the weight of a mass m = 1 kg.
double rest_gap(double kappa, double h, double xi, double d_hat)
{
    double low = 0, high = d_hat;
    for (int i = 0; i < 200; ++i) {
        const double gap = 0.5 * (low + high), d = xi + gap;
        const double D = gap * (gap + 2 * xi);
        const double push = -kappa * barrier(D, activation_distance(xi, d_hat)).first * 2 * d;
        (push > 9.81 * h * h ? low : high) = gap;
    }
    return low / d_hat;
}

TEST(Barrier, PointMassRestsAtTheGapOfItsWeight)
{
    const double kappa = 2.5e6, d_hat = 1e-3;
    EXPECT_NEAR(rest_gap(kappa, 0.01, 0, d_hat), 0.8662, 1e-4);
    EXPECT_NEAR(rest_gap(kappa, 0.025, 0, d_hat), 0.6388, 1e-4);
    EXPECT_NEAR(rest_gap(kappa, 0.04, 0, d_hat), 0.3847, 1e-4);
    EXPECT_NEAR(rest_gap(kappa, 0.01, 1e-3, d_hat), 0.9214, 1e-4);
    EXPECT_NEAR(rest_gap(kappa, 0.04, 1e-3, d_hat), 0.6855, 1e-4);
}

template <class Stencil> using Stacked = Eigen::Matrix<double, 3 * Stencil::N, 1>;
template <class Stencil>
ElementResult<double, Stencil::N> evaluate(const Stacked<Stencil>& x, double xi, double d_hat,
                                           Psd psd)
{
    Point p[Stencil::N];
    unstack<Stencil::N>(x, p);
    ElementResult<double, Stencil::N> result{};
    barrier_kernel<Stencil, double>(p, xi * xi, activation_distance(xi, d_hat), 3.0,
                                    {true, true, true, psd}, result);
    return result;
}

/// A random stencil of unit size whose closest points are interior and whose gap is `gap`.
template <class Stencil> Stacked<Stencil> stencil_at(Random& random, double distance);
template <> Vec6 stencil_at<PointPoint>(Random& random, double distance)
{
    Vec6 x;
    x.head<3>() = random.vector(3);
    x.tail<3>() = x.head<3>() + distance * random.rotation().col(0);
    return x;
}
template <> Vec9 stencil_at<PointEdge>(Random& random, double distance)
{
    Vec9 x;
    x << 0.3 + 0.2 * random(), distance, 0, 0, 0, 0, 1 + 0.2 * random(), 0, 0;
    return moved(x, random.rotation(), random.vector(3));
}
template <> Vec12 stencil_at<PointTriangle>(Random& random, double distance)
{
    Vec12 x;
    x << 0.3 + 0.1 * random(), distance, 0.3 + 0.1 * random(), 0, 0, 0, 1 + 0.2 * random(), 0,
        0.2 * random(), 0.2 * random(), 0, 1 + 0.2 * random();
    return moved(x, random.rotation(), random.vector(3));
}
template <> Vec12 stencil_at<EdgeEdge>(Random& random, double distance)
{
    Vec12 x;
    x << -0.5 + 0.2 * random(), distance, 0.3 * random(), 0.5, distance, 0.3 * random(),
        0.3 * random(), 0, -0.6, 0.3 * random(), 0, 0.5 + 0.2 * random();
    return moved(x, random.rotation(), random.vector(3));
}

template <class Stencil> class BarrierStencil : public testing::Test
{
};
using Stencils = testing::Types<PointPoint, PointEdge, PointTriangle, EdgeEdge>;
TYPED_TEST_SUITE(BarrierStencil, Stencils);

TYPED_TEST(BarrierStencil, DerivativesMatchDifferences)
{
    Random random(21);
    for (const double xi : {0.0, 0.02, 0.3})
        for (const double part : {0.1, 0.5, 0.8}) {
            const double d_hat = 0.1;
            const VecX x = stencil_at<TypeParam>(random, xi + part * d_hat);
            const auto energy = [&](const VecX& y) {
                return evaluate<TypeParam>(y, xi, d_hat, Psd::exact).energy;
            };
            const auto gradient = [&](const VecX& y) {
                return VecX(stacked_gradient(evaluate<TypeParam>(y, xi, d_hat, Psd::exact)));
            };
            const auto r = evaluate<TypeParam>(x, xi, d_hat, Psd::exact);
            const double h = 0.003 * part * d_hat;
            EXPECT_LE(relative_error(stacked_gradient(r), fd_gradient(energy, x, h)), 1e-8);
            EXPECT_LE(relative_error(stacked_hessian(r), fd_jacobian(gradient, x, h)), 1e-8);
        }
}

TYPED_TEST(BarrierStencil, ClampEqualsTheEigenvalueClamp)
{
    Random random(22);
    for (const double xi : {0.0, 0.01, 0.3})
        for (const double d_hat : {1e-3, 0.1, 1.0})
            for (const double part : {1e-4, 0.1, 0.5, 0.9}) {
                const auto x = stencil_at<TypeParam>(random, xi + part * d_hat);
                const MatX exact = stacked_hessian(evaluate<TypeParam>(x, xi, d_hat, Psd::exact));
                const auto clamped = stacked_hessian(evaluate<TypeParam>(x, xi, d_hat, Psd::clamp));
                const MatX expected = clamp_eigenvalues(
                    stacked_hessian(evaluate<TypeParam>(x, xi, d_hat, Psd::exact)));
                // r itself is only known to rounding of the coordinates.
                const double tolerance = 1e-11 + 2e-15 / (xi + part * d_hat);
                EXPECT_LE((clamped - expected).norm(), tolerance * exact.norm());
                EXPECT_GE(min_eigenvalue(clamped), -1e-13 * exact.norm());
            }
}

TYPED_TEST(BarrierStencil, BatchEqualsSingles)
{
    constexpr int N = TypeParam::N;
    Random random(23);
    Vec3T<Real4> x[N];
    Stacked<TypeParam> single[4];
    const double xi = 0.01, d_hat = 0.1;
    for (int lane = 0; lane < 4; ++lane) {
        single[lane] = stencil_at<TypeParam>(random, xi + 0.02 * (lane + 1));
        for (int i = 0; i < N; ++i) {
            x[i].x[lane] = single[lane][3 * i];
            x[i].y[lane] = single[lane][3 * i + 1];
            x[i].z[lane] = single[lane][3 * i + 2];
        }
    }
    ElementResult<Real4, N> batch{};
    barrier_kernel<TypeParam, Real4>(x, Real4(xi * xi), Real4(activation_distance(xi, d_hat)),
                                     Real4(3.0), {true, true, true, Psd::clamp}, batch);
    for (int lane = 0; lane < 4; ++lane) {
        const auto r = evaluate<TypeParam>(single[lane], xi, d_hat, Psd::clamp);
        EXPECT_NEAR(batch.energy[lane], r.energy, 1e-13 * r.energy);
        const double size = stacked_hessian(r).norm();
        for (int i = 0; i < pair_count(N); ++i)
            for (int e = 0; e < 9; ++e)
                EXPECT_NEAR(batch.hessian[i].m[e][lane], r.hessian[i].m[e], 1e-12 * size);
    }
}

Vec12 nearly_parallel(double angle, double distance)
{
    Vec12 x;
    x << -0.5, 0, 0, 0.5, 0.02, 0, -0.45, distance, 0.5 * std::sin(angle), 0.55, distance,
        -0.5 * std::sin(angle);
    return x;
}

TEST(MollifiedBarrier, DerivativesMatchDifferencesInAllCases)
{
    Random random(24);
    const MollifiedBarrier pair = {0.01, activation_distance(0.01, 0.2), 0.6, 2.0};
    int tested = 0;
    for (int trial = 0; trial < 400 && tested < 60; ++trial) {
        Vec12 x = 0.6 * random.vector(12);
        const ClosestFeature f = edge_edge_pair(x).feature;
        const double d = std::sqrt(f.squared_distance);
        if (d < 0.05 || d > 0.17 || edge_cross_squared(x) > 0.5) continue;
        const double h = 5e-4;
        bool stable = edge_edge_pair(x).hessian.norm() < 30;
        for (int i = 0; i < 12; ++i)
            for (const double s : {-3 * h, 3 * h}) {
                Vec12 y = x;
                y[i] += s;
                stable = stable && edge_edge_pair(y).feature.vertices == f.vertices;
            }
        if (!stable) continue;
        ++tested;
        const auto energy = [&](const VecX& y) { return mollified_barrier_energy(y, pair); };
        const auto gradient = [&](const VecX& y) {
            return VecX(mollified_barrier_gradient(y, pair));
        };
        EXPECT_LE(relative_error(mollified_barrier_gradient(x, pair), fd_gradient(energy, x, h)),
                  1e-7);
        const Mat12 H = mollified_barrier_hessian(x, pair, Psd::exact);
        EXPECT_LE(relative_error(H, fd_jacobian(gradient, x, h)), 1e-7);
        const Mat12 clamped = mollified_barrier_hessian(x, pair, Psd::clamp);
        EXPECT_LE((clamped - clamp_eigenvalues(H)).norm(), 1e-11 * H.norm());
    }
    EXPECT_GE(tested, 30);
}

/// Pairs that are clamped together do not know of each other.
TEST(MollifiedBarrier, FourAtOnceAreFourAlone)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> off(-0.03, 0.03);
    Vec12 x[4], g[4];
    Mat12 H[4];
    MollifiedBarrier pairs[4];
    for (std::size_t k = 0; k < 4; ++k) {
        x[k] << 0, 0, 0, 1, 0, 0, 0.3, 0.1, 0, 1.2, 0.1, 0.01;
        for (int i = 0; i < 12; ++i) x[k][i] += off(random);
        pairs[k] = {0.01 * double(k), activation_distance(0.01 * double(k), 0.2), 0.1,
                    1.0 + double(k)};
    }
    for (const std::size_t count : {4u, 3u}) {
        mollified_barrier_derivatives(x, pairs, count, Psd::clamp, g, H);
        for (std::size_t k = 0; k < count; ++k) {
            const Mat12 alone = mollified_barrier_hessian(x[k], pairs[k], Psd::clamp);
            EXPECT_GT(alone.norm(), 0);
            EXPECT_LE((H[k] - alone).norm(), 1e-12 * alone.norm());
            EXPECT_EQ(g[k], mollified_barrier_gradient(x[k], pairs[k]));
        }
    }
}

TEST(MollifiedBarrier, GradientIsContinuousThroughExactParallelism)
{
    const MollifiedBarrier pair = {0, activation_distance(0, 0.1), mollifier_threshold, 1};
    Vec12 flat = nearly_parallel(0, 0.03);
    flat[4] = 0; // both edges along x
    EXPECT_EQ(mollified_barrier_energy(flat, pair), 0);
    EXPECT_EQ(mollified_barrier_gradient(flat, pair).norm(), 0);
    const auto turned = [&](double angle) {
        Vec12 x = flat;
        x[8] = 0.5 * std::sin(angle), x[11] = -0.5 * std::sin(angle);
        return mollified_barrier_gradient(x, pair);
    };
    const double scale = turned(0.02).norm();
    ASSERT_GT(scale, 0);
    Vec12 before = turned(-0.04);
    double largest_jump = 0;
    for (int k = -3999; k <= 4000; ++k) {
        const Vec12 now = turned(1e-5 * k);
        largest_jump = std::max(largest_jump, (now - before).norm());
        before = now;
    }
    EXPECT_LE(largest_jump, 0.01 * scale);
    EXPECT_LE(turned(1e-9).norm(), 1e-5 * scale);
}

} // namespace
} // namespace selvage
