#include "core/base/error.h"
#include "core/check/strain.h"
#include "tests/check/meshes.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/SVD>

using namespace selvage;

namespace
{

Geometry mapped(Geometry g, const Mat3& A)
{
    VecX P = g.positions();
    for (Eigen::Index i = 0; i < P.size(); i += 3)
        P.segment<3>(i) = (A * P.segment<3>(i) + Vec3(1, 2, 3)).eval();
    g.set_positions(P);
    return g;
}

} // namespace

TEST(Strain, TriangleAgreesWithSingularValues)
{
    std::mt19937 random(81);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int i = 0; i < 200; ++i) {
        Vec9 x, rest;
        for (int k = 0; k < 9; ++k) x[k] = unit(random), rest[k] = unit(random);
        const Vec3 A = rest.segment<3>(3) - rest.head<3>(), B = rest.tail<3>() - rest.head<3>();
        // F as a 3 × 3 map that sends the rest normal to zero has the same singular values.
        Mat3 D, d;
        D << A, B, A.cross(B);
        d << x.segment<3>(3) - x.head<3>(), x.tail<3>() - x.head<3>(), Vec3::Zero();
        const Vec3 s = Eigen::JacobiSVD<Mat3>(d * D.inverse()).singularValues();
        const Stretches found = triangle_stretches(x, rest);
        EXPECT_NEAR(found.largest, s[0], 1e-12 * s[0]);
        EXPECT_NEAR(found.smallest, s[1], 1e-12 * s[0]);
    }
}

TEST(Strain, KnownAffineMaps)
{
    const Geometry rest = make_grid(4, o, X, Y, /*triangles*/ false);
    const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    const StrainReport rigid = measure_strain("cloth", mapped(rest, R), rest);
    EXPECT_NEAR(rigid.largest.stretch, 1, 1e-12);
    EXPECT_NEAR(rigid.smallest.stretch, 1, 1e-12);

    const Mat3 S = Vec3(1.25, 0.5, 7).asDiagonal();
    const StrainReport stretched = measure_strain("cloth", mapped(rest, R * S), rest, 0.2);
    EXPECT_NEAR(stretched.largest.stretch, 1.25, 1e-12);
    EXPECT_NEAR(stretched.smallest.stretch, 0.5, 1e-12);
    EXPECT_EQ(stretched.above_limit.size(), 16u); // quads, each named once

    // Simple shear γ: stretches sqrt(1 + γ²/4) ± γ/2.
    Mat3 shear = Mat3::Identity();
    shear(0, 1) = 0.6;
    const StrainReport sheared = measure_strain("cloth", mapped(rest, R * shear), rest);
    EXPECT_NEAR(sheared.largest.stretch, std::sqrt(1.09) + 0.3, 1e-12);
    EXPECT_NEAR(sheared.smallest.stretch, std::sqrt(1.09) - 0.3, 1e-12);
}

TEST(Strain, NamesThePrimitive)
{
    const Geometry rest = make_grid(4, o, X, Y);
    Geometry g = rest;
    VecX P = g.positions();
    P[3 * 24] += 0.05; // the last point, a corner of the last two triangles
    g.set_positions(P);
    const StrainReport report = measure_strain("cloth", g, rest, 0.1);
    EXPECT_GE(report.largest.primitive, 30);
    EXPECT_GT(report.largest.stretch, 1.1);
    EXPECT_FALSE(report.above_limit.empty());
    EXPECT_GE(report.above_limit.front(), 30);
}

TEST(Strain, Curves)
{
    const Geometry rest = make_geometry({o, X, 2 * X, Y, Y + Z}, {{0, 1, 2}, {3, 4}}, false);
    const Geometry now =
        make_geometry({o, X, 2.5 * X, Y, Y + 0.75 * Z}, {{0, 1, 2}, {3, 4}}, false);
    const StrainReport report = measure_strain("hair", now, rest, 0.25);
    EXPECT_DOUBLE_EQ(report.largest.stretch, 1.5);
    EXPECT_EQ(report.largest.primitive, 0);
    EXPECT_DOUBLE_EQ(report.smallest.stretch, 0.75);
    EXPECT_EQ(report.smallest.primitive, 1);
    EXPECT_EQ(report.above_limit, std::vector<std::int32_t>{0});
}

TEST(Strain, RestWithoutAreaIsNamedAndSkipped)
{
    const Geometry rest = make_geometry({o, X, 2 * X, Y}, {{0, 1, 2}, {0, 1, 3}});
    const StrainReport report = measure_strain("cloth", rest, rest);
    EXPECT_EQ(report.no_rest, std::vector<std::int32_t>{0});
    EXPECT_EQ(report.largest.primitive, 1);
}

TEST(Strain, CollapsedTriangleHasNoStretchLeft)
{
    const Geometry rest = make_geometry({o, X, Y}, {{0, 1, 2}});
    const StrainReport report =
        measure_strain("cloth", make_geometry({o, o, o}, {{0, 1, 2}}), rest);
    EXPECT_EQ(report.largest.stretch, 0);
    EXPECT_EQ(report.smallest.stretch, 0);
}

TEST(Strain, OtherMeshIsRefusedByName)
{
    try {
        measure_strain("cape", make_grid(3, o, X, Y), make_grid(4, o, X, Y));
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("'cape'"), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("25 points"), std::string::npos);
    }
}
