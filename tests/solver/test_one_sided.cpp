// Colliders that push outwards only, judged frame by frame.
#include "core/bench/scene_parts.h"
#include "core/check/report.h"
#include "core/example/cloth_grid.h"
#include "core/example/sphere.h"
#include "core/geometry/surface_tree.h"
#include "core/geometry/triangulate.h"
#include "core/session/session.h"
#include "tests/support/animated_source.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

Geometry grid(int cells, double size, const Vec3& at)
{
    return moved(cloth_grid(cells, cells, size, size, GridCells::alternating_triangles), at);
}

SessionSetup scene(const Geometry& cloth, std::function<Geometry(double)> collider, int frames)
{
    SessionSetup s;
    s.shot.set("frames", Vec3(1, frames, 0));
    s.shot.set("gravity", Vec3(0, 0, 0));
    ClothSetup c;
    c.cloth.set("name", std::string("sheet"));
    c.geometry = std::make_shared<StaticSource>(cloth);
    s.cloths.push_back(std::move(c));
    ColliderSetup body;
    body.collider.set("name", std::string("body"));
    body.collider.set("one_sided", 1.0);
    body.geometry = std::make_shared<FunctionSource>(std::move(collider));
    s.colliders.push_back(std::move(body));
    return s;
}

/// Runs all frames and returns the state of each; speeds stay below `fastest` [m/s].
std::vector<State> run(const SessionSetup& setup, double fastest)
{
    NullLog log;
    Session session(setup, log);
    std::vector<State> states;
    for (int frame = 1; frame <= setup.last_frame(); ++frame) {
        EXPECT_TRUE(session.cook(frame, NeverCancel()).ok()) << frame;
        states.push_back(session.frame(frame)->state);
        EXPECT_LT(states.back().v.lpNorm<Eigen::Infinity>(), fastest) << frame;
    }
    return states;
}

int points_inside(const Geometry& body, const VecX& x)
{
    const SurfaceTree tree(triangulate(body).triangles, body.positions());
    int inside = 0;
    for (Eigen::Index i = 0; i < x.size(); i += 3) inside += tree.inside(x.segment<3>(i));
    return inside;
}

std::size_t crossings(const Geometry& cloth, const VecX& x, const Geometry& body)
{
    Geometry g = cloth;
    g.set_positions(x);
    return check_geometry({{"sheet", g, std::nullopt}, {"body", body, std::nullopt}})
        .intersections.crossing_count;
}

} // namespace

TEST(OneSided, ASheetThatStartsPartlyInABallComesOut)
{
    const Geometry cloth = grid(8, 0.2, {0.05, 0.07, 0}), ball = sphere(0.1, 3, Vec3::Zero());
    const SessionSetup setup = scene(
        cloth, [&](double) { return ball; }, 24);
    ASSERT_GT(points_inside(ball, cloth.positions()), 10);
    const std::vector<State> states = run(setup, 1.0);
    EXPECT_FALSE(states[1].released.empty());
    EXPECT_TRUE(states.back().released.empty());
    EXPECT_EQ(points_inside(ball, states.back().x), 0);
    EXPECT_EQ(crossings(cloth, states.back().x, ball), 0u);
}

TEST(OneSided, WhatLiesInsideAsAWholeComesOutOnlyOfOneSidedBodies)
{
    const Geometry cloth = grid(4, 0.04, {0.03, 0.02, 0}), ball = sphere(0.1, 3, Vec3::Zero());
    SessionSetup setup = scene(
        cloth, [&](double) { return ball; }, 26);
    ASSERT_EQ(points_inside(ball, cloth.positions()), 25);
    EXPECT_EQ(points_inside(ball, run(setup, 1.0).back().x), 0);
    setup.colliders[0].collider.set("one_sided", 0.0);
    EXPECT_EQ(points_inside(ball, run(setup, 1.0).back().x), 25);
}

TEST(OneSided, AFastBodyGivesBackWhatItSwallowed)
{
    // Within a frame the ball appears around the middle of the sheet, which is held at its rim.
    const Geometry cloth = grid(8, 0.3, Vec3::Zero());
    const auto ball = [](double frame) {
        return sphere(0.05, 3, {0.004, frame < 2 ? 1.0 : 0.01, 0.003});
    };
    SessionSetup setup = scene(cloth, ball, 24);
    setup.cloths[0].pins.set("group", std::string("rim"));
    Geometry pinned = cloth;
    Group rim;
    rim.name = "rim";
    const VecX x = cloth.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        rim.member.push_back(std::abs(x[i]) > 0.149 || std::abs(x[i + 2]) > 0.149);
    pinned.set_group(std::move(rim));
    setup.cloths[0].geometry = std::make_shared<StaticSource>(pinned);
    setup.cloths[0].cloth.set("young_warp", 20.0);
    setup.cloths[0].cloth.set("young_weft", 20.0);
    const std::vector<State> states = run(setup, 60); // the ball has 23 m/s
    EXPECT_EQ(points_inside(ball(24), states.back().x), 0);
    EXPECT_EQ(crossings(cloth, states.back().x, ball(24)), 0u);
}

TEST(OneSided, OpenSheetsDrawToTheirFrontWhatIsBehindThem)
{
    // cloth_grid has its normals upwards or downwards: both ways round.
    const Geometry wall = grid(4, 0.4, Vec3::Zero());
    const SurfaceTree tree(triangulate(wall).triangles, wall.positions());
    const double front = tree.normal(0)[1] > 0 ? 1 : -1;
    const Geometry cloth = grid(4, 0.1, {0.02, -0.03 * front, 0.01});
    const std::vector<State> states = run(scene(
                                              cloth, [&](double) { return wall; }, 20),
                                          1.0);
    for (Eigen::Index i = 1; i < states.back().x.size(); i += 3)
        EXPECT_GT(front * states.back().x[i], 0.001);
    EXPECT_TRUE(states.back().released.empty());
}

TEST(OneSided, NothingTunnelsFromTheFront)
{
    const Geometry wall = grid(4, 0.4, Vec3::Zero());
    const SurfaceTree tree(triangulate(wall).triangles, wall.positions());
    const double front = tree.normal(0)[1] > 0 ? 1 : -1;
    Geometry cloth = grid(4, 0.1, {0.02, 0.2 * front, 0.01});
    VecX v = VecX::Zero(cloth.positions().size());
    for (Eigen::Index i = 1; i < v.size(); i += 3) v[i] = -30 * front;
    cloth.set_vectors("v", v, "vector");
    for (const State& s : run(scene(
                                  cloth, [&](double) { return wall; }, 8),
                              100)) {
        EXPECT_TRUE(s.released.empty());
        for (Eigen::Index i = 1; i < s.x.size(); i += 3) EXPECT_GT(front * s.x[i], 0);
    }
}
