#include "core/contact/contact_problem.h"
#include "core/contact/release_pull.h"
#include "core/contact/start_check.h"
#include "tests/contact/scenes.h"
#include "tests/support/eigenvalues.h"
#include "tests/support/finite_difference.h"
#include "tests/support/volumes.h"

#include <gtest/gtest.h>

namespace selvage::test
{
namespace
{

/// A ball that moves to the right and grows.
std::shared_ptr<const MovingField> moving_ball()
{
    return std::make_shared<MovingField>(
        std::vector<MovingField::Sample>{{1, ball_field(0.15, {0, 0, 0})},
                                         {2, ball_field(0.152, {0.008, 0, 0})},
                                         {3, ball_field(0.155, {0.01, 0.002, 0})}});
}

/// A sheet that lies over the ball, nowhere nearer than 9 mm.
struct SheetOnBall {
    Mesh grid = grid_cloth(6, 6, 0.2, 0.2);
    ContactMesh mesh{grid.vertex_count()};
    VecX x = grid.stacked();
    int body;

    explicit SheetOnBall(double clearance = 0.012)
    {
        for (Eigen::Index i = 0; i < x.size(); i += 3) {
            x[i] -= 0.1, x[i + 2] -= 0.1;
            x[i + 1] = std::sqrt(std::pow(0.15 + clearance, 2) - x[i] * x[i] - x[i + 2] * x[i + 2]);
        }
        mesh.add_surface("sheet", topology(grid), 0, x, 0.002, 0.5);
        body = mesh.add_field("ball", moving_ball(), 0.006, 0.5);
    }
    VecX all(double time) const
    {
        VecX y(x.size() + 3);
        y << x, time, 0, 0;
        return y;
    }
};

ContactSettings settings()
{
    ContactSettings s;
    s.activation = 0.02;
    s.stick_speed = 1;
    return s;
}

} // namespace

TEST(FieldContact, ProbesAreNoFartherApartThanAVoxel)
{
    const SheetOnBall s;
    int places[4] = {0, 0, 0, 0};
    for (const FieldProbe& p : s.mesh.probes()) {
        ++places[p.count];
        EXPECT_NEAR(p.weights[0] + p.weights[1] + p.weights[2], 1, 1e-12);
        for (int i = 0; i < 3; ++i) EXPECT_EQ(p.vertices[std::size_t(i)] >= 0, i < p.count);
    }
    EXPECT_EQ(places[1], 49);
    // Sides of 33 to 36 mm in four parts, diagonals in five to seven.
    EXPECT_GT(places[2], 3 * 84);
    EXPECT_GT(places[3], 3 * 72);
}

TEST(FieldContact, BarrierFrictionAndPullAgreeWithDifferences)
{
    const SheetOnBall s;
    ContactProblem problem(s.mesh, settings());
    problem.begin_step(s.x, 0.01, Vec3(1.3, 0, 0), Vec3(1.9, 0, 0));
    problem.set_stiffness(3);
    problem.lag_friction(s.x);
    EXPECT_EQ(problem.contacts().fields.size(), s.mesh.probes().size());
    Random random(3);
    const VecX x = s.x + 3e-4 * random.vector(s.x.size());
    const auto energy = [&](const VecX& y) { return problem.energy(y); };
    const auto gradient_at = [&](const VecX& y) {
        VecX g = VecX::Zero(y.size());
        problem.add(y, Psd::exact, g, nullptr);
        return g;
    };
    VecX gradient = VecX::Zero(x.size()), pull;
    BlockMatrix hessian;
    problem.add(x, Psd::exact, gradient, &hessian, &pull);
    EXPECT_LT(relative_error(gradient, fd_gradient(energy, x, 1e-6)), 1e-6);

    // Second derivatives jump at borders of cells; random directions meet few.
    const VecX p = random.vector(x.size());
    const VecX along = (gradient_at(x + 1e-8 * p) - gradient_at(x - 1e-8 * p)) / 2e-8;
    EXPECT_LT(relative_error(hessian.multiply(p), along), 1e-3);

    const auto gradient_after = [&](double reached) {
        problem.set_reached(reached);
        return gradient_at(x);
    };
    const VecX slope = (gradient_after(1e-5) - gradient_after(0)) / 1e-5;
    EXPECT_LT((slope - pull).norm(), 1e-3 * slope.norm());
}

TEST(FieldContact, ClampedMatricesHaveNoNegativeEigenvalues)
{
    const auto field = block_field({0.1, 0.1, 0.1});
    Random random(5);
    for (int k = 0; k < 300; ++k) {
        FieldContact c;
        c.thickness = 0.004;
        const MovingField still({{0, field}});
        c.at = still.at(0.13 * Vec3(random(), random(), random()).normalized(), 0);
        if (c.at.value < 0.0045 || c.at.value > 0.024) continue;
        const Mat3 exact = field_barrier(c, 0.02, 2, Psd::exact).hessian;
        const Mat3 clamped = field_barrier(c, 0.02, 2, Psd::clamp).hessian;
        EXPECT_GE(min_eigenvalue(clamped), -1e-9 * clamped.norm());
        if (min_eigenvalue(exact) > 0)
            EXPECT_LT(relative_error(clamped, exact), 1e-9);
        else
            EXPECT_GE(min_eigenvalue(clamped - exact), -1e-9 * exact.norm());
    }
}

TEST(FieldContact, StepsNeverOverstepTheFieldOnItsWay)
{
    const auto field = moving_ball();
    Random random(6);
    int hits = 0;
    for (int k = 0; k < 2000; ++k) {
        const Vec3 y =
            (0.155 + 0.03 * std::abs(random())) * Vec3(random(), random(), random()).normalized();
        const Vec3 q = std::pow(10, -2 + random()) * Vec3(random(), random(), random());
        const double time = 2 + random(), dt = (k % 3 == 0 ? 0 : 1) * std::abs(random());
        CcdSettings s;
        s.thickness = 0.001;
        const double gap = field->value(y, time) - s.thickness;
        const CcdResult r = point_field_ccd(*field, y, q, time, dt, s);
        EXPECT_FALSE(r.capped) << k;
        if (gap <= 0) {
            EXPECT_EQ(r.t, 0);
            continue;
        }
        for (int i = 0; i <= 200; ++i)
            ASSERT_GE(field->value(y + r.t * i / 200 * q, time + r.t * i / 200 * dt) - s.thickness,
                      0.999 * s.slack * gap)
                << k;
        if (!r.hit) continue;
        ++hits;
        EXPECT_LT(field->value(y + r.t * q, time + r.t * dt) - s.thickness, 0.16 * gap);
    }
    EXPECT_GT(hits, 100);
}

TEST(FieldContact, SlidingAlongTheSurfaceTakesFewIterations)
{
    const MovingField field({{0, ball_field(0.15, Vec3::Zero(), 0.01, 0.05)}});
    for (const double gap : {1e-4, 1e-6}) {
        const Vec3 y = (0.15 + gap) * Vec3(0.6, 0.8, 0), q = 0.01 * Vec3(0, 0, 1);
        const CcdResult r = point_field_ccd(field, y, q, 0, 0);
        EXPECT_FALSE(r.capped) << gap;
        EXPECT_LT(r.iterations, 500) << gap;
    }
}

TEST(FieldContact, CandidatesHoldAllThatComesNear)
{
    const SheetOnBall s(0.03);
    Random random(7);
    BroadPhase broad(s.mesh);
    for (int k = 0; k < 10; ++k) {
        Sweep sweep;
        sweep.x_0 = s.all(1.5);
        sweep.p = 0.05 * random.vector(sweep.x_0.size());
        sweep.p.tail<3>() = Vec3(1, 0, 0);
        sweep.margin = 1e-3;
        Candidates found;
        broad.find(sweep, 0.01, found);
        const auto& pairs = found[PairKind::probe_field];
        for (std::int32_t p = 0; p < std::int32_t(s.mesh.probes().size()); ++p) {
            double nearest = infinity;
            for (int i = 0; i <= 20; ++i) {
                VecX x = sweep.x_0 + i / 20.0 * sweep.p;
                x.head(s.x.size()) += 1e-3 * random.vector(s.x.size());
                nearest =
                    std::min(nearest, pair_distance(s.mesh, PairKind::probe_field, {p, 0}, x));
            }
            if (nearest < 0.004 + 0.01) {
                EXPECT_TRUE(std::find(pairs.begin(), pairs.end(), CandidatePair{p, 0}) !=
                            pairs.end());
            }
        }
    }
}

TEST(FieldContact, WhatStartsInsideIsNamedReleasedAndDrawnOut)
{
    SheetOnBall s;
    s.x.segment<3>(3 * 24) *= 0.14 / 0.162; // the middle, 10 mm inside
    s.x.segment<3>(3 * 8) *= 0.1;           // beyond the narrow band
    const auto offending = find_offending_pairs(s.mesh, s.all(1));
    ASSERT_GT(offending.size(), 2u);
    std::string text;
    for (const OffendingPair& p : offending) text += describe(s.mesh, p) + "\n";
    for (const char* words :
         {"'sheet' point 24 is 0.0", "m inside 'ball'",
          "'sheet' point 8 is inside 'ball', deeper than", "'sheet' edge (", "'sheet' triangle ("})
        EXPECT_NE(text.find(words), std::string::npos) << words << " in " << text;

    const Releases releases = releases_for(s.mesh, offending);
    EXPECT_EQ(still_released(s.mesh, s.all(1), releases, 0.02), releases);
    const auto pulls = release_pulls(s.mesh, releases, s.all(1), Vec3(1, 0, 0), 0.004, 0.02);
    bool drawn = false;
    for (const Pull& p : pulls) {
        EXPECT_NE(p.vertex, 8); // no way out is known
        if (p.vertex != 24) continue;
        drawn = true;
        const Vec3 at = s.x.segment<3>(3 * 24);
        EXPECT_LT((p.target - at - 0.004 * at.normalized()).norm(), 1e-5);
    }
    EXPECT_TRUE(drawn);
    // Out again, they collide.
    SheetOnBall out(0.016);
    EXPECT_TRUE(still_released(out.mesh, out.all(1), releases, 0.02).empty());
}

TEST(FieldContact, SwitchedOffPointsTakeTheirElementsWithThem)
{
    SheetOnBall s;
    const int group = s.mesh.add_group(0);
    s.mesh.set_group(0, 24, group);
    s.mesh.set_collide(0, group, s.body, 0, false);
    BroadPhase broad(s.mesh);
    Candidates found;
    broad.find({s.all(1), VecX::Zero(s.x.size() + 3), 0}, 0.05, found);
    for (const CandidatePair& pair : found[PairKind::probe_field]) {
        const FieldProbe& p = s.mesh.probes()[std::size_t(pair.a)];
        for (const std::int32_t v : p.vertices) EXPECT_NE(v, 24);
    }
    EXPECT_GT(found[PairKind::probe_field].size(), 100u);
}

} // namespace selvage::test
