#include "core/model/solid_builder.h"

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/geometry/tet_boundary.h"
#include "core/model/scene_contact.h"
#include "core/model/solid_terms.h"
#include "core/solver/stepper.h"
#include "tests/energy/term_checks.h"
#include "tests/support/tet_block.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

Geometry block_geometry(const TetMesh& block, bool inside_out = false)
{
    Geometry g;
    g.set_point_count(block.points.size());
    for (std::size_t t = 0; t < block.tets.size(); t += 4) {
        std::array<int, 4> p = {block.tets[t], block.tets[t + 1], block.tets[t + 2],
                                block.tets[t + 3]};
        if (inside_out) std::swap(p[0], p[1]);
        g.add_tetrahedron(p);
    }
    g.set_vectors("P", block.stacked(), "point", Storage::real64);
    return g;
}

Solid block_solid(const SolidMaterial& m, const Geometry& g)
{
    NullLog log;
    return make_solid("block", g, m, log);
}

constexpr SolidModel models[] = {SolidModel::stable_neo_hookean,
                                 SolidModel::neo_hookean,
                                 SolidModel::fixed_corotational,
                                 SolidModel::arap,
                                 SolidModel::stvk,
                                 SolidModel::mooney_rivlin,
                                 SolidModel::arruda_boyce,
                                 SolidModel::fung};

} // namespace

TEST(SolidBuilder, SurfaceIsClosedAndLooksOut)
{
    const TetMesh block = tet_block(3, 2, 2, 0.5);
    for (const bool inside_out : {false, true}) {
        const Solid s = block_solid({}, block_geometry(block, inside_out));
        EXPECT_EQ(s.surface.triangles.size(), 2u * 2 * (3 * 2 + 3 * 2 + 2 * 2));
        EXPECT_TRUE(s.surface.boundary_edges.empty());
        EXPECT_TRUE(s.surface.flipped_edges.empty());
        double volume = 0; // divergence theorem
        for (const Vec3i& t : s.surface.triangles)
            volume +=
                s.x_rest.segment<3>(3 * t[0]).dot(Vec3(s.x_rest.segment<3>(3 * t[1]))
                                                      .cross(Vec3(s.x_rest.segment<3>(3 * t[2])))) /
                6;
        EXPECT_NEAR(volume, 1.5, 1e-12);
        EXPECT_NEAR(solid_mass(s, block_geometry(block)).sum(), 1500, 1e-9);
    }
}

TEST(SolidBuilder, RefusesWhatIsNotASolid)
{
    Geometry g = block_geometry(tet_block(1, 1, 1, 1));
    SolidMaterial fibers;
    fibers.fiber_stiffness = 1e5;
    EXPECT_THROW(block_solid(fibers, g), InputError);
    VecX x = g.positions();
    for (Eigen::Index i = 2; i < x.size(); i += 3) x[i] = 0;
    g.set_vectors("P", x, "point", Storage::real64);
    EXPECT_THROW(block_solid({}, g), InputError);
    Geometry sheet;
    sheet.set_point_count(3);
    sheet.add_polygon({0, 1, 2});
    EXPECT_THROW(block_solid({}, sheet), InputError);
}

TEST(SolidMaps, EveryFigureIsReplacedOrMultiplied)
{
    const TetMesh block = tet_block(2, 1, 1, 0.1);
    const auto painted = [&](const std::string& name, double value, const SolidMaterial& m) {
        Geometry g = block_geometry(block);
        g.set_scalars(name, VecX::Constant(Eigen::Index(block.points.size()), value),
                      Storage::real64);
        g.set_vectors("fiber", Vec3(1, 0.3, 0.2).replicate(block.points.size(), 1), "point",
                      Storage::real64);
        return block_solid(m, g);
    };
    for (const Figure<SolidMaterial>& f : solid_values()) {
        const std::string name = f.name;
        SolidMaterial m;
        m.*f.value = 0.3;
        const auto at = [&](const Solid& s) { return s.at(s.tets[0]).*f.value; };
        EXPECT_NEAR(at(painted(name, 0.125, m)), 0.125, 1e-15) << name;
        EXPECT_NEAR(at(painted(name + "_scale", 0.5, m)), 0.15, 1e-15) << name;
        EXPECT_EQ(at(painted(name, -1, m)), 0.3) << name;
        EXPECT_NEAR(painted(name, 0.125, m).at_points(f.value).minCoeff(), 0.125, 1e-15) << name;
        EXPECT_THROW(painted(name + "_scale", -1, m), InputError) << name;
        if (f.positive) {
            EXPECT_THROW(painted(name, 0, m), InputError) << name;
        }
        if (f.high < infinity) {
            EXPECT_THROW(painted(name, 2 * f.high, m), InputError) << name;
        }
    }
}

TEST(SolidMaps, ForcesMassAndThicknessAreThoseOfAMaterialWithThatFigure)
{
    const TetMesh block = tet_block(2, 1, 1, 0.1);
    Random random(3);
    const VecX x = block.stacked() + 0.02 * random.vector(3 * Eigen::Index(block.points.size()));
    const VecX x_star = block.stacked();
    const auto response = [&](const SolidMaterial& m, const std::string& name, double value) {
        Geometry g = block_geometry(block);
        if (!name.empty())
            g.set_scalars(name, VecX::Constant(Eigen::Index(block.points.size()), value),
                          Storage::real64);
        g.set_vectors("fiber", Vec3(1, 0.3, 0.2).replicate(block.points.size(), 1), "point",
                      Storage::real64);
        Scene scene;
        scene.solids.push_back(block_solid(m, g));
        scene.mass = solid_mass(scene.solids[0], g);
        VecX all(x.size() + 2);
        all.setZero();
        StepContext step;
        step.h = step.h_eff = 0.01;
        step.x_star = &x_star;
        for (const auto& term : make_solid_terms(scene.solids[0], scene.vertex_count())) {
            term->begin_step(step);
            all.head(x.size()) += evaluated(*term, x, all_exact).gradient;
        }
        all[x.size()] = scene.mass.sum();
        all[x.size() + 1] = scene_contact_mesh(scene).thickness(0);
        return all;
    };
    for (const SolidModel model : models)
        for (const Figure<SolidMaterial>& f : solid_values()) {
            // Read point by point where the scene is assembled, or by contact as a factor.
            if (f.value == &SolidMaterial::mass_damping || f.value == &SolidMaterial::friction ||
                f.value == &SolidMaterial::dynamic_friction)
                continue;
            SolidMaterial base;
            base.model = model;
            base.poisson = 0.25, base.fiber_stiffness = 2e4, base.thickness = 0.004;
            SolidMaterial set = base;
            set.*f.value *= 1.5;
            const VecX expected = response(set, "", 0);
            const std::string name = f.name;
            EXPECT_LT(relative_error(response(base, name, set.*f.value), expected), 1e-12) << name;
            EXPECT_LT(relative_error(response(base, name + "_scale", 1.5), expected), 1e-12)
                << name;
            const bool hardens = model == SolidModel::mooney_rivlin ||
                                 model == SolidModel::arruda_boyce || model == SolidModel::fung;
            if (f.value != &SolidMaterial::hardening || hardens) {
                EXPECT_NE(response(base, "", 0), expected) << name << " " << int(model);
            }
        }
}

TEST(SolidTerms, EveryLawHasYoungsModulusAndPoissonsRatio)
{
    // Response to pull along x with free sides, by the Hessian of one cube at rest.
    const TetMesh block = tet_block(1, 1, 1, 1);
    const VecX x = block.stacked();
    for (const SolidModel model : models) {
        SolidMaterial m;
        m.model = model;
        m.young = 2e4, m.poisson = model == SolidModel::arap ? 0 : 0.3;
        m.damping = 0;
        const Solid s = block_solid(m, block_geometry(block));
        const auto terms = make_solid_terms(s, 8);
        ASSERT_EQ(terms.size(), 1u);
        const MatX H = evaluated(*terms[0], x, all_exact).matrix.dense();
        VecX u(x.size()); // the exact displacement of uniaxial stress
        for (Eigen::Index i = 0; i < x.size(); i += 3)
            u.segment<3>(i) << x[i], -m.poisson * x[i + 1], -m.poisson * x[i + 2];
        const VecX f = H * u;
        double pull = 0;
        for (Eigen::Index i = 0; i < x.size(); i += 3) {
            if (x[i] == 1) pull += f[i];
            EXPECT_NEAR(f[i + 1], 0, 1e-7 * m.young) << int(model);
            EXPECT_NEAR(f[i + 2], 0, 1e-7 * m.young) << int(model);
        }
        EXPECT_NEAR(pull / m.young, 1, 1e-9) << int(model);
    }
}

TEST(SolidTerms, BlockSagsAndRecoversUnderEveryLaw)
{
    const TetMesh block = tet_block(3, 1, 1, 0.1);
    const Geometry g = block_geometry(block);
    for (const SolidModel model : models) {
        SolidMaterial m;
        m.model = model;
        m.young = 6e4;
        NullLog log;
        auto scene = std::make_shared<Scene>();
        scene->collisions.enabled = false;
        scene->solids.push_back(make_solid("block", g, m, log));
        scene->mass = solid_mass(scene->solids[0], g);
        scene->mass_damping = VecX::Zero(scene->mass.size());
        Drive drive;
        std::vector<double> targets;
        for (int p = 0; p < scene->vertex_count(); ++p)
            if (block.points[std::size_t(p)][0] == 0) {
                scene->pins.push_back({p, 0});
                for (const double a : block.points[std::size_t(p)]) targets.push_back(a);
            }
        drive.pin_target_0 = drive.pin_target_1 =
            Eigen::Map<const VecX>(targets.data(), Eigen::Index(targets.size()));
        State state;
        state.x = block.stacked();
        state.v = VecX::Zero(state.x.size());
        const auto stepper = make_stepper("barrier", scene);
        StepSettings settings;
        settings.tolerance = 1e-6;
        const auto run = [&](const Vec3& gravity) {
            drive.gravity = gravity;
            for (int i = 0; i < 30; ++i)
                EXPECT_EQ(stepper->step(drive, state, 0.2, settings, NeverCancel()).status,
                          StepStatus::converged)
                    << int(model);
        };
        run({0, -9.81, 0});
        const double sag = block.stacked()[3 * 3 + 1] - state.x[3 * 3 + 1];
        EXPECT_GT(sag, 0.003) << int(model);
        EXPECT_LT(sag, 0.1) << int(model);
        run(Vec3::Zero());
        EXPECT_LT((state.x - block.stacked()).lpNorm<Eigen::Infinity>(), 1e-5) << int(model);
    }
}
