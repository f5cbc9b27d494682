#include "core/energy/air_drag.h"

#include "tests/energy/term_checks.h"
#include "tests/support/eigenvalues.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// Drops a flat rigid sheet for `time` seconds by backward Euler with the drag's own forces and
/// Hessian; returns its velocity. Every vertex carries the same mass and, by symmetry of the sum,
/// the mean motion obeys m v' = m g − D u.
Vec3 falling_velocity(const Mat3& attitude, const AirProperties& air, double areal_density,
                      double time, double h)
{
    const Mesh mesh = grid_cloth(4, 4, 1, 1);
    VecX x = moved(mesh.stacked(), attitude, Vec3::Zero());
    Vec3 v = Vec3::Zero();
    AirDrag drag(mesh.triangles, air, mesh.vertex_count());
    const Vec3 gravity(0, -9.81, 0);
    for (double t = 0; t < time; t += h) {
        StepContext step;
        step.h = step.h_eff = h;
        const VecX velocity = v.replicate(mesh.vertex_count(), 1);
        step.x_0 = step.x_star = &x;
        step.v_0 = &velocity;
        drag.begin_step(step);
        // All vertices move by the same d: m (d/h − v)/h = m g − Σ gradient(x + d), linear in d.
        const auto force = [&](const Vec3& d) {
            VecX g = VecX::Zero(x.size());
            Sink sink;
            sink.gradient = &g;
            drag.evaluate(x + d.replicate(mesh.vertex_count(), 1), {false, true, false, Psd::clamp},
                          sink);
            Vec3 sum = Vec3::Zero();
            for (Eigen::Index i = 0; i < g.size(); i += 3) sum -= g.segment<3>(i);
            return sum;
        };
        const Vec3 f = force(Vec3::Zero());
        Mat3 A = Mat3::Identity() * areal_density / (h * h);
        for (int k = 0; k < 3; ++k) A.col(k) -= force(Vec3::Unit(k)) - f;
        const Vec3 d = A.inverse() * (areal_density * (v / h + gravity) + f);
        x += d.replicate(mesh.vertex_count(), 1);
        v = d / h;
    }
    return v;
}

/// Triangles that are stretched, compressed, turned over, nearly a line, a line.
std::vector<Vec9> triangle_states(Random& random)
{
    std::vector<Vec9> all;
    for (const Vec2& s :
         {Vec2(1.5, 1.2), Vec2(0.5, 0.4), Vec2(1.1, -0.8), Vec2(1.2, 1e-3), Vec2(1, 0)}) {
        Vec9 p;
        p << 0, 0, 0, s[0], 0, 0, 0.3 * s[0], s[1], 0;
        all.push_back(moved(p, random.rotation(), Vec3(random.vector(3))));
    }
    return all;
}

void begin(AirDrag& drag, const VecX& x_0, const VecX& v_0, const VecX& x_star, double h)
{
    StepContext step;
    step.h = step.h_eff = h;
    step.x_0 = &x_0, step.v_0 = &v_0, step.x_star = &x_star;
    drag.begin_step(step);
}

} // namespace

TEST(AirDrag, DerivativesMatchFiniteDifferences)
{
    // The shape at the start of a step gives D, where the step ends the energy: both stretched,
    // compressed, turned over, nearly a line, a line.
    Random random(1);
    AirProperties air;
    air.wind = {1, -2, 0.5};
    air.lift = 0.7;
    const double h = 0.02;
    for (const Vec9& p : triangle_states(random))
        for (const Vec9& x : triangle_states(random)) {
            const Vec9 star = random.vector(9), velocity = random.vector(9);
            const Mat3 D = air_drag_matrix(p, {3, 1, 2}, air);
            const auto energy = [&](const VecX& y) {
                return air_drag_energy(y, star, h, D, air.wind);
            };
            const auto gradient = [&](const VecX& y) {
                return air_drag_gradient(y, star, h, D, air.wind);
            };
            EXPECT_LT(relative_error(gradient(x), fd_gradient(energy, x, 1e-2)), 1e-9);
            EXPECT_LT(relative_error(air_drag_hessian(h, D), fd_jacobian(gradient, x, 1e-2)), 1e-9);

            // With lift, which the step holds constant.
            AirDrag drag({0, 1, 2}, air, 3);
            begin(drag, p, velocity, star, h);
            const Evaluation at = evaluated(drag, x, all_exact);
            const auto whole = [&](const VecX& y) { return evaluated(drag, y, all_exact).energy; };
            const auto force = [&](const VecX& y) {
                return evaluated(drag, y, all_exact).gradient;
            };
            EXPECT_LT(relative_error(at.gradient, fd_gradient(whole, x, 1e-2)), 1e-9);
            EXPECT_LT(relative_error(at.matrix.dense(), fd_jacobian(force, x, 1e-2)), 1e-9);
        }
}

TEST(AirDrag, TurnsWithTheTriangleAndTheWind)
{
    Random random(2);
    AirProperties air;
    air.lift = 0.7;
    for (const Vec9& p : triangle_states(random))
        for (int i = 0; i < 10; ++i) {
            const Mat3 R = random.rotation();
            const Vec3 u = random.vector(3), shift = random.vector(3);
            const Vec9 q = moved(p, R, shift);
            const Mat3 D = air_drag_matrix(p, u, air);
            EXPECT_LT((air_drag_matrix(q, R * u, air) - R * D * R.transpose()).norm(),
                      1e-15 + 1e-13 * D.norm()); // the area of a thin triangle cancels
            EXPECT_LT((air_lift(q, R * u, air) - R * air_lift(p, u, air)).norm(), 1e-13);
        }
}

TEST(AirDrag, MovingWithTheWindCostsNothing)
{
    Random random(3);
    AirProperties air;
    air.wind = {1, -2, 0.5};
    air.lift = 0.7;
    const double h = 0.02;
    for (const Vec9& p : triangle_states(random)) {
        const Vec9 velocity = air.wind.replicate<3, 1>(), end = p + h * velocity;
        AirDrag drag({0, 1, 2}, air, 3);
        begin(drag, p, velocity, p, h);
        const Evaluation at = evaluated(drag, end, all_exact);
        EXPECT_LT(std::abs(at.energy), 1e-25);
        EXPECT_LT(at.gradient.norm(), 1e-13);
    }
}

namespace
{
/// How far below zero the eigenvalues of the Hessian lie, relative, over random triangles.
double lowest_eigenvalue(int count, unsigned seed)
{
    Random random(seed);
    double lowest = 0;
    for (int i = 0; i < count; ++i) {
        AirProperties air;
        air.normal = 1 + random(), air.tangential = 0.5 + 0.5 * random();
        const Mat9 H = air_drag_hessian(
            0.02, air_drag_matrix(random.vector(9), 5 * Vec3(random.vector(3)), air));
        lowest = std::min(lowest, min_eigenvalue(H) / H.norm());
    }
    return lowest;
}
} // namespace

TEST(AirDrag, HessianNeedsNoClamp) { EXPECT_GE(lowest_eigenvalue(1000, 4), -1e-14); }
TEST(AirDragFull, HessianNeedsNoClamp) { EXPECT_GE(lowest_eigenvalue(100000, 5), -1e-14); }

TEST(AirDrag, QuadraticDragLaw)
{
    Vec9 p;
    p << 0, 0, 0, 0, 0, 2, 1, 0, 0; // area 1, normal ±y
    const AirProperties air;
    const Vec3 facing(0, 3, 0), sliding(4, 0, 0);
    const Vec3 f = air_drag_matrix(p, facing, air) * facing;
    EXPECT_LT((f - Vec3(0, 0.5 * 1.225 * 1.28 * 9, 0)).norm(), 1e-12);
    const Vec3 t = air_drag_matrix(p, sliding, air) * sliding;
    EXPECT_LT((t - Vec3(0.5 * 1.225 * 0.02 * 16, 0, 0)).norm(), 1e-12);
}

TEST(AirDrag, TerminalVelocityOfAFlatSheet)
{
    const AirProperties air;
    const double density = 0.2;
    const double terminal = std::sqrt(2 * density * 9.81 / (air.density * air.normal));
    EXPECT_NEAR(falling_velocity(Mat3::Identity(), air, density, 3, 0.01)[1], -terminal,
                1e-6 * terminal);
    // On edge only skin friction is left.
    const Mat3 on_edge = Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()).toRotationMatrix();
    const double fast = std::sqrt(2 * density * 9.81 / (air.density * air.tangential));
    EXPECT_NEAR(falling_velocity(on_edge, air, density, 60, 0.05)[1], -fast, 1e-6 * fast);
}

TEST(AirDrag, ApproachFollowsTheHyperbolicTangent)
{
    // v(t) = v_t tanh(g t / v_t). Second order in h although ‖u‖ lags: old speed times new speed is
    // a midpoint.
    const AirProperties air;
    const double density = 0.2;
    const double terminal = std::sqrt(2 * density * 9.81 / (air.density * air.normal));
    const double time = 0.2, exact = -terminal * std::tanh(9.81 * time / terminal);
    const auto error = [&](double h) {
        return std::abs(falling_velocity(Mat3::Identity(), air, density, time - h / 2, h)[1] -
                        exact);
    };
    EXPECT_LT(error(1e-3), 1e-5 * terminal);
    EXPECT_NEAR(error(2e-3) / error(1e-3), 4, 0.05);
}

TEST(AirDrag, WindCarriesTheSheetAlong)
{
    AirProperties air;
    air.wind = {0, 3, 0};
    const double density = 0.2;
    const double terminal = std::sqrt(2 * density * 9.81 / (air.density * air.normal));
    EXPECT_NEAR(falling_velocity(Mat3::Identity(), air, density, 4, 0.01)[1], 3 - terminal, 1e-6);
}
