// Cusick's drape test against published bands.
#include "core/bench/drape_test.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

struct Fabric {
    const char* name;
    double low, high; ///< [%]
};

// Measured and calibrated drape coefficients of woven fabrics of that kind.
constexpr Fabric fabrics[] = {
    {"silk", 20, 40}, {"cotton", 60, 76}, {"wool", 40, 70}, {"denim", 70, 90}};

double coefficient(const char* name, int rings, int substeps = 1)
{
    DrapeTest test;
    test.material = cloth_preset(name).material;
    test.rings = rings;
    test.substeps = substeps;
    const DrapeResult r = run_drape(test);
    EXPECT_EQ(r.not_converged, 0) << name;
    EXPECT_LT(r.speed, 1e-4) << name; // at rest
    testing::Test::RecordProperty(std::string(name) + "_" + std::to_string(rings) + "_" +
                                      std::to_string(substeps),
                                  std::to_string(r.coefficient));
    return r.coefficient;
}

} // namespace

TEST(Drape, FlatSpecimenCovers)
{
    EXPECT_NEAR(drape_coefficient(ring_disc(40, 0.15)), 100, 0.2);
    EXPECT_NEAR(drape_coefficient(ring_disc(40, 0.09)), 0, 0.2);
}

TEST(Drape, CottonLiesInItsBand)
{
    const double c = coefficient("cotton", 15);
    EXPECT_GE(c, 60);
    EXPECT_LE(c, 76);
}

TEST(Drape, WoolDoesNotDependOnSubsteps)
{
    const double reference = coefficient("wool", 15);
    for (const int substeps : {2, 8})
        EXPECT_NEAR(coefficient("wool", 15, substeps), reference, 3) << substeps;
}

TEST(DrapeFull, FabricsLieInTheirBands)
{
    for (const Fabric& f : fabrics) {
        const double c = coefficient(f.name, 40);
        EXPECT_GE(c, f.low) << f.name;
        EXPECT_LE(c, f.high) << f.name;
    }
}

TEST(DrapeFull, DoesNotDependOnResolutionAndSubsteps)
{
    const double reference = coefficient("cotton", 40);
    EXPECT_NEAR(coefficient("cotton", 60), reference, 3);
    EXPECT_NEAR(coefficient("cotton", 40, 8), reference, 3);
}
