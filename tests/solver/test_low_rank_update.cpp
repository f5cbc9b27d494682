#include "core/solver/low_rank_update.h"

#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

using namespace selvage;
using namespace selvage::test;

TEST(LowRankUpdate, SolvesTheSumOfAMatrixAndItsParts)
{
    Random random(1);
    const int n = 12;
    MatX A = MatX::Zero(n, n);
    for (int i = 0; i < n; ++i) A.col(i) = random.vector(n);
    A = A * A.transpose() + MatX::Identity(n, n);
    MatX whole = A;
    LowRankUpdate update;
    for (const double scale : {1e-3, 2.0, 1e6}) { // soft and stiff against A
        const VecX u = random.vector(n);
        whole += scale * u * u.transpose();
        update.add(scale, u, A.llt().solve(u));
    }
    const VecX b = random.vector(n);
    VecX p = A.llt().solve(b);
    update.apply(p);
    EXPECT_LT(relative_error(p, VecX(whole.llt().solve(b))), 1e-9);
}

TEST(LowRankUpdate, WithoutPartsNothingChanges)
{
    VecX p = VecX::LinSpaced(5, 0, 1);
    LowRankUpdate().apply(p);
    EXPECT_EQ(p, VecX::LinSpaced(5, 0, 1));
}
