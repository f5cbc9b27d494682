#include "core/base/error.h"
#include "core/geometry/triangulate.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <random>

using namespace selvage;

namespace
{

Geometry polygon(const std::vector<Vec3>& points)
{
    Geometry g;
    g.set_point_count(points.size());
    VecX P(3 * Eigen::Index(points.size()));
    std::vector<int> order;
    for (std::size_t i = 0; i < points.size(); ++i) {
        P.segment<3>(3 * Eigen::Index(i)) = points[i];
        order.push_back(int(i));
    }
    g.set_vectors("P", P, "point", Storage::real64);
    g.add_polygon(order);
    return g;
}

Vec3 at(const Geometry& g, int point)
{
    const VecX P = g.positions();
    return P.segment<3>(3 * point);
}

Vec3 vector_area(const Geometry& g, const Vec3i& t)
{
    return 0.5 * (at(g, t[1]) - at(g, t[0])).cross(at(g, t[2]) - at(g, t[0]));
}

/// n − 2 triangles, all turning about `up`, none flat, together the polygon's area.
void expect_proper(const Geometry& g, const Vec3& up, double area, double smallest = 0)
{
    const Triangulation t = triangulate(g);
    ASSERT_EQ(t.triangles.size(), g.point_count() - 2);
    double sum = 0;
    for (const Vec3i& triangle : t.triangles) {
        EXPECT_GT(vector_area(g, triangle).dot(up), smallest) << triangle.transpose();
        sum += vector_area(g, triangle).dot(up);
    }
    EXPECT_NEAR(sum, area, 1e-9 * (1 + area));
}

double area_about(const Geometry& g, const Vec3& up)
{
    double sum = 0;
    for (int i = 2; i < int(g.point_count()); ++i) sum += vector_area(g, {0, i - 1, i}).dot(up);
    return sum;
}

const Vec3 Z = Vec3::UnitZ();

} // namespace

TEST(Triangulate, TrianglesStayAsTheyAre)
{
    Geometry g;
    g.set_point_count(5);
    g.add_polygon({3, 1, 4});
    const Triangulation t = triangulate(g);
    ASSERT_EQ(t.triangles.size(), 1u);
    EXPECT_EQ(t.triangles[0], Vec3i(3, 1, 4));
    EXPECT_EQ(t.vertices[0], Vec3i(0, 1, 2));
    EXPECT_EQ(t.primitive[0], 0);
}

TEST(Triangulate, QuadTakesTheShorterDiagonal)
{
    const Geometry wide = polygon({{0, 0, 0}, {2, -1, 0}, {4, 0, 0}, {2, 1, 0}});
    EXPECT_EQ(triangulate(wide).triangles[0], Vec3i(0, 1, 3));
    EXPECT_EQ(triangulate(wide).triangles[1], Vec3i(1, 2, 3));
    expect_proper(wide, Z, 4);
    const Geometry tall = polygon({{2, -1, 0}, {4, 0, 0}, {2, 1, 0}, {0, 0, 0}});
    EXPECT_EQ(triangulate(tall).triangles[0], Vec3i(0, 1, 2));
}

TEST(Triangulate, SquareIsCutAtTheFirstVertexDespiteRounding)
{
    for (const double noise : {0.0, 1e-7, -1e-7}) {
        const Geometry g = polygon({{0, 0, 0}, {1 + noise, 0, 0}, {1, 1 - noise, 0}, {0, 1, 0}});
        EXPECT_EQ(triangulate(g).triangles[0], Vec3i(0, 1, 2));
        EXPECT_EQ(triangulate(g).triangles[1], Vec3i(0, 2, 3));
    }
}

TEST(Triangulate, ConcaveQuadTakesTheDiagonalInside)
{
    // A dart whose outer diagonal is the shorter one; every vertex once in front.
    const std::vector<Vec3> dart = {{0, 0, 0}, {0.5, 3, 0}, {0, 1, 0}, {-0.5, 3, 0}};
    for (int shift = 0; shift < 4; ++shift) {
        std::vector<Vec3> turned = dart;
        std::rotate(turned.begin(), turned.begin() + shift, turned.end());
        const Geometry g = polygon(turned);
        expect_proper(g, Z, 0.5);
    }
}

TEST(Triangulate, QuadWithACollinearVertexHasNoFlatTriangle)
{
    const std::vector<Vec3> quad = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0.1, 0}};
    for (int shift = 0; shift < 4; ++shift) {
        std::vector<Vec3> turned = quad;
        std::rotate(turned.begin(), turned.begin() + shift, turned.end());
        expect_proper(polygon(turned), Z, 0.1, 1e-3);
    }
}

TEST(Triangulate, ConvexAndConcavePolygons)
{
    std::vector<Vec3> disc, star, comb;
    for (int i = 0; i < 40; ++i) {
        const double angle = 2 * 3.14159265358979 * i / 40, radius = i % 2 ? 1 : 0.3;
        disc.emplace_back(std::cos(angle), std::sin(angle), 0);
        star.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0);
    }
    for (int i = 0; i < 10; ++i) {
        comb.emplace_back(2 * i, 0, 0);
        comb.emplace_back(2 * i + 1, 0, 0);
        comb.emplace_back(2 * i + 1, 5, 0);
        comb.emplace_back(2 * i + 2, 5, 0);
    }
    comb.emplace_back(20, 6, 0);
    comb.emplace_back(0, 6, 0);
    for (const auto& outline : {disc, star, comb}) {
        const Geometry g = polygon(outline);
        expect_proper(g, Z, area_about(g, Z), 1e-6);
    }
}

TEST(Triangulate, AnyPlaneFarAway)
{
    const Mat3 R = Eigen::AngleAxisd(1.1, Vec3(3, -1, 2).normalized()).toRotationMatrix();
    std::vector<Vec3> L = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
    for (Vec3& p : L) p = (R * p + Vec3(1000, -2000, 500)).eval();
    expect_proper(polygon(L), R * Z, 3, 1e-3);
}

TEST(Triangulate, CollinearPointsGiveNoFlatTriangles)
{
    std::vector<Vec3> outline; // a square with 10 points along each side
    const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    for (int side = 0; side < 4; ++side)
        for (int i = 0; i < 10; ++i)
            outline.push_back(corners[side] + 0.1 * i * (corners[(side + 1) % 4] - corners[side]));
    expect_proper(polygon(outline), Z, 1, 1e-6);
}

TEST(Triangulate, BridgeToAHole)
{
    // Square with a square hole, joined by a doubled edge: points 0 and 4 occur twice.
    const std::vector<Vec3> points = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0},
                                      {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}};
    Geometry g = polygon(points);
    Geometry keyhole;
    keyhole.set_point_count(8);
    keyhole.set_positions(g.positions());
    keyhole.add_polygon({0, 1, 2, 3, 0, 4, 5, 6, 7, 4});
    const Triangulation t = triangulate(keyhole);
    ASSERT_EQ(t.triangles.size(), 8u);
    double sum = 0;
    for (const Vec3i& triangle : t.triangles) {
        EXPECT_GT(vector_area(keyhole, triangle).z(), 0);
        sum += vector_area(keyhole, triangle).z();
    }
    EXPECT_NEAR(sum, 12, 1e-12);
}

/// Whatever the outline, n − 2 triangles come back, each with three different corners.
TEST(Triangulate, HopelessOutlinesStillGiveAllTriangles)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int kind = 0; kind < 6; ++kind)
        for (const int n : {4, 5, 6, 9, 30}) {
            std::vector<Vec3> outline;
            for (int i = 0; i < n; ++i) {
                const Vec3 r(unit(random), unit(random), unit(random));
                switch (kind) {
                case 0: outline.push_back(Vec3::Zero()); break;       // one place
                case 1: outline.emplace_back(r.x(), 0, 0); break;     // on a line
                case 2: outline.push_back(r); break;                  // any tangle
                case 3: outline.emplace_back(r.x(), r.y(), 0); break; // plane tangle
                case 4: outline.emplace_back(r.x(), 1e-18 * r.y(), 0); break;
                default: outline.push_back(i == 2 ? Vec3::Constant(std::nan("")) : r);
                }
            }
            const Triangulation t = triangulate(polygon(outline));
            ASSERT_EQ(int(t.triangles.size()), n - 2);
            std::vector<int> used(std::size_t(n), 0);
            for (const Vec3i& c : t.triangles) {
                EXPECT_TRUE(c[0] != c[1] && c[1] != c[2] && c[2] != c[0]);
                for (const int p : c) used[std::size_t(p)] = 1;
            }
            EXPECT_EQ(std::count(used.begin(), used.end(), 1), n);
        }
}

TEST(Triangulate, SoupsCurvesAndTets)
{
    Geometry g;
    g.set_point_count(9);
    VecX P = VecX::Zero(27);
    for (int i = 0; i < 9; ++i) P.segment<3>(3 * i) = Vec3(i % 3, i / 3, 0); // 3 × 3 lattice
    g.set_positions(P);
    g.add_polygon({0, 1, 2}, /*closed*/ false);
    g.add_tetrahedron({0, 1, 3, 4});
    g.add_soup({{0, 1, 4, 3}, {1, 2, 5}, {1, 5, 4}});
    g.add_polygon({3, 4});
    g.add_polygon({4, 5, 8, 7});
    const Triangulation t = triangulate(g);
    ASSERT_EQ(t.triangles.size(), 6u);
    EXPECT_EQ(t.primitive, (std::vector<std::int32_t>{2, 2, 2, 2, 4, 4}));
    EXPECT_EQ(t.triangles[2], Vec3i(1, 2, 5));
    EXPECT_EQ(t.vertices[2], Vec3i(11, 12, 13));
    for (std::size_t i = 0; i < 6; ++i)
        for (int c = 0; c < 3; ++c)
            EXPECT_EQ(g.vertex_point()[std::size_t(t.vertices[i][c])], t.triangles[i][c]);
}

TEST(Triangulate, RestPoseDecides)
{
    const Geometry g = polygon({{0, 0, 0}, {2, -1, 0}, {4, 0, 0}, {2, 1, 0}});
    const Geometry rest = polygon({{1, 0, 0}, {2, -3, 0}, {3, 0, 0}, {2, 3, 0}});
    EXPECT_EQ(triangulate(g).triangles[0], Vec3i(0, 1, 3));
    EXPECT_EQ(triangulate(g, rest.positions()).triangles[0], Vec3i(0, 1, 2));
    EXPECT_THROW(triangulate(g, VecX::Zero(9)), InputError);
    EXPECT_TRUE(triangulate(Geometry()).triangles.empty());
}
