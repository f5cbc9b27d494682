#include "core/base/parallel.h"
#include "tests/linear/sheet.h"
#include "tests/support/counted_memory.h"

#include <gtest/gtest.h>

namespace selvage
{
namespace
{

// A solve of many iterations asks for no more memory than one of few.
TEST(Allocation, IterationsAllocateNothing)
{
    const ThreadLimit one(1);
    const test::Sheet sheet = test::calibration_sheet(61, test::Held::two_sides);
    for (const char* name : {"pcg", "multigrid"}) {
        const auto solver = make_linear_solver(name);
        ASSERT_TRUE(solver->prepare(sheet.system()).ok());
        VecX x;
        const auto solve = [&](double tolerance, int& iterations) {
            const long before = test::allocation_count();
            const LinearReport report = solver->solve(sheet.b, nullptr, x, {tolerance, 5000});
            iterations = report.iterations;
            return test::allocation_count() - before;
        };
        int few = 0, many = 0;
        solve(1e-2, few); // what is built at the first solve
        const long of_few = solve(1e-2, few), of_many = solve(1e-9, many);
        EXPECT_GT(many, few + 3) << name;
        EXPECT_EQ(of_few, of_many) << name;
    }
}

} // namespace
} // namespace selvage
