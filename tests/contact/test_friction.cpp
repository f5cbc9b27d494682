#include "core/contact/friction_term.h"

#include "tests/support/eigenvalues.h"
#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

namespace selvage
{
namespace
{

using namespace test;

TEST(Friction, IsSmoothFromRestThroughTheStickDistance)
{
    const double a = 2e-4;
    const SmoothedFriction rest = smoothed_friction(0, a);
    EXPECT_DOUBLE_EQ(rest.f0, a / 3);
    EXPECT_DOUBLE_EQ(rest.f1_y, 2 / a);
    EXPECT_DOUBLE_EQ(rest.f1_der, 2 / a);
    const SmoothedFriction below = smoothed_friction(a * (1 - 1e-9), a),
                           above = smoothed_friction(a, a);
    EXPECT_NEAR(below.f0, above.f0, 1e-8 * a);
    EXPECT_NEAR(below.f1_y, above.f1_y, 1e-8 / a);
    EXPECT_NEAR(below.f1_der, 0, 1e-8 / a);
    EXPECT_EQ(above.f1_der, 0);
    EXPECT_EQ(above.f0, a);
    for (const double s : {0.1, 0.5, 0.9, 1.5, 10.0}) {
        const VecX y = VecX::Constant(1, s * a);
        const auto f0 = [&](const VecX& z) { return smoothed_friction(z[0], a).f0; };
        EXPECT_NEAR(smoothed_friction(y[0], a).f1_y * y[0], fd_gradient(f0, y, 0.01 * a)[0], 1e-9);
    }
}

TEST(Friction, CurvatureIsTheHessianAndNeverNegative)
{
    const double a = 2e-4;
    EXPECT_TRUE(friction_curvature(Vec2::Zero(), a).isApprox(2 / a * Mat2::Identity()));
    Random random(31);
    for (const double s : {1e-12, 0.2, 0.7, 1 - 1e-9, 1 + 1e-9, 3.0}) {
        const double angle = 3 * random();
        const VecX u = s * a * Vec2(std::cos(angle), std::sin(angle));
        const Mat2 H = friction_curvature(u, a);
        EXPECT_GE(min_eigenvalue(H), -1e-16 * H.norm());
        if (std::abs(s - 1) < 0.1 || s < 0.1) continue;
        const auto gradient = [&](const VecX& z) {
            return VecX(smoothed_friction(z.norm(), a).f1_y * z);
        };
        EXPECT_LE(relative_error(H, fd_jacobian(gradient, u, 0.01 * a)), 1e-8);
    }
}

} // namespace
} // namespace selvage
