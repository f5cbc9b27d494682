// Whole scenes with contact: what a step costs, where the time goes, and whether all is well.
#include "core/base/parallel.h"
#include "core/bench/bench.h"
#include "core/bench/contact_scenes.h"
#include "core/bench/scene_run.h"

#include <fmt/format.h>

#include <sys/resource.h>

#include <cmath>

namespace selvage
{
namespace
{

/// Four rows: time, where it goes, memory, faults.
SceneOutcome add_scene(BenchReport& report, const std::string& what, const SessionSetup& setup,
                       const std::string& goal = "")
{
    SceneOutcome o = run_scene(setup);
    const int steps = std::max<int>(1, int(o.states.size()) - 1);
    const TimeSplit& t = o.sum.seconds;
    report.add({fmt::format("{}: {} steps, {:.1f} Newton, {:.0f} linear iterations, <= {} contacts",
                            what, o.frames, double(o.sum.iterations) / steps,
                            double(o.sum.linear_iterations) / steps, o.most_contacts),
                o.cpu_seconds / steps, "s per step", "", 0, goal});
    const auto percent = [&](double seconds) { return 100 * seconds / t.total; };
    report.add(
        {fmt::format("  assembly {:.0f} %, linear {:.0f} %, broad phase {:.0f} %, CCD {:.0f} "
                     "%, line search {:.0f} %; stretch",
                     percent(t.assembly), percent(t.linear), percent(t.broad_phase), percent(t.ccd),
                     percent(t.line_search)),
         1 + o.largest_strain, "", "", 0, ""});
    report.add({fmt::format("  {:.2f} searches for pairs per Newton iteration; contact takes",
                            double(o.sum.searches) / std::max(1, o.sum.iterations)),
                double(o.contact_bytes) / (1 << 20), "MB", "", 0, ""});
    report.add({"  frames that intersect, are inside out or overstretched",
                double(o.intersecting + o.inverted + o.overstretched),
                fmt::format("{} late", o.unconverged), "", 0, "0"});
    if (!o.completed())
        report.add({"  STOPPED: " + o.sum.message, double(o.states.size()), "frames", "", 0, ""});
    return o;
}

/// A row with what the scene is for.
void add_outcome(BenchReport& report, const std::string& what, double value,
                 const std::string& unit, const std::string& goal)
{
    report.add({"  " + what, value, unit, "", 0, goal});
}

SessionSetup drape(int points, int steps, double tolerance = 1e-2)
{
    DrapeOptions o;
    o.points = points;
    o.steps = steps;
    o.tolerance = tolerance;
    return sphere_drape_scene(o);
}

void add_stacks(BenchReport& report, int points)
{
    for (const double gap : {1e-3, 5e-3, 1e-2}) {
        const SceneOutcome o =
            add_scene(report, fmt::format("10 layers of {0}×{0}, gap {1:g} mm", points, 1e3 * gap),
                      cloth_stack_scene(10, points, gap, 25));
        add_outcome(report, "highest point", 1e3 * o.top(), "mm", "");
    }
}

} // namespace

/// One thread; CPU seconds, which a busy machine stretches little.
void bench_contact_sphere(BenchReport& report)
{
    {
        const ThreadLimit one(1);
        add_scene(report, "50×50, tolerance 1e-2", drape(50, 40), "<= 1.0");
        add_scene(report, "50×50, tolerance 1e-3", drape(50, 40, 1e-3));
        add_scene(report, "100×100, tolerance 1e-2", drape(100, 40), "<= 5");
        add_scene(report, "100×100, tolerance 1e-3", drape(100, 40, 1e-3));
    }
    // Two threads: the same bits, and how much sooner.
    double seconds[2];
    VecX end[2];
    for (int i = 0; i < 2; ++i) {
        const ThreadLimit limit(i + 1);
        const SceneOutcome o = run_scene(drape(100, 12));
        seconds[i] = o.sum.seconds.total;
        end[i] = o.last().x;
    }
    report.add({"100×100 on two threads, 12 steps", seconds[1], "s", "one thread",
                seconds[1] / seconds[0], "<= 0.62"});
    report.add({"  coordinates that differ", double((end[0].array() != end[1].array()).count()), "",
                "", 0, "0"});
}

void bench_contact_sphere_large(BenchReport& report)
{
    const ThreadLimit one(1);
    const double quarter =
        add_scene(report, "100×100, tolerance 1e-2", drape(100, 40), "<= 5").cpu_seconds;
    const double all =
        add_scene(report, "200×200, tolerance 1e-2", drape(200, 40), "<= 25").cpu_seconds;
    report.add({"  exponent of CPU seconds over vertices, from 100×100 to 200×200",
                std::log(all / quarter) / std::log(4.0), "", "", 0, "<= 1.25"});
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    report.add({"  memory", double(usage.ru_maxrss) / 1024, "MB", "", 0, "<= 1024"});
}

/// The same scene with colliders of different kinds: CPU seconds per step, and their ratio.
void bench_contact_colliders(BenchReport& report)
{
    const ThreadLimit one(1);
    const auto compare = [&](const std::string& what, const SessionSetup& setup,
                             const std::string& with, const SessionSetup& reference) {
        const SceneOutcome a = run_scene(setup), b = run_scene(reference);
        report.add({what, a.cpu_seconds / a.frames, "s per step", with,
                    a.cpu_seconds / b.cpu_seconds, ""});
        report.add(
            {"  faults of both", double(a.intersecting + b.intersecting),
             fmt::format("{:.1f} and {:.1f} Newton iterations", double(a.sum.iterations) / a.frames,
                         double(b.sum.iterations) / b.frames),
             "", 0, "0"});
    };
    compare("tilting floor under 50×50, half-space", tilting_floor_scene(50, true, 15),
            "triangles of a kilometre", tilting_floor_scene(50, false, 15));
    DrapeOptions polygons;
    polygons.turning = false;
    DrapeOptions half_space = polygons, volume = polygons;
    half_space.half_space = true;
    volume.volume = true;
    compare("drape of 50×50 over a still ball, floor a half-space", sphere_drape_scene(half_space),
            "floor of two triangles", sphere_drape_scene(polygons));
    compare("the same, ball a volume in voxels of 1 cm", sphere_drape_scene(volume),
            "ball of 5,120 triangles", sphere_drape_scene(polygons));
}

void bench_contact_solids(BenchReport& report)
{
    const SceneOutcome chain =
        add_scene(report, "chain of 100 links, h = 0.04", chain_scene(100, 20, 2, 0.04, 50));
    add_outcome(report, "the last link came down by", -chain.way_of(99)[1], "m", "<= 1.1");
    add_scene(report, "rods twisted, h = 0.025", twisted_rods_scene(40, 0.025, 240));
    add_scene(report, "heavy on light", ratio_scene(100));
    const SceneOutcome house =
        add_scene(report, "card house, μ = 0.5", card_house_scene(0.5, 6, 0.025, 80));
    add_outcome(report, "its upper floor sank by", -1e3 * house.way_of(4)[1], "mm", "<= 10");
    const SceneOutcome arch = add_scene(report, "arch, μ = 0.2", arch_scene(0.2, 0.01, 200));
    add_outcome(report, "its keystone sank by", -1e3 * arch.way_of(12)[1], "mm", "<= 1");
}

void bench_contact_limits(BenchReport& report)
{
    for (const double limit : {0.01, 0.001}) {
        DrapeOptions o;
        o.points = 90;
        o.stretch_factor = 0.01;
        o.limit = limit;
        o.turning = false;
        add_scene(report, fmt::format("drape of 90×90, stretch limit {:g}", limit),
                  sphere_drape_scene(o));
        add_scene(report, fmt::format("hung by two corners, 45×45, stretch limit {:g}", limit),
                  corner_hang_scene(45, 0.01, limit, 100));
    }
}

/// Cotton as soft as it takes not to lock, and what holds it together then [Li 2020, §5.5].
void bench_contact_drape(BenchReport& report)
{
    const auto run = [&](double factor, double limit, const std::string& what) {
        DrapeOptions o;
        o.points = 90;
        o.steps = 50;
        o.stretch_factor = factor;
        o.limit = limit;
        o.turning = false;
        const SceneOutcome r =
            add_scene(report, fmt::format("drape of 90×90, stiffness × {:g}, {}", factor, what),
                      sphere_drape_scene(o));
        add_outcome(report, "largest stretch of all frames", 1 + r.largest_strain, "",
                    limit > 0 ? fmt::format("<= {:g}", 1 + limit) : "");
    };
    for (const double factor : {1.0, 0.1, 0.01}) run(factor, 0, "no limit");
    run(0.01, 0.0608, "limit 6.08 %");
}

void bench_contact_needles(BenchReport& report)
{
    const SceneOutcome o = add_scene(report, "needles, 160×160", needles_scene(160, 20, 100));
    add_outcome(report, "pulled by 1.5 m, its middle came along by", -o.way_of(0)[0], "m",
                ">= 1.2");
}

void bench_contact_tablecloth(BenchReport& report)
{
    for (const double speed : {1.0, 2.0, 4.0}) {
        const SceneOutcome o = add_scene(report, fmt::format("tablecloth 80×80, {:g} m/s", speed),
                                         tablecloth_scene(80, speed, 60));
        int fallen = 0;
        for (int solid = 1; solid <= 4; ++solid) fallen += o.way_of(solid)[1] < -0.1;
        add_outcome(report, "of cube, tetrahedron, cylinder and ring fell", fallen, "",
                    speed == 1   ? ">= 3"
                    : speed == 2 ? "1"
                                 : "0");
    }
}

void bench_contact_cards(BenchReport& report)
{
    const SceneOutcome cards = add_scene(report, "54 cards", card_stack_scene(54, 6, 100));
    add_outcome(report, "height (54 cards of 0.1 to 0.3 mm)", 1e3 * cards.top(), "mm",
                "5.4 … 16.2");
}

void bench_contact_stack(BenchReport& report) { add_stacks(report, 45); }

void bench_contact_stack_large(BenchReport& report) { add_stacks(report, 90); }

void bench_contact_sweep(BenchReport& report)
{
    for (const double h : {0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0})
        add_scene(report, fmt::format("rods twisted for 6 s, h = {:g}", h),
                  twisted_rods_scene(40, h, int(std::lround(6 / h))));
}

} // namespace selvage
