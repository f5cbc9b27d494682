#include "core/base/parallel.h"
#include "core/bench/bench.h"
#include "core/bench/bench_sheet.h"
#include "core/linear/filtered_matrix.h"
#include "core/linear/multigrid_hierarchy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace selvage
{
namespace
{

constexpr std::size_t case_count = 5;
constexpr std::array<const char*, case_count> case_names = {"pinned", "drooping", "reentrant",
                                                            "dropHorizontal", "dropVertical"};

/// Speed-ups of multigrid over diagonally preconditioned conjugate gradients and over PARDISO on
/// 2 × 16 cores [Tamstorf 2016, Tables 11.1, 11.2], by case; h = 2 ms.
struct Published {
    int n;
    using Ratios = std::array<double, case_count>;
    Ratios over_pcg_regular, over_pcg_irregular, over_pardiso_regular, over_pardiso_irregular;
};
const Published published[] = {
    {31,
     {0.39, 0.58, 0.55, 0.57, 0.53},
     {0.43, 0.49, 0.51, 0.52, 0.56},
     {0.76, 0.72, 0.72, 0.61, 0.61},
     {0.87, 0.80, 0.80, 0.64, 0.71}},
    {61,
     {0.40, 0.50, 0.54, 0.62, 0.35},
     {0.43, 0.46, 0.55, 0.56, 0.38},
     {1.31, 1.18, 1.17, 0.96, 0.94},
     {1.61, 1.45, 1.39, 1.21, 1.06}},
    {101,
     {0.54, 0.66, 0.72, 0.77, 0.40},
     {0.56, 0.61, 0.67, 0.89, 0.53},
     {1.78, 1.57, 1.53, 1.37, 1.06},
     {2.06, 1.87, 1.93, 1.74, 1.42}},
    {201,
     {1.07, 1.35, 1.36, 1.40, 0.60},
     {1.22, 1.19, 1.43, 1.33, 0.76},
     {2.29, 2.03, 2.01, 1.89, 1.18},
     {2.61, 2.21, 2.32, 2.23, 1.56}},
    {301,
     {2.23, 2.87, 2.67, 2.27, 2.35},
     {2.32, 2.51, 2.36, 2.20, 1.29},
     {2.27, 2.07, 1.95, 1.92, 1.11},
     {2.54, 2.21, 2.33, 2.19, 1.39}},
    {601,
     {5.48, 7.10, 6.38, 4.70, 2.29},
     {5.32, 5.98, 6.13, 4.63, 2.63},
     {2.21, 2.01, 1.76, 1.85, 1.32},
     {2.49, 2.22, 2.21, 2.13, 1.57}},
    {1001,
     {9.20, 11.64, 10.89, 7.53, 3.01},
     {8.97, 9.82, 9.59, 5.74, 2.81},
     {2.40, 2.20, 2.04, 2.13, 1.80},
     {2.73, 2.56, 2.47, 2.08, 1.71}},
};

constexpr int on_demand_limit = 20000;                     // vertices, as for solver.linear = auto
constexpr double short_step = 0.002, long_step = 1.0 / 48; // [s]

/// Setup and solve to 1e-5 on one thread, patterns and memory kept from before, as inside a
/// simulation. The thread's own clock: what else runs on the machine does not count.
struct Timing {
    double seconds = 0;
    LinearReport report;
};
Timing time_solver(const std::string& name, const BenchSheet& sheet, bool on_demand = false)
{
    const auto solver = make_linear_solver(name);
    Timing timing;
    if (!solver) return timing;
    const ThreadLimit one(1);
    const VecX b = sheet.right_hand_side();
    VecX x;
    solver->prepare(sheet.system());
    solver->solve(b, nullptr, x, {0.1, 20000, on_demand}); // a hierarchy is built here
    const auto once = [&] {
        solver->forget();
        timing.report = solver->prepare(sheet.system());
        if (timing.report.ok())
            timing.report = solver->solve(b, nullptr, x, {1e-5, 20000, on_demand});
    };
    timing.seconds = median_seconds(once, 0, 1, BenchClock::thread);
    if (timing.seconds < 0.5) timing.seconds = median_seconds(once, 0.3, 7, BenchClock::thread);
    return timing;
}

/// A falling sheet of n² vertices, whose motion the larger ones take over.
std::unique_ptr<BenchSheet> falling_sheet(std::size_t c, int n)
{
    auto sheet = std::make_unique<BenchSheet>(SheetCase(c), n, GridCells::alternating_triangles);
    sheet->simulate(long_step, 20);
    return sheet;
}

using Moving = std::array<std::unique_ptr<BenchSheet>, 3>;
Moving falling_sheets(int n)
{
    Moving moving;
    for (std::size_t c = 0; c < moving.size(); ++c) moving[c] = falling_sheet(c, n);
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

/// What a solver takes times as long as multigrid should.
std::string speed_goal(int n, std::size_t c, bool over_pcg)
{
    const bool drop = c >= std::size_t(SheetCase::drop_horizontal);
    if (over_pcg && n >= 601) return drop ? ">= 3" : ">= 7";
    if (over_pcg && n >= 101) return ">= 1";
    return !over_pcg && n >= 601 && !drop ? ">= 3" : "";
}

/// Which system a row is about.
struct SystemKind {
    int n;
    std::size_t sheet_case;
    bool irregular;
};

/// Rows of one sheet for each step; returns multigrid's seconds for the last one.
double add_speed_ups(BenchReport& report, BenchSheet& sheet, const SystemKind& kind,
                     const std::vector<double>& steps, const std::vector<std::string>& others)
{
    const auto [n, c, irregular] = kind;
    Timing mg;
    for (const double h : steps) {
        sheet.make_system(h);
        mg = time_solver("multigrid", sheet);
        const std::string contacts =
            sheet.contacts() > 0 ? fmt::format(", {} contacts", sheet.contacts()) : "";
        report.add({fmt::format("{:>6} vertices, {}{}{}, h {:.3g} ms, multigrid ({} its)",
                                sheet.vertices(), case_names[c], irregular ? " irregular" : "",
                                contacts, 1e3 * h, mg.report.iterations),
                    1e3 * mg.seconds, "ms", "", 0, ""});
        for (const std::string& name : others) {
            const Timing t = time_solver(name, sheet);
            if (t.seconds == 0) continue;
            const bool pcg = name == "pcg", pardiso = name == "pardiso";
            std::string reference = "multigrid";
            if (h == short_step && (pcg || pardiso))
                reference += published_ratio(n, c, irregular, pcg);
            report.add({fmt::format("  {}{}", name,
                                    pcg ? fmt::format(" ({} its)", t.report.iterations) : ""),
                        1e3 * t.seconds, "ms", reference, t.seconds / mg.seconds,
                        pcg || pardiso ? speed_goal(n, c, pcg) : ""});
            if (pcg && sheet.vertices() <= on_demand_limit) {
                const Timing choice = time_solver("multigrid", sheet, true);
                report.add({fmt::format("  multigrid, hierarchy on demand ({} its in all)",
                                        choice.report.iterations),
                            1e3 * choice.seconds, "ms", "pcg", choice.seconds / t.seconds,
                            n >= 101 ? "<= 1" : ""});
            }
        }
    }
    return mg.seconds;
}

double add_falling(BenchReport& report, const BenchSheet& moving, const SystemKind& kind,
                   const std::vector<double>& steps, const std::vector<std::string>& others)
{
    const GridCells cells =
        kind.irregular ? GridCells::irregular_triangles : GridCells::alternating_triangles;
    BenchSheet sheet(SheetCase(kind.sheet_case), kind.n, cells);
    sheet.continue_from(moving);
    return add_speed_ups(report, sheet, kind, steps, others);
}

/// Drops a sheet of n² vertices and measures it at `sizes`, each of twice the cells of the one
/// before; those below the first of `sizes` lie in between.
void add_drop(BenchReport& report, const SystemKind& kind, const std::vector<int>& sizes,
              const std::vector<double>& steps, const std::vector<std::string>& others)
{
    const auto drop = SheetCase(kind.sheet_case);
    auto sheet = std::make_unique<BenchSheet>(drop, kind.n,
                                              kind.irregular ? GridCells::irregular_triangles
                                                             : GridCells::alternating_triangles);
    sheet->simulate(long_step, 20);
    for (int n = kind.n; n <= sizes.back(); n = 2 * n - 1) {
        if (n > kind.n) sheet = std::make_unique<BenchSheet>(*sheet);
        if (std::find(sizes.begin(), sizes.end(), n) != sizes.end())
            add_speed_ups(report, *sheet, {n, kind.sheet_case, kind.irregular}, steps, others);
    }
}

/// Both drops, regular and irregular.
void add_drops(BenchReport& report, int n, const std::vector<int>& sizes,
               const std::vector<double>& steps, const std::vector<std::string>& others)
{
    for (const SheetCase drop : {SheetCase::drop_horizontal, SheetCase::drop_vertical})
        for (const bool irregular : {false, true})
            add_drop(report, {n, std::size_t(drop), irregular}, sizes, steps, others);
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

/// Without positions multigrid has only the translations to go by.
void add_memory(BenchReport& report, const BenchSheet& moving)
{
    BenchSheet sheet(SheetCase::drooping, 301, GridCells::alternating_triangles);
    sheet.continue_from(moving);
    sheet.make_system(short_step);
    FilteredMatrix matrix;
    matrix.assemble(sheet.system());
    const double pcg = double(matrix.bytes()) + 5 * 24.0 * sheet.vertices();
    for (const bool rotations : {true, false}) {
        LinearSystem system = sheet.system();
        if (!rotations) system.positions = nullptr;
        MultigridOptions options;
        options.rotations = rotations;
        const auto grid = make_multigrid(options);
        grid->build(matrix, system);
        const double bytes = pcg + double(grid->bytes());
        const auto solver = make_linear_solver("multigrid");
        VecX x;
        solver->prepare(system);
        const int iterations =
            solver->solve(sheet.right_hand_side(), nullptr, x, {1e-5, 2000}).iterations;
        report.add({fmt::format("memory, {} ({} levels, operator complexity {:.2f}, {} its)",
                                rotations ? "translations and rotations" : "translations",
                                grid->levels(), grid->operator_complexity(), iterations),
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
    const std::vector<double> steps = {short_step, long_step};
    const std::vector<std::string> others = {"pcg", "pardiso", "cholmod"};
    add_bandwidth(report);
    Moving moving;
    for (const int n : {31, 61, 101, 201}) {
        if (n <= 101) moving = falling_sheets(n);
        for (std::size_t c = 0; c < moving.size(); ++c)
            for (const bool irregular : {false, true})
                add_falling(report, *moving[c], {n, c, irregular}, steps, others);
    }
    add_memory(report, *moving[1]);
    add_steps(report, *moving[1], 101);
    add_drops(report, 31, {31, 61}, steps, others);
    add_drops(report, 51, {101, 201}, steps, others);
}

void bench_linear_large(const std::string& sheet_case, BenchReport& report)
{
    const auto c = std::size_t(std::find(case_names.begin(), case_names.end(), sheet_case) -
                               case_names.begin());
    if (c >= std::size_t(SheetCase::drop_horizontal)) {
        for (const bool irregular : {false, true})
            add_drop(report, {76, c, irregular}, {301, 601}, {short_step}, {"pardiso", "pcg"});
        return;
    }
    const auto moving = falling_sheet(c, 201);
    for (const bool irregular : {false, true}) {
        const double small = add_falling(report, *moving, {201, c, irregular}, {short_step}, {});
        double large = 0;
        for (const int n : {301, 601})
            large =
                add_falling(report, *moving, {n, c, irregular}, {short_step}, {"pardiso", "pcg"});
        report.add({"  exponent of multigrid's time from 40k to 361k vertices",
                    std::log(large / small) / std::log(601.0 * 601 / (201 * 201)), "", "", 0,
                    "<= 1.1"});
    }
}

void bench_linear_large(BenchReport& report)
{
    add_steps(report, *falling_sheet(1, 201), 317);
    for (const char* sheet_case : {"drooping", "pinned", "reentrant"})
        bench_linear_large(sheet_case, report);
}

void bench_linear_million(BenchReport& report)
{
    add_falling(report, *falling_sheet(1, 101), {1001, 1, false}, {short_step}, {"pcg"});
}

} // namespace selvage
