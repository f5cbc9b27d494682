#include "core/linear/banded_ldlt.h"
#include "tests/support/eigenvalues.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr int W = 10;

/// Four random symmetric band matrices, and the same as dense ones.
struct Bands {
    BandMatrix<Real4, W> packed;
    MatX dense[4];

    Bands(int n, double diagonal, unsigned seed)
    {
        Random random(seed);
        packed.set_zero(n);
        for (std::size_t lane = 0; lane < 4; ++lane) {
            dense[lane] = MatX::Zero(n, n);
            for (int c = 0; c < n; ++c)
                for (int r = c; r < std::min(n, c + W + 1); ++r) {
                    const double a = random() + (r == c ? diagonal : 0);
                    dense[lane](r, c) = dense[lane](c, r) = a;
                    packed(r, c)[lane] = a;
                }
        }
    }
};

} // namespace

TEST(BandedLdlt, SolvesFourSystemsAtOnce)
{
    for (const int n : {1, 4, 11, 57}) {
        Bands bands(n, 12, 3);
        Random random(4);
        const VecX b = random.vector(n);
        std::vector<Real4> x(std::size_t(n + W), Real4(7.0)); // what follows the end is ignored
        for (int i = 0; i < n; ++i) x[std::size_t(i)] = b[i];
        const BandPivots<Real4> pivots = factor(bands.packed);
        solve(bands.packed, x.data());
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const VecX expected = bands.dense[lane].ldlt().solve(b);
            EXPECT_GT(pivots.least[lane], 0);
            for (int i = 0; i < n; ++i)
                EXPECT_NEAR(x[std::size_t(i)][lane], expected[i], 1e-12 * (1 + expected.norm()));
        }
    }
}

TEST(BandedLdlt, CountsNegativeEigenvalues)
{
    for (const double diagonal : {-15.0, -2.0, 0.3, 2.0, 15.0}) {
        Bands bands(40, diagonal, 9);
        const BandPivots<Real4> pivots = factor(bands.packed);
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const VecX values = eigenvalues(bands.dense[lane]);
            EXPECT_EQ(int(pivots.negative[lane]), int((values.array() < 0).count()));
            EXPECT_EQ(pivots.least[lane] > 0, values[0] > 0);
        }
    }
}
