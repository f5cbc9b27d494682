#include "core/math/svd3.h"

#include "tests/support/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

Vec3 eigen(const Vec3T<double>& a) { return {a.x, a.y, a.z}; }
Vec3T<double> plain(const Vec3& a) { return {a[0], a[1], a[2]}; }
Mat3 columns(const Vec3T<double> (&a)[3])
{
    return (Mat3() << eigen(a[0]), eigen(a[1]), eigen(a[2])).finished();
}
Svd3T<double> decompose(const Mat3& F)
{
    const Vec3T<double> f[3] = {plain(F.col(0)), plain(F.col(1)), plain(F.col(2))};
    return svd3(f);
}

/// Largest defect of everything the decomposition promises.
double defect(const Mat3& F)
{
    const Svd3T<double> s = decompose(F);
    const Mat3 U = columns(s.u), V = columns(s.v);
    const Vec3 sigma(s.sigma[0], s.sigma[1], s.sigma[2]);
    const double scale = std::max(F.norm(), 1e-300);
    const double rebuilt = (U * sigma.asDiagonal() * V.transpose() - F).norm() / scale;
    const double rotations = std::max((U.transpose() * U - Mat3::Identity()).norm(),
                                      (V.transpose() * V - Mat3::Identity()).norm());
    const double signs = std::max(std::abs(U.determinant() - 1), std::abs(V.determinant() - 1));
    const double order =
        std::max({0.0, sigma[1] - sigma[0], std::abs(sigma[2]) - sigma[1]}) / scale;
    return std::max({rebuilt, rotations, signs, order});
}

Mat3 random_matrix(Random& random) { return Eigen::Map<const Mat3>(random.vector(9).data()); }

double worst_defect(int count, unsigned seed)
{
    Random random(seed);
    double worst = 0;
    for (int i = 0; i < count; ++i) worst = std::max(worst, defect(random_matrix(random)));
    return worst;
}

} // namespace

TEST(Svd3, RandomMatrices) { EXPECT_LT(worst_defect(20000, 1), 1e-13); } // V4
TEST(Svd3Full, MillionRandomMatrices) { EXPECT_LT(worst_defect(1000000, 2), 1e-13); }

TEST(Svd3, DegenerateMatrices)
{
    Random random(3);
    const std::vector<Vec3> spectra = {{1, 1, 1},      {1, 1, -1},       {2, 1, 1},
                                       {2, 2, 1},      {1, 1, 0},        {1, 0, 0},
                                       {0, 0, 0},      {1, 1e-9, 1e-9},  {1, 1e-9, -1e-9},
                                       {1, 1e-17, 0},  {1, 1, 1 - 1e-9}, {1, 1 - 1e-15, -1 + 1e-15},
                                       {1e8, 1, 1e-8}, {1, 1e-5, -1e-5}};
    for (const Vec3& s : spectra)
        for (int i = 0; i < 50; ++i)
            EXPECT_LT(defect(random.rotation() * s.asDiagonal() * random.rotation()), 1e-13)
                << s.transpose();
    EXPECT_LT(defect(Mat3::Identity()), 1e-16);
    EXPECT_LT(defect(Vec3(1, -2, 3).asDiagonal()), 1e-16);
}

TEST(Svd3, ReflectionGoesToTheSmallestValue)
{
    Random random(4);
    for (int i = 0; i < 1000; ++i) {
        const Mat3 F = random_matrix(random);
        const Svd3T<double> s = decompose(F);
        EXPECT_EQ(s.sigma[2] < 0, F.determinant() < 0);
        EXPECT_GE(s.sigma[1], 0);
        const Vec3 reference = F.jacobiSvd().singularValues();
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(std::abs(s.sigma[k]), reference[k], 1e-14 * F.norm());
    }
}

TEST(Svd3, BatchesAgreeWithSingles)
{
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        Mat3 F[4];
        for (Mat3& f : F) f = random_matrix(random);
        Vec3T<Real4> f[3];
        for (int c = 0; c < 3; ++c) {
            f[c].x = Real4([&](auto lane) { return F[lane](0, c); });
            f[c].y = Real4([&](auto lane) { return F[lane](1, c); });
            f[c].z = Real4([&](auto lane) { return F[lane](2, c); });
        }
        const Svd3T<Real4> batch = svd3(f);
        for (int lane = 0; lane < 4; ++lane) {
            const Svd3T<double> one = decompose(F[lane]);
            for (int k = 0; k < 3; ++k) EXPECT_NEAR(batch.sigma[k][lane], one.sigma[k], 1e-14);
        }
    }
}

TEST(Svd32, ThinDecomposition)
{
    Random random(6);
    const std::vector<Vec2> spectra = {{1.3, 0.4}, {1, 1}, {2, 0}, {0, 0}, {1, 1e-9}, {1, 1e-17}};
    for (const Vec2& sigma : spectra)
        for (int i = 0; i < 100; ++i) {
            const Eigen::Rotation2Dd turn(M_PI * random());
            const Mat32 F =
                random.rotation().leftCols<2>() * sigma.asDiagonal() * turn.toRotationMatrix();
            const Vec3T<double> f[2] = {plain(F.col(0)), plain(F.col(1))};
            const Svd32T<double> s = svd32(f);
            Mat3 U;
            U << eigen(s.u[0]), eigen(s.u[1]), eigen(s.n);
            Mat2 V;
            V << s.v[0][0], s.v[1][0], s.v[0][1], s.v[1][1];
            EXPECT_LT((U.transpose() * U - Mat3::Identity()).norm(), 1e-14);
            EXPECT_NEAR(V.determinant(), 1, 1e-14);
            const Vec2 found(s.sigma[0], s.sigma[1]);
            EXPECT_LT((U.leftCols<2>() * found.asDiagonal() * V.transpose() - F).norm(), 1e-14);
            EXPECT_LT((found - sigma).norm(), 1e-14);
        }
}

TEST(Jacobi, EigenvaluesOfSmallMatrices)
{
    Random random(7);
    for (int i = 0; i < 1000; ++i) {
        Mat4 M = Eigen::Map<const Mat4>(random.vector(16).data());
        M = (M + M.transpose()).eval();
        if (i % 3 == 1) M = (M * M).eval();                                    // graded
        if (i % 3 == 2) M = Mat4(Vec4(1, 1, -2, -2).asDiagonal()) + 1e-12 * M; // pairs
        double A[4][4];
        for (int r = 0; r < 4; ++r)
            for (int c = 0; c < 4; ++c) A[r][c] = M(r, c);
        clamp_psd<double, 4>(A);
        const Eigen::SelfAdjointEigenSolver<Mat4> reference(M);
        const Mat4 clamped = reference.eigenvectors() *
                             reference.eigenvalues().cwiseMax(0.0).asDiagonal() *
                             reference.eigenvectors().transpose();
        for (int r = 0; r < 4; ++r)
            for (int c = 0; c < 4; ++c) EXPECT_NEAR(A[r][c], clamped(r, c), 2e-14 * M.norm());
    }
}
