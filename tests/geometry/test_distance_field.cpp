#include "core/check/volumes.h"
#include "core/example/sphere.h"
#include "core/geometry/triangulate.h"
#include "core/geometry/vdb_collider.h"
#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"
#include "tests/support/messages.h"
#include "tests/support/volumes.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

const Vec3 centre(0.203, -0.1, 0.05);

/// A place in the narrow band of a ball.
Vec3 near_ball(Random& random, double radius)
{
    const Vec3 n = Vec3(random(), random(), random()).normalized();
    return centre + (radius + 0.02 * random()) * n;
}

} // namespace

TEST(DistanceField, IsTheDistanceToASmallPartOfAVoxel)
{
    const auto ball = ball_field(0.15, centre, 0.01, 0.08);
    Random random(1);
    for (int k = 0; k < 500; ++k) {
        const Vec3 x = near_ball(random, 0.15), r = x - centre;
        const DistanceField::Value at = ball->at(x);
        EXPECT_NEAR(at.value, r.norm() - 0.15, 1e-3 * 0.01) << k;
        EXPECT_LT((at.gradient - r.normalized()).norm(), 2e-3) << k;
        EXPECT_EQ(ball->value(x), at.value);
    }
    EXPECT_EQ(ball->value({10, 3, 2}), ball->background());
    EXPECT_NEAR(ball->value(centre), -ball->background(), 1e-12);
    EXPECT_LT(ball->at(centre).gradient.norm(), 1e-12);
    EXPECT_EQ(ball->value(Vec3(1e300, 0, 0)), ball->background());
}

TEST(DistanceField, DerivativesAgreeWithDifferences)
{
    DistanceSamples turned = ball_samples(0.15, centre);
    Random random(2);
    turned.axes = random.rotation() * turned.axes;
    turned.origin = {0.1, 0.2, -0.4};
    const DistanceField field(turned);
    for (int k = 0; k < 60; ++k) {
        const Vec3 x = turned.axes * (near_ball(random, 0.15) / 0.01) + turned.origin;
        const DistanceField::Value at = field.at(x);
        const auto value = [&](const VecX& y) { return field.value(y); };
        const auto gradient = [&](const VecX& y) { return field.at(y).gradient; };
        // Quadratic within a cell; steps across its border cost the last digits.
        EXPECT_LT((at.gradient - fd_gradient(value, x, 1e-7)).norm(), 1e-5);
        EXPECT_LT((at.hessian - fd_jacobian(gradient, x, 1e-9)).norm(), 2e-2 * at.hessian.norm());
    }
}

TEST(DistanceField, ChangesNoFasterThanItsLipschitzConstant)
{
    for (const auto& field : {ball_field(0.15, Vec3::Zero()), block_field({0.12, 0.2, 0.08})}) {
        EXPECT_GE(field->lipschitz(), 1);
        EXPECT_LT(field->lipschitz(), 2.5);
        Random random(3);
        for (int k = 0; k < 20000; ++k) {
            const Vec3 x = 0.25 * Vec3(random(), random(), random());
            const Vec3 y = x + std::pow(10, -3 + 2 * random()) * Vec3(random(), random(), random());
            ASSERT_LE(std::abs(field->value(x) - field->value(y)),
                      field->lipschitz() * (x - y).norm() + 1e-12);
        }
    }
}

TEST(DistanceField, BendsNoMoreThanItsCurvature)
{
    for (const auto& field : {ball_field(0.15, Vec3::Zero()), block_field({0.12, 0.2, 0.08})}) {
        Random random(11);
        int outside = 0;
        for (int k = 0; k < 20000; ++k) {
            const Vec3 x = 0.25 * Vec3(random(), random(), random());
            const Vec3 r = 0.02 * Vec3(random(), random(), random());
            if (field->value(x) < 0 || field->value(x + r) < 0 || field->value(x + 0.5 * r) < 0)
                continue;
            ++outside;
            const DistanceField::Value at = field->at(x);
            ASSERT_GE(field->value(x + r), at.value + at.gradient.dot(r) -
                                               0.5 * field->curvature() * r.squaredNorm() - 1e-12);
        }
        EXPECT_GT(outside, 1000);
    }
}

TEST(DistanceField, TheCheckersOwnFormulaAgrees)
{
    const auto field = block_field({0.12, 0.2, 0.08});
    Random random(4);
    for (int k = 0; k < 3000; ++k) {
        const Vec3 x = 0.3 * Vec3(random(), random(), random());
        // Apart from the rounding of coefficients to 32 bits.
        EXPECT_NEAR(volume_distance(field->samples(), x), field->value(x), 1e-8);
    }
}

TEST(DistanceField, WhatIsNoDistanceIsRefused)
{
    DistanceSamples s = ball_samples(0.15, centre);
    const auto refused = [](DistanceSamples bad) {
        return message_of([&] { DistanceField field(std::move(bad)); });
    };
    EXPECT_EQ(refused(s), "");
    DistanceSamples stretched = s;
    stretched.axes(1, 1) *= 2;
    expect_says(refused(stretched), {"voxels are not cubes"});
    DistanceSamples steep = s;
    for (float& v : steep.values) v *= 10;
    expect_says(refused(steep), {"no distance does", "level set"});
    DistanceSamples nan = s;
    nan.values[300] = NAN;
    expect_says(refused(nan), {"not finite"});
}

TEST(DistanceField, ScalesWithTheUnit)
{
    const DistanceField metric(scaled(ball_samples(15, 100 * centre, 1, 8), 0.01));
    Random random(5);
    for (int k = 0; k < 50; ++k) {
        const Vec3 x = near_ball(random, 0.15);
        EXPECT_NEAR(metric.value(x), (x - centre).norm() - 0.15, 2e-5);
    }
}

TEST(MovingField, IsLinearBetweenSamples)
{
    const auto a = ball_field(0.15, {0, 0, 0}), b = ball_field(0.15, {0.01, 0, 0});
    const auto c = ball_field(0.16, {0.01, 0, 0});
    const MovingField field({{3, a}, {4, b}, {6, c}});
    Random random(6);
    for (int k = 0; k < 100; ++k) {
        const Vec3 x = (0.15 + 0.01 * random()) * Vec3(random(), random(), random()).normalized();
        const double t = 4.5 + 1.4 * random();
        const MovingField::Value at = field.at(x, t), slope = field.slope(x, t);
        EXPECT_EQ(at.value, slope.value);
        EXPECT_EQ(at.rate, slope.rate);
        EXPECT_NEAR(at.value, field.value(x, t), 1e-15);
        const double h = 1e-4;
        if (field.next_change(t) < t + h) continue;
        EXPECT_NEAR((field.value(x, t + h) - field.value(x, t)) / h, at.rate, 1e-9);
        EXPECT_LT((field.at(x, t + h).gradient - at.gradient - h * at.rate_gradient).norm(), 1e-9);
        const auto value = [&](const VecX& y) { return field.value(y, t); };
        EXPECT_LT((at.gradient - fd_gradient(value, x, 1e-7)).norm(), 1e-5);
        EXPECT_LE(field.lowest(x, t - 0.5, t + 0.5),
                  std::min(field.value(x, t), field.value(x, t + 0.3)) + 1e-15);
    }
    EXPECT_EQ(field.value({0.2, 0, 0}, 1), a->value({0.2, 0, 0}));
    EXPECT_EQ(field.value({0.2, 0, 0}, 9), c->value({0.2, 0, 0}));
    EXPECT_EQ(field.next_change(4), 6);
    EXPECT_EQ(field.next_change(6), infinity);
    EXPECT_NEAR(field.surface_speed(), 0.01, 1e-3);
}

TEST(VolumeFile, KeepsTheDistances)
{
    if (!has_openvdb()) {
        expect_says(message_of([] { read_vdb("bytes"); }), {"OpenVDB", "libopenvdb-dev"});
        GTEST_SKIP() << "built without OpenVDB";
    }
    DistanceSamples turned = ball_samples(0.15, centre);
    turned.axes = Random(7).rotation() * turned.axes;
    turned.origin = {1, 2, 3};
    const auto given = std::make_shared<DistanceField>(turned);
    const std::vector<Volume> read = read_vdb(write_vdb(
        {{"body", Volume::Kind::signed_distance, given}, {"smoke", Volume::Kind::fog, nullptr}}));
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].name, "body");
    ASSERT_TRUE(read[0].field);
    Random random(8);
    for (int k = 0; k < 200; ++k) {
        const Vec3 x = turned.axes * (near_ball(random, 0.15) / 0.01) + turned.origin;
        EXPECT_NEAR(read[0].field->value(x), given->value(x), 1e-9);
    }
    EXPECT_NEAR(read[0].field->value(turned.axes * (centre / 0.01) + turned.origin), -0.03, 1e-8);
    expect_says(message_of([] { read_vdb("these are no volumes"); }), {"volume file"});
}

TEST(VolumeFile, SurfacesBecomeDistances)
{
    if (!has_openvdb()) GTEST_SKIP() << "built without OpenVDB";
    const Geometry ball = sphere(0.15, 5, centre);
    const DistanceField field(
        distance_of_surface(ball.positions(), triangulate(ball).triangles, 0.01, 8));
    EXPECT_LT(field.lipschitz(), 3); // at the border of the band it is no exact distance
    Random random(9);
    for (int k = 0; k < 200; ++k) {
        const Vec3 x = near_ball(random, 0.15);
        EXPECT_NEAR(field.value(x), (x - centre).norm() - 0.15, 3e-4);
    }
}
