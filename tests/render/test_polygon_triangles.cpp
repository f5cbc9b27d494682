#include "core/render/polygon_triangles.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

using namespace selvage;

namespace
{

/// Sum of areas, negative where a triangle is turned round against +z.
double covered(const std::vector<Vec3>& p)
{
    double area = 0;
    for (const auto& t : triangulate_polygon(p)) {
        const Vec3 n = 0.5 * (p[std::size_t(t[1])] - p[std::size_t(t[0])])
                                 .cross(p[std::size_t(t[2])] - p[std::size_t(t[0])]);
        EXPECT_GE(n.z(), -1e-12);
        area += n.norm();
    }
    return area;
}

} // namespace

TEST(PolygonTriangles, ConcaveOutlineIsCoveredOnce)
{
    const std::vector<Vec3> L = {{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}};
    EXPECT_EQ(triangulate_polygon(L).size(), 4u);
    EXPECT_NEAR(covered(L), 5, 1e-12);
}

TEST(PolygonTriangles, ConcaveQuadIsCutThroughItsNotch)
{
    // An arrowhead: the diagonal 1–3 would lie outside.
    const std::vector<Vec3> arrow = {{0, 0, 0}, {2, -1, 0}, {0.5, 0, 0}, {2, 1, 0}};
    for (std::size_t turn = 0; turn < 4; ++turn) {
        std::vector<Vec3> p;
        for (std::size_t i = 0; i < 4; ++i) p.push_back(arrow[(i + turn) % 4]);
        EXPECT_NEAR(covered(p), 0.5, 1e-12);
    }
}

TEST(PolygonTriangles, StarIsCoveredOnce)
{
    std::vector<Vec3> star;
    for (int i = 0; i < 14; ++i) {
        const double r = i % 2 ? 0.3 : 1, a = M_PI * i / 7;
        star.emplace_back(r * std::cos(a), r * std::sin(a), 0);
    }
    EXPECT_NEAR(covered(star), 7 * 0.3 * std::sin(M_PI / 7), 1e-12);
}

TEST(PolygonTriangles, DegenerateOutlinesEnd)
{
    EXPECT_TRUE(triangulate_polygon({{0, 0, 0}, {1, 0, 0}}).empty());
    const std::vector<Vec3> line = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
    EXPECT_EQ(triangulate_polygon(line).size(), 3u);
    const std::vector<Vec3> bow = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0.5, 0}};
    EXPECT_EQ(triangulate_polygon(bow).size(), 3u);
}
