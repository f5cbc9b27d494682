#include "core/contact/plane.h"

#include "core/contact/contact_problem.h"
#include "core/contact/release_pull.h"
#include "core/contact/start_check.h"
#include "tests/support/finite_difference.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <random>

namespace selvage
{
namespace
{

using V = Vec3T<double>;

Vec9 plane_through(const Vec3& point, const Vec3& normal)
{
    const Mat3 R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), normal).toRotationMatrix();
    Vec9 x = point.replicate<3, 1>();
    x.segment<3>(3) += R.col(0);
    x.tail<3>() += R.col(1);
    return x;
}

void stencil(const Vec3& p, const Vec9& plane, V (&x)[4])
{
    x[0] = {p[0], p[1], p[2]};
    for (int i = 0; i < 3; ++i) x[1 + i] = {plane[3 * i], plane[3 * i + 1], plane[3 * i + 2]};
}

void motion_between(const V (&a)[4], const V (&b)[4], V (&p)[4])
{
    for (int i = 0; i < 4; ++i) p[i] = b[i] - a[i];
}

double height_at(const V (&x)[4], const V (&p)[4], double t)
{
    V y[4];
    for (int i = 0; i < 4; ++i) y[i] = x[i] + t * p[i];
    return height_over_plane(y);
}

Vec3 random_vector(std::mt19937& random)
{
    std::uniform_real_distribution<double> u(-1, 1);
    return {u(random), u(random), u(random)};
}

/// A point far from the three that carry the plane, and others near them.
struct Points {
    ContactMesh mesh{3};
    VecX x = VecX(9);
    Vec9 plane = plane_through({0.3, 0.1, -0.2}, {0.2, 1, 0.1});
    double thickness = 0.01;

    Points()
    {
        mesh.add_surface("points", MeshTopology{}, 0, VecX::Zero(9), thickness, 0.5);
        mesh.add_plane("floor", plane, thickness, 0.5);
        const Vec3 n = Vec3(0.2, 1, 0.1).normalized(), o = plane.head<3>();
        const Vec3 u = n.unitOrthogonal();
        x.segment<3>(0) = o + 0.03 * n + 40 * u;
        x.segment<3>(3) = o + 0.02 * n;
        x.segment<3>(6) = o + 0.015 * n - 2 * u;
    }
};

ContactSettings settings()
{
    ContactSettings s;
    s.activation = 0.05;
    s.stick_speed = 1;
    return s;
}

} // namespace

TEST(Plane, HeightIsSignedWhereverThePointIs)
{
    const Vec3 n = Vec3(1, 2, -0.5).normalized(), o(3, -1, 2);
    V x[4];
    for (const double h : {-2.0, -1e-6, 1e-9, 0.3, 25.0}) {
        stencil(o + h * n + 100 * n.unitOrthogonal(), plane_through(o, n), x);
        EXPECT_NEAR(height_over_plane(x), h, 1e-12 * 100);
    }
}

TEST(Plane, TimeOfImpactIsExactWhereThePlaneKeepsItsNormal)
{
    V x[4], y[4], p[4];
    stencil({5, 0.3, 0}, plane_through({0, 0, 0}, {0, 1, 0}), x);
    stencil({1, -1.7, 0}, plane_through({0.2, 1, 0}, {0, 1, 0}), y);
    motion_between(x, y, p);
    CcdSettings s;
    s.thickness = 0.1;
    s.slack = 0.25;
    const CcdResult r = point_plane_ccd(x, p, s);
    // Height 0.3 − 3 t; a quarter of the gap of 0.2 is left over the thickness.
    EXPECT_TRUE(r.hit);
    EXPECT_NEAR(r.t, (0.3 - 0.1 - 0.05) / 3, 1e-12);
    stencil({1, 0.16, 0}, plane_through({0.2, 0, 0}, {0, 1, 0}), y);
    motion_between(x, y, p);
    EXPECT_FALSE(point_plane_ccd(x, p, s).hit);
}

TEST(Plane, TurningPlanesAreNeverOversteppedAndHardlyFallenShortOf)
{
    std::mt19937 random(5);
    int hits = 0;
    for (int k = 0; k < 3000; ++k) {
        const Vec3 n = random_vector(random).normalized(), o = random_vector(random);
        const Vec3 turned = (n + 0.5 * random_vector(random)).normalized();
        V x[4], y[4], p[4];
        const Vec3 start = o + 0.4 * n + 3 * random_vector(random).cross(n);
        stencil(start, plane_through(o, n), x);
        stencil(start + random_vector(random),
                plane_through(o + 0.3 * random_vector(random), turned), y);
        motion_between(x, y, p);
        CcdSettings s;
        s.thickness = 0.05;
        const double least = s.thickness + s.slack * (height_over_plane(x) - s.thickness);
        const CcdResult r = point_plane_ccd(x, p, s);
        EXPECT_FALSE(r.capped);
        for (int i = 0; i <= 200; ++i) ASSERT_GE(height_at(x, p, r.t * i / 200), least - 1e-9) << k;
        if (!r.hit) continue;
        ++hits;
        // The bound of the normal's length is loose by the square of the angle.
        EXPECT_LT(height_at(x, p, r.t), least + 0.1 * s.thickness + 1e-6) << k;
    }
    EXPECT_GT(hits, 500);
}

TEST(Plane, WhatTouchesOrLiesBehindOrIsNoNumberStopsAtOnce)
{
    V x[4], p[4] = {{0, 1, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (const double h : {0.0, -0.5, std::nan("")}) {
        stencil({1, h, 0}, plane_through({0, 0, 0}, {0, 1, 0}), x);
        const CcdResult r = point_plane_ccd(x, p, {});
        EXPECT_TRUE(r.hit);
        EXPECT_EQ(r.t, 0);
    }
}

TEST(Plane, BarrierAndFrictionAgreeWithDifferences)
{
    Points s;
    ContactProblem problem(s.mesh, settings());
    // The plane rises and turns while the points slide.
    const Vec9 target = plane_through({0.35, 0.1004, -0.2}, {0.2, 1, 0.1001});
    problem.begin_step(s.x, 0.01, s.plane, target);
    problem.set_stiffness(3);
    problem.lag_friction(s.x);
    ASSERT_EQ(problem.contact_count(), 3);
    VecX x = s.x;
    for (int i = 0; i < 3; ++i) x.segment<3>(3 * i) += Vec3(0.002, 0.0005, -0.001);
    const auto energy = [&](const VecX& y) { return problem.energy(y); };
    VecX gradient = VecX::Zero(9);
    BlockMatrix hessian;
    VecX pull;
    problem.add(x, Psd::exact, gradient, &hessian, &pull);
    EXPECT_LT(test::relative_error(gradient, test::fd_gradient(energy, x, 1e-5)), 1e-7);
    EXPECT_GT(gradient.norm(), 0);

    // `pull`: what a little of the plane's way does to the gradient.
    const auto gradient_after = [&](double reached) {
        problem.set_reached(reached);
        VecX g = VecX::Zero(9);
        problem.add(x, Psd::exact, g, nullptr);
        return g;
    };
    const VecX slope = (gradient_after(1e-4) - gradient_after(0)) / 1e-4;
    EXPECT_LT((slope - pull).norm(), 1e-2 * slope.norm());
}

TEST(Plane, FindsExactlyWhatIsNearOrBehind)
{
    Points s;
    s.x.segment<3>(3) -= 3 * Vec3(0.2, 1, 0.1).normalized();
    VecX all(18);
    all << s.x, s.plane;
    BroadPhase broad(s.mesh);
    Candidates found;
    broad.find({all, VecX::Zero(18), 0}, 0.01, found);
    const std::vector<CandidatePair> expected = {{1, 0}, {2, 0}};
    EXPECT_EQ(found[PairKind::point_plane], expected);

    const auto offending = find_offending_pairs(s.mesh, all);
    ASSERT_EQ(offending.size(), 1u);
    EXPECT_NE(describe(s.mesh, offending[0]).find("'points' point 1 is 2.98 m behind 'floor'"),
              std::string::npos)
        << describe(s.mesh, offending[0]);
    const Releases releases = releases_for(s.mesh, offending);
    EXPECT_TRUE(releases.pairs.empty());
    ASSERT_EQ(releases.vertices.size(), 1u);

    // Drawn out along the normal, no faster than told, and taken along by the plane.
    Vec9 target = s.plane;
    for (int i = 0; i < 3; ++i) target[3 * i] += 0.5;
    const auto pulls = release_pulls(s.mesh, releases, all, target, 0.02, 0.05);
    ASSERT_EQ(pulls.size(), 1u);
    const Vec3 way = pulls[0].target - s.x.segment<3>(3);
    EXPECT_LT((way - Vec3(0.5, 0, 0) - 0.02 * Vec3(0.2, 1, 0.1).normalized()).norm(), 1e-12);
    EXPECT_EQ(still_released(s.mesh, all, releases, 0.05), releases);
}

} // namespace selvage
