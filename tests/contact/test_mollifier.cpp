#include "core/contact/mollifier.h"

#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

namespace selvage
{
namespace
{

using namespace test;

TEST(Mollifier, CrossProductDerivatives)
{
    Random random(5);
    for (int trial = 0; trial < 20; ++trial) {
        const Vec12 x = random.vector(12);
        const EdgeCross c = edge_cross(x);
        const auto value = [](const VecX& y) { return edge_cross_squared(y); };
        const auto gradient = [](const VecX& y) { return VecX(edge_cross(y).gradient); };
        EXPECT_LE(relative_error(c.gradient, fd_gradient(value, x, 1e-2)), 1e-9);
        EXPECT_LE(relative_error(c.hessian, fd_jacobian(gradient, x, 1e-2)), 1e-9);
    }
}

TEST(Mollifier, RisesSmoothlyFromZeroToOne)
{
    const double eps = 2e-7;
    EXPECT_EQ(mollifier(0, eps).value, 0);
    EXPECT_EQ(mollifier(eps, eps).value, 1);
    EXPECT_EQ(mollifier(eps, eps).first, 0);
    EXPECT_NEAR(mollifier(eps * (1 - 1e-9), eps).first * eps, 0, 1e-8);
    for (const double s : {0.1, 0.5, 0.9}) {
        const auto value = [&](const VecX& c) { return mollifier(c[0], eps).value; };
        const auto first = [&](const VecX& c) { return mollifier(c[0], eps).first; };
        const VecX c = VecX::Constant(1, s * eps);
        EXPECT_NEAR(mollifier(c[0], eps).first / fd_gradient(value, c, 0.01 * eps)[0], 1, 1e-9);
        EXPECT_NEAR(mollifier(c[0], eps).second / fd_gradient(first, c, 0.01 * eps)[0], 1, 1e-9);
    }
}

} // namespace
} // namespace selvage
