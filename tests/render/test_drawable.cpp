#include "core/render/drawable.h"
#include "tests/render/scenes.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

using namespace selvage;

namespace
{

Geometry cube()
{
    Geometry g;
    g.set_point_count(8);
    VecX x(24);
    for (int i = 0; i < 8; ++i) x.segment<3>(3 * i) << (i & 1), (i >> 1 & 1), (i >> 2);
    g.set_positions(x);
    for (const auto& f : std::vector<std::vector<int>>{
             {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
        g.add_polygon(f);
    return g;
}

} // namespace

TEST(Drawable, NormalsOfASphereAreRadial)
{
    const auto ball = test::object(test::sphere(2, Vec3(1, 0, 0)));
    const VecX x = ball.geometry.positions();
    const Drawable d = make_drawable(ball);
    ASSERT_FALSE(d.triangles.empty());
    for (const DrawnTriangle& t : d.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 radial = x.segment<3>(3 * t.corner[k].point) - Vec3(1, 0, 0);
            const double sine = radial.normalized().cross(t.normal[k].cast<double>()).norm();
            const bool at_pole = std::abs(radial.y()) > 1.999; // its points are not shared
            if (at_pole) continue;
            EXPECT_LT(sine, 0.01);
        }
}

TEST(Drawable, CreasesStaySharp)
{
    const Drawable d = make_drawable(test::object(cube(), RenderRole::collider));
    EXPECT_EQ(d.triangles.size(), 12u);
    for (const DrawnTriangle& t : d.triangles)
        for (const auto& n : t.normal) EXPECT_NEAR(n.cwiseAbs().maxCoeff(), 1, 1e-6f);
}

TEST(Drawable, NormalAttributeIsUsedWhereItCanBeTrusted)
{
    auto o = test::object(test::square_sheet(1, 0), RenderRole::collider);
    VecX n(12);
    for (int i = 0; i < 4; ++i) n.segment<3>(3 * i) = Vec3(3, 4, 0);
    o.geometry.set_vectors("N", n, "normal");
    EXPECT_NEAR(make_drawable(o).triangles[0].normal[0].x(), 0.6f, 1e-6f);
    o.role = RenderRole::cloth; // moved since: N is old
    EXPECT_NEAR(make_drawable(o).triangles[0].normal[0].y(), 1.0f, 1e-6f);
    o.normals = NormalSource::attribute;
    EXPECT_NEAR(make_drawable(o).triangles[0].normal[0].x(), 0.6f, 1e-6f);
}

TEST(Drawable, PrimitivesThatAreNotFiniteAreSkippedAndCounted)
{
    Geometry g;
    g.set_point_count(6);
    VecX x = VecX::Zero(18);
    x << 0, 0, 0, 1, 0, 0, 1, 1, 0, std::nan(""), 1, 0, infinity, 0, 0, 2, 0, 0;
    g.set_positions(x);
    g.add_polygon({0, 1, 2});
    g.add_polygon({0, 2, 3});
    g.add_polygon({0, 4}, false);
    g.add_polygon({0, 5}, false);
    g.add_polygon({0, 1});
    const auto o = test::object(g);
    const Drawable d = make_drawable(o);
    EXPECT_EQ(d.triangles.size(), 1u);
    EXPECT_EQ(d.segments.size(), 1u);
    EXPECT_EQ(d.skipped_primitives, 3u);
    BoundingBox box;
    for_each_drawn_point(o, [&](const Vec3& p) { box.add(p); });
    EXPECT_EQ(box.high, Vec3(2, 1, 0));
}

TEST(Drawable, SoupsAreCutIntoTheirPolygons)
{
    Geometry g;
    g.set_point_count(5);
    VecX x(15);
    x << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0;
    g.set_positions(x);
    g.add_soup({{0, 1, 2, 3}, {1, 4, 2}});
    EXPECT_EQ(make_drawable(test::object(g)).triangles.size(), 3u);
}

TEST(Drawable, QuadsAreCutByThePoseGiven)
{
    Geometry g;
    g.set_point_count(4);
    VecX wide(12), tall(12); // the shorter diagonal from 1 to 3, and from 0 to 2
    wide << -2, 0, 0, 0, -1, 0, 2, 0, 0, 0, 1, 0;
    tall << -1, 0, 0, 0, -2, 0, 1, 0, 0, 0, 2, 0;
    g.set_positions(wide);
    g.add_polygon({0, 1, 2, 3});
    auto o = test::object(g);
    // The diagonal's ends are corners of both triangles.
    const auto cut_at = [&](int point) {
        int corners = 0;
        for (const DrawnTriangle& t : make_drawable(o).triangles)
            for (const DrawnCorner& c : t.corner) corners += c.point == point;
        return corners == 2;
    };
    EXPECT_TRUE(cut_at(1));
    o.cut_by = tall;
    EXPECT_TRUE(cut_at(0));
    o.cut_by = VecX::Zero(3); // of something else
    EXPECT_TRUE(cut_at(1));
}

TEST(Drawable, TetrahedraShowTheirOutsideOnly)
{
    Geometry g;
    g.set_point_count(5);
    VecX x(15);
    x << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1;
    g.set_positions(x);
    g.add_tetrahedron({0, 1, 2, 3});
    g.add_tetrahedron({4, 2, 1, 3});
    const Drawable d = make_drawable(test::object(g, RenderRole::collider));
    EXPECT_EQ(d.triangles.size(), 6u);
    const Vec3 middle(0.4, 0.4, 0.4);
    for (const DrawnTriangle& t : d.triangles) {
        const Vec3 a = x.segment<3>(3 * t.corner[0].point), b = x.segment<3>(3 * t.corner[1].point),
                   c = x.segment<3>(3 * t.corner[2].point);
        EXPECT_GT((b - a).cross(c - a).dot(a - middle), 0);
    }
}

TEST(Drawable, StrandRadiusComesFromPscaleOrWidth)
{
    Geometry g;
    g.set_point_count(3);
    VecX x(9);
    x << 0, 0, 0, 1, 0, 0, 2, 0, 0;
    g.set_positions(x);
    g.add_polygon({0, 1, 2}, false);
    auto o = test::object(g, RenderRole::hair);
    EXPECT_FLOAT_EQ(make_drawable(o).strand_points[1].radius, float(o.default_radius));
    o.geometry.set_scalars("width", VecX::Constant(3, 0.02));
    EXPECT_FLOAT_EQ(make_drawable(o).strand_points[1].radius, 0.01f);
    o.geometry.set_scalars("pscale", VecX::Constant(3, 0.03));
    EXPECT_FLOAT_EQ(make_drawable(o).strand_points[1].radius, 0.03f);
    EXPECT_LT((make_drawable(o).strand_points[1].tangent - Eigen::Vector3f::UnitX()).norm(), 1e-6f);
}
