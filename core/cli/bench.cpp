#include "core/bench/bench.h"

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/cli/command.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace selvage::cli
{
namespace
{

void print_row(const BenchRow& r)
{
    fmt::print("  {:<66} {:>10.4g} {:<11}", r.what, r.value, r.unit);
    if (!r.reference.empty()) fmt::print(" {:>7.2f} × {}", r.ratio, r.reference);
    if (!r.goal.empty()) fmt::print("  (goal {})", r.goal);
    fmt::print("\n");
    std::fflush(stdout);
}

std::vector<const Bench*> chosen(const std::vector<std::string>& names)
{
    std::vector<const Bench*> out;
    std::vector<std::string> known;
    for (const Bench& b : benches()) known.push_back(b.name);
    if (names.empty())
        for (const Bench& b : benches())
            if (!b.by_name_only) out.push_back(&b);
    for (const std::string& name : names) {
        const auto it = std::find(known.begin(), known.end(), name);
        // "contact" stands for all "contact/…".
        const std::size_t before = out.size();
        for (const Bench& b : benches())
            if (b.name.rfind(name + "/", 0) == 0 && it == known.end()) out.push_back(&b);
        if (out.size() > before) continue;
        if (it == known.end())
            throw InputError(fmt::format("There is no benchmark '{}'. Known: {}.", name,
                                         fmt::join(known, ", ")));
        out.push_back(&benches()[std::size_t(it - known.begin())]);
    }
    return out;
}

int bench(const std::vector<std::string>& names, bool json)
{
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Bench* b : chosen(names)) {
        if (!json) fmt::print("{}: {}\n", b->name, b->about);
        BenchReport report(json ? std::function<void(const BenchRow&)>() : print_row);
        b->run(report);
        for (const BenchRow& r : report.rows())
            all.push_back({{"bench", b->name},
                           {"what", r.what},
                           {"value", r.value},
                           {"unit", r.unit},
                           {"reference", r.reference},
                           {"ratio", r.ratio},
                           {"goal", r.goal}});
    }
    if (json) fmt::print("{}\n", all.dump(2));
    return exit_done;
}

} // namespace

void add_bench(CLI::App& app, Run& run)
{
    struct Arguments {
        std::vector<std::string> names;
        bool json = false;
    };
    auto a = std::make_shared<Arguments>();
    CLI::App* c =
        app.add_subcommand("bench", "Measure speed; ratios against references of the same run");
    c->add_option("name", a->names, "Benchmarks to run (without: all but the very long ones)");
    c->add_flag("--json", a->json, "As JSON");
    c->callback([a, &run] { run = [a] { return bench(a->names, a->json); }; });
}

} // namespace selvage::cli
