#include "core/energy/hinge_bending.h"

#include "core/base/error.h"
#include "core/math/psd.h"
#include "tests/energy/law_checks.h"
#include "tests/support/eigenvalues.h"
#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// Edge along x, the sheet flat in z = 0 with normals up, the far triangle turned down by θ.
Vec12 folded(double theta, double foot_a = 0.4, double foot_b = 0.7, double altitude_a = 0.8,
             double altitude_b = 1.1)
{
    Vec12 x;
    x << foot_a, altitude_a, 0, 0, 0, 0, 1, 0, 0, foot_b, -altitude_b * std::cos(theta),
        -altitude_b * std::sin(theta);
    return x;
}

Vec12 random_hinge(Random& random, double theta)
{
    const Vec12 x = folded(theta, 0.5 + 0.7 * random(), 0.5 + 0.7 * random(), 0.8 + 0.4 * random(),
                           0.8 + 0.4 * random());
    return moved(x, random.rotation(), Vec3(random.vector(3)));
}

const double degree = M_PI / 180;
const double folds[] = {0, 1e-9, 0.1, -0.4, 1.0, M_PI / 2, -2.0, 2.9, -3.1};

} // namespace

TEST(HingeBending, AngleOfKnownFolds) // V14
{
    for (const double d : {0.0, 90.0, -90.0, 179.0, -179.0, 45.0, -1e-7})
        EXPECT_NEAR(hinge_angle(folded(d * degree)), d * degree, 1e-14) << d;
}

TEST(HingeBending, AngleDerivativesMatchFiniteDifferences) // K6
{
    Random random(1);
    for (const double theta : folds)
        for (int i = 0; i < 5; ++i) {
            const Vec12 x = random_hinge(random, theta);
            const auto angle = [&](const VecX& p) {
                // Continue across ±π.
                return theta + std::remainder(hinge_angle(p) - theta, 2 * M_PI);
            };
            const auto gradient = [](const VecX& p) { return hinge_angle_gradient(p); };
            const Vec12 g = gradient(x);
            const Mat12 H = hinge_angle_hessian(x);
            EXPECT_LT(relative_error(g, fd_gradient(angle, x, 3e-3)), 1e-9) << theta;
            EXPECT_LT(relative_error(H, fd_jacobian(gradient, x, 3e-3)), 1e-9) << theta;
            EXPECT_LT((H - H.transpose()).norm(), 1e-14 * H.norm());
            EXPECT_LT(force_and_torque(x, g).norm(), 1e-13 * g.norm());
        }
}

TEST(HingeBending, EnergyDerivativesMatchFiniteDifferences)
{
    Random random(4);
    for (const BendingForm form : {BendingForm::angle, BendingForm::tangent})
        for (const double theta : {0.0, 0.3, -1.2, 2.0})
            for (const double rest : {0.0, 0.7}) {
                const HingeElement hinge{1.3, rest, 0.5};
                const HingeDamping damping{0.4, -0.2};
                const Vec12 x = random_hinge(random, theta);
                const auto energy = [&](const VecX& p) {
                    return hinge_bending_energy(p, hinge, form, damping);
                };
                const auto gradient = [&](const VecX& p) {
                    return hinge_bending_gradient(p, hinge, form, damping);
                };
                const Mat12 H = hinge_bending_hessian(x, hinge, form, Psd::exact, damping);
                EXPECT_LT(relative_error(gradient(x), fd_gradient(energy, x, 2e-3)), 1e-9);
                EXPECT_LT(relative_error(H, fd_jacobian(gradient, x, 2e-3)), 1e-9);
            }
}

TEST(HingeBending, RigidMotionCostsNothing) // K7
{
    Random random(5);
    for (const BendingForm form : {BendingForm::angle, BendingForm::tangent})
        for (const double theta : {0.0, 0.8, -2.0}) {
            const Vec12 rest = folded(theta);
            const HingeElement hinge = hinge_element(rest, 2.0);
            const Vec12 x = moved(rest, random.rotation(), Vec3(random.vector(3)));
            EXPECT_LT(hinge_bending_energy(x, hinge, form), 1e-26);
            EXPECT_LT(hinge_bending_gradient(x, hinge, form).norm(), 1e-11);
            const Vec12 y = random_hinge(random, 1.0);
            const Vec12 g = hinge_bending_gradient(y, hinge, form);
            EXPECT_LT(force_and_torque(y, g).norm(), 1e-12 * g.norm());
            const Mat3 R = random.rotation();
            const Vec12 turned = moved(y, R, Vec3(random.vector(3)));
            const double W = hinge_bending_energy(y, hinge, form);
            EXPECT_NEAR(hinge_bending_energy(turned, hinge, form), W, 1e-12 * W);
            EXPECT_LT(relative_error(hinge_bending_gradient(turned, hinge, form),
                                     moved(g, R, Vec3::Zero())),
                      1e-12);
            const Mat12 H = hinge_bending_hessian(y, hinge, form, Psd::exact);
            for (int axis = 0; axis < 3; ++axis) {
                Vec12 t = Vec12::Zero();
                for (int v = 0; v < 4; ++v) t[3 * v + axis] = 1;
                EXPECT_LT((H * t).norm(), 1e-14 * H.norm());
            }
        }
}

TEST(HingeBending, ErrorOfDifferencesFallsWithTheSquareOfTheStep) // V2
{
    // Open, folded, folded over, nearly closed; then a triangle that is nearly a line.
    Random random(5);
    for (const BendingForm form : {BendingForm::angle, BendingForm::tangent})
        for (const double theta : {0.0, 0.4, -1.2, 2.0, -2.8}) {
            const HingeElement hinge{1.3, 0.7, 0.5};
            const HingeDamping damping{0.4, -0.2};
            for (const double altitude : {1.0, 0.05}) {
                SCOPED_TRACE(testing::Message() << "theta " << theta << " altitude " << altitude);
                const Vec12 x = moved(folded(theta, 0.4, 0.6, 0.8, altitude), random.rotation(),
                                      Vec3(random.vector(3)));
                const double room = std::min(altitude, M_PI - std::abs(theta));
                check_element_slope(
                    x, 0.008 * room, random,
                    [&](const VecX& p) { return hinge_bending_energy(p, hinge, form, damping); },
                    [&](const VecX& p) { return hinge_bending_gradient(p, hinge, form, damping); },
                    [&](const VecX& p) {
                        return hinge_bending_hessian(p, hinge, form, Psd::exact, damping);
                    });
            }
        }
}

TEST(HingeBending, TangentForceDivergesMonotonically) // K8
{
    const HingeElement hinge{1.0, 0.3, 0.5};
    for (const double sign : {1.0, -1.0}) {
        double last = 0, last_energy = 0;
        for (const double gap : {1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6}) {
            const Vec12 x = folded(sign * (M_PI - gap));
            const double force =
                hinge_bending_gradient(x, hinge, BendingForm::tangent).tail<3>().norm();
            const double energy = hinge_bending_energy(x, hinge, BendingForm::tangent);
            EXPECT_GT(force, last);
            EXPECT_GT(energy, last_energy);
            last = force;
            last_energy = energy;
        }
        EXPECT_GT(last, 1e15);
    }
    EXPECT_TRUE(std::isfinite(hinge_bending_energy(folded(M_PI), hinge, BendingForm::tangent)));
}

TEST(HingeBending, ClampedHessianIsPsdAndNotBelowTheExactOne)
{
    Random random(6);
    int indefinite = 0;
    for (const BendingForm form : {BendingForm::angle, BendingForm::tangent})
        for (const double theta : {0.01, 0.3, -1.0, 2.0, -2.8})
            for (const double rest : {0.0, 0.5, -1.5})
                for (int i = 0; i < 10; ++i) {
                    const Vec12 x = random_hinge(random, theta);
                    const HingeElement hinge{1.7, rest, 0.4};
                    const Mat12 exact = hinge_bending_hessian(x, hinge, form, Psd::exact);
                    const Mat12 clamped = hinge_bending_hessian(x, hinge, form, Psd::clamp);
                    const double tiny = 1e-11 * clamped.norm();
                    EXPECT_GE(min_eigenvalue(clamped), -tiny);
                    EXPECT_GE(min_eigenvalue(Mat12(clamped - exact)), -tiny);
                    if (min_eigenvalue(exact) < -tiny) ++indefinite;
                }
    EXPECT_GT(indefinite, 100);
}

TEST(HingeBending, ClampOfThinHingesIsNotBelowTheExactOne)
{
    // Altitudes down to a thousandth of the edge. Measured by the exact Hessian alone, whatever the
    // clamp adds.
    Random random(9);
    for (const BendingForm form : {BendingForm::angle, BendingForm::tangent})
        for (const double thin : {0.1, 1e-2, 1e-3})
            for (int i = 0; i < 1000; ++i) {
                const double left = thin * (1.5 + random()), right = thin * (1.5 + random());
                const Vec12 x =
                    folded(2.8 * random(), 0.5 + 0.5 * random(), 0.5 + 0.5 * random(), left, right);
                const HingeElement hinge{1.7, 2.0 * random(), 0.4 * thin};
                const Mat12 exact = hinge_bending_hessian(x, hinge, form, Psd::exact);
                const Mat12 clamped = hinge_bending_hessian(x, hinge, form, Psd::clamp);
                const double tiny = 1e-10 * exact.norm(); // rounding: 2e-11 at worst
                EXPECT_GE(min_eigenvalue(clamped), -tiny);
                EXPECT_GE(min_eigenvalue(Mat12(clamped - exact)), -tiny);
            }
}

TEST(HingeBending, ClampHardlyResistsTurning)
{
    Random random(8);
    const HingeElement hinge{1.7, 0.0, 0.4};
    for (const double theta : {0.05, 0.2, -0.4}) {
        const Vec12 x = random_hinge(random, theta);
        const Mat12 exact = hinge_bending_hessian(x, hinge, BendingForm::angle, Psd::exact);
        const Mat12 clamped = hinge_bending_hessian(x, hinge, BendingForm::angle, Psd::clamp);
        const Vec3 axis = (x.segment<3>(6) - x.segment<3>(3)).normalized(); // the hinge's edge
        Vec12 turn;
        for (int i = 0; i < 4; ++i) turn.segment<3>(3 * i) = axis.cross(x.segment<3>(3 * i));
        EXPECT_LT(turn.dot(clamped * turn), 0.02 * turn.dot(clamp_eigenvalues(exact) * turn))
            << theta;
    }
}

TEST(HingeBendingFull, ClampedHessianIsPsdAndNotBelowTheExactOne)
{
    Random random(7);
    double lowest = 0, lowest_difference = 0;
    for (int i = 0; i < 100000; ++i) {
        const BendingForm form = i % 2 ? BendingForm::angle : BendingForm::tangent;
        const Vec12 x = random_hinge(random, 3.0 * random());
        const HingeElement hinge{1.7, 2.0 * random(), 0.4};
        const HingeDamping damping{1 + random(), 2.0 * random()};
        const Mat12 exact = hinge_bending_hessian(x, hinge, form, Psd::exact, damping);
        const Mat12 clamped = hinge_bending_hessian(x, hinge, form, Psd::clamp, damping);
        lowest = std::min(lowest, min_eigenvalue(clamped) / clamped.norm());
        lowest_difference =
            std::min(lowest_difference, min_eigenvalue(Mat12(clamped - exact)) / clamped.norm());
    }
    EXPECT_GE(lowest, -1e-11);
    EXPECT_GE(lowest_difference, -1e-11);
}

TEST(HingeBending, CollapsedHingesContributeNothing)
{
    const HingeElement hinge = hinge_element(folded(0.2), 1.0);
    const Vec12 x = folded(0.9, 0.4, 0.7, 1e-10, 1.0);
    for (const BendingForm form : {BendingForm::angle, BendingForm::tangent}) {
        EXPECT_EQ(hinge_bending_energy(x, hinge, form), 0);
        EXPECT_EQ(hinge_bending_gradient(x, hinge, form).norm(), 0);
        EXPECT_EQ(hinge_bending_hessian(x, hinge, form, Psd::clamp).norm(), 0);
        Vec12 point = x;
        point.segment<3>(6) = point.segment<3>(3); // edge collapsed
        EXPECT_EQ(hinge_bending_hessian(point, hinge, form, Psd::exact).norm(), 0);
    }
    const HingeBending term({0, 1, 2, 3}, {hinge}, BendingForm::tangent, {}, 4);
    EXPECT_EQ(term.degenerate_count(x), 1);
    EXPECT_EQ(term.degenerate_count(folded(0.9)), 0);
    EXPECT_THROW(hinge_element(x, 1.0), InputError);
}

TEST(HingeBending, CylinderEnergyPerArea) // V14: with ½k in place of k, 1.5 k/R² (n − 1)/n
{
    const double expected[] = {1.3125, 1.40625, 1.453125, 1.4765625};
    int i = 0;
    for (const int n : {8, 16, 32, 64}) {
        // Unit square bent about z with θ = 1/n at every row of edges: R = 1.
        const Mesh flat = grid_cloth(n, n, 1, 1);
        Mesh bent = flat;
        std::vector<Vec2> profile(std::size_t(n) + 1, Vec2::Zero());
        for (int s = 0; s < n; ++s)
            profile[std::size_t(s) + 1] =
                profile[std::size_t(s)] +
                Vec2(std::cos(double(s) / n), -std::sin(double(s) / n)) / n;
        for (std::size_t v = 0; v < bent.points.size(); ++v) {
            const Vec2 p = profile[v % (std::size_t(n) + 1)];
            bent.points[v] = {p[0], p[1], flat.points[v][2]};
        }
        const auto hinges = hinges_of(flat);
        const VecX rest = flat.stacked(), x = bent.stacked();
        double energy = 0;
        for (std::size_t h = 0; h < hinges.size() / 4; ++h) {
            const HingeElement element = hinge_element(element_positions<4>(rest, hinges, h), 0.5);
            energy += hinge_bending_energy(element_positions<4>(x, hinges, h), element,
                                           BendingForm::angle);
        }
        EXPECT_NEAR(energy, expected[i++], 1e-6);
        EXPECT_NEAR(energy * n / (n - 1), 1.5, 1e-6);
    }
}

TEST(HingeBending, PhysicalModulusStoresThePlateEnergy)
{
    // 3kκ² = ½Dκ² per area.
    EXPECT_DOUBLE_EQ(3 * hinge_modulus(1.0), 0.5);
    EXPECT_DOUBLE_EQ(hinge_modulus(1.0, HingeCalibration::printed), 0.5);
}

TEST(HingeBending, ModulusOfMeasuredCotton) // K13 of the barrier's spec
{
    const double E = 0.8e6, thickness = 0.318e-3, nu = 0.243;
    const double D = E * std::pow(thickness, 3) / (12 * (1 - nu * nu));
    EXPECT_NEAR(hinge_modulus(D), 3.80e-7, 0.005e-7);
    EXPECT_NEAR(hinge_modulus(D, HingeCalibration::printed), 1.139e-6, 0.0005e-6);
}

TEST(HingeBending, DirectionalRigidity)
{
    const Vec3 warp(2, 0, 0), weft(0, 0, 3);
    EXPECT_DOUBLE_EQ(directional_rigidity(4, 9, warp, warp), 4);
    EXPECT_DOUBLE_EQ(directional_rigidity(4, 9, weft, warp), 9);
    EXPECT_DOUBLE_EQ(directional_rigidity(4, 9, {1, 0, 1}, warp), 6.25);
    EXPECT_DOUBLE_EQ(directional_rigidity(5, 5, {1, 0, 0.3}, warp), 5);
}
