// Figures of a material painted on points.
#include "core/model/point_map.h"

#include "core/base/error.h"
#include "core/energy/hinge_bending.h"
#include "core/energy/shape_operator_bending.h"
#include "core/example/cloth_grid.h"
#include "core/model/cloth_builder.h"
#include "core/model/cloth_membrane.h"
#include "core/model/scene_contact.h"
#include "core/model/scene_terms.h"
#include "tests/energy/term_checks.h"
#include "tests/support/cloth_scene.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// A sheet of one square metre with an attribute that is the same at every point.
Geometry painted_sheet(const std::string& attribute, double value)
{
    Geometry g = cloth_grid(4, 4, 1, 1, GridCells::alternating_triangles);
    g.set_scalars(attribute, VecX::Constant(Eigen::Index(g.point_count()), value), Storage::real64);
    return g;
}

ClothMaterial material()
{
    ClothMaterial m = plain_material(0.2, 300, 0.2, 1e-4);
    m.thickness = 0.002;
    return m;
}

Cloth painted(const std::string& attribute, double value, const ClothMaterial& m = material())
{
    NullLog log;
    return make_cloth("rag", painted_sheet(attribute, value), nullptr, m, log);
}

std::shared_ptr<Scene> scene_of(Cloth cloth)
{
    auto scene = std::make_shared<Scene>();
    scene->mass = scene->mass_damping = VecX::Ones(cloth.point_count());
    scene->cloths.push_back(std::move(cloth));
    return scene;
}

/// The gradient of all terms of a bent, stretched sheet that moves, in a wind.
VecX forces(const Cloth& cloth)
{
    const auto scene = scene_of(cloth);
    const VecX& rest = cloth.x_rest;
    VecX x = rest;
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        x[i] *= 1.02, x[i + 1] += 0.2 * std::sin(3 * rest[i]) + 0.1 * rest[i + 2] * rest[i];
    const VecX v = VecX::Constant(x.size(), 0.3);
    SceneTerms terms(*scene);
    Drive drive;
    drive.wind = Vec3(1, 2, 3);
    terms.set_drive(*scene, drive);
    const StepContext step{0, 0.01, 0.01, 0.01, &x, &v, &rest};
    VecX sum = VecX::Zero(x.size());
    for (Term* term : terms.all()) {
        term->begin_step(step);
        sum += evaluated(*term, x, all_exact).gradient;
    }
    return sum;
}

} // namespace

TEST(PointMap, EveryFigureOfTheMaterialIsReplacedOrMultiplied)
{
    for (const MaterialValue& v : material_values()) {
        const std::string name = v.name;
        ClothMaterial m = material();
        m.*v.value = 0.3;
        const auto at = [&](const Cloth& c) { return c.at(c.mesh.triangles[0], v.value); };
        EXPECT_NEAR(at(painted(name, 0.125, m)), 0.125, 1e-15) << name;
        EXPECT_NEAR(at(painted(name + "_scale", 0.5, m)), 0.15, 1e-15) << name;
        EXPECT_EQ(at(painted(name, -1, m)), 0.3) << name;
        EXPECT_NEAR(painted(name, 0.125, m).at_points(v.value).minCoeff(), 0.125, 1e-15);
        EXPECT_THROW(painted(name + "_scale", -1), InputError) << name;
        EXPECT_THROW(painted(name, std::nan("")), InputError) << name;
        if (v.positive) {
            EXPECT_THROW(painted(name, 0), InputError) << name;
        }
        if (v.high < infinity) {
            EXPECT_THROW(painted(name, 2 * v.high), InputError) << name;
        }
    }
}

TEST(PointMap, OneAttributeScalesSeveralFigures)
{
    const MembraneModuli all = small_strain_moduli(painted("stretch_scale", 3), 0);
    EXPECT_EQ(all.young_warp, 900);
    EXPECT_EQ(all.young_weft, 900);
    EXPECT_EQ(all.shear, 375);
    const Cloth bend = painted("bend_scale", 2);
    EXPECT_EQ(bend.at(bend.mesh.triangles[0], &ClothMaterial::bend_weft), 2e-4);
}

TEST(PointMap, ForcesAreThoseOfAMaterialWithThatFigure)
{
    // Painted everywhere, a figure acts like one set for the whole cloth; every energy reads it.
    ClothMaterial base = material();
    base.stretch_damping = base.shear_damping = base.bend_damping = 0.1;
    base.drag_normal = 1, base.drag_tangent = 0.1, base.lift = 0.2;
    base.stretch_limit = base.stretch_limit_warp = base.stretch_limit_weft = 0.5;
    base.stretch_limit_shear = 0.9;
    base.bend_poisson = 0.1;
    using M = ClothMaterial;
    const std::vector<double M::*> elsewhere = {
        &M::density,    &M::thickness, &M::mass_damping,    &M::yield_angle,
        &M::yield_rate, &M::friction,  &M::dynamic_friction};
    base.bending_model = BendingModel::shape;
    for (const MaterialValue& v : material_values()) {
        if (std::count(elsewhere.begin(), elsewhere.end(), v.value)) continue;
        ClothMaterial plain = base;
        if (v.value == &M::bend_young) plain.bend_young = 1e6; // else it gives no rigidity
        ClothMaterial set = plain;
        set.*v.value *= 1.5;
        const VecX expected = forces(painted("nothing", 1, set));
        EXPECT_LT(relative_error(forces(painted(v.name, set.*v.value, plain)), expected), 1e-12)
            << v.name;
        EXPECT_LT(
            relative_error(forces(painted(v.name + std::string("_scale"), 1.5, plain)), expected),
            1e-12)
            << v.name;
        EXPECT_GT(relative_error(forces(painted("nothing", 1, plain)), expected), 1e-9) << v.name;
    }
}

TEST(PointMap, HingesReadBendingAndItsDamping)
{
    ClothMaterial base = material();
    base.bend_damping = 0.1;
    for (double ClothMaterial::*v :
         {&ClothMaterial::bend_warp, &ClothMaterial::bend_weft, &ClothMaterial::bend_damping}) {
        ClothMaterial set = base;
        set.*v *= 3;
        const auto name = std::find_if(material_values().begin(), material_values().end(),
                                       [&](const MaterialValue& m) { return m.value == v; })
                              ->name;
        EXPECT_LT(
            relative_error(forces(painted(name, set.*v, base)), forces(painted("nothing", 1, set))),
            1e-12)
            << name;
    }
}

TEST(PointMap, MassThicknessAndCreases)
{
    NullLog log;
    const Geometry g = painted_sheet("density", 0.5);
    EXPECT_NEAR(cloth_mass(make_cloth("rag", g, nullptr, material(), log), g).sum(), 0.5, 1e-14);

    const ContactMesh contact = scene_contact_mesh(*scene_of(painted("thickness_scale", 2)));
    EXPECT_NEAR(contact.thickness(0), 0.004, 1e-15);

    const auto creases = [&](const Cloth& cloth) {
        const auto scene = scene_of(cloth);
        VecX x = cloth.x_rest;
        for (Eigen::Index i = 0; i < x.size(); i += 3) x[i + 1] = 0.3 * std::sin(9 * x[i]);
        return VecX(SceneTerms(*scene).creases_after(*scene, x, 0.1, {}));
    };
    ClothMaterial yields = material();
    yields.yield_rate = 4, yields.yield_angle = 0.2;
    const VecX expected = creases(painted("nothing", 1, yields));
    ASSERT_GT(expected.norm(), 0.1);
    Geometry both = painted_sheet("yield_rate", 4);
    both.set_scalars("yield_angle", VecX::Constant(Eigen::Index(both.point_count()), 0.2),
                     Storage::real64);
    EXPECT_LT((creases(make_cloth("rag", both, nullptr, material(), log)) - expected).norm(),
              1e-14);
}
