#include "core/render/camera.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace selvage;

TEST(Camera, AxesAreOrthonormalAndRightHanded)
{
    Camera c;
    c.position = {3, 2, 1};
    c.target = {0.3, 0.1, -4};
    const Mat3 axes = c.axes();
    EXPECT_LT((axes * axes.transpose() - Mat3::Identity()).norm(), 1e-12);
    EXPECT_LT(axes.determinant(), 0); // right × up points backwards, the third row forwards
    EXPECT_GT(axes.row(1).dot(Vec3::UnitY()), 0.5);
}

TEST(Camera, LooksAlongItsUpVectorWithoutBreaking)
{
    Camera c;
    c.position = {0, 5, 0};
    EXPECT_TRUE(c.axes().allFinite());
    EXPECT_LT((c.axes() * c.axes().transpose() - Mat3::Identity()).norm(), 1e-12);
}

TEST(Camera, ProjectUndoesDirection)
{
    Camera c;
    c.position = {1, 2, 3};
    const Vec3 p = c.position + 4.5 * c.direction(0.7, -0.3);
    EXPECT_LT((c.project(p) - Vec3(0.7, -0.3, 4.5)).norm(), 1e-12);
}

TEST(Camera, FramingIsTight)
{
    Framing f;
    f.aspect = 1.5;
    f.margin = 0.05;
    f.reserved_right = 0.1;
    std::mt19937 random(7);
    std::uniform_real_distribution<double> u(-1, 1);
    for (int trial = 0; trial < 20; ++trial) {
        f.azimuth = 3 * u(random);
        f.elevation = 1.4 * u(random);
        CameraFitter fitter(f);
        std::vector<Vec3> points;
        const Vec3 size(std::exp(2 * u(random)), std::exp(2 * u(random)), std::exp(2 * u(random)));
        for (int i = 0; i < 50; ++i) {
            points.push_back(Vec3(5, -3, 2) +
                             size.cwiseProduct(Vec3(u(random), u(random), u(random))));
            fitter.add(points.back());
        }
        const Camera c = fitter.camera();
        double left = 1, right = -1, bottom = 1, top = -1;
        for (const Vec3& p : points) {
            const Vec3 q = c.project(p);
            ASSERT_GT(q.z(), 0);
            left = std::min(left, q.x() / f.aspect), right = std::max(right, q.x() / f.aspect);
            bottom = std::min(bottom, q.y()), top = std::max(top, q.y());
        }
        const double free = 1 - 2 * f.margin;
        EXPECT_GE(left, -free - 1e-9);
        EXPECT_LE(right, free * (1 - 2 * f.reserved_right) + 1e-9);
        EXPECT_LE(top, free + 1e-9);
        EXPECT_GE(bottom, -free - 1e-9);
        // One direction fills its part of the picture.
        const double across = (right - left) / (free * (2 - 2 * f.reserved_right));
        const double up = (top - bottom) / (2 * free);
        EXPECT_NEAR(std::max(across, up), 1, 0.02);
    }
}

TEST(Camera, FramesNothingAndOnePoint)
{
    const Framing f;
    EXPECT_TRUE(frame_box(BoundingBox(), f).position.allFinite());
    BoundingBox point;
    point.add(Vec3(4, 5, 6));
    point.add(Vec3(std::nan(""), 0, 0));
    const Camera c = frame_box(point, f);
    EXPECT_LT(c.project(Vec3(4, 5, 6)).head<2>().norm(), 0.25);
    EXPECT_LT(c.project(Vec3(4, 5, 6)).z(), 0.1);
}
