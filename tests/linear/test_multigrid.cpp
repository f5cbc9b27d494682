#include "core/linear/multigrid_hierarchy.h"

#include "core/base/parallel.h"
#include "tests/linear/sheet.h"

#include <gtest/gtest.h>

namespace selvage
{
namespace
{

using test::Held;
using test::Sheet;

LinearReport solve(LinearSolver& solver, const Sheet& sheet, VecX& x, double tolerance = 1e-5)
{
    const LinearReport prepared = solver.prepare(sheet.system());
    EXPECT_TRUE(prepared.ok()) << prepared.message;
    return solver.solve(sheet.b, &sheet.z, x, {tolerance, 5000});
}

int iterations(const char* name, const Sheet& sheet)
{
    VecX x;
    const LinearReport report = solve(*make_linear_solver(name), sheet, x);
    EXPECT_TRUE(report.ok()) << report.message;
    return report.iterations;
}

double filtered_residual(const Sheet& sheet, const VecX& x)
{
    VecX r = sheet.b - sheet.fixed.multiply(x), b = sheet.b;
    sheet.filter.apply(r);
    sheet.filter.apply(b);
    return r.norm() / b.norm();
}

struct Grid {
    FilteredMatrix matrix;
    std::unique_ptr<Multigrid> grid;

    Grid(const LinearSystem& system, const MultigridOptions& options)
        : grid(make_multigrid(options))
    {
        matrix.assemble(system);
        EXPECT_TRUE(grid->build(matrix, system));
    }
    VecX apply(const VecX& r)
    {
        VecX z(r.size());
        grid->apply(r, z);
        return z;
    }
};

MultigridOptions in_doubles(bool rotations)
{
    MultigridOptions options;
    options.double_precision = true;
    options.rotations = rotations;
    return options;
}

TEST(Multigrid, CycleIsSymmetricAndPositive)
{
    for (const bool rotations : {false, true})
        for (const Held held : {Held::two_sides, Held::normals}) {
            const Sheet sheet = test::calibration_sheet(41, held);
            MultigridOptions options = in_doubles(rotations);
            options.coarsest = 30; // deep enough for levels that are visited twice
            Grid grid(sheet.system(), options);
            EXPECT_GE(grid.grid->levels(), 4);
            const int n = 3 * sheet.rows();
            for (unsigned seed = 1; seed <= 3; ++seed) {
                const VecX u = test::random_vector(n, seed), v = test::random_vector(n, seed + 10);
                const VecX Bu = grid.apply(u), Bv = grid.apply(v);
                EXPECT_GT(u.dot(Bu), 0);
                const double scale = std::sqrt(u.dot(Bu) * v.dot(Bv));
                EXPECT_LT(std::abs(Bu.dot(v) - u.dot(Bv)), 1e-12 * scale);
            }
        }
}

TEST(Multigrid, CorrectionsRespectConstraints)
{
    const Sheet sheet = test::calibration_sheet(41, Held::normals);
    Grid grid(sheet.system(), in_doubles(true));
    VecX r = test::random_vector(3 * sheet.rows(), 1);
    sheet.filter.apply(r);
    const VecX z = grid.apply(r);
    VecX allowed = z;
    sheet.filter.apply(allowed);
    EXPECT_LT((z - allowed).norm(), 1e-13 * z.norm());
}

TEST(Multigrid, FloatsCostNoIteration)
{
    const Sheet sheet = test::calibration_sheet(61, Held::two_sides);
    Grid exact(sheet.system(), in_doubles(true)), single(sheet.system(), {});
    const VecX r = test::random_vector(3 * sheet.rows(), 1), a = exact.apply(r);
    EXPECT_LT((a - single.apply(r)).norm(), 1e-4 * a.norm());
    EXPECT_LT(single.grid->bytes(), 0.7 * double(exact.grid->bytes()));
}

struct Calibration {
    int n;
    int jacobi[3], multigrid[3]; ///< iterations for all_sides, two_sides, normals
};

/// Iterations to 1e-5 beside those of the prototype that the method was calibrated with.
void expect_iterations(const Calibration& c)
{
    const Held helds[] = {Held::all_sides, Held::two_sides, Held::normals};
    for (int k = 0; k < 3; ++k) {
        if (c.jacobi[k] == 0) continue;
        const Sheet sheet = test::calibration_sheet(c.n, helds[k]);
        EXPECT_LE(iterations("multigrid", sheet), c.multigrid[k] + 2) << c.n << " case " << k;
        EXPECT_NEAR(iterations("pcg", sheet), c.jacobi[k], 0.08 * c.jacobi[k] + 2) << c.n;
    }
}

TEST(Multigrid, IterationsStayBounded)
{
    expect_iterations({31, {53, 58, 60}, {4, 4, 4}});
    expect_iterations({61, {107, 117, 120}, {4, 4, 4}});
}

TEST(MultigridFull, IterationsStayBounded)
{
    expect_iterations({101, {189, 207, 209}, {5, 4, 5}});
    expect_iterations({201, {454, 503, 516}, {6, 6, 6}});
    expect_iterations({301, {0, 813, 0}, {0, 6, 0}});
}

TEST(MultigridFull, LargeStepsCostFewIterations)
{
    EXPECT_LE(iterations("multigrid", test::calibration_sheet(101, Held::two_sides, 0.01)), 8);
    EXPECT_LE(iterations("multigrid", test::calibration_sheet(101, Held::two_sides, 0.04)), 9);
}

/// Conjugate gradients that filter in each iteration, with a hierarchy that does not know of the
/// constraints.
int iterations_without_prefiltering(const Sheet& sheet)
{
    LinearSystem free = sheet.system();
    free.filter = nullptr;
    Grid grid(free, in_doubles(true));
    const auto S = [&](VecX v) {
        sheet.filter.apply(v);
        return v;
    };
    VecX r = S(sheet.b), z = S(grid.apply(r)), p = z;
    double rz = r.dot(z);
    const double start = rz;
    int count = 0;
    for (; rz > 1e-10 * start && count < 500; ++count) {
        const VecX q = S(sheet.fixed.multiply(p));
        const double alpha = rz / p.dot(q);
        r -= alpha * q;
        z = S(grid.apply(r));
        const double next = r.dot(z);
        p = z + next / rz * p;
        rz = next;
    }
    return count;
}

// The negative control: a good preconditioner that ignores the constraints undoes itself. The
// prototype took 14 to 15 iterations at 961 vertices, 18 to 22 at 3,721, 22 to 30 at 10,201.
void expect_degradation(int n, int low, int high)
{
    for (const Held held : {Held::all_sides, Held::two_sides, Held::normals}) {
        const Sheet sheet = test::calibration_sheet(n, held);
        const int count = iterations_without_prefiltering(sheet);
        EXPECT_GE(count, low - 4) << n << " case " << int(held);
        EXPECT_LE(count, high + 8) << n << " case " << int(held);
        EXPECT_GE(count, 2 * iterations("multigrid", sheet)) << n << " case " << int(held);
    }
}

TEST(Multigrid, DegradesWithoutPrefiltering)
{
    expect_degradation(31, 14, 15);
    expect_degradation(61, 18, 22);
}
TEST(MultigridFull, DegradesWithoutPrefiltering) { expect_degradation(101, 22, 30); }

// Nothing is held: the rigid motions themselves must be solved for.
TEST(Multigrid, SolvesFreeCloth)
{
    Sheet sheet = test::calibration_sheet(41, Held::two_sides, 1.0 / 24);
    sheet.filter = VertexFilter(sheet.rows());
    VecX x;
    const LinearReport report = solve(*make_linear_solver("multigrid"), sheet, x, 1e-10);
    EXPECT_TRUE(report.ok()) << report.message;
    EXPECT_LE(report.iterations, 20);
    EXPECT_LT(filtered_residual(sheet, x), 1e-8);
}

TEST(Multigrid, WorksWithoutPositions)
{
    const Sheet sheet = test::calibration_sheet(41, Held::two_sides);
    LinearSystem system = sheet.system();
    system.positions = nullptr;
    const auto solver = make_linear_solver("multigrid");
    ASSERT_TRUE(solver->prepare(system).ok());
    VecX x;
    const LinearReport report = solver->solve(sheet.b, nullptr, x, {1e-5, 100});
    EXPECT_TRUE(report.ok());
    EXPECT_LE(report.iterations, 10);
}

// Contacts between random places, a thousand times stiffer than the cloth, hurt but do not spoil.
TEST(Multigrid, ContactsDoNotSpoilIt)
{
    Sheet sheet = test::calibration_sheet(61, Held::two_sides);
    const double stiff = 1e3 * sheet.fixed.values[0];
    sheet.contact = test::random_contacts(sheet.rows(), 200, 3);
    for (double& v : sheet.contact.values) v *= stiff / 50;
    EXPECT_LE(iterations("multigrid", sheet), iterations("pcg", sheet) / 5);
}

// Large enough for sweeps and products to be cut into several stretches of rows, and into others
// for other numbers of threads; contacts reach from one into another.
TEST(Multigrid, GivesTheSameBitsHoweverItsRowsAreCut)
{
    Sheet sheet = test::calibration_sheet(101, Held::two_sides);
    sheet.contact = test::random_contacts(sheet.rows(), 300, 3);
    const auto solution = [&](int threads) {
        const ThreadLimit limit(threads);
        VecX x;
        EXPECT_TRUE(solve(*make_linear_solver("multigrid"), sheet, x).ok());
        return x;
    };
    const VecX one = solution(1);
    for (const int threads : {2, 3, 5}) EXPECT_EQ(one, solution(threads)) << threads;
}

TEST(Multigrid, ReusesItsHierarchyWhileItServes)
{
    const Sheet before = test::calibration_sheet(61, Held::two_sides, 0.01);
    const Sheet after = test::calibration_sheet(61, Held::two_sides, 0.01, 0.97);
    const auto solver = make_linear_solver("multigrid");
    VecX x;
    const int fresh = solve(*solver, before, x).iterations;
    LinearReport report = solve(*solver, after, x); // with the coarse levels of `before`
    EXPECT_TRUE(report.ok());
    EXPECT_LT(filtered_residual(after, x), 1e-3);
    // A cloth of another shape: outdated, noticed, built anew.
    const Sheet other = test::calibration_sheet(61, Held::all_sides, 0.01, 6);
    report = solve(*solver, other, x);
    EXPECT_TRUE(report.ok());
    EXPECT_LT(filtered_residual(other, x), 1e-3);
    EXPECT_LE(solve(*solver, other, x).iterations, 3 * fresh + 6);
}

TEST(Multigrid, ForgetsOnDemand)
{
    const Sheet before = test::calibration_sheet(41, Held::two_sides, 0.01);
    const Sheet after = test::calibration_sheet(41, Held::all_sides, 0.01, 0.9);
    const auto used = make_linear_solver("multigrid");
    VecX x, expected;
    solve(*used, before, x);
    used->forget();
    solve(*used, after, x);
    solve(*make_linear_solver("multigrid"), after, expected);
    EXPECT_EQ(x, expected);
}

// The same iterations as conjugate gradients where few of them do; a hierarchy where they do not.
TEST(Multigrid, BuildsAHierarchyOnDemand)
{
    const LinearSettings on_demand{1e-5, 5000, true};
    VecX x, expected;
    const Sheet light = test::calibration_sheet(41, Held::two_sides, 0.0005);
    const auto jacobi = make_linear_solver("pcg"), solver = make_linear_solver("multigrid");
    solve(*jacobi, light, expected);
    ASSERT_TRUE(solver->prepare(light.system()).ok());
    EXPECT_TRUE(solver->solve(light.b, &light.z, x, on_demand).ok());
    EXPECT_EQ(x, expected);

    const Sheet stiff = test::calibration_sheet(41, Held::two_sides, 0.02);
    solver->forget();
    ASSERT_TRUE(solver->prepare(stiff.system()).ok());
    const LinearReport report = solver->solve(stiff.b, &stiff.z, x, on_demand);
    EXPECT_TRUE(report.ok()) << report.message;
    EXPECT_LE(report.iterations, 30 + 10); // gave block-Jacobi up in time
    EXPECT_EQ(solve(*make_linear_solver("multigrid"), stiff, expected).iterations,
              report.iterations - report.iterations / 10 * 10);
    EXPECT_EQ(x, expected);
    // From here on no more attempts without one.
    ASSERT_TRUE(solver->prepare(stiff.system()).ok());
    EXPECT_LE(solver->solve(stiff.b, &stiff.z, x, on_demand).iterations, 10);
}

// A barrier's stiffness may exceed the rest by more digits than a float has.
TEST(Multigrid, SurvivesContrastBeyondFloats)
{
    Sheet sheet = test::calibration_sheet(31, Held::two_sides);
    sheet.contact = test::random_contacts(sheet.rows(), 30, 3);
    for (double& v : sheet.contact.values) v *= 1e10 * sheet.fixed.values[0];
    const auto solver = make_linear_solver("multigrid");
    VecX x;
    const LinearReport report = solve(*solver, sheet, x, 1e-6);
    EXPECT_TRUE(report.ok()) << report.message;
    EXPECT_LE(report.residual, 1e-6);
    // In-phase motion is what is left: contacts hold.
    const VecX force = sheet.contact.multiply(x);
    EXPECT_LT(x.dot(force), 1e-3 * x.dot(sheet.b));
}

} // namespace
} // namespace selvage
