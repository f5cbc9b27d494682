#include "core/linear/filtered_matrix.h"
#include "tests/linear/sheet.h"
#include "tests/support/eigenvalues.h"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace selvage
{
namespace
{

using test::Problem;

struct Outcome {
    VecX x;
    LinearReport report;
};

Outcome run_pcg(const Problem& problem, const LinearSettings& settings)
{
    const auto solver = make_linear_solver("pcg");
    Outcome run;
    run.report = solver->prepare(problem.system());
    if (run.report.ok()) run.report = solver->solve(problem.b, &problem.z, run.x, settings);
    return run;
}

/// Conjugate gradients that filter residual and direction in every iteration [Baraff and Witkin
/// 1998, §5.3], started from z, preconditioned by the diagonal blocks of A. Iterations until
/// √(rᵀPr) falls to `tolerance` of its start.
int filtered_cg_iterations(const Problem& problem, double tolerance)
{
    const MatX A = problem.dense(), S = problem.S();
    MatX P = MatX::Zero(A.rows(), A.cols());
    for (int i = 0; i < problem.rows(); ++i)
        P.block<3, 3>(3 * i, 3 * i) = A.block<3, 3>(3 * i, 3 * i).inverse();
    VecX x = problem.z, r = S * (problem.b - A * x), c = S * (P * r);
    double delta = r.dot(c);
    const double stop = tolerance * tolerance * delta;
    int iterations = 0;
    for (; delta > stop && iterations < 10000; ++iterations) {
        const VecX q = S * (A * c);
        const double alpha = delta / c.dot(q);
        x += alpha * c;
        r -= alpha * q;
        const VecX s = P * r;
        const double delta_new = r.dot(s);
        c = S * (s + delta_new / delta * c);
        delta = delta_new;
    }
    return iterations;
}

class CancelAfter final : public Cancel
{
public:
    explicit CancelAfter(int polls) : left_(polls) {}
    bool requested() const override { return left_-- <= 0; }

private:
    mutable int left_;
};

TEST(Pcg, StopsSoonWhenItIsCancelledAndSolvesAfterwardsAsIfNothingHadBeen)
{
    const Problem problem = test::cloth_grid(24, 1e5);
    LinearSettings settings;
    settings.tolerance = 1e-10;
    for (const char* name : {"pcg", "multigrid"}) {
        const auto solve = [&](LinearSolver& solver, const Cancel* cancel, VecX& x) {
            LinearSettings how = settings;
            how.cancel = cancel;
            solver.forget();
            EXPECT_TRUE(solver.prepare(problem.system()).ok());
            return solver.solve(problem.b, nullptr, x, how);
        };
        const auto fresh = make_linear_solver(name), solver = make_linear_solver(name);
        VecX expected, x;
        const LinearReport whole = solve(*fresh, nullptr, expected);
        ASSERT_TRUE(whole.ok()) << whole.message;
        const CancelAfter cancel(std::string(name) == "pcg" ? 1 : 0); // multigrid is soon done
        const LinearReport stopped = solve(*solver, &cancel, x);
        EXPECT_EQ(stopped.status, LinearStatus::cancelled) << name;
        EXPECT_LE(stopped.iterations, 8) << name;
        EXPECT_LT(stopped.iterations, whole.iterations) << name;
        EXPECT_TRUE(solve(*solver, nullptr, x).ok());
        EXPECT_EQ(x, expected) << name;
    }
}

TEST(Pcg, FilteredMatrixIsPositiveDefinite)
{
    for (unsigned seed = 1; seed <= 6; ++seed) {
        Problem problem = test::random_problem(14, seed);
        test::add_mixed_filters(problem, seed);
        const VecX of_A = test::eigenvalues(problem.dense());
        const VecX of_F = test::eigenvalues(problem.filtered());
        // Inside the spectrum of A, so that the condition number is no worse.
        EXPECT_GE(of_F[0], of_A[0] * (1 - 1e-12));
        EXPECT_LE(of_F[of_F.size() - 1], of_A[of_A.size() - 1] * (1 + 1e-12));
        EXPECT_GT(of_F[0], 0);
    }
}

TEST(Pcg, NeedsNoMoreIterationsThanFilteredCg)
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Problem problem = test::random_problem(30, seed);
        test::add_mixed_filters(problem, seed);
        const Outcome run = run_pcg(problem, {1e-8, 1000});
        ASSERT_TRUE(run.report.ok());
        EXPECT_LE(run.report.iterations, filtered_cg_iterations(problem, 1e-8)) << seed;
    }
    Problem cloth = test::cloth_grid(15, 1000);
    test::add_mixed_filters(cloth, 1);
    EXPECT_LE(run_pcg(cloth, {1e-8, 1000}).report.iterations, filtered_cg_iterations(cloth, 1e-8));
}

TEST(Pcg, StopsAtTheToleranceAsked)
{
    const Problem problem = test::cloth_grid(20, 1000);
    const Outcome loose = run_pcg(problem, {1e-3, 1000}), tight = run_pcg(problem, {1e-9, 1000});
    EXPECT_TRUE(loose.report.ok() && tight.report.ok());
    EXPECT_LE(loose.report.residual, 1e-3);
    EXPECT_LE(tight.report.residual, 1e-9);
    EXPECT_LT(loose.report.iterations, tight.report.iterations);
    // The recursive residual of the report is the true one.
    const VecX r = problem.b - problem.fixed.multiply(tight.x);
    EXPECT_LT(r.norm(), 1e-7 * problem.b.norm());
    EXPECT_GT(r.norm(), 0);
}

TEST(Pcg, ReportsTheCapAndReturnsWhatItHas)
{
    const Problem problem = test::cloth_grid(20, 1000);
    const VecX exact = run_pcg(problem, {1e-13, 5000}).x;
    const auto energy_error = [&](const VecX& x) {
        const VecX e = x - exact;
        return e.dot(problem.fixed.multiply(e));
    };
    double last = energy_error(VecX::Zero(exact.size()));
    for (const int cap : {1, 5, 20, 40}) {
        const Outcome run = run_pcg(problem, {1e-13, cap});
        EXPECT_EQ(run.report.status, LinearStatus::not_converged);
        EXPECT_EQ(run.report.iterations, cap);
        EXPECT_FALSE(run.report.message.empty());
        EXPECT_LT(energy_error(run.x), last);
        last = energy_error(run.x);
    }
}

/// Conjugate gradients with the plain diagonal as preconditioner, to `tolerance`.
int scalar_jacobi_iterations(const test::Sheet& sheet, double tolerance)
{
    FilteredMatrix matrix;
    matrix.assemble(sheet.system());
    VecX r = sheet.b, d(r.size()), q(r.size());
    sheet.filter.apply(r);
    for (int i = 0; i < sheet.rows(); ++i)
        d.segment<3>(3 * i) =
            sheet.fixed.block(sheet.fixed.pattern->row_begin()[std::size_t(i)]).diagonal();
    VecX z = r.cwiseQuotient(d), p = z;
    double rz = r.dot(z);
    const double stop = tolerance * tolerance * rz;
    int iterations = 0;
    for (; rz > stop && iterations < 10000; ++iterations) {
        matrix.multiply_rows(0, std::size_t(sheet.rows()), p.data(), q.data());
        r -= rz / p.dot(q) * q;
        z = r.cwiseQuotient(d);
        const double next = r.dot(z);
        p = z + next / rz * p;
        rz = next;
    }
    return iterations;
}

TEST(Pcg, BlocksBeatScalarsByAThird)
{
    const test::Sheet sheet = test::calibration_sheet(61, test::Held::two_sides, 0.1);
    const auto solver = make_linear_solver("pcg");
    ASSERT_TRUE(solver->prepare(sheet.system()).ok());
    VecX x;
    const LinearReport report = solver->solve(sheet.b, nullptr, x, {1e-4, 10000});
    ASSERT_TRUE(report.ok());
    EXPECT_GE(scalar_jacobi_iterations(sheet, 1e-4), 1.3 * report.iterations);
}

// A barrier's stiffness may exceed the rest by more digits than a double has.
TEST(Pcg, SurvivesDiagonalBlocksBeyondPrecision)
{
    Problem problem = test::cloth_grid(8, 10);
    const Vec3 n = Vec3(1, 2, 3).normalized();
    problem.contact = test::pair_matrix(64, {});
    problem.contact.block(problem.contact.pattern->find(20, 20)) += 1e17 * n * n.transpose();
    const Outcome run = run_pcg(problem, {1e-8, 5000});
    EXPECT_TRUE(run.report.ok()) << run.report.message;
    EXPECT_LT(std::abs(n.dot(run.x.segment<3>(60))), 1e-8);
}

} // namespace
} // namespace selvage
