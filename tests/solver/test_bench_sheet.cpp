#include "core/bench/bench_sheet.h"

#include <gtest/gtest.h>

#include <cmath>

namespace selvage
{
namespace
{

// The lobes of the sheet with re-entrant corners hang down: what they have turned by must not be
// mistaken for strain at free edges, where there is nothing to interpolate with.
TEST(BenchSheet, FinerSheetsAreNotCrushedAtTheirEdges)
{
    BenchSheet coarse(SheetCase::reentrant, 21, GridCells::alternating_triangles);
    coarse.simulate(1.0 / 48, 20, "ldlt");
    const int n = 81, side = 2 * int(std::lround(n / std::sqrt(3.0))) + 1;
    BenchSheet fine(SheetCase::reentrant, n, GridCells::alternating_triangles);
    fine.continue_from(coarse);
    const auto at = [&](int v) { return Vec3(fine.positions().segment<3>(3 * v)); };
    for (int k = 0; k < side; ++k) // between the first two rows
        EXPECT_GT((at(side + k) - at(k)).norm() * (side - 1), 0.8) << k;
}

} // namespace
} // namespace selvage
