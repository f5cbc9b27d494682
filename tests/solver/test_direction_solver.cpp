#include "core/solver/direction_solver.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/bench/bench_sheet.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace selvage;

namespace
{

/// A chain of n vertices: springs along it, `mass` on the diagonal.
BlockMatrix chain(int n, double mass)
{
    std::vector<std::int32_t> pairs;
    for (int i = 0; i + 1 < n; ++i) pairs.insert(pairs.end(), {i, i + 1});
    BlockMatrix H(std::make_shared<BlockPattern>(
        n, std::vector<BlockPattern::Tuples>{{pairs.data(), pairs.size() / 2, 2}}));
    for (int i = 0; i + 1 < n; ++i) {
        H.block(H.pattern->find(i, i)) += Mat3::Identity();
        H.block(H.pattern->find(i + 1, i + 1)) += Mat3::Identity();
        H.block(H.pattern->find(i, i + 1)) -= Mat3::Identity();
    }
    H.add_diagonal(VecX::Constant(n, mass));
    return H;
}

/// n points on a line.
VecX along(int n)
{
    VecX x = VecX::Zero(3 * n);
    for (int i = 0; i < n; ++i) x[3 * i] = 0.01 * i;
    return x;
}

} // namespace

TEST(DirectionSolver, AutoStartsBySizeAlone)
{
    EXPECT_EQ(automatic_linear_solver(100, false), available_linear_solvers().front());
    EXPECT_EQ(automatic_linear_solver(2000, false), "pcg");
    EXPECT_EQ(automatic_linear_solver(2000, true), "multigrid");
    EXPECT_EQ(automatic_linear_solver(100000, false), "multigrid");
}

// A large sheet that is held but for a part of it is a small system.
TEST(DirectionSolver, AutoCountsWhatIsNotHeld)
{
    const int n = 6000;
    BlockMatrix H = chain(n, 1e-3);
    const VecX g = VecX::LinSpaced(3 * n, -1, 2), x = along(n);
    const auto picked = [&](int moving) {
        VertexFilter filter(n);
        for (int i = moving; i < n; ++i) filter.fix(i);
        DirectionSolver solver;
        VecX p;
        EXPECT_TRUE(solver.solve(H, nullptr, filter, x, g, {}, 1e-3, p).ok());
        return solver.name();
    };
    EXPECT_EQ(picked(1000), available_linear_solvers().front());
    EXPECT_EQ(picked(n), "multigrid");
}

TEST(DirectionSolver, AutoLeavesSlowConjugateGradientsForTheRestOfTheStep)
{
    const int n = 2000;
    BlockMatrix H = chain(n, 1e-8);
    const VertexFilter filter(n);
    const VecX g = VecX::LinSpaced(3 * n, -1, 2), x = along(n);
    DirectionSolver solver;
    VecX p;
    for (int step = 0; step < 2; ++step) {
        solver.begin_step();
        const LinearReport first = solver.solve(H, nullptr, filter, x, g, {}, 1e-3, p);
        ASSERT_TRUE(first.ok()) << first.message;
        EXPECT_EQ(solver.name(), "multigrid");
        const LinearReport second = solver.solve(H, nullptr, filter, x, g, {}, 1e-3, p);
        ASSERT_TRUE(second.ok()) << second.message;
        EXPECT_LT(second.iterations, first.iterations - 30); // none of them wasted
    }
    BlockMatrix heavy = chain(n, 10); // conjugate gradients are quick
    solver.begin_step();
    ASSERT_TRUE(solver.solve(heavy, nullptr, filter, x, g, {}, 1e-3, p).ok());
    EXPECT_EQ(solver.name(), "pcg");
}

// A step does not depend on what was solved in the one before.
TEST(DirectionSolver, StepsStartAfresh)
{
    const int n = 2000;
    BlockMatrix before = chain(n, 1e-6), H = chain(n, 1e-4);
    const VertexFilter filter(n);
    const VecX g = VecX::LinSpaced(3 * n, -1, 2), x = along(n);
    StepSettings settings;
    settings.linear = "multigrid";
    DirectionSolver used, fresh;
    VecX p, expected;
    used.begin_step();
    used.solve(before, nullptr, filter, x, g, settings, 0.1, p);
    used.begin_step();
    used.solve(H, nullptr, filter, x, g, settings, 0.1, p);
    fresh.begin_step();
    fresh.solve(H, nullptr, filter, x, g, settings, 0.1, expected);
    EXPECT_EQ(p, expected);
}

TEST(DirectionSolver, LooseThenExact)
{
    BlockMatrix H = chain(200, 1e-3);
    const VertexFilter filter(200);
    const VecX g = VecX::LinSpaced(600, -1, 2);
    StepSettings settings;
    settings.linear = "pcg";
    settings.linear_tolerance = 1e-10;
    const VecX x = along(200);
    DirectionSolver solver;
    VecX p;
    const LinearReport loose = solver.solve(H, nullptr, filter, x, g, settings, 0.1, p);
    ASSERT_TRUE(loose.ok());
    EXPECT_FALSE(solver.exact());
    const double error = (H.multiply(p) + g).norm() / g.norm();
    EXPECT_GT(solver.refine(g, settings, p).iterations, loose.iterations);
    EXPECT_TRUE(solver.exact());
    EXPECT_LT((H.multiply(p) + g).norm() / g.norm(), 1e-6 * error);
}

TEST(DirectionSolver, AnIterativeSolverThatFailsIsReplaced)
{
    BlockMatrix H = chain(200, 1e-6);
    const VertexFilter filter(200);
    const VecX g = VecX::LinSpaced(600, -1, 2);
    StepSettings settings;
    settings.linear = "pcg";
    settings.linear_max_iterations = 2;
    const VecX x = along(200);
    DirectionSolver solver;
    VecX p;
    ASSERT_TRUE(solver.solve(H, nullptr, filter, x, g, settings, 1e-8, p).ok());
    EXPECT_NE(solver.name(), "pcg");
    EXPECT_LT((H.multiply(p) + g).norm() / g.norm(), 1e-8);
}

TEST(DirectionSolver, AnIndefiniteMatrixIsShifted)
{
    for (const std::string& name : available_linear_solvers()) {
        BlockMatrix H = chain(20, -1e-6); // its rigid modes have turned negative
        const VertexFilter filter(20);
        const VecX g = VecX::LinSpaced(60, -1, 2);
        StepSettings settings;
        settings.linear = name;
        const VecX x = along(20);
        DirectionSolver solver;
        VecX p;
        ASSERT_TRUE(solver.solve(H, nullptr, filter, x, g, settings, 0.1, p).ok()) << name;
        EXPECT_LT(g.dot(p), 0) << name; // downhill
    }
}

TEST(DirectionSolver, NaNIsAValueAndEnds)
{
    const VertexFilter filter(20);
    const VecX x = along(20);
    for (const std::string& name : available_linear_solvers())
        for (const bool in_matrix : {false, true}) {
            BlockMatrix H = chain(20, 1);
            VecX g = VecX::Ones(60), p;
            (in_matrix ? H.values[30] : g[7]) = std::nan("");
            StepSettings settings;
            settings.linear = name;
            const LinearReport report =
                DirectionSolver().solve(H, nullptr, filter, x, g, settings, 0.1, p);
            EXPECT_EQ(report.status, LinearStatus::failed) << name;
            EXPECT_FALSE(report.message.empty()) << name;
        }
}

// Whole steps of a falling sheet: positions agree within what Newton's tolerance allows.
TEST(DirectionSolver, StepsAgreeWhateverTheSolver)
{
    const double h = 1.0 / 48;
    const int steps = 4;
    const auto fall = [&](const std::string& linear, int threads) {
        const ThreadLimit limit(threads);
        BenchSheet sheet(SheetCase::drooping, 41, GridCells::alternating_triangles);
        sheet.simulate(h, steps, linear);
        return sheet.positions();
    };
    const VecX direct = fall("multifrontal", 1), multigrid = fall("multigrid", 1);
    EXPECT_LT((direct - multigrid).lpNorm<Eigen::Infinity>(), 1e-2 * h * steps);
    EXPECT_EQ(multigrid, fall("multigrid", 2));
}
