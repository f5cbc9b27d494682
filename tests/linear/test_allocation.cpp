// Counts what a solve asks of operator new: programs of tests have one such count each.
#include "core/base/parallel.h"
#include "tests/linear/sheet.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace
{

std::atomic<long> allocations{0};

void* count_and_allocate(std::size_t bytes)
{
    ++allocations;
    void* memory = std::malloc(bytes > 0 ? bytes : 1);
    if (!memory) throw std::bad_alloc();
    return memory;
}

} // namespace

void* operator new(std::size_t bytes) { return count_and_allocate(bytes); }
void* operator new[](std::size_t bytes) { return count_and_allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

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
            const long before = allocations;
            const LinearReport report = solver->solve(sheet.b, nullptr, x, {tolerance, 5000});
            iterations = report.iterations;
            return allocations - before;
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
