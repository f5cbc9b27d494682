#include "core/model/cloth_membrane.h"

#include "core/base/error.h"
#include "core/model/cloth_builder.h"
#include "core/model/cloth_strain.h"
#include "core/model/drive.h"
#include "core/model/scene_terms.h"
#include "tests/energy/term_checks.h"
#include "tests/support/cloth_scene.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr MembraneModel models[] = {MembraneModel::stvk, MembraneModel::neo_hookean,
                                    MembraneModel::baraff_witkin, MembraneModel::arap,
                                    MembraneModel::spline};

SheetScene sheet(MembraneModel model)
{
    SheetScene s;
    s.columns = s.rows = 4;
    s.material = plain_material(0.2, 300, 0.2, 1e-4);
    s.material.young_weft = 150;
    s.material.shear = 80;
    s.material.membrane_model = model;
    return s;
}

/// Sum over the membrane's terms.
Evaluation evaluate_all(const Cloth& c, const RestShape& rest, const VecX& x,
                        const StepContext* step = nullptr)
{
    const ClothMembrane membrane = make_cloth_membrane(c, rest, c.point_count());
    Evaluation sum;
    for (const auto& term : membrane.terms) {
        if (step) term->begin_step(*step);
        const Evaluation e = evaluated(*term, x, all_exact);
        sum.energy += e.energy;
        sum.gradient = sum.gradient.size() ? VecX(sum.gradient + e.gradient) : e.gradient;
    }
    return sum;
}

VecX strained(const VecX& x, const Mat3& F)
{
    VecX y = x;
    for (Eigen::Index i = 0; i < x.size(); i += 3) y.segment<3>(i) = F * x.segment<3>(i);
    return y;
}

} // namespace

TEST(ClothMembrane, EveryLawHasItsModuliAtSmallStrain)
{
    const double tiny = 1e-5;
    Mat3 pull_warp = Mat3::Identity(), pull_weft = pull_warp, skew = pull_warp;
    pull_warp(1, 1) += tiny;
    pull_weft(0, 0) += tiny;
    skew(0, 1) += tiny;
    for (const MembraneModel model : models) {
        const SheetScene s = sheet(model);
        const Cloth c = s.scene()->cloths[0];
        const MembraneModuli m = small_strain_moduli(c, 0);
        const double one = 1 - m.poisson * m.poisson * m.young_weft / m.young_warp;
        const auto modulus = [&](const Mat3& F) {
            return 2 * evaluate_all(c, c.rest, strained(c.x_rest, F)).energy / (tiny * tiny);
        };
        EXPECT_NEAR(modulus(pull_warp) / (m.young_warp / one), 1, 1e-4) << int(model);
        EXPECT_NEAR(modulus(pull_weft) / (m.young_weft / one), 1, 1e-4) << int(model);
        EXPECT_NEAR(modulus(skew) / m.shear, 1, 1e-4) << int(model);
    }
}

TEST(ClothMembrane, FollowsAnAnimatedRestShape)
{
    for (const MembraneModel model : models) {
        SheetScene s = sheet(model);
        s.material.stretch_damping = s.material.shear_damping = 0.1;
        const auto scene = s.scene();
        const Cloth& c = scene->cloths[0];
        Mat3 F = Mat3::Identity();
        F(0, 0) = 1.3, F(1, 1) = 0.8, F(0, 1) = 0.2;
        const VecX target = strained(c.x_rest, F);
        SceneTerms terms(*scene);
        Drive drive = s.still();
        drive.rest = {{target, 1, 1}};
        const auto energy = [&](const VecX& x) {
            double sum = 0;
            for (const Term* t : terms.all()) {
                Sink sink;
                t->evaluate(x, {true, false, false, Psd::exact}, sink);
                sum += sink.energy;
            }
            return sum;
        };
        EXPECT_LT(energy(c.x_rest), 1e-12) << int(model);
        const double before = energy(target);
        terms.set_drive(*scene, drive);
        EXPECT_GT(before, 1) << int(model);
        EXPECT_LT(energy(target), 1e-12) << int(model);
        EXPECT_GT(energy(c.x_rest), 1) << int(model);
    }
}

TEST(ClothMembrane, SplineWithoutCurvesIsStVenantKirchhoff)
{
    Random random(3);
    const Cloth a = sheet(MembraneModel::stvk).scene()->cloths[0];
    const Cloth b = sheet(MembraneModel::spline).scene()->cloths[0];
    const VecX x = 1.2 * a.x_rest + 0.02 * random.vector(a.x_rest.size());
    EXPECT_LT(
        relative_error(evaluate_all(b, b.rest, x).gradient, evaluate_all(a, a.rest, x).gradient),
        1e-9);
}

TEST(ClothMembrane, SplineFollowsItsCurves)
{
    SheetScene s = sheet(MembraneModel::spline);
    s.material.poisson = 0;
    s.material.warp_curve = {{0.02, 3}, {0.05, 20}, {0.1, 90}};
    const Cloth c = s.scene()->cloths[0];
    for (const Vec2& sample : s.material.warp_curve) {
        Mat3 F = Mat3::Identity();
        F(1, 1) += sample[0];
        const VecX g = evaluate_all(c, c.rest, strained(c.x_rest, F)).gradient;
        double pull = 0; // on the top row
        for (int i = 0; i <= s.columns; ++i) pull += g[3 * s.point(i, 0) + 1];
        EXPECT_NEAR(pull / s.width / sample[1], 1, 1e-3);
    }
}

TEST(ClothMembrane, PaintedModuliScaleTheCurvesOfTheirDirection)
{
    SheetScene s = sheet(MembraneModel::spline);
    s.material.poisson = 0;
    s.material.warp_curve = {{0.02, 3}, {0.05, 20}, {0.1, 90}};
    s.material.weft_curve = {{0.03, 5}, {0.1, 40}};
    s.material.shear_curve = {{0.1, 2}, {0.3, 9}};
    const Cloth plain = s.scene()->cloths[0];
    Mat3 pull_warp = Mat3::Identity(), pull_weft = pull_warp, trellis = pull_warp;
    pull_warp(1, 1) = 1.05;
    pull_weft(0, 0) = 1.06;
    trellis(0, 1) = 0.2, trellis(1, 1) = std::sqrt(1 - 0.04); // threads keep their lengths
    const auto energies = [&](const Cloth& c) {
        Vec3 e;
        const Mat3* F[] = {&pull_warp, &pull_weft, &trellis};
        for (int i = 0; i < 3; ++i)
            e[i] = evaluate_all(c, c.rest, strained(c.x_rest, *F[i])).energy;
        return e;
    };
    const Vec3 before = energies(plain);
    const std::pair<const char*, double> maps[] = {
        {"young_warp", 2 * 300.0}, {"young_weft", 2 * 150.0}, {"shear", 2 * 80.0}};
    for (int i = 0; i < 3; ++i) {
        Geometry g;
        g.set_point_count(std::size_t(plain.point_count()));
        g.set_scalars(maps[i].first, VecX::Constant(plain.point_count(), maps[i].second));
        Cloth painted = plain;
        painted.maps = ClothMaps("Cloth 'sheet'", g);
        const Vec3 ratio = energies(painted).cwiseQuotient(before);
        EXPECT_LT((ratio - Vec3::Ones() - Vec3::Unit(i)).norm(), 1e-9) << ratio.transpose();
        EXPECT_NEAR(
            Vec3(small_strain_moduli(painted, 0).young_warp /
                     small_strain_moduli(plain, 0).young_warp,
                 small_strain_moduli(painted, 0).young_weft /
                     small_strain_moduli(plain, 0).young_weft,
                 small_strain_moduli(painted, 0).shear / small_strain_moduli(plain, 0).shear)[i],
            2, 1e-12);
    }
}

TEST(ClothMembrane, AllLawsAreDampedAlikeAtSmallStrain)
{
    // The force of an undeformed sheet that moves is the same viscosity times its strain rate.
    for (const MembraneModel model : models) {
        SheetScene s = sheet(model);
        s.material.stretch_damping = 0.2, s.material.shear_damping = 0.05;
        const Cloth c = s.scene()->cloths[0];
        Mat3 F = Mat3::Identity();
        F(1, 1) += 1e-6;
        const VecX x = strained(c.x_rest, F);
        StepContext step;
        step.h = step.h_eff = 0.01;
        step.x_star = &c.x_rest;
        const VecX viscous =
            evaluate_all(c, c.rest, x, &step).gradient - evaluate_all(c, c.rest, x).gradient;
        const VecX elastic = evaluate_all(c, c.rest, x).gradient;
        const double beta = 0.2 / (M_PI * s.material.damping_frequency);
        EXPECT_NEAR(viscous.norm() / elastic.norm(), beta / 0.01, 1e-4 * beta / 0.01) << int(model);
    }
}

TEST(ClothMembrane, ContradictoryFiguresNameTheCloth)
{
    SheetScene s = sheet(MembraneModel::spline);
    s.material.warp_curve = {{0.05, 20}, {0.02, 30}};
    const auto scene = s.scene();
    try {
        make_cloth_membrane(scene->cloths[0], scene->cloths[0].rest, scene->vertex_count());
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("Cloth 'sheet': Fabric curve 'warp_curve'"),
                  std::string::npos)
            << e.what();
    }
}

TEST(ClothStrain, LargestPrincipalStretch)
{
    const Cloth c = sheet(MembraneModel::stvk).scene()->cloths[0];
    Random random(12);
    Mat3 F = Mat3::Identity();
    F(0, 0) = 1.25, F(1, 1) = 0.8;
    const VecX x = moved(strained(c.x_rest, F), random.rotation(), Vec3(random.vector(3)));
    const VecX stretch = triangle_stretch(c, c.rest, x);
    EXPECT_NEAR(stretch.minCoeff(), 1.25, 1e-12);
    EXPECT_NEAR(stretch.maxCoeff(), 1.25, 1e-12);
    EXPECT_NEAR(point_strain(c, c.rest, x).maxCoeff(), 0.25, 1e-12);
}
