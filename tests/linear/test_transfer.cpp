#include "core/linear/transfer.h"

#include "core/linear/filtered_matrix.h"
#include "core/linear/multigrid_level.h"
#include "core/linear/near_kernel.h"
#include "tests/linear/sheet.h"

#include <gtest/gtest.h>

#include <set>

namespace selvage
{
namespace
{

RowPattern path(int n)
{
    RowPattern p;
    for (int i = 0; i < n; ++i) {
        for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j) p.columns.push_back(j);
        p.begin.push_back(std::int64_t(p.columns.size()));
    }
    return p;
}

Buffer<float> strengths(const RowPattern& p, float value)
{
    Buffer<float> s;
    s.resize(p.block_count());
    for (std::size_t i = 0; i < p.rows(); ++i)
        for (auto k = p.begin[i]; k < p.begin[i + 1]; ++k)
            s[std::size_t(k)] = p.columns[std::size_t(k)] == std::int32_t(i) ? 0.f : value;
    return s;
}

TEST(Aggregation, CutsAPathIntoThrees)
{
    const RowPattern p = path(9);
    const Aggregates a = aggregate(p, strengths(p, 0.5f), 0.25f);
    EXPECT_EQ(a.count, 3);
    EXPECT_EQ(a.of, (std::vector<std::int32_t>{0, 0, 1, 1, 1, 2, 2, 2, 2}));
}

TEST(Aggregation, LeavesOutWhatNothingPullsAt)
{
    const RowPattern p = path(8);
    const Aggregates a = aggregate(p, strengths(p, 1e-4f), 0.25f);
    EXPECT_EQ(a.count, 0);
    EXPECT_EQ(a.of, std::vector<std::int32_t>(8, -1));
}

TEST(Aggregation, WeakNeighboursStayApart)
{
    const RowPattern p = path(10);
    Buffer<float> s = strengths(p, 0.5f);
    for (std::size_t i = 0; i < 10; ++i) // cut between 4 and 5
        for (auto k = p.begin[i]; k < p.begin[i + 1]; ++k)
            if (int(i) + p.columns[std::size_t(k)] == 9) s[std::size_t(k)] = 0.01f;
    const Aggregates a = aggregate(p, s, 0.25f);
    const std::set<std::int32_t> left(a.of.begin(), a.of.begin() + 5);
    for (std::size_t i = 5; i < 10; ++i) EXPECT_EQ(left.count(a.of[i]), 0u);
}

template <int K> struct TwoLevels {
    test::Sheet sheet = test::calibration_sheet(15, test::Held::normals);
    MultigridLevel<double, 3> fine;
    Transfer<double, 3, K> transfer;
    BlockRows<double, K, K> coarse;
    NearKernel kernel, coarse_kernel;
    double omega = 0.4;

    explicit TwoLevels(bool constrained = true)
    {
        if (!constrained) sheet.filter = VertexFilter(sheet.rows());
        FilteredMatrix matrix;
        matrix.assemble(sheet.system());
        matrix.copy_to(fine.A, fine.inverse);
        fine.prepare();
        Buffer<float> strength;
        fine.strengths(strength);
        const Aggregates a = aggregate(*fine.A.pattern, strength, 0.25f);
        vertex_kernel<K>(&sheet.x, &sheet.filter, sheet.rows(), kernel);
        Buffer<double> Q;
        split_kernel<double, 3, K>(kernel, a, Q, coarse_kernel);
        transfer.analyse(fine.A.pattern, a, strength, 0.25f);
        transfer.smooth(fine.A, fine.inverse, Q, kernel, coarse_kernel, omega);
        transfer.galerkin(fine.A, coarse);
    }

    MatX P() const
    {
        MatX dense = MatX::Zero(3 * sheet.rows(), K * transfer.coarse_rows());
        Buffer<double> e;
        e.resize(std::size_t(dense.cols()));
        for (Eigen::Index c = 0; c < dense.cols(); ++c) {
            for (Eigen::Index i = 0; i < dense.cols(); ++i) e[std::size_t(i)] = i == c;
            transfer.prolong_add(e.data(), dense.col(c).data());
        }
        return dense;
    }
    MatX coarse_dense() const
    {
        const RowPattern& p = *coarse.pattern;
        MatX dense = MatX::Zero(K * Eigen::Index(p.rows()), K * Eigen::Index(p.rows()));
        for (std::size_t i = 0; i < p.rows(); ++i)
            for (auto k = p.begin[i]; k < p.begin[i + 1]; ++k)
                dense.block<K, K>(K * Eigen::Index(i), K * p.columns[std::size_t(k)]) =
                    Eigen::Map<const Eigen::Matrix<double, K, K, Eigen::RowMajor>>(coarse.block(k));
        return dense;
    }
};

template <int K> void expect_galerkin()
{
    const TwoLevels<K> t;
    const MatX P = t.P(), expected = P.transpose() * t.sheet.filtered() * P;
    const MatX coarse = t.coarse_dense();
    EXPECT_EQ(coarse, MatX(coarse.transpose()));
    for (Eigen::Index c = 0; c < expected.cols(); ++c) // those without motion have a diagonal
        if (P.col(c).isZero(0)) {
            EXPECT_GT(coarse(c, c), 0);
        } else {
            EXPECT_LT((coarse.col(c) - expected.col(c)).norm(), 1e-12 * expected.norm());
        }

    const VecX r = test::random_vector(int(P.rows()), 1);
    VecX f(P.cols());
    t.transfer.restrict_to(r.data(), f.data());
    EXPECT_LT((f - P.transpose() * r).norm(), 1e-12 * f.norm());
}

TEST(Transfer, CoarseMatrixIsPtap)
{
    expect_galerkin<3>();
    expect_galerkin<6>();
}

// P maps the coarse kernel to the fine one smoothed along all connections, though its pattern has
// the strong ones alone.
template <int K> void expect_kernel_carried()
{
    const TwoLevels<K> t(false);
    using Wide = Eigen::Matrix<double, Eigen::Dynamic, K, Eigen::RowMajor>;
    const MatX fine = Eigen::Map<const Wide>(t.kernel.data(), 3 * t.sheet.rows(), K);
    const MatX coarse =
        Eigen::Map<const Wide>(t.coarse_kernel.data(), K * t.transfer.coarse_rows(), K);
    MatX expected = fine;
    const MatX AK = t.sheet.dense() * fine;
    for (int i = 0; i < t.sheet.rows(); ++i)
        expected.middleRows<3>(3 * i) -= t.omega *
                                         Eigen::Map<const Mat3>(t.fine.inverse.data() + 9 * i) *
                                         AK.middleRows<3>(3 * i);
    EXPECT_LT((t.P() * coarse - expected).norm(), 1e-12 * expected.norm());
}

TEST(Transfer, CarriesTranslations) { expect_kernel_carried<3>(); }
TEST(Transfer, CarriesRotations) { expect_kernel_carried<6>(); }

} // namespace
} // namespace selvage
