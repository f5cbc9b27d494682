#include "core/math/simd.h"

#include <gtest/gtest.h>

using namespace selvage;

TEST(Simd, TransposeTurnsRowsIntoColumns)
{
    Real4 r[4], column[4];
    for (int i = 0; i < 4; ++i)
        for (int lane = 0; lane < 4; ++lane) r[i][lane] = 10 * i + lane;
    load_transposed4(r, column);
    transpose4(r[0], r[1], r[2], r[3]);
    for (int i = 0; i < 4; ++i)
        for (int lane = 0; lane < 4; ++lane) {
            EXPECT_EQ(r[i][lane], 10 * lane + i);
            EXPECT_EQ(column[i][lane], 10 * lane + i);
        }
}

TEST(Simd, SwapsTheLanesOfNegativeIntegers)
{
    const std::int32_t k[4] = {0, -1, 2147483647, -2147483647 - 1};
    const double a[4] = {1, 2, 3, -0.0}, b[4] = {5, 6, 7, 8};
    Real4 x = load4(a), y = load4(b);
    swap_negative_lanes(k, x, y);
    for (int lane = 0; lane < 4; ++lane) {
        EXPECT_EQ(x[lane], k[lane] < 0 ? b[lane] : a[lane]);
        EXPECT_EQ(y[lane], k[lane] < 0 ? a[lane] : b[lane]);
    }
}

TEST(Simd, FunctionsAgreeLaneByLaneWithScalars)
{
    const double a[4] = {-1.5, 0.0, 2.25, 1e-300}, b[4] = {0.5, 3.0, -2.0, 0.0};
    const Real4 A = load4(a), B = load4(b);
    for (int lane = 0; lane < 4; ++lane) {
        EXPECT_EQ(absolute(A)[lane], absolute(a[lane]));
        EXPECT_EQ(square_root(absolute(A))[lane], square_root(absolute(a[lane])));
        EXPECT_EQ(maximum(A, B)[lane], maximum(a[lane], b[lane]));
        EXPECT_EQ(minimum(A, B)[lane], minimum(a[lane], b[lane]));
        EXPECT_EQ(select(A < B, A, B)[lane], select(a[lane] < b[lane], a[lane], b[lane]));
        EXPECT_EQ(arc_tangent(A, absolute(B))[lane], arc_tangent(a[lane], absolute(b[lane])));
    }
}

TEST(Simd, CrossAndOuterProducts)
{
    const Vec3T<double> a{1, 2, 3}, b{-2, 0.5, 4};
    const Vec3 A(1, 2, 3), B(-2, 0.5, 4);
    const Vec3T<double> c = cross(a, b);
    EXPECT_EQ(Vec3(c.x, c.y, c.z), Vec3(A[1] * B[2] - A[2] * B[1], A[2] * B[0] - A[0] * B[2],
                                        A[0] * B[1] - A[1] * B[0]));
    const Mat3T<double> o = transposed(outer(a, b));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) EXPECT_EQ(o.m[3 * i + j], B[i] * A[j]);
    EXPECT_EQ(dot(a, b), A.dot(B));
}
