#include "core/example/cloth_grid.h"
#include "core/example/tet_shapes.h"
#include "core/model/cloth_builder.h"
#include "core/model/solid_builder.h"
#include "core/solver/stepper.h"
#include "tests/support/hair_scene.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// Strands and what they are coupled with, in one scene.
struct Both {
    std::shared_ptr<Scene> scene = std::make_shared<Scene>();
    State state;
    Drive drive;
    std::unique_ptr<Stepper> stepper;

    /// A sheet of n × n quads in the plane y = 0 about the origin, and strands over it.
    Both(int n, double size, const std::vector<std::vector<Vec3>>& strands,
         const HairMaterial& hair, HairRoots roots, bool pin_corners)
    {
        NullLog log;
        ClothMaterial cotton = cloth_preset("cotton").material;
        cotton.thickness = 2e-4;
        scene->cloths.push_back(
            make_cloth("sheet", cloth_grid(n, n, size, size), nullptr, cotton, log));
        const Cloth& cloth = scene->cloths[0];
        add_strands(HairScene(strands, hair, roots), cloth.x_rest,
                    cloth_mass(cloth, cloth_grid(n, n, size, size)));
        if (!pin_corners) return;
        for (const int v : {0, n, n * (n + 1), (n + 1) * (n + 1) - 1}) pin(v);
    }

    /// A block of rubber, and strands over it.
    Both(const TetShape& block, double density, double young,
         const std::vector<std::vector<Vec3>>& strands, const HairMaterial& hair)
    {
        NullLog log;
        SolidMaterial rubber;
        rubber.density = density, rubber.young = young, rubber.damping = 0;
        const Geometry g = tet_geometry(block, Storage::real64);
        scene->solids.push_back(make_solid("block", g, rubber, log));
        const Solid& solid = scene->solids[0];
        add_strands(HairScene(strands, hair, HairRoots::none), solid.x_rest, solid_mass(solid, g));
    }

    void pin(int vertex)
    {
        scene->pins.push_back({vertex, 0, 0});
        drive.pin_target_1.conservativeResize(3 * Eigen::Index(scene->pins.size()));
        drive.pin_target_1.tail<3>() = state.x.segment<3>(3 * vertex);
        drive.pin_target_0 = drive.pin_target_1;
    }

    StepReport step(double h, double tolerance)
    {
        if (!stepper) stepper = make_stepper("barrier", scene);
        StepSettings settings;
        settings.tolerance = tolerance;
        return stepper->step(drive, state, h, settings, NeverCancel());
    }

    int other_points() const { return scene->hairs[0].first_vertex; }
    Vec3 momentum() const
    {
        Vec3 p = Vec3::Zero();
        for (int v = 0; v < scene->vertex_count(); ++v)
            p += scene->mass[v] * state.v.segment<3>(3 * v);
        return p;
    }
    Vec3 angular_momentum() const
    {
        Vec3 L = Vec3::Zero();
        for (int v = 0; v < scene->vertex_count(); ++v) {
            const Vec3 x = state.x.segment<3>(3 * v), u = state.v.segment<3>(3 * v);
            L += scene->mass[v] * x.cross(u);
        }
        return L;
    }

private:
    void add_strands(const HairScene& rods, const VecX& x, const VecX& masses)
    {
        scene->hairs = rods.scene->hairs;
        scene->hairs[0].first_vertex = int(masses.size());
        scene->mass.resize(masses.size() + rods.scene->mass.size());
        scene->mass << masses, rods.scene->mass;
        scene->mass_damping = VecX::Zero(scene->mass.size());
        scene->collisions.gap = 5e-4;
        state = rods.state;
        state.x.resize(3 * scene->vertex_count());
        state.x << x, rods.state.x;
        state.v = VecX::Zero(state.x.size());
        drive = rods.drive;
    }
};

HairMaterial rope()
{
    HairMaterial m = hair_preset("yarn").material;
    m.radius = 1e-3, m.drag = 0, m.friction = 0.3;
    return m;
}

std::vector<Vec3> bar(const Vec3& from, const Vec3& to, int points)
{
    std::vector<Vec3> p;
    for (int i = 0; i < points; ++i) p.push_back(from + double(i) / (points - 1) * (to - from));
    return p;
}

} // namespace

/// A yarn flies into a free sheet in empty space: what it loses of its momentum the sheet gets.
TEST(HairAndCloth, MomentumIsHandedOver)
{
    Both s(8, 0.1, {bar({-0.03, 0.002, 0.004}, {0.03, 0.003, 0.007}, 13)}, rope(), HairRoots::none,
           false);
    s.drive.gravity.setZero();
    for (int v = s.other_points(); v < s.scene->vertex_count(); ++v)
        s.state.v.segment<3>(3 * v) = Vec3(0.2, -0.5, 0);
    const Vec3 before = s.momentum();
    const double spin_scale = before.norm() * 0.05;
    for (int k = 0; k < 10; ++k) {
        const StepReport r = s.step(0.005, 1e-7);
        ASSERT_EQ(r.status, StepStatus::converged) << r.message;
        EXPECT_LT((s.momentum() - before).norm(), 1e-5 * before.norm());
    }
    double sheet = 0;
    for (int v = 0; v < s.other_points(); ++v) sheet += s.scene->mass[v] * s.state.v[3 * v + 1];
    EXPECT_LT(sheet, 0.2 * before[1]); // it moves along
    EXPECT_LT(s.angular_momentum().norm(), 10 * spin_scale);
}

/// A yarn on a sheet that hangs on its corners: the sheet carries it, and sags by it.
TEST(HairAndCloth, SheetCarriesTheYarn)
{
    double sag[2];
    for (const bool with : {false, true}) {
        HairMaterial heavy = rope();
        heavy.density = with ? 8000 : 1e-3;
        Both s(8, 0.1, {bar({-0.02, 0.0025, 0.003}, {0.02, 0.0025, -0.001}, 11)}, heavy,
               HairRoots::none, true);
        s.scene->mass_damping.setConstant(20);
        for (int k = 0; k < 40; ++k) {
            const StepReport r = s.step(0.02, 1e-4);
            ASSERT_TRUE(r.ok()) << r.message;
            ASSERT_GT(r.min_gap, 0);
        }
        const int middle = 4 * 9 + 4;
        sag[with] = -s.state.x[3 * middle + 1];
        EXPECT_LT(s.state.v.cwiseAbs().maxCoeff(), 0.02);
        const double yarn = s.state.x[3 * (s.other_points() + 5) + 1];
        EXPECT_GT(yarn, -sag[with] + 1e-3); // on it
    }
    EXPECT_GT(sag[1], 1.3 * sag[0]);
}

/// Where hair grows out of cloth's way: roots move, strands draw the sheet along by friction and
/// never pass it. All solvers of the linear systems tell the same.
TEST(HairAndCloth, IterativeSolversAgreeWithDirectOnes)
{
    VecX expected;
    for (const char* linear : {"ldlt", "pcg", "multigrid"}) {
        std::vector<std::vector<Vec3>> strands;
        for (int i = 0; i < 4; ++i)
            strands.push_back(
                bar({-0.02, 0.02, 0.008 * i - 0.012}, {0.02, 0.0015, 0.008 * i - 0.012}, 10));
        Both s(8, 0.1, strands, rope(), HairRoots::first_point, true);
        if (!s.stepper) s.stepper = make_stepper("barrier", s.scene);
        StepSettings settings;
        settings.tolerance = 1e-6;
        settings.linear = linear;
        settings.linear_tolerance = 1e-6;
        for (int k = 1; k <= 5; ++k) {
            s.drive.hair[0].x = s.drive.hair[0].x + Vec3(0.0005, -0.001, 0).replicate(40, 1);
            const StepReport r = s.stepper->step(s.drive, s.state, 0.01, settings, NeverCancel());
            ASSERT_EQ(r.status, StepStatus::converged) << linear << ": " << r.message;
            EXPECT_GT(r.contacts, 0);
        }
        if (expected.size() == 0) expected = s.state.x;
        EXPECT_LT((s.state.x - expected).cwiseAbs().maxCoeff(), 2e-6) << linear;
    }
}

namespace
{

TetShape pad() { return tet_block({6, 2, 6}, {-0.03, -0.02, -0.03}, {0.03, 0, 0.03}); }

} // namespace

/// As with the sheet: a yarn flies into a free block of rubber.
TEST(HairAndSolid, MomentumIsHandedOver)
{
    Both s(pad(), 1000, 3e4, {bar({-0.025, 0.003, 0.004}, {0.025, 0.002, 0.007}, 13)}, rope());
    s.drive.gravity.setZero();
    for (int v = s.other_points(); v < s.scene->vertex_count(); ++v)
        s.state.v.segment<3>(3 * v) = Vec3(0.2, -0.5, 0);
    const Vec3 before = s.momentum(), spin = s.angular_momentum();
    int contacts = 0;
    for (int k = 0; k < 10; ++k) {
        const StepReport r = s.step(0.005, 1e-7);
        ASSERT_EQ(r.status, StepStatus::converged) << r.message;
        ASSERT_GT(r.min_gap, 0);
        contacts = std::max(contacts, r.contacts);
        EXPECT_LT((s.momentum() - before).norm(), 1e-5 * before.norm());
    }
    EXPECT_GT(contacts, 0);
    double block = 0;
    for (int v = 0; v < s.other_points(); ++v) block += s.scene->mass[v] * s.state.v[3 * v + 1];
    EXPECT_LT(block, 0.2 * before[1]); // it moves along
    EXPECT_LT((s.angular_momentum() - spin).norm(), 0.05 * before.norm() * 0.03);
}

/// A heavy wire on a soft pad whose lower side is held comes to rest in a dent of its own.
TEST(HairAndSolid, PadCarriesTheWire)
{
    double dent[2];
    for (const bool heavy : {false, true}) {
        HairMaterial wire = rope();
        wire.density = heavy ? 20000 : 100;
        Both s(pad(), 50, 1e4, {bar({-0.025, 0.0014, 0.001}, {0.025, 0.0014, 0.001}, 11)}, wire);
        for (int v = 0; v < s.other_points(); ++v)
            if (s.state.x[3 * v + 1] < -0.0199) s.pin(v);
        s.scene->mass_damping.setConstant(30);
        for (int k = 0; k < 40; ++k) {
            const StepReport r = s.step(0.02, 1e-5);
            ASSERT_TRUE(r.ok()) << r.message;
            ASSERT_GT(r.min_gap, 0);
        }
        EXPECT_LT(s.state.v.cwiseAbs().maxCoeff(), 1e-3);
        double top = infinity; // lowest point of the upper side
        for (int v = 0; v < s.other_points(); ++v)
            if (s.scene->solids[0].x_rest[3 * v + 1] > -1e-9)
                top = std::min(top, s.state.x[3 * v + 1]);
        dent[heavy] = -top;
        const double middle = s.state.x[3 * (s.other_points() + 5) + 1];
        EXPECT_GT(middle, top + 1e-3); // on it, by its radius
        EXPECT_LT(middle, top + 1.6e-3);
    }
    EXPECT_GT(dent[1], 2 * dent[0]);
}
