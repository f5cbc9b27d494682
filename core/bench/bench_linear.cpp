#include "core/base/parallel.h"
#include "core/bench/bench.h"
#include "core/bench/bench_sheet.h"
#include "core/linear/filtered_matrix.h"
#include "core/linear/multigrid_hierarchy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

namespace selvage
{
namespace
{

/// Speed-ups of multigrid over diagonally preconditioned conjugate gradients and over PARDISO on
/// 2 × 16 cores [Tamstorf 2016, Tables 11.1, 11.2], for pinned, drooping, reentrant; h = 2 ms.
struct Published {
    int n;
    std::array<double, 3> over_pcg_regular, over_pcg_irregular;
    std::array<double, 3> over_pardiso_regular, over_pardiso_irregular;
};
const Published published[] = {
    {31, {0.39, 0.58, 0.55}, {0.43, 0.49, 0.51}, {0.76, 0.72, 0.72}, {0.87, 0.80, 0.80}},
    {61, {0.40, 0.50, 0.54}, {0.43, 0.46, 0.55}, {1.31, 1.18, 1.17}, {1.61, 1.45, 1.39}},
    {101, {0.54, 0.66, 0.72}, {0.56, 0.61, 0.67}, {1.78, 1.57, 1.53}, {2.06, 1.87, 1.93}},
    {201, {1.07, 1.35, 1.36}, {1.22, 1.19, 1.43}, {2.29, 2.03, 2.01}, {2.61, 2.21, 2.32}},
    {301, {2.23, 2.87, 2.67}, {2.32, 2.51, 2.36}, {2.27, 2.07, 1.95}, {2.54, 2.21, 2.33}},
    {601, {5.48, 7.10, 6.38}, {5.32, 5.98, 6.13}, {2.21, 2.01, 1.76}, {2.49, 2.22, 2.21}},
};

constexpr std::array<const char*, 3> case_names = {"pinned", "drooping", "reentrant"};
constexpr double short_step = 0.002, long_step = 1.0 / 48; // [s]

/// Setup and solve to 1e-5 on one thread, patterns and memory kept from before, as inside a
/// simulation. The thread's own clock: what else runs on the machine does not count.
struct Timing {
    double seconds = 0;
    LinearReport report;
};
Timing time_solver(const std::string& name, const BenchSheet& sheet)
{
    const auto solver = make_linear_solver(name);
    Timing timing;
    if (!solver) return timing;
    const ThreadLimit one(1);
    const VecX b = sheet.right_hand_side();
    VecX x;
    solver->prepare(sheet.system());
    const auto once = [&] {
        solver->forget();
        timing.report = solver->prepare(sheet.system());
        if (timing.report.ok()) timing.report = solver->solve(b, nullptr, x, {1e-5, 20000});
    };
    timing.seconds = median_seconds(once, 0, 1, BenchClock::thread);
    if (timing.seconds < 0.5) timing.seconds = median_seconds(once, 0.3, 7, BenchClock::thread);
    return timing;
}

/// Falling sheets of 1681 vertices, whose motion the larger ones take over.
using Moving = std::array<std::unique_ptr<BenchSheet>, 3>;
Moving falling_sheets()
{
    Moving moving;
    for (std::size_t c = 0; c < 3; ++c) {
        moving[c] =
            std::make_unique<BenchSheet>(SheetCase(c), 41, GridCells::alternating_triangles);
        moving[c]->simulate(long_step, 20);
    }
    return moving;
}

std::string published_ratio(int n, std::size_t c, bool irregular, bool over_pcg)
{
    for (const Published& p : published)
        if (p.n == n) {
            const auto& ratios =
                over_pcg ? (irregular ? p.over_pcg_irregular : p.over_pcg_regular)
                         : (irregular ? p.over_pardiso_irregular : p.over_pardiso_regular);
            return fmt::format(", published {:.2f}", ratios[c]);
        }
    return {};
}

void add_speed_ups(BenchReport& report, const Moving& moving, int n, std::size_t c, bool irregular,
                   const std::vector<double>& steps, const std::vector<std::string>& others)
{
    BenchSheet sheet(SheetCase(c), n,
                     irregular ? GridCells::irregular_triangles : GridCells::alternating_triangles);
    sheet.continue_from(*moving[c]);
    for (const double h : steps) {
        sheet.make_system(h);
        const Timing mg = time_solver("multigrid", sheet);
        report.add({fmt::format("{:>6} vertices, {}{}, h {:.3g} ms, multigrid ({} its)",
                                sheet.vertices(), case_names[c], irregular ? " irregular" : "",
                                1e3 * h, mg.report.iterations),
                    1e3 * mg.seconds, "ms", "", 0, ""});
        for (const std::string& name : others) {
            const Timing t = time_solver(name, sheet);
            if (t.seconds == 0) continue;
            const bool pcg = name == "pcg", pardiso = name == "pardiso";
            std::string reference = "multigrid", goal;
            if (h == short_step && (pcg || pardiso))
                reference += published_ratio(n, c, irregular, pcg);
            if (pcg && n >= 101) goal = n >= 601 ? ">= 7" : ">= 1";
            if (pardiso && n >= 601) goal = ">= 3";
            report.add({fmt::format("  {}{}", name,
                                    pcg ? fmt::format(" ({} its)", t.report.iterations) : ""),
                        1e3 * t.seconds, "ms", reference, t.seconds / mg.seconds, goal});
        }
    }
}

/// y = a + s b over arrays of the matrix's size, beside the product with the matrix: bytes that
/// must cross the memory bus, per second. Those of a product are 72 for each block and 4 for its
/// column, per row 8 for its place and 48 for the two vectors; none of it twice, and both triangles
/// of the matrix (80 MB) exceed the caches.
void add_bandwidth(BenchReport& report)
{
    BenchSheet sheet(SheetCase::drooping, 301, GridCells::alternating_triangles);
    sheet.make_system(long_step);
    const LinearSystem system = sheet.system();
    FilteredMatrix matrix;
    matrix.assemble(system);
    const auto rows = std::size_t(matrix.rows());
    const double matrix_bytes = double(matrix.block_count()) * 76 + double(rows) * (8 + 48);
    Buffer<double> arrays[3]; // in the same kind of memory as the matrix
    for (Buffer<double>& array : arrays) {
        array.resize(std::size_t(matrix_bytes / 24));
        std::fill_n(array.data(), array.size(), 1.0);
    }
    const auto triad_seconds = [&](const auto& seconds) {
        using Array = Eigen::Map<VecX>;
        const auto n = Eigen::Index(arrays[0].size());
        return seconds([&] {
            Array(arrays[0].data(), n) =
                Array(arrays[1].data(), n) + 3.0 * Array(arrays[2].data(), n);
        });
    };
    const VecX p = VecX::Random(Eigen::Index(3 * rows));
    VecX q(p.size());
    const auto multiply = [&] {
        parallel_chunks(rows, 512, [&](std::size_t begin, std::size_t end) {
            matrix.multiply_rows(begin, end, p.data(), q.data());
        });
    };
    double one_thread = 0;
    {
        const ThreadLimit one(1);
        const auto seconds = [](const std::function<void()>& body) {
            return median_seconds(body, 1, 100, BenchClock::thread);
        };
        const double triad = 24e-9 * double(arrays[0].size()) / triad_seconds(seconds);
        report.add({"triad, 1 thread", triad, "GB/s", "", 0, ""});
        one_thread = seconds(multiply);
        const double rate = 1e-9 * matrix_bytes / one_thread;
        report.add({fmt::format("{} vertices, matrix times vector, 1 thread", rows), rate, "GB/s",
                    "triad", rate / triad, ">= 0.7"});
        const double upper = seconds([&] { q = system.fixed->multiply(p); });
        report.add({"  upper triangle stored only, 1 thread", 1e3 * upper, "ms", "both triangles",
                    upper / one_thread, ""});
    }
    const double two_threads = median_seconds(multiply, 1, 100);
    report.add({"  2 threads (on the wall)", 1e3 * two_threads, "ms", "times faster than 1 thread",
                one_thread / two_threads, ""});
}

void add_memory(BenchReport& report)
{
    BenchSheet sheet(SheetCase::drooping, 301, GridCells::alternating_triangles);
    sheet.make_system(short_step);
    FilteredMatrix matrix;
    matrix.assemble(sheet.system());
    const double pcg = double(matrix.bytes()) + 5 * 24.0 * sheet.vertices();
    for (const bool rotations : {true, false}) {
        MultigridOptions options;
        options.rotations = rotations;
        const auto grid = make_multigrid(options);
        grid->build(matrix, sheet.system());
        const double bytes = pcg + double(grid->bytes());
        report.add({fmt::format("memory, {} ({} levels, operator complexity {:.2f})",
                                rotations ? "translations and rotations" : "translations",
                                grid->levels(), grid->operator_complexity()),
                    1e-6 * bytes, "MB", "pcg", bytes / pcg, rotations ? "<= 2.5" : "<= 1.7"});
    }
}

/// One whole step of a falling sheet, h = 1/48 s, one thread.
void add_steps(BenchReport& report, const BenchSheet& moving, int n)
{
    const ThreadLimit one(1);
    double multigrid = 0;
    VecX expected;
    for (const char* name : {"multigrid", "pcg", "pardiso"}) {
        if (!make_linear_solver(name)) continue;
        BenchSheet sheet(SheetCase::drooping, n, GridCells::alternating_triangles);
        sheet.continue_from(moving);
        int iterations = 0;
        const double seconds = median_seconds(
            [&] { iterations = sheet.simulate(long_step, 1, name); }, 0, 1, BenchClock::thread);
        if (multigrid == 0) multigrid = seconds, expected = sheet.positions();
        report.add(
            {fmt::format("{:>6} vertices, a whole step, {} ({} Newton its, apart by {:.1g} m)",
                         sheet.vertices(), name, iterations,
                         (sheet.positions() - expected).lpNorm<Eigen::Infinity>()),
             seconds, "s", "multigrid", seconds / multigrid, ""});
    }
}

} // namespace

void bench_linear(BenchReport& report)
{
    add_bandwidth(report);
    add_memory(report);
    const Moving moving = falling_sheets();
    add_steps(report, *moving[1], 101);
    for (const int n : {31, 61, 101, 201})
        for (std::size_t c = 0; c < 3; ++c)
            for (const bool irregular : {false, true})
                if (!irregular || c == 1)
                    add_speed_ups(report, moving, n, c, irregular, {short_step, long_step},
                                  {"pcg", "pardiso", "cholmod"});
}

void bench_linear_large(BenchReport& report)
{
    const Moving moving = falling_sheets();
    add_steps(report, *moving[1], 317);
    for (const int n : {301, 601})
        for (const bool irregular : {false, true})
            for (const std::size_t c : {std::size_t(1), std::size_t(0), std::size_t(2)})
                add_speed_ups(report, moving, n, c, irregular, {short_step}, {"pardiso", "pcg"});
}

} // namespace selvage
