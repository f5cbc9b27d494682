#include "core/model/rest_state.h"

#include "core/base/error.h"
#include "core/energy/hinge_bending.h"
#include "core/energy/shape_operator_bending.h"
#include "core/energy/sink.h"
#include "core/energy/stvk_membrane.h"
#include "core/model/cloth_builder.h"
#include "core/model/cloth_membrane.h"
#include "core/model/drive.h"
#include "core/model/scene_terms.h"
#include "tests/support/cloth_scene.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

SheetScene sheet()
{
    SheetScene s;
    s.columns = s.rows = 6;
    s.material = plain_material(0.2, 300, 0.3, 1e-4);
    s.material.young_weft = 150;
    s.material.bend_weft = 3e-5;
    return s;
}

Cloth cloth_of(const SheetScene& s) { return s.scene()->cloths[0]; }

/// Rolled to a cylinder of radius R about the y axis: the sheet's lengths along x become arcs.
VecX rolled(const VecX& x, double R)
{
    VecX y = x;
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        y.segment<3>(i) = Vec3(R * std::sin(x[i] / R), x[i + 1], R * std::cos(x[i] / R) - R);
    return y;
}

void expect_same(const RestShape& a, const RestShape& b)
{
    EXPECT_EQ(a.lengths, b.lengths);
    EXPECT_EQ(a.angles, b.angles);
}

} // namespace

TEST(RestState, AreaOfATriangleFromItsLengths)
{
    EXPECT_DOUBLE_EQ(triangle_area({3, 4, 5}), 6);
    EXPECT_EQ(triangle_area({1, 2, 3}), 0);
    EXPECT_EQ(triangle_area({1, 1, 3}), 0);
    // A sliver whose area the plain formula loses: legs of 1 on a base of 1e-9.
    EXPECT_NEAR(triangle_area({1, 1, 1e-9}) / 5e-10, 1, 1e-12);
}

TEST(RestState, YoungsModulusAndThicknessGiveTheRigidityOfASheet)
{
    SheetScene given = sheet(), derived = sheet();
    for (SheetScene* s : {&given, &derived}) {
        s->material.young_weft = s->material.young_warp;
        s->material.thickness = 5e-4;
        s->material.bend_poisson = 0.2;
    }
    derived.material.bend_young = 1e7;
    const double D = 1e7 * std::pow(5e-4, 3) / 12;
    const auto stiffness = [](const SheetScene& s) {
        const Cloth c = cloth_of(s);
        std::vector<double> k;
        for (const HingeElement& h : hinge_rest(c, c.rest)) k.push_back(h.stiffness);
        for (const ShapeTriangle& t : plate_rest(c, c.rest)) k.push_back(t.stiffness[0]);
        return k;
    };
    const std::size_t hinges = cloth_of(given).mesh.hinges.size();
    given.material.bend_warp = given.material.bend_weft = D / (1 - 0.3 * 0.3);
    const std::vector<double> result = stiffness(derived), hinge = stiffness(given);
    given.material.bend_warp = given.material.bend_weft = D / (1 - 0.2 * 0.2);
    const std::vector<double> shape = stiffness(given);
    ASSERT_GT(result.size(), hinges);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const double expected = i < hinges ? hinge[i] : shape[i];
        EXPECT_NEAR(result[i], expected, 1e-12 * expected);
    }
}

TEST(RestState, BlendZeroIsTheOwnShapeBitForBit)
{
    const SheetScene s = sheet();
    const Cloth c = cloth_of(s);
    RestRepair repair;
    const VecX other = Random(1).vector(c.x_rest.size());
    expect_same(driven_rest(c, {other, 0, 1}, repair), c.rest);
    expect_same(driven_rest(c, {{}, 1, 1}, repair), c.rest);
    Cloth masked = c;
    masked.rest_blend.setZero();
    expect_same(driven_rest(masked, {other, 1, 1}, repair), c.rest);
    EXPECT_EQ(repair.count, 0);
}

TEST(RestState, BlendOneIsTheDrivenShapeBitForBit)
{
    const Cloth c = cloth_of(sheet());
    const VecX x = rolled(1.3 * c.x_rest, 0.7);
    RestRepair repair;
    expect_same(driven_rest(c, {x, 1, 1}, repair), rest_shape(c.mesh, x));
}

TEST(RestState, DoesNotDependOnWhereTheDrivenMeshLies)
{
    const Cloth c = cloth_of(sheet());
    Random random(3);
    const VecX x = rolled(c.x_rest, 0.4);
    const VecX y = moved(x, random.rotation(), Vec3(1, -2, 3));
    RestRepair repair;
    const RestShape a = driven_rest(c, {x, 0.6, 1}, repair),
                    b = driven_rest(c, {y, 0.6, 1}, repair);
    for (std::size_t i = 0; i < a.lengths.size(); ++i)
        EXPECT_LT((a.lengths[i] - b.lengths[i]).norm(), 1e-12);
    for (std::size_t i = 0; i < a.angles.size(); ++i) EXPECT_NEAR(a.angles[i], b.angles[i], 1e-7);
}

TEST(RestState, HalfABlendIsHalfway)
{
    const Cloth c = cloth_of(sheet());
    const VecX x = rolled(2 * c.x_rest, 0.5);
    const RestShape driven = rest_shape(c.mesh, x);
    RestRepair repair;
    const RestShape half = driven_rest(c, {x, 0.5, 1}, repair);
    for (std::size_t i = 0; i < half.lengths.size(); ++i)
        EXPECT_LT((half.lengths[i] - 0.5 * (c.rest.lengths[i] + driven.lengths[i])).norm(), 1e-14);
    for (std::size_t i = 0; i < half.angles.size(); ++i)
        EXPECT_NEAR(half.angles[i], 0.5 * (c.rest.angles[i] + driven.angles[i]), 1e-14);
}

TEST(RestState, NeighboursAgreeOnTheLengthOfTheirEdge)
{
    Cloth c = cloth_of(sheet());
    Random random(8);
    for (double& w : c.rest_blend) w = 0.5 + 0.5 * random();
    for (double& s : c.rest_scale) s = 1 + 0.1 * random();
    RestRepair repair;
    const RestShape shape = driven_rest(c, {rolled(1.2 * c.x_rest, 0.4), 0.7, 1.1}, repair);
    EXPECT_EQ(repair.count, 0);
    const auto length = [&](int triangle, int far_point) {
        const Vec3i& t = c.mesh.triangles[std::size_t(triangle)];
        for (int i = 0; i < 3; ++i)
            if (t[i] == far_point) return shape.lengths[std::size_t(triangle)][i];
        return 0.0;
    };
    for (std::size_t k = 0; k < c.mesh.hinges.size(); ++k)
        EXPECT_NEAR(length(c.mesh.hinge_triangles[k][0], c.mesh.hinges[k][0]),
                    length(c.mesh.hinge_triangles[k][1], c.mesh.hinges[k][3]), 1e-15);
}

TEST(RestState, ElementsAgreeWithThoseMadeFromPositions)
{
    const Cloth c = cloth_of(sheet());
    const ClothMaterial& m = c.material;
    const OrthotropicConstants constants =
        orthotropic_constants({m.young_warp, m.young_weft, m.shear, m.poisson});
    const auto membrane = membrane_rest(c, c.rest);
    const auto at = [&](int p) -> Vec3 { return c.x_rest.segment<3>(3 * p); };
    for (std::size_t k = 0; k < membrane.size(); ++k) {
        const Vec3i& t = c.mesh.triangles[k];
        const StvkTriangle e = stvk_triangle(at(t[0]), at(t[1]), at(t[2]), c.warp[k], constants);
        for (std::size_t i = 0; i < 6; ++i)
            EXPECT_NEAR(membrane[k].stiffness[i], e.stiffness[i], 1e-9 * std::abs(e.stiffness[0]));
    }
    const auto hinges = hinge_rest(c, c.rest);
    for (std::size_t k = 0; k < hinges.size(); ++k) {
        Vec12 p;
        for (int i = 0; i < 4; ++i) p.segment<3>(3 * i) = at(c.mesh.hinges[k][i]);
        const Vec3 e = (p.segment<3>(6) - p.segment<3>(3)).normalized();
        const Vec3 across = Vec3(0, 0, 1).cross(e);
        const HingeElement h = hinge_element(
            p, hinge_modulus(directional_rigidity(m.bend_warp, m.bend_weft, across, {0, 1, 0})));
        EXPECT_NEAR(hinges[k].stiffness / h.stiffness, 1, 1e-9);
        EXPECT_NEAR(hinges[k].rest_angle, h.rest_angle, 1e-12);
        EXPECT_NEAR(hinges[k].rest_altitude, h.rest_altitude, 1e-12);
    }
}

TEST(RestState, FlatTrianglesAreOpenedAndReported)
{
    Cloth c = cloth_of(sheet());
    RestRepair repair;
    c.rest_blend.setZero();
    c.rest_blend[8] = c.rest_blend[9] = 1; // their edges outgrow the ring around them
    driven_rest(c, {1.5 * c.x_rest, 1, 1}, repair);
    EXPECT_EQ(repair.count, 0);
    const RestShape blended = driven_rest(c, {6 * c.x_rest, 1, 1}, repair);
    EXPECT_EQ(repair.count, 6);
    const std::string text = describe(repair, c);
    EXPECT_NE(text.find("Cloth 'sheet': 6 triangles"), std::string::npos) << text;
    EXPECT_NE(
        text.find("polygon " + std::to_string(c.triangle_primitive[std::size_t(repair.triangle)])),
        std::string::npos);
    for (const Vec3& l : blended.lengths) {
        const double longest = l.maxCoeff();
        EXPECT_GT(triangle_area(l), 1e-3 * longest * longest);
    }
    EXPECT_NO_THROW(membrane_rest(c, blended));
    EXPECT_NO_THROW(hinge_rest(c, blended));
}

TEST(RestState, ACollapsedRestMeshLeavesFiniteElements)
{
    const Cloth c = cloth_of(sheet());
    RestRepair repair;
    for (const VecX& x :
         {VecX(0 * c.x_rest),
          VecX(
              c.x_rest.reshaped(3, c.point_count()).colwise().mean().replicate(3, 1).reshaped())}) {
        const RestShape shape = driven_rest(c, {x, 1, 1}, repair);
        EXPECT_EQ(repair.count, int(c.mesh.triangles.size()));
        EXPECT_EQ(repair.triangle, 0);
        for (const StvkTriangle& t : membrane_rest(c, shape))
            for (const double k : t.stiffness) EXPECT_TRUE(std::isfinite(k));
        for (const HingeElement& h : hinge_rest(c, shape))
            EXPECT_TRUE(std::isfinite(h.stiffness) && std::isfinite(h.rest_angle));
    }
}

TEST(RestState, SliversOfTheOwnShapeAreLeftAlone)
{
    Geometry g;
    g.set_point_count(3);
    VecX x(9);
    x << 0, 0, 0, 1, 0, 0, 0.5, 1e-5, 0;
    g.set_vectors("P", x, "point", Storage::real64);
    g.add_polygon({0, 1, 2});
    NullLog log;
    const Cloth c = make_cloth("sliver", g, nullptr, ClothMaterial(), log);
    RestRepair repair;
    expect_same(driven_rest(c, {2 * x, 0, 1}, repair), c.rest);
    EXPECT_EQ(repair.count, 0);
}

TEST(RestState, TermsFollowTheDriveAndComeBack)
{
    const SheetScene s = sheet();
    const auto scene = s.scene();
    SceneTerms terms(*scene);
    const auto energy = [&](const VecX& x) {
        double sum = 0;
        for (Term* t : terms.all()) {
            Sink sink;
            t->evaluate(x, {true, false, false, Psd::exact}, sink);
            sum += sink.energy;
        }
        return sum;
    };
    const VecX start = s.start().x, driven = rolled(1.1 * start, 0.5);
    const double before = energy(driven);
    EXPECT_GT(before, 1e-3);
    Drive drive = s.still();
    drive.rest = {{driven, 1, 1}};
    terms.set_drive(*scene, drive);
    EXPECT_LT(energy(driven), 1e-12);
    EXPECT_GT(energy(start), 1e-3);
    EXPECT_LT(terms.max_strain(*scene, driven), 1e-7);
    terms.set_drive(*scene, s.still());
    EXPECT_EQ(energy(driven), before);
}

TEST(RestState, PatternGivesEachSideOfASeamItsOwnPlace)
{
    // A roof of two quads whose panels lie apart in the pattern, the right one turned by 90°.
    Geometry g;
    g.set_point_count(6);
    VecX x(18);
    x << 0, 0, 0, 1, 0, 0.5, 2, 0, 0, 0, 1, 0, 1, 1, 0.5, 2, 1, 0;
    g.set_vectors("P", x, "point", Storage::real64);
    g.add_polygon({0, 1, 4, 3});
    g.add_polygon({1, 2, 5, 4});
    Attribute uv = make_attribute("uv", Owner::vertex, Storage::real64, 3, 8);
    const double places[8][2] = {{0, 0}, {2, 0}, {2, 1}, {0, 1}, {10, 0}, {10, 3}, {9, 3}, {9, 0}};
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t k = 0; k < 2; ++k) uv.set_number(i, int(k), places[i][k]);
    g.set(uv);
    NullLog log;
    const auto expect_pattern = [&] {
        const Cloth c = make_cloth("roof", g, nullptr, ClothMaterial(), log,
                                   {RestFrom::pattern, /*scale*/ 0.5});
        double area[2] = {0, 0};
        for (std::size_t k = 0; k < c.mesh.triangles.size(); ++k)
            area[c.triangle_primitive[k]] += triangle_area(c.rest.lengths[k]);
        EXPECT_NEAR(area[0], 0.25 * 2, 1e-12);
        EXPECT_NEAR(area[1], 0.25 * 3, 1e-12);
        for (const double a : c.rest.angles) EXPECT_EQ(a, 0);
        EXPECT_NEAR(cloth_mass(c, g).sum(), c.material.density * 1.25, 1e-12);
    };
    expect_pattern();
    // `materialuv` goes before `uv`, which then only places textures.
    Attribute material_uv = uv;
    material_uv.name = "materialuv";
    g.set(material_uv);
    for (std::size_t i = 0; i < 8; ++i) uv.set_number(i, 0, 7 * places[i][0]);
    g.set(uv);
    expect_pattern();

    Geometry bare;
    bare.set_point_count(3);
    bare.set_positions(x.head(9) + VecX::LinSpaced(9, 0, 1).cwiseAbs2());
    bare.add_polygon({0, 1, 2});
    EXPECT_THROW(make_cloth("bare", bare, nullptr, ClothMaterial(), log, {RestFrom::pattern, 1}),
                 InputError);
    EXPECT_THROW(make_cloth("bare", bare, nullptr, ClothMaterial(), log, {RestFrom::attribute, 1}),
                 InputError);
}
