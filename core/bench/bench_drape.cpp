#include "core/bench/bench.h"
#include "core/bench/drape_test.h"

#include <fmt/format.h>

namespace selvage
{

void bench_drape(BenchReport& report)
{
    struct Band {
        const char *material, *band;
    };
    // Published ranges for the test, in per cent.
    constexpr Band bands[] = {{"silk", "20–40 %"}, {"flag", "20–40 %"},    {"cotton", "60–76 %"},
                              {"wool", "40–70 %"}, {"leather", "47–70 %"}, {"denim", "70–90 %"}};
    for (const Band& b : bands)
        for (const int rings : {40, 80}) {
            DrapeTest test;
            test.material = cloth_preset(b.material).material;
            test.rings = rings;
            const DrapeResult r = run_drape(test);
            report.add(
                {fmt::format("{}, {} vertices: {} folds{}", b.material, r.specimen.point_count(),
                             r.lobes, r.not_converged ? ", not converged" : ""),
                 r.coefficient, "%", "", 0, b.band});
        }
}

} // namespace selvage
