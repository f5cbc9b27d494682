// Limits of strain in a step: they hold whatever pulls, each in its own direction.
#include "core/base/cancel.h"
#include "core/energy/membrane_element.h"
#include "core/solver/stepper.h"
#include "tests/support/cloth_scene.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// Heavy and soft: it would stretch by a fifth under its own weight.
SheetScene heavy_sheet()
{
    SheetScene s;
    s.columns = s.rows = 8;
    s.material = plain_material(1, 50, 0.2, 1e-5);
    return s;
}

struct Strains {
    double warp = 1, weft = 1; ///< largest stretches
    double shear = 0;          ///< largest w_u·w_v
};

Strains strains(const Cloth& c, const VecX& x)
{
    Strains s;
    for (std::size_t k = 0; k < c.mesh.triangles.size(); ++k) {
        Vec9 p;
        for (int i = 0; i < 3; ++i) p.segment<3>(3 * i) = x.segment<3>(3 * c.mesh.triangles[k][i]);
        const Mat32 F =
            deformation_gradient(p, membrane_triangle(c.rest.lengths[k], c.warp_weights[k]));
        s.warp = std::max(s.warp, F.col(0).norm());
        s.weft = std::max(s.weft, F.col(1).norm());
        s.shear = std::max(s.shear, std::abs(F.col(0).dot(F.col(1))));
    }
    return s;
}

/// The largest strains over a second of falling into the pins.
Strains largest_strains(const SheetScene& sheet, const Vec3& gravity)
{
    const auto scene = sheet.scene();
    const auto stepper = make_stepper("barrier", scene);
    State state = sheet.start();
    Strains most;
    for (int i = 0; i < 24; ++i) {
        const StepReport r =
            stepper->step(sheet.still(gravity), state, 1 / 24.0, StepSettings(), NeverCancel());
        EXPECT_EQ(r.status, StepStatus::converged) << r.message;
        EXPECT_EQ(r.beyond_limit, 0);
        const Strains s = strains(scene->cloths[0], state.x);
        most = {std::max(most.warp, s.warp), std::max(most.weft, s.weft),
                std::max(most.shear, s.shear)};
    }
    return most;
}

} // namespace

TEST(StrainLimits, HoldAlongTheWarpAlone)
{
    SheetScene s = heavy_sheet();
    const double free = largest_strains(s, {0, -9.81, 0}).warp;
    EXPECT_GT(free, 1.15);
    s.material.stretch_limit_weft = 0.02;
    EXPECT_NEAR(largest_strains(s, {0, -9.81, 0}).warp, free, 0.2 * (free - 1));
    s.material.stretch_limit_warp = 0.03;
    const double held = largest_strains(s, {0, -9.81, 0}).warp;
    EXPECT_LT(held, 1.03);
    EXPECT_GT(held, 1.025); // comes close, as the weight asks for
}

TEST(StrainLimits, HoldInShear)
{
    SheetScene s = heavy_sheet();
    s.material = plain_material(1, 300, 0.2, 1e-5);
    const Vec3 aside(4, 0, 0);
    EXPECT_GT(largest_strains(s, aside).shear, 0.04);
    s.material.stretch_limit_shear = 0.02;
    EXPECT_LT(largest_strains(s, aside).shear, 0.02);
}

TEST(StrainLimits, HoldInEveryDirection)
{
    SheetScene s = heavy_sheet();
    s.material.stretch_limit = 0.03;
    const Strains most = largest_strains(s, {0, -9.81, 0});
    EXPECT_LT(most.warp, 1.03);
    EXPECT_LT(most.weft, 1.03);
}

TEST(StrainLimits, HoldForEveryMembrane)
{
    for (const MembraneModel model : {MembraneModel::neo_hookean, MembraneModel::baraff_witkin,
                                      MembraneModel::arap, MembraneModel::spline}) {
        SheetScene s = heavy_sheet();
        s.material.membrane_model = model;
        s.material.stretch_limit_warp = 0.03;
        EXPECT_LT(largest_strains(s, {0, -9.81, 0}).warp, 1.03) << int(model);
    }
}

TEST(StrainLimits, AStartBeyondThemIsReportedAndComesBack)
{
    for (const bool directional : {true, false}) {
        SheetScene s = heavy_sheet();
        (directional ? s.material.stretch_limit_warp : s.material.stretch_limit) = 0.05;
        const auto scene = s.scene();
        const auto stepper = make_stepper("barrier", scene);
        State state = s.start();
        for (Eigen::Index i = 1; i < state.x.size(); i += 3) state.x[i] *= 1.2;
        const auto step = [&] {
            return stepper->step(s.still({0, -1, 0}), state, 1 / 24.0, StepSettings(),
                                 NeverCancel());
        };
        const StepReport first = step();
        EXPECT_EQ(first.status, StepStatus::converged);
        EXPECT_EQ(first.beyond_limit, 2 * s.columns * s.rows);
        EXPECT_NE(first.message.find("beyond their limits"), std::string::npos);
        StepReport last;
        for (int i = 0; i < 24; ++i) last = step();
        EXPECT_EQ(last.beyond_limit, 0);
        EXPECT_LT(strains(scene->cloths[0], state.x).warp, 1.05);
    }
}
