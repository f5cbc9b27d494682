#include "core/geometry/mesh_topology.h"

#include <gtest/gtest.h>

using namespace selvage;

TEST(MeshTopology, SquareOfTwoTriangles)
{
    const MeshTopology m = mesh_topology({{0, 1, 2}, {0, 2, 3}});
    EXPECT_EQ(m.edges.size(), 5u);
    EXPECT_EQ(m.boundary_edges.size(), 4u);
    ASSERT_EQ(m.hinges.size(), 1u);
    EXPECT_EQ(m.hinges[0], Vec4i(1, 2, 0, 3)); // first triangle (1 2 0) runs through the edge 2 → 0
    EXPECT_TRUE(m.flipped_edges.empty());
}

TEST(MeshTopology, FlippedNeighbourIsReportedAndStillBends)
{
    const MeshTopology m = mesh_topology({{0, 1, 2}, {0, 3, 2}});
    EXPECT_EQ(m.flipped_edges.size(), 1u);
    ASSERT_EQ(m.hinges.size(), 1u);
    EXPECT_EQ(m.hinges[0][3], 3);
}

TEST(MeshTopology, ThreeTrianglesOnAnEdgeMakeNoHinge)
{
    const MeshTopology m = mesh_topology({{0, 1, 2}, {1, 0, 3}, {0, 1, 4}});
    ASSERT_EQ(m.nonmanifold_edges.size(), 1u);
    EXPECT_EQ(m.nonmanifold_edges[0], Vec2i(0, 1));
    EXPECT_TRUE(m.hinges.empty());
}

TEST(MeshTopology, StrandsAreOpenPolygonsOnly)
{
    Geometry g;
    g.set_point_count(5);
    g.add_polygon({0, 1, 2});
    g.add_polygon({4, 3}, /*closed*/ false);
    g.add_polygon({1}, /*closed*/ false);
    ASSERT_EQ(strands(g).size(), 1u);
    EXPECT_EQ(strands(g)[0], (std::vector<int>{4, 3}));
}

TEST(MeshTopology, UnfusedSeamAndTJunctionAreFound)
{
    // Left square 0 1 2 3; right triangles meet its side (1, 2) in a copy of 1 and in a middle
    // point.
    VecX x(3 * 7);
    x << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, /*4 = copy of 1*/ 1, 0, 0, /*5 inside (1,2)*/ 1, 0.5,
        0,
        /*6*/ 2, 0, 0;
    const MeshTopology m = mesh_topology({{0, 1, 2}, {0, 2, 3}, {4, 6, 5}});
    const SeamReport seams = find_open_seams(m, x, 1e-6);
    ASSERT_EQ(seams.coincident_points.size(), 1u);
    EXPECT_EQ(seams.coincident_points[0], Vec2i(1, 4));
    ASSERT_EQ(seams.t_junctions.size(), 1u);
    EXPECT_EQ(seams.t_junctions[0][0], 5);
}
