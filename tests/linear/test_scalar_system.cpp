#include "core/linear/scalar_system.h"

#include "tests/linear/systems.h"

#include <gtest/gtest.h>

namespace selvage
{
namespace
{

using test::Problem;

MatX symmetric(const ScalarSystem& matrix)
{
    return MatX(matrix.lower()).selfadjointView<Eigen::Lower>();
}

TEST(ScalarSystem, EqualsDenseFilteredMatrix)
{
    for (unsigned seed = 1; seed <= 5; ++seed) {
        Problem problem = test::random_problem(12, seed);
        if (seed % 2) problem.contact = test::random_contacts(12, 9, seed);
        if (seed > 1) test::add_mixed_filters(problem, seed);
        ScalarSystem matrix;
        EXPECT_TRUE(matrix.assemble(problem.system()));
        const MatX expected = problem.filtered();
        EXPECT_LT((symmetric(matrix) - expected).norm(), 1e-13 * expected.norm());
        EXPECT_TRUE(matrix.finite());
    }
}

TEST(ScalarSystem, IndicesAscendFromTheDiagonal)
{
    Problem problem = test::random_problem(9, 3);
    problem.contact = test::random_contacts(9, 5, 3);
    test::add_mixed_filters(problem, 3);
    ScalarSystem matrix;
    matrix.assemble(problem.system());
    const auto& A = matrix.lower();
    for (int column = 0; column < A.cols(); ++column) {
        const int first = A.outerIndexPtr()[column], last = A.outerIndexPtr()[column + 1];
        ASSERT_LT(first, last);
        EXPECT_EQ(A.innerIndexPtr()[first], column);
        for (int k = first + 1; k < last; ++k)
            EXPECT_LT(A.innerIndexPtr()[k - 1], A.innerIndexPtr()[k]);
    }
    EXPECT_EQ(A.outerIndexPtr()[A.cols()], A.nonZeros());
}

TEST(ScalarSystem, FixedVerticesLeaveThePattern)
{
    Problem problem = test::cloth_grid(5, 10);
    ScalarSystem matrix;
    matrix.assemble(problem.system());
    const auto before = matrix.lower().nonZeros();
    problem.filter = VertexFilter(25);
    for (int i = 0; i < 25; ++i) problem.filter.fix(i);
    EXPECT_TRUE(matrix.assemble(problem.system()));
    EXPECT_EQ(matrix.lower().nonZeros(), 25 * 6);
    EXPECT_GT(before, 25 * 6);
}

TEST(ScalarSystem, PatternStandsWhileItsSourcesDo)
{
    Problem problem = test::cloth_grid(6, 10);
    problem.filter = VertexFilter(36);
    problem.filter.fix(0);
    ScalarSystem matrix;
    EXPECT_TRUE(matrix.assemble(problem.system()));
    EXPECT_FALSE(matrix.assemble(problem.system()));

    // An equal pattern in another object, new values, another partial constraint: same pattern.
    problem.fixed.pattern = std::make_shared<BlockPattern>(*problem.fixed.pattern);
    problem.fixed.add_diagonal(VecX::Ones(36));
    problem.filter.block_direction(7, Vec3::UnitY());
    EXPECT_FALSE(matrix.assemble(problem.system()));
    EXPECT_LT((symmetric(matrix) - problem.filtered()).norm(), 1e-11);

    // Contacts between vertices coupled by the cloth: new contact pattern, same union.
    problem.contact = test::pair_matrix(36, {1, 2, 8, 9});
    test::add_spring(problem.contact, 8, 9, Mat3::Identity());
    EXPECT_FALSE(matrix.assemble(problem.system()));
    EXPECT_LT((symmetric(matrix) - problem.filtered()).norm(), 1e-11);

    // A contact across the sheet, another fixed vertex, no contact: each a new pattern.
    problem.contact = test::pair_matrix(36, {1, 35});
    test::add_spring(problem.contact, 1, 35, Mat3::Identity());
    EXPECT_TRUE(matrix.assemble(problem.system()));
    EXPECT_LT((symmetric(matrix) - problem.filtered()).norm(), 1e-11);
    problem.filter.fix(3);
    EXPECT_TRUE(matrix.assemble(problem.system()));
    problem.contact = {};
    EXPECT_TRUE(matrix.assemble(problem.system()));
    EXPECT_LT((symmetric(matrix) - problem.filtered()).norm(), 1e-11);
}

TEST(ScalarSystem, SeesEntriesThatAreNotFinite)
{
    Problem problem = test::cloth_grid(4, 10);
    ScalarSystem matrix;
    problem.fixed.values[13] = std::nan("");
    matrix.assemble(problem.system());
    EXPECT_FALSE(matrix.finite());
    problem.fixed.values[13] = infinity;
    matrix.assemble(problem.system());
    EXPECT_FALSE(matrix.finite());
    problem.fixed.values[13] = 0;
    matrix.assemble(problem.system());
    EXPECT_TRUE(matrix.finite());
}

} // namespace
} // namespace selvage
