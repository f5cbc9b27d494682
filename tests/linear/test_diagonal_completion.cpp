#include "core/linear/diagonal_completion.h"

#include "core/base/parallel.h"
#include "tests/linear/systems.h"

#include <gtest/gtest.h>

namespace selvage::test
{
namespace
{

/// Springs of any direction between vertices that are numbered without order.
BlockMatrix springs(int vertices, unsigned seed)
{
    std::mt19937 rng(seed);
    std::vector<std::int32_t> pairs;
    for (int k = 0; k < 4 * vertices; ++k)
        pairs.push_back(std::int32_t(rng() % unsigned(vertices)));
    BlockMatrix A = pair_matrix(vertices, pairs);
    for (std::size_t k = 0; k < pairs.size(); k += 2) {
        if (pairs[k] == pairs[k + 1]) continue;
        const Vec3 n = random_unit(rng);
        add_spring(A, pairs[k], pairs[k + 1], n * n.transpose());
    }
    return A;
}

TEST(DiagonalCompletion, MakesRowsSumToZero)
{
    const BlockMatrix whole = springs(300, 1);
    BlockMatrix A = whole;
    for (int r = 0; r < 300; ++r) A.block(A.pattern->row_begin()[std::size_t(r)]).setZero();
    DiagonalCompletion(A.pattern).add(A);
    EXPECT_LE((A.dense() - whole.dense()).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_EQ((A.dense() - A.dense().transpose()).cwiseAbs().maxCoeff(), 0);
}

TEST(DiagonalCompletion, AddsToWhatIsThere)
{
    BlockMatrix A = springs(40, 2);
    const MatX before = A.dense();
    DiagonalCompletion(A.pattern).add(A); // the same springs once more, on the diagonal
    const MatX wrong = A.dense() - 2 * before;
    for (int r = 0; r < 40; ++r) {
        const Mat3 diagonal = wrong.block<3, 3>(3 * r, 3 * r);
        EXPECT_LE(diagonal.cwiseAbs().maxCoeff(), 1e-14);
    }
}

TEST(DiagonalCompletion, HasTheSameBitsOnTwoThreads)
{
    const BlockMatrix start = springs(5000, 3);
    const auto completed = [&](int threads) {
        const ThreadLimit limit(threads);
        BlockMatrix A = start;
        DiagonalCompletion(A.pattern).add(A);
        return A.values;
    };
    EXPECT_EQ(completed(1), completed(2));
}

} // namespace
} // namespace selvage::test
