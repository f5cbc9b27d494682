#include "core/example/cloth_grid.h"

#include "core/base/error.h"
#include "tests/example/mesh_checks.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

constexpr GridCells all_cells[] = {GridCells::quads, GridCells::regular_triangles,
                                   GridCells::alternating_triangles,
                                   GridCells::irregular_triangles};

double area(const Triangles& mesh, double& least_up)
{
    double sum = 0;
    least_up = infinity;
    for (const Vec3i& f : mesh.faces) {
        const Vec3 n =
            0.5 * (mesh.point(f[1]) - mesh.point(f[0])).cross(mesh.point(f[2]) - mesh.point(f[0]));
        sum += n.norm();
        least_up = std::min(least_up, n.y());
    }
    return sum;
}

} // namespace

TEST(ClothGrid, CoversTheRectangleOnceFacingUp)
{
    for (const GridCells cells : all_cells) {
        const Geometry g = cloth_grid(12, 8, 0.6, 0.4, cells, 7);
        EXPECT_EQ(g.point_count(), 13u * 9u);
        EXPECT_EQ(g.primitive_count(), cells == GridCells::quads ? 96u : 192u);
        EXPECT_EQ(bad_edges(g), 0);
        EXPECT_EQ(euler_characteristic(g), 1);
        double least_up;
        EXPECT_NEAR(area(triangles_of(g), least_up), 0.24, 1e-6);
        EXPECT_GT(least_up, 0);
    }
}

TEST(ClothGrid, GroupsAndTextureCoordinates)
{
    const Geometry g = cloth_grid(12, 8, 0.6, 0.4);
    EXPECT_EQ(g.find_group(Owner::point, "corners")->count(), 4u);
    const Group* top = g.find_group(Owner::point, "top");
    ASSERT_EQ(top->count(), 13u);
    const VecX x = g.positions();
    const Attribute& uv = g.get(Owner::vertex, "uv");
    for (std::size_t v = 0; v < g.vertex_count(); ++v) {
        const auto p = std::size_t(g.vertex_point()[v]);
        EXPECT_NEAR(uv.number(v, 0), x[3 * Eigen::Index(p)] + 0.3, 1e-6);
        if (top->member[p]) {
            EXPECT_NEAR(uv.number(v, 1), 0.4, 1e-6);
        }
    }
}

TEST(ClothGrid, SeedDecidesTheIrregularGrid)
{
    const auto make = [](unsigned seed) {
        return cloth_grid(10, 10, 1, 1, GridCells::irregular_triangles, seed);
    };
    EXPECT_EQ(make(3).positions(), make(3).positions());
    EXPECT_TRUE(make(3).same_topology(make(3)));
    EXPECT_NE(make(3).positions(), make(4).positions());
    EXPECT_GT(smallest_angle(triangles_of(make(3))), 0.2);
}

TEST(ClothGrid, RefusesAnEmptyGrid)
{
    EXPECT_THROW(cloth_grid(0, 3, 1, 1), InputError);
    EXPECT_THROW(cloth_grid(3, 3, 1, -1), InputError);
}
