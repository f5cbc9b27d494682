#include "core/solver/sag_free.h"
#include "tests/support/hair_scene.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// A curl that stands off sideways.
std::vector<Vec3> curl(double length, double turns)
{
    std::vector<Vec3> p;
    for (int i = 0; i < 40; ++i) {
        const double t = i / 39.0, a = 2 * M_PI * turns * t;
        p.push_back(Vec3(length * t, 0.006 * (std::cos(a) - 1), 0.006 * std::sin(a)));
    }
    return p;
}

double moved(const HairScene& rod, const VecX& start)
{
    return (rod.state.x - start).reshaped(3, start.size() / 3).colwise().norm().maxCoeff();
}

} // namespace

TEST(SagFree, GroomIsInEquilibrium)
{
    const double length = 0.05;
    HairMaterial material = hair_preset("hair_curly").material;
    HairScene rod({curl(length, 2), curl(length, 0.3)}, material, HairRoots::first_point);
    // a taper too.
    for (int k = 0; k < rod.hair().rod_points(); ++k) rod.hair().radius[k] *= 1 + 0.01 * (k % 40);
    rod.scene->mass = hair_mass(rod.hair());
    const VecX start = rod.state.x;
    HairScene drooping = rod;
    drooping.scene = std::make_shared<Scene>(*rod.scene);
    const SagFree result = make_sag_free(*rod.scene, 0, rod.state, rod.drive.gravity);
    EXPECT_EQ(result.strands, 2);
    for (int k = 2; k < 40; ++k) EXPECT_LT(rod.reaction(k).norm(), 1e-11); // a strand weighs 2e-6 N
    StepSettings settings;
    settings.hair_contact = HairContact::none; // both grow from the same root
    rod.run(48, 1.0 / 24, settings);
    drooping.run(48, 1.0 / 24, settings);
    EXPECT_LT(moved(rod, start), 1e-6);
    EXPECT_GT(moved(drooping, start), 0.05 * length);
}

TEST(SagFree, SaysWhichStrandsAreTooLimpOrFallOver)
{
    HairMaterial material = hair_preset("hair_curly").material;
    material.young *= 1e-3, material.shear *= 1e-3;
    HairScene limp({curl(0.05, 2)}, material, HairRoots::first_point);
    EXPECT_EQ(make_sag_free(*limp.scene, 0, limp.state, limp.drive.gravity).bounded, 1);

    // Upright and straight: needs no rest curvature, but is three times too long to stand.
    material = round_rod(5e-5, 1300, 3e9, 0.45);
    const double limit = std::cbrt(7.837 * 3e9 * 2.5e-9 / (4 * 1300 * 9.81));
    for (const double factor : {0.9, 3.0}) {
        HairScene upright({clamped_line(Vec3::Zero(), Vec3(0, factor * limit, 0), 30)}, material,
                          HairRoots::first_point);
        const SagFree r = make_sag_free(*upright.scene, 0, upright.state, upright.drive.gravity);
        EXPECT_EQ(r.unstable, factor > 1 ? 1 : 0);
        EXPECT_EQ(r.first, factor > 1 ? 0 : -1);
    }
}
