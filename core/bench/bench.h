#pragma once

#include <functional>
#include <string>
#include <vector>

namespace selvage
{

/// One measured figure, beside what it is compared with in the same run.
struct BenchRow {
    std::string what;
    double value = 0;
    std::string unit;
    std::string reference; ///< what `ratio` is a ratio to; empty: none
    double ratio = 0;      ///< value in multiples of the reference
    std::string goal;      ///< "<= 300 ns"; empty: none
};

/// Collects rows; hands each to `on_row` as soon as it is measured.
class BenchReport
{
public:
    explicit BenchReport(std::function<void(const BenchRow&)> on_row = {})
        : on_row_(std::move(on_row))
    {
    }
    void add(BenchRow row);
    const std::vector<BenchRow>& rows() const { return rows_; }

private:
    std::function<void(const BenchRow&)> on_row_;
    std::vector<BenchRow> rows_;
};

struct Bench {
    std::string name;
    std::string about;
    std::function<void(BenchReport&)> run;
    bool by_name_only = false; ///< takes many minutes: not among "all"
};

/// All benchmarks; names may have parts ("linear/large").
const std::vector<Bench>& benches();

/// What a clock counts: time on the wall, or on the calling thread's CPU, which a busy machine does
/// not stretch (for work on one thread).
enum class BenchClock { wall, thread };

/// Median seconds of one call: repeated until `seconds` have gone by, at least 3 and at most
/// `most` times. `before`, which is not measured, runs ahead of each call.
double median_seconds(const std::function<void()>& body, double seconds = 0.5, int most = 1000,
                      BenchClock clock = BenchClock::wall,
                      const std::function<void()>& before = {});

// The benchmarks, one file each.
void bench_materials(BenchReport& report);
void bench_drape(BenchReport& report);
/// One fabric at 5k and 40k vertices and with more substeps; folds hinted at or not.
void bench_drape_fabric(const std::string& fabric, bool seeded, BenchReport& report);
void bench_assembly(BenchReport& report);
void bench_direct(BenchReport& report);
void bench_linear(BenchReport& report);
void bench_linear_large(BenchReport& report);
/// One of its cases, or one of the drops: "pinned", …, "dropVertical".
void bench_linear_large(const std::string& sheet_case, BenchReport& report);
void bench_linear_million(BenchReport& report);
void bench_cape(BenchReport& report);
void bench_contact_sphere(BenchReport& report);
void bench_contact_sphere_large(BenchReport& report);
void bench_contact_colliders(BenchReport& report);
void bench_contact_solids(BenchReport& report);
void bench_contact_ccd(BenchReport& report);
void bench_contact_drape(BenchReport& report);
void bench_contact_limits(BenchReport& report);
void bench_contact_needles(BenchReport& report);
void bench_contact_tablecloth(BenchReport& report);
void bench_contact_cards(BenchReport& report);
void bench_contact_stack(BenchReport& report);
void bench_contact_stack_large(BenchReport& report);
void bench_contact_sweep(BenchReport& report);
void bench_hair(BenchReport& report);
void bench_hair_braids(BenchReport& report);
void bench_hair_braids_half(BenchReport& report);
void bench_hair_whip(BenchReport& report);
void bench_hair_ball(BenchReport& report);
void bench_hair_ball_4k(BenchReport& report);
void bench_hair_ball_large(BenchReport& report);
void bench_io(BenchReport& report);

} // namespace selvage
