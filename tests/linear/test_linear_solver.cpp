#include "core/linear/linear_solver.h"

#include "core/base/parallel.h"
#include "tests/linear/systems.h"

#include <gtest/gtest.h>

namespace selvage
{
namespace
{

using test::Problem;

constexpr LinearSettings tight{1e-14, 10000};

/// Every solver of this build, by name.
class LinearSolvers : public testing::TestWithParam<std::string>
{
protected:
    std::unique_ptr<LinearSolver> solver_ = make_linear_solver(GetParam());

    VecX solution(const Problem& problem)
    {
        const LinearReport prepared = solver_->prepare(problem.system());
        EXPECT_TRUE(prepared.ok()) << prepared.message;
        VecX x;
        const LinearReport report = solver_->solve(problem.b, &problem.z, x, tight);
        EXPECT_TRUE(report.ok()) << report.message;
        return x;
    }
};

INSTANTIATE_TEST_SUITE_P(All, LinearSolvers, testing::ValuesIn(available_linear_solvers()),
                         [](const auto& solver) { return solver.param; });

TEST(LinearSolver, NamesAreKnown)
{
    const auto names = available_linear_solvers();
    for (const std::string& name : names) {
        const auto solver = make_linear_solver(name);
        ASSERT_NE(solver, nullptr);
        EXPECT_EQ(solver->name(), name);
    }
    EXPECT_EQ(make_linear_solver("gauss"), nullptr);
    EXPECT_NE(make_linear_solver("ldlt"), nullptr);
    EXPECT_NE(make_linear_solver("pcg"), nullptr);
}

// Mixed filters: S(b − A x) = 0, (I−S)x = z, and x is that of the eliminated dense system.
TEST_P(LinearSolvers, SatisfyConstraintsAndFreeEquations)
{
    for (unsigned seed = 1; seed <= 8; ++seed) {
        Problem problem = test::random_problem(14, seed);
        test::add_mixed_filters(problem, seed);
        const VecX x = solution(problem);
        const MatX A = problem.dense(), S = problem.S();
        EXPECT_LT((S * (problem.b - A * x)).norm(), 1e-12);
        EXPECT_LT((x - S * x - problem.z).norm(), 1e-12);
        EXPECT_LT((x - problem.eliminated()).norm(), 1e-12 * (1 + x.norm()));
        for (int i = 0; i < problem.rows(); ++i)
            if (problem.filter.kind(i) == VertexFilter::Kind::fixed) {
                EXPECT_EQ(Vec3(x.segment<3>(3 * i)), Vec3(problem.z.segment<3>(3 * i)));
            }
    }
}

// z may have a part in the free directions: x does not depend on it.
TEST_P(LinearSolvers, FreePartOfPrescribedValuesHasNoEffect)
{
    Problem problem = test::random_problem(10, 4);
    test::add_mixed_filters(problem, 4);
    const VecX x = solution(problem);
    VecX extra = test::random_vector(30, 5);
    problem.filter.apply(extra);
    problem.z += extra;
    EXPECT_LT((solution(problem) - x).norm(), 1e-12 * x.norm());
}

TEST_P(LinearSolvers, MergeContactsIntoTheMatrix)
{
    for (unsigned seed = 1; seed <= 4; ++seed) {
        Problem problem = test::random_problem(13, seed);
        problem.contact = test::random_contacts(13, 10, seed);
        if (seed % 2) test::add_mixed_filters(problem, seed);
        const VecX expected = problem.eliminated();
        EXPECT_LT((solution(problem) - expected).norm(), 1e-12 * (1 + expected.norm()));
    }
}

TEST_P(LinearSolvers, AgreeOnACloth)
{
    Problem problem = test::cloth_grid(30, 1000);
    problem.contact = test::random_contacts(900, 40, 1);
    problem.filter = VertexFilter(900);
    problem.filter.fix(0);
    problem.filter.fix(29);
    problem.filter.block_direction(450, Vec3(1, 1, 0).normalized());
    problem.z.segment<3>(87) = Vec3(0.1, 0, 0);
    const VecX x = solution(problem);

    const auto reference = make_linear_solver("ldlt");
    ASSERT_TRUE(reference->prepare(problem.system()).ok());
    VecX expected;
    ASSERT_TRUE(reference->solve(problem.b, &problem.z, expected, tight).ok());
    EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm());
    const VecX residual = problem.b - problem.fixed.multiply(x) - problem.contact.multiply(x);
    EXPECT_LT((problem.S() * residual).norm(), 1e-10 * problem.b.norm());
}

TEST_P(LinearSolvers, KeepTheFactorForFurtherRightHandSides)
{
    Problem problem = test::random_problem(10, 2);
    solution(problem);
    const VecX b = test::random_vector(30, 99);
    VecX x;
    ASSERT_TRUE(solver_->solve(b, nullptr, x, tight).ok());
    EXPECT_LT((problem.dense() * x - b).norm(), 1e-11);
}

TEST_P(LinearSolvers, ReuseSymbolicWorkWhileThePatternStands)
{
    Problem problem = test::cloth_grid(8, 100);
    EXPECT_TRUE(solver_->prepare(problem.system()).analysed);
    problem.fixed.add_diagonal(VecX::Ones(64));
    EXPECT_FALSE(solver_->prepare(problem.system()).analysed);
    EXPECT_LT((solution(problem) - problem.eliminated()).norm(), 1e-11);

    // PCG and multigrid keep contacts apart: only a new fixed pattern is new to them.
    const bool iterative = GetParam() == "pcg" || GetParam() == "multigrid";
    problem.contact = test::pair_matrix(64, {0, 63});
    test::add_spring(problem.contact, 0, 63, 5 * Mat3::Identity());
    EXPECT_EQ(solver_->prepare(problem.system()).analysed, !iterative);
    EXPECT_LT((solution(problem) - problem.eliminated()).norm(), 1e-11);
    problem.contact = test::pair_matrix(64, {5, 40, 1, 63});
    test::add_spring(problem.contact, 5, 40, 5 * Mat3::Identity());
    EXPECT_EQ(solver_->prepare(problem.system()).analysed, !iterative);
    EXPECT_LT((solution(problem) - problem.eliminated()).norm(), 1e-11);
    EXPECT_FALSE(solver_->prepare(problem.system()).analysed);

    Problem larger = test::cloth_grid(9, 100);
    EXPECT_TRUE(solver_->prepare(larger.system()).analysed);
    EXPECT_LT((solution(larger) - larger.eliminated()).norm(), 1e-11);
}

TEST_P(LinearSolvers, ReportIndefiniteMatricesAndRecover)
{
    Problem problem = test::cloth_grid(6, 10);
    const Mat3 good = problem.fixed.block(problem.fixed.pattern->find(20, 20));
    // Negative in one direction of one vertex: seen on the diagonal itself.
    problem.fixed.block(problem.fixed.pattern->find(20, 20)) -= 1e3 * Mat3::Identity();
    LinearReport report = solver_->prepare(problem.system());
    EXPECT_EQ(report.status, LinearStatus::indefinite);
    EXPECT_FALSE(report.message.empty());
    VecX x;
    EXPECT_EQ(solver_->solve(problem.b, nullptr, x, tight).status, LinearStatus::failed);
    EXPECT_EQ(x.size(), problem.b.size());

    problem.fixed.block(problem.fixed.pattern->find(20, 20)) = good;
    EXPECT_LT((solution(problem) - problem.eliminated()).norm(), 1e-11);

    // Positive diagonal, but coupled too strongly: x0 ≈ −x1 has negative curvature.
    problem.fixed.block(problem.fixed.pattern->find(14, 15)) += 1e3 * Mat3::Identity();
    report = solver_->prepare(problem.system());
    if (report.ok()) report = solver_->solve(problem.b, nullptr, x, tight);
    EXPECT_EQ(report.status, LinearStatus::indefinite);
    EXPECT_FALSE(report.message.empty());
    EXPECT_TRUE(x.allFinite());
}

TEST_P(LinearSolvers, ReportNan)
{
    Problem problem = test::cloth_grid(5, 10);
    problem.fixed.values[40] = std::nan("");
    EXPECT_EQ(solver_->prepare(problem.system()).status, LinearStatus::failed);
    VecX x;
    EXPECT_EQ(solver_->solve(problem.b, nullptr, x, tight).status, LinearStatus::failed);

    problem = test::cloth_grid(5, 10);
    EXPECT_TRUE(solver_->prepare(problem.system()).ok());
    problem.b[3] = std::nan("");
    EXPECT_EQ(solver_->solve(problem.b, nullptr, x, tight).status, LinearStatus::failed);
    problem.b[3] = infinity;
    EXPECT_EQ(solver_->solve(problem.b, nullptr, x, tight).status, LinearStatus::failed);
}

TEST_P(LinearSolvers, StagnationEnds)
{
    // More digits than a double has: iterations stop at the cap, direct solvers are done anyway.
    const Problem problem = test::cloth_grid(12, 1e6);
    ASSERT_TRUE(solver_->prepare(problem.system()).ok());
    VecX x;
    const LinearReport report = solver_->solve(problem.b, nullptr, x, {1e-40, 300});
    EXPECT_LE(report.iterations, 300);
    EXPECT_TRUE(x.allFinite());
    if (!report.ok()) {
        EXPECT_EQ(report.status, LinearStatus::not_converged);
        EXPECT_FALSE(report.message.empty());
    }
    EXPECT_LT((problem.fixed.multiply(x) - problem.b).norm(), 1e-6 * problem.b.norm());
}

TEST_P(LinearSolvers, SolveTheTrivial)
{
    Problem nothing;
    nothing.fixed = BlockMatrix(std::make_shared<BlockPattern>());
    EXPECT_EQ(solution(nothing).size(), 0);

    Problem single = test::cloth_grid(1, 10);
    EXPECT_LT((solution(single) - single.b).norm(), 1e-15);

    Problem pinned = test::cloth_grid(6, 10);
    pinned.filter = VertexFilter(36);
    for (int i = 0; i < 36; ++i) pinned.filter.fix(i);
    pinned.z = test::random_vector(108, 3);
    EXPECT_EQ(solution(pinned), pinned.z);

    Problem still = test::cloth_grid(6, 10);
    still.b.setZero();
    EXPECT_EQ(solution(still), still.b);
}

TEST_P(LinearSolvers, RefuseToSolveUnprepared)
{
    VecX x;
    EXPECT_EQ(solver_->solve(VecX::Ones(3), nullptr, x, tight).status, LinearStatus::failed);
    EXPECT_EQ(x, VecX::Zero(3));
}

VecX solve_with_threads(const std::string& name, const Problem& problem, int threads)
{
    const ThreadLimit limit(threads);
    const auto solver = make_linear_solver(name);
    EXPECT_TRUE(solver->prepare(problem.system()).ok());
    VecX x;
    EXPECT_TRUE(solver->solve(problem.b, &problem.z, x, tight).ok());
    return x;
}

// PARDISO promises equal bits for equal thread counts only.
TEST_P(LinearSolvers, GiveTheSameBitsForAnyThreadCount)
{
    Problem problem = test::cloth_grid(40, 1000);
    problem.contact = test::random_contacts(1600, 60, 2);
    test::add_mixed_filters(problem, 2);
    const VecX one = solve_with_threads(GetParam(), problem, 1);
    const VecX two = solve_with_threads(GetParam(), problem, 2);
    EXPECT_EQ(two, solve_with_threads(GetParam(), problem, 2));
    if (GetParam() == "pardiso") {
        EXPECT_LT((one - two).norm(), 1e-11 * one.norm());
    } else {
        EXPECT_EQ(one, two);
    }
}

} // namespace
} // namespace selvage
