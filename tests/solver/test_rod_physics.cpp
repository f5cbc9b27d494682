#include "tests/support/hair_scene.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

// Rods against the continuum: the reference values are solutions of the stated boundary-value or
// eigenvalue problems.

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr double radius = 5e-5, density = 1300, young = 3e9, g = 9.81;
const double area = M_PI * radius * radius;
const double bend = young * M_PI * std::pow(radius, 4) / 4;

/// The smallest x in [low, high] for which unstable(x), by halving; unstable(low) must not hold.
template <class Unstable> double threshold(double low, double high, const Unstable& unstable)
{
    EXPECT_FALSE(unstable(low));
    EXPECT_TRUE(unstable(high));
    for (int k = 0; k < 9; ++k) {
        const double middle = 0.5 * (low + high);
        (unstable(middle) ? high : low) = middle;
    }
    return 0.5 * (low + high);
}

} // namespace

/// th'' + Γ (1−s) cos th = 0: the heavy elastica.
TEST(RodPhysics, CantileverSagsAsTheHeavyElastica)
{
    struct Row {
        double gamma, across, down;
        int segments;
    };
    for (const Row& row :
         {Row{0.1, .99991, .01250, 64}, Row{1, .99125, .12347, 64}, Row{10, .65635, .70020, 64},
          Row{100, .15922, .93752, 64}, Row{1000, .04599, .98114, 128}}) {
        const double L = std::cbrt(row.gamma * young * radius * radius / (4 * density * g));
        HairScene rod({clamped_line(Vec3::Zero(), Vec3(L, 0, 0), row.segments)},
                      round_rod(radius, density, young, 0.45), HairRoots::first_point);
        rod.settle();
        const Vec3 tip = rod.at(row.segments + 1) / L;
        EXPECT_NEAR(tip[0], row.across, 0.01 * row.across) << "Gamma " << row.gamma;
        EXPECT_NEAR(-tip[1], row.down, 0.01 * row.down) << "Gamma " << row.gamma;
        EXPECT_EQ(rod.unstable_modes(), 0);
    }
}

/// A naturally curved rod hung from a vertical clamp stays in its plane above c* = ∛Γ/φ only.
TEST(RodPhysics, PlanarHookTurnsThreeDimensional)
{
    const int n = 120;
    const double L = 0.2, l = L / n;
    const auto unstable = [&](double poisson, double phi, double c) {
        HairScene rod({clamped_line(Vec3::Zero(), Vec3(0, -L, 0), n)},
                      round_rod(radius, density, young, poisson), HairRoots::first_point);
        Hair& hair = rod.hair();
        for (int i = 1; i <= n; ++i) {
            rod.state.rod_directors.segment<3>(3 * (i - 1)) = Vec3::UnitZ();
            const double turn = phi / L * bending_length(hair, 0, i);
            hair.rest_curvature[2 * i] = 0;
            hair.rest_curvature[2 * i + 1] = 2 * std::tan(turn / 2);
        }
        rod.state.rod_directors.segment<3>(3 * n) = Vec3::UnitZ();
        const double gamma = std::pow(c * phi, 3);
        rod.drive.gravity = Vec3(0, -gamma * bend / (density * area * L * L * L), 0);
        rod.settle(3, 1e3);
        EXPECT_LT(rod.state.x.reshaped(3, n + 2).row(2).cwiseAbs().maxCoeff(), 1e-12 * l);
        return rod.unstable_modes() > 0;
    };
    for (const auto& [poisson, expected] :
         {std::pair(0.0, 0.516), std::pair(0.3, 0.581), std::pair(0.45, 0.611)}) {
        const double nu = poisson;
        const double c = -threshold(
            -0.75, -0.45, [&](double minus_c) { return unstable(nu, 3 * M_PI, -minus_c); });
        EXPECT_NEAR(c, expected, 0.03 * expected) << "Poisson's ratio " << poisson;
    }
    for (const double c : {0.4, 0.5, 0.6}) EXPECT_FALSE(unstable(0.45, 1.7 * M_PI, c));
}

/// A naturally straight rod closed to a ring buckles out of its plane at a total twist of
/// 2π√3 B/C [Michell 1889].
TEST(RodPhysics, TwistedRingBuckles)
{
    const int n = 200;
    const double R = 0.03;
    for (const double poisson : {0.0, 0.45}) {
        const HairMaterial material = round_rod(radius, density, young, poisson);
        std::vector<Vec3> ring;
        for (int i = 0; i < n + 2; ++i) {
            const double a = 2 * M_PI * i / n;
            ring.push_back(R * Vec3(std::cos(a), std::sin(a), 0));
        }
        HairScene rod({ring}, material, HairRoots::both_ends);
        rod.hair().rest_curvature.setZero();
        rod.drive.gravity.setZero();
        const auto unstable = [&](double twist) {
            for (int i = 0; i <= n; ++i) {
                const Vec3 t = (ring[std::size_t(i) + 1] - ring[std::size_t(i)]).normalized();
                rod.state.rod_directors.segment<3>(3 * i) =
                    Eigen::AngleAxisd(twist * i / n, t) * Vec3::UnitZ();
                if (i > 0) rod.state.rod_twists[i] = twist / n;
            }
            return rod.unstable_modes() > 0;
        };
        const double expected = 2 * M_PI * std::sqrt(3.0) * young / (2 * material.shear);
        EXPECT_NEAR(threshold(0.5 * expected, 1.5 * expected, unstable), expected, 0.03 * expected);
    }
}

TEST(RodPhysics, ColumnBuckles)
{
    const int n = 64;
    const double L = 0.1;
    const HairMaterial material = round_rod(radius, density, young, 0.45);
    const auto column = [&](bool own_weight, double load) {
        HairScene rod({clamped_line(Vec3::Zero(), Vec3(0, L, 0), n)}, material,
                      HairRoots::first_point);
        if (own_weight) {
            rod.drive.gravity = Vec3(0, -load / (density * area * L), 0);
        } else { // a weight at the tip
            rod.scene->mass.setConstant(1e-20);
            rod.scene->mass[n + 1] = load / g;
            rod.drive.gravity = Vec3(0, -g, 0);
        }
        // Upright, compressed by what stands above.
        double above = 0, y = 0;
        std::vector<double> lengths(std::size_t(n) + 2);
        for (int i = n; i >= 1; --i) {
            above += rod.scene->mass[i + 1] * -rod.drive.gravity[1];
            lengths[std::size_t(i)] = rod.hair().rest_length[i] * (1 - above / (young * area));
        }
        for (int i = 1; i <= n; ++i) rod.state.x[3 * (i + 1) + 1] = y += lengths[std::size_t(i)];
        return rod.unstable_modes() > 0;
    };
    const double euler = M_PI * M_PI * bend / (4 * L * L);
    EXPECT_NEAR(threshold(0.5 * euler, 1.5 * euler, [&](double p) { return column(false, p); }),
                euler, 0.01 * euler);
    const double greenhill = 7.8373 * bend / (L * L);
    EXPECT_NEAR(
        threshold(0.5 * greenhill, 1.5 * greenhill, [&](double p) { return column(true, p); }),
        greenhill, 0.01 * greenhill);
}

/// A helix pulled along its axis stays one, and Kirchhoff's equations give the force:
///   F = (C (τ − τ0) cos α − B (κ − κ0) sin α)/r,  κ = cos²α/r,  τ = sin α cos α/r.
class PulledHelix : public testing::TestWithParam<const char*>
{
};

INSTANTIATE_TEST_SUITE_P(RodPhysics, PulledHelix, testing::Values("hair", "barrier"),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(PulledHelix, StaysAHelixWithKirchhoffsForce)
{
    const int n = 480;
    const double length = 0.2, r0 = 0.008, a0 = 0.15, r1 = 0.0075, a1 = 0.35;
    struct Helix {
        double r, alpha;
        Vec3 radial(double s) const
        {
            const double phi = s * std::cos(alpha) / r;
            return {std::cos(phi), 0, std::sin(phi)};
        }
        Vec3 at(double s) const { return r * radial(s) - Vec3(0, s * std::sin(alpha), 0); }
    };
    const auto points = [&](const Helix& helix) {
        std::vector<Vec3> p;
        for (int i = 0; i <= n; ++i) p.push_back(helix.at(length * i / n));
        return p;
    };
    const Helix natural{r0, a0}, pulled{r1, a1};
    const HairMaterial material = round_rod(radius, density, young, 0.45);
    HairScene rod({points(pulled)}, material, HairRoots::both_ends, {points(natural)});
    rod.method = GetParam();
    rod.scene->collisions.gap = 2e-5;
    rod.drive.gravity.setZero();
    // Frames lie to the radius of the pulled helix as they do to that of the natural one.
    const HairScene rest({points(natural)}, material, HairRoots::both_ends);
    const auto lay = [&](const Helix& helix, const std::vector<Vec3>& p, int i, Vec3& u, Vec3& t) {
        t = (p[std::size_t(i) + 1] - p[std::size_t(i)]).normalized();
        u = helix.radial(length * (i + 0.5) / n);
        u = (u - u.dot(t) * t).normalized();
    };
    const auto p0 = points(natural), p1 = points(pulled);
    for (int i = 0; i < n; ++i) {
        Vec3 u0, t0, u1, t1;
        lay(natural, p0, i, u0, t0), lay(pulled, p1, i, u1, t1);
        const Vec3 m = rest.state.rod_directors.segment<3>(3 * i);
        rod.state.rod_directors.segment<3>(3 * i) =
            m.dot(u0) * u1 + m.dot(t0.cross(u0)) * t1.cross(u1);
    }
    const VecX before = rod.state.x;
    rod.settle(4, 1e3);
    EXPECT_LT((rod.state.x - before).cwiseAbs().maxCoeff(), 0.01 * r1);
    const double B = bend, C = bend * 2 * material.shear / young;
    const auto curvature = [](const Helix& h) { return std::pow(std::cos(h.alpha), 2) / h.r; };
    const auto torsion = [](const Helix& h) { return std::sin(2 * h.alpha) / (2 * h.r); };
    const double force = (C * (torsion(pulled) - torsion(natural)) * std::cos(a1) -
                          B * (curvature(pulled) - curvature(natural)) * std::sin(a1)) /
                         r1;
    const Vec3 held = rod.reaction(n) + rod.reaction(n - 1);
    EXPECT_NEAR(held[1], -force, 0.01 * force);
    EXPECT_LT(std::hypot(held[0], held[2]), 0.02 * force);
}

/// Deflection of a cantilever by its weight, for any section along it: δ = ∫ (L − s) M/B ds. A flat
/// one is soft about its long axis, m1, and stiff about the other.
TEST(RodPhysics, FlatAndTaperedCantileversSagByBeamTheory)
{
    constexpr int n = 64;
    constexpr double L = 0.05, gravity = 0.05;
    for (const double flatness : {1.0, 0.5})
        for (const bool long_axis_level : {true, false})
            for (const double tip : {1.0, 0.4}) { // radius there over that of the root
                HairMaterial material = round_rod(radius, density, young, 0.45);
                material.flatness = flatness;
                HairScene rod({clamped_line(Vec3::Zero(), Vec3(L, 0, 0), n)}, material,
                              HairRoots::first_point);
                const auto radius_at = [&](double s) { return radius * (1 - (1 - tip) * s / L); };
                for (int i = 0; i <= n + 1; ++i) {
                    rod.hair().radius[i] = radius_at(std::max(L * (i - 1) / n, 0.0));
                    rod.state.rod_directors.segment<3>(3 * i) =
                        long_axis_level ? Vec3::UnitZ() : Vec3::UnitY();
                }
                rod.scene->mass = hair_mass(rod.hair());
                rod.drive.gravity = Vec3(0, -gravity, 0);
                rod.settle();
                double expected = 0, shear = 0, moment = 0;
                constexpr int cells = 20000;
                constexpr double ds = L / cells;
                for (int i = cells; i-- > 0;) { // from the tip
                    const double s = ds * (i + 0.5), r = radius_at(s);
                    const double B = young * M_PI * std::pow(r, 4) / 4 *
                                     (long_axis_level ? flatness : 1 / flatness);
                    const double weight = density * M_PI * r * r * gravity * ds;
                    moment += (shear + 0.5 * weight) * ds;
                    shear += weight;
                    expected += (L - s) * moment / B * ds;
                }
                EXPECT_NEAR(-rod.at(n + 1)[1], expected, 0.01 * expected)
                    << flatness << " " << long_axis_level << " " << tip;
            }
}

/// Viscosity along the rod and about it: the first mode of each, at its frequency √(E/ρ)/4L or
/// √(G/ρ)/4L, dies away with the damping ratio given there.
TEST(RodPhysics, StretchAndTwistDieAwayWithTheirDampingRatios)
{
    constexpr int n = 32;
    constexpr double L = 0.05, zeta = 0.04;
    for (const bool twist : {false, true}) {
        const int per_period = twist ? 800 : 200; // spins are of first order
        HairMaterial material = round_rod(radius, density, young, 0.45);
        (twist ? material.twist_damping : material.stretch_damping) = zeta;
        const double f = std::sqrt((twist ? material.shear : material.young) / density) / (4 * L);
        material.damping_frequency = f;
        HairScene rod({clamped_line(Vec3::Zero(), Vec3(L, 0, 0), n)}, material,
                      HairRoots::first_point);
        rod.drive.gravity.setZero();
        for (int i = 1; i <= n + 1; ++i) {
            const double s = L * (i - 1) / n, mode = std::sin(M_PI * s / (2 * L));
            if (twist && i <= n)
                rod.state.rod_spins[i] = 2 * M_PI * f * 1e-2 * std::sin(M_PI * (i - 0.5) / (2 * n));
            else if (!twist)
                rod.state.v[3 * i] = 2 * M_PI * f * 1e-4 * L * mode;
        }
        StepSettings settings;
        settings.integrator = Integrator::bdf2;
        settings.tolerance = 1e-6;
        std::vector<double> y = {0};
        for (int k = 0; k < 2 * per_period; ++k) {
            rod.run(1, 1 / (f * per_period), settings);
            y.push_back(twist ? rod.state.rod_twists.sum() : rod.at(n + 1)[0] - L);
        }
        std::vector<std::size_t> tops;
        for (std::size_t k = 1; k + 1 < y.size(); ++k)
            if (y[k] > y[k - 1] && y[k] >= y[k + 1]) tops.push_back(k);
        ASSERT_GE(tops.size(), 2u) << twist;
        EXPECT_NEAR(double(tops[1] - tops[0]), per_period, 0.015 * per_period) << twist;
        const double decay = std::exp(-2 * M_PI * zeta / std::sqrt(1 - zeta * zeta));
        EXPECT_NEAR(y[tops[1]] / y[tops[0]], decay, 0.03) << twist;
    }
}

/// First mode of a cantilever: f = 1.8751² √(B/ρA)/(2π L²); with a damping ratio given at that
/// frequency, amplitudes fall by exp(−2πζ/√(1−ζ²)) per period.
TEST(RodPhysics, CantileverSwingsAtItsFrequencyAndDampingRatio)
{
    const int n = 32, per_period = 200;
    const double L = 0.05;
    const double f = std::pow(1.8751, 2) * std::sqrt(bend / (density * area)) / (2 * M_PI * L * L);
    HairMaterial material = round_rod(radius, density, young, 0.45);
    material.bend_damping = 0.03;
    material.damping_frequency = f;
    HairScene rod({clamped_line(Vec3::Zero(), Vec3(L, 0, 0), n)}, material, HairRoots::first_point);
    const double gamma = 0.05; // start bent by a weak gravity, then let go
    rod.drive.gravity = Vec3(0, -gamma * bend / (density * area * L * L * L), 0);
    rod.settle();
    rod.state.v.setZero(), rod.state.h_prev = 0;
    rod.drive.gravity.setZero();
    StepSettings settings;
    settings.integrator = Integrator::bdf2;
    settings.tolerance = 1e-9;
    std::vector<double> y = {rod.at(n + 1)[1]};
    for (int k = 0; k < 3 * per_period; ++k) {
        rod.run(1, 1 / (f * per_period), settings);
        y.push_back(rod.at(n + 1)[1]);
    }
    std::vector<std::size_t> lows;
    for (std::size_t k = 1; k + 1 < y.size(); ++k)
        if (y[k] < y[k - 1] && y[k] <= y[k + 1]) lows.push_back(k);
    ASSERT_GE(lows.size(), 2u);
    EXPECT_NEAR(double(lows[1] - lows[0]), per_period, 0.015 * per_period);
    const double zeta = 0.03, decay = std::exp(-2 * M_PI * zeta / std::sqrt(1 - zeta * zeta));
    EXPECT_NEAR(y[lows[1]] / y[lows[0]], decay, 0.03);
}
