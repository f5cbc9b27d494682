#include "core/math/psd.h"

#include "tests/support/eigenvalues.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

MatX random_symmetric(Random& random, int n)
{
    MatX A(n, n);
    for (Eigen::Index i = 0; i < A.size(); ++i) A.data()[i] = random();
    return A + A.transpose();
}

Mat2 dense(const Sym2T<double>& q) { return (Mat2() << q.aa, q.ab, q.ab, q.bb).finished(); }

} // namespace

TEST(ClampPsd, KeepsThePositivePartOnly)
{
    Random random(1);
    for (int i = 0; i < 20; ++i) {
        const Mat9 A = random_symmetric(random, 9), B = clamp_eigenvalues(A);
        EXPECT_GE(min_eigenvalue(B), -1e-14 * A.norm());
        // A = B − C with B, C positive semi-definite and BC = 0.
        EXPECT_GE(min_eigenvalue(Mat9(B - A)), -1e-14 * A.norm());
        EXPECT_LT((B * (B - A)).norm(), 1e-13 * A.squaredNorm());
    }
    EXPECT_EQ(clamp_eigenvalues(Mat3(2 * Mat3::Identity())), Mat3(2 * Mat3::Identity()));
}

TEST(ClampPsd, ClosedFormOfTwoByTwo)
{
    Random random(2);
    for (int i = 0; i < 50; ++i) {
        const Sym2T<double> q{random(), random(), random()};
        EXPECT_LT((dense(clamp_psd(q)) - clamp_eigenvalues(dense(q))).norm(), 1e-14);
    }
    for (const Sym2T<double>& q : {Sym2T<double>{0, 0, 0}, {-1, 0, -1}, {2, 0, 2}})
        EXPECT_LT((dense(clamp_psd(q)) - clamp_eigenvalues(dense(q))).norm(), 1e-14);
}

TEST(ClampPsd, TwoFormsInAnyMetricEqualTheClampInFullSpace)
{
    Random random(3);
    for (int i = 0; i < 50; ++i) {
        MatX F(2, 5);
        F.row(0) = random.vector(5);
        F.row(1) = random.vector(5);
        const Sym2T<double> q{random(), random(), random()};
        const Mat2 G = F * F.transpose();
        const Mat2 clamped = dense(clamp_psd(q, Sym2T<double>{G(0, 0), G(0, 1), G(1, 1)}));
        const MatX full = clamp_eigenvalues(MatX(F.transpose() * dense(q) * F));
        EXPECT_LT((F.transpose() * clamped * F - full).norm(), 1e-12);
    }
}

TEST(ClampPsd, TriangleLaplacian)
{
    const auto laplacian = [](const Vec3T<double>& r) {
        Mat3 L;
        L << r.y + r.z, -r.z, -r.y, -r.z, r.x + r.z, -r.x, -r.y, -r.x, r.x + r.y;
        return L;
    };
    Random random(4);
    for (int i = 0; i < 50; ++i) {
        const Vec3T<double> r{random(), random(), random()};
        EXPECT_LT((laplacian(clamp_triangle_laplacian(r)) - clamp_eigenvalues(laplacian(r))).norm(),
                  1e-14);
    }
    const Vec3T<double> zero = clamp_triangle_laplacian(Vec3T<double>{0, 0, 0});
    EXPECT_EQ(zero.x, 0);
}
