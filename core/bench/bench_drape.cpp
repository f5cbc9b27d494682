#include "core/bench/bench.h"
#include "core/bench/drape_test.h"

#include <fmt/format.h>

#include <algorithm>

namespace selvage
{
namespace
{

struct Band {
    const char *material, *band;
};

// Published ranges for the test, in per cent.
constexpr Band bands[] = {{"silk", "20–40 %"}, {"flag", "20–40 %"},    {"cotton", "60–76 %"},
                          {"wool", "40–70 %"}, {"leather", "47–70 %"}, {"denim", "70–90 %"}};

constexpr int rings_5k = 40, rings_40k = 115;

double measure(const Band& b, int rings, int substeps, int lobes, const std::string& goal,
               BenchReport& report)
{
    DrapeTest test;
    test.material = cloth_preset(b.material).material;
    test.rings = rings;
    test.substeps = substeps;
    test.lobes = lobes;
    const DrapeResult r = run_drape(test);
    report.add({fmt::format("{}, {} vertices, {} substeps, {}: {} folds{}", b.material,
                            r.specimen.point_count(), substeps, lobes ? "seeded" : "unseeded",
                            r.lobes, r.not_converged ? ", not converged" : ""),
                r.coefficient, "%", "", 0, goal});
    return r.coefficient;
}

} // namespace

void bench_drape(BenchReport& report)
{
    for (const Band& b : bands) measure(b, rings_5k, 1, DrapeTest().lobes, b.band, report);
}

void bench_drape_fabric(const std::string& fabric, bool seeded, BenchReport& report)
{
    const Band& b = *std::find_if(std::begin(bands), std::end(bands),
                                  [&](const Band& band) { return band.material == fabric; });
    const int lobes = seeded ? DrapeTest().lobes : 0;
    const double reference = measure(b, rings_5k, 1, lobes, b.band, report);
    const std::string same = fmt::format("{:.1f} ± {} %", reference, seeded ? 3 : 6);
    for (const int substeps : {2, 4, 8}) measure(b, rings_5k, substeps, lobes, same, report);
    measure(b, rings_40k, 1, lobes, same, report);
}

} // namespace selvage
