#include "core/example/skinning.h"

#include "core/example/figure.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

const FigureSettings coarse{0.022};

} // namespace

TEST(Skinning, TwistedJointKeepsItsGirth)
{
    // Half way between a bone at rest and one turned by 180° about the common axis, a linear
    // blend would collapse onto the axis.
    PerJoint<Eigen::Isometry3d> bones;
    bones.fill(Eigen::Isometry3d::Identity());
    bones[1] = Eigen::AngleAxisd(0.99 * M_PI, Vec3::UnitX());
    const SkinWeights weights{{{0, 0.5}, {1, 0.5}}};
    const VecX x = skin(Vec3(0.3, 0.1, 0), weights, bones);
    EXPECT_NEAR(x.tail<2>().norm(), 0.1, 1e-12);
    EXPECT_NEAR(x[0], 0.3, 1e-12);
}

TEST(Skinning, WeightsAreSmoothPartitionsOfOne)
{
    const Figure figure(coarse);
    for (const auto& influences : figure.weights()) {
        double sum = 0;
        for (const Influence& f : influences) {
            EXPECT_GT(f.weight, 0);
            sum += f.weight;
        }
        EXPECT_NEAR(sum, 1, 1e-12);
    }
    // Along an edge of about 2 cm no weight may jump.
    const Geometry& g = figure.bind_geometry();
    const auto weight = [&](std::size_t point, int joint) {
        for (const Influence& f : figure.weights()[point])
            if (f.joint == joint) return f.weight;
        return 0.0;
    };
    double largest = 0;
    for (std::size_t v = 0; v < g.vertex_count(); v += 3)
        for (int j = 0; j < joint_count; ++j)
            largest = std::max(largest, std::abs(weight(std::size_t(g.vertex_point()[v]), j) -
                                                 weight(std::size_t(g.vertex_point()[v + 1]), j)));
    EXPECT_LT(largest, 0.45);
}

TEST(Skinning, RigidMotionOfAllBonesMovesTheSkinRigidly)
{
    const Figure figure(coarse);
    Pose pose = bind_pose(figure.skeleton());
    const Eigen::AngleAxisd turn(2.0, Vec3(1, 2, 3).normalized());
    pose.rotation[Joint::pelvis] = turn;
    pose.pelvis = Vec3(0.3, 2, -1);
    const VecX x0 = figure.positions(bind_pose(figure.skeleton())), x = figure.positions(pose);
    const Vec3 pelvis = figure.skeleton().origin[Joint::pelvis];
    for (Eigen::Index i = 0; i < x.size(); i += 3) {
        const Vec3 expected = pose.pelvis + turn * Vec3(x0.segment<3>(i) - pelvis);
        ASSERT_LT((x.segment<3>(i) - expected).norm(), 1e-12);
    }
}
