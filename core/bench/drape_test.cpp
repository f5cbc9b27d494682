#include "core/bench/drape_test.h"

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/example/polygon_geometry.h"
#include "core/geometry/triangulate.h"
#include "core/model/cloth_builder.h"
#include "core/solver/stepper.h"

#include <cmath>

namespace selvage
{
namespace
{

constexpr double specimen_radius = 0.15, disc_radius = 0.09; // [m]

/// [1/s] Damping of all motion: specimens are lowered gently, weight growing over two thirds of the
/// time, so that the folds that form do not depend on how a fall is resolved in time.
constexpr double gentle = 20;

double radius_of(const VecX& x, Eigen::Index point)
{
    return std::hypot(x[3 * point], x[3 * point + 2]);
}

int ring_first(int k) { return k == 0 ? 0 : 1 + 3 * k * (k - 1); }

/// [m²] of the union of the triangles seen from above, on a grid of 0.3 mm.
double shadow(const VecX& x, const std::vector<Vec3i>& triangles)
{
    constexpr int n = 1024;
    constexpr double half = 0.16, cell = 2 * half / n;
    std::vector<std::uint8_t> dark(std::size_t(n) * n, 0);
    const auto at = [&](int p) { return Vec2(x[3 * p], x[3 * p + 2]); };
    const auto cross = [](const Vec2& a, const Vec2& b) { return a[0] * b[1] - a[1] * b[0]; };
    for (const Vec3i& t : triangles) {
        const Vec2 a = at(t[0]), b = at(t[1]), c = at(t[2]);
        const double area = cross(b - a, c - a);
        if (area == 0) continue;
        const Vec2 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
        const auto index = [&](double u) {
            return std::clamp(int(std::floor((u + half) / cell)), 0, n - 1);
        };
        for (int j = index(low[1]); j <= index(high[1]); ++j)
            for (int i = index(low[0]); i <= index(high[0]); ++i) {
                const Vec2 p((i + 0.5) * cell - half, (j + 0.5) * cell - half);
                const double u = cross(b - a, p - a) / area, v = cross(c - b, p - b) / area;
                if (u >= 0 && v >= 0 && u + v <= 1) dark[std::size_t(j) * n + std::size_t(i)] = 1;
            }
    }
    double count = 0;
    for (const std::uint8_t d : dark) count += d;
    return count * cell * cell;
}

/// Strongest harmonic of the height of the edge.
int count_lobes(const VecX& x, int rings)
{
    const int first = ring_first(rings), count = 6 * rings;
    int strongest = 0;
    double most = 0;
    for (int m = 1; m <= 24; ++m) {
        double c = 0, s = 0;
        for (int i = 0; i < count; ++i) {
            const double y = x[3 * (first + i) + 1], phi = 2 * M_PI * m * i / count;
            c += y * std::cos(phi), s += y * std::sin(phi);
        }
        if (std::hypot(c, s) > most) most = std::hypot(c, s), strongest = m;
    }
    return strongest;
}

/// Gives a flat specimen a wave of one millimetre that grows from the disc's edge outwards. Its
/// rest shape has it too, as no cloth is cut and laid quite flat: a wave of the start pose alone is
/// ironed out before the weight is large enough to fold the cloth, and chance decides again.
void hint_lobes(int lobes, VecX& x)
{
    constexpr double height = 1e-3; // [m]
    for (Eigen::Index p = 0; p < x.size() / 3; ++p) {
        const double out = radius_of(x, p) - disc_radius;
        if (out <= 1e-9 || lobes == 0) continue;
        const double phi = std::atan2(x[3 * p + 2], x[3 * p]);
        x[3 * p + 1] += height * out / (specimen_radius - disc_radius) * std::cos(lobes * phi);
    }
}

} // namespace

Geometry ring_disc(int rings, double radius)
{
    std::vector<int> corners;
    const auto point = [](int k, int i) {
        return k == 0 ? 0 : ring_first(k) + (i + 6 * k) % (6 * k);
    };
    for (int k = 1; k <= rings; ++k)
        for (int side = 0; side < 6; ++side)
            for (int i = 0; i < k; ++i) {
                const int outer = side * k + i, inner = side * (k - 1) + i;
                // Facing +Y: seen from above, angles towards +Z run clockwise.
                corners.insert(corners.end(),
                               {point(k, outer + 1), point(k, outer), point(k - 1, inner)});
                if (i + 1 < k)
                    corners.insert(corners.end(), {point(k, outer + 1), point(k - 1, inner),
                                                   point(k - 1, inner + 1)});
            }
    const int count = ring_first(rings + 1);
    Geometry g = polygon_geometry(std::size_t(count), corners, 3);
    VecX x = VecX::Zero(3 * count);
    for (int k = 1; k <= rings; ++k)
        for (int i = 0; i < 6 * k; ++i) {
            const double phi = 2 * M_PI * i / (6 * k), r = radius * k / rings;
            x.segment<3>(3 * point(k, i)) << r * std::cos(phi), 0, r * std::sin(phi);
        }
    g.set_vectors("P", x, "point", Storage::real64);
    return g;
}

double drape_coefficient(const Geometry& specimen)
{
    const double disc = M_PI * disc_radius * disc_radius,
                 whole = M_PI * specimen_radius * specimen_radius;
    return 100 * (shadow(specimen.positions(), triangulate(specimen).triangles) - disc) /
           (whole - disc);
}

DrapeResult run_drape(const DrapeTest& test)
{
    if (test.rings % 5 != 0) throw InputError("A drape test needs a multiple of five rings.");
    DrapeResult result;
    result.specimen = ring_disc(test.rings, specimen_radius);
    VecX x_rest = result.specimen.positions();
    hint_lobes(test.lobes, x_rest);
    NullLog log;
    auto scene = std::make_shared<Scene>();
    scene->collisions.enabled = false;
    scene->cloths.push_back(make_cloth("specimen", result.specimen, &x_rest, test.material, log));
    scene->mass = cloth_mass(scene->cloths[0], result.specimen);
    scene->mass_damping = VecX::Constant(scene->mass.size(), gentle);

    State state;
    state.x = x_rest;
    state.v = VecX::Zero(state.x.size());
    Drive drive;
    std::vector<double> held;
    for (int p = 0; p < scene->vertex_count(); ++p)
        if (radius_of(state.x, p) < disc_radius + 1e-6) {
            scene->pins.push_back({p, 0});
            for (int k = 0; k < 3; ++k) held.push_back(state.x[3 * p + k]);
        }
    drive.pin_target_0 = drive.pin_target_1 =
        Eigen::Map<const VecX>(held.data(), Eigen::Index(held.size()));

    const auto stepper = make_stepper("barrier", scene);
    StepSettings settings;
    const auto step = [&](double h) {
        const StepReport r = stepper->step(drive, state, h, settings, NeverCancel());
        result.not_converged += r.status != StepStatus::converged;
    };
    settings.max_iterations = 500;
    const int steps = test.frames * test.substeps;
    for (int i = 0; i < steps; ++i) {
        drive.gravity = Vec3(0, -9.81 * std::min(1.0, 1.5 * (i + 1) / steps), 0);
        step(1.0 / (24 * test.substeps));
    }
    settings.tolerance = 1e-4;
    for (const double h : {0.1, 0.2, 0.5, 1.0, 2.0}) step(h);
    result.speed = state.v.lpNorm<Eigen::Infinity>();
    result.specimen.set_vectors("P", state.x, "point", Storage::real64);
    result.coefficient = drape_coefficient(result.specimen);
    result.lobes = count_lobes(state.x, test.rings);
    return result;
}

} // namespace selvage
