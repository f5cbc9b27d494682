#include "core/bench/bench.h"
#include "core/model/hair_builder.h"
#include "core/solver/hair_stepper.h"

#include <fmt/format.h>

#include <cmath>

namespace selvage
{
namespace
{

/// Curls that stand off a ball of 9 cm: `strands` of `points` points.
Geometry curls(int strands, int points)
{
    Geometry g;
    g.set_point_count(std::size_t(strands) * std::size_t(points));
    VecX x(3 * Eigen::Index(strands) * points);
    const double golden = M_PI * (3 - std::sqrt(5.0)), length = 0.15, turns = 2, width = 0.008;
    for (int s = 0; s < strands; ++s) {
        const double y = 1 - (s + 0.5) / strands, r = std::sqrt(1 - y * y), phi = s * golden;
        const Vec3 normal(r * std::cos(phi), y, r * std::sin(phi));
        const Vec3 side = normal.cross(Vec3(0.31, 0.17, 0.93)).normalized();
        const Vec3 other = normal.cross(side);
        std::vector<int> curve;
        for (int i = 0; i < points; ++i) {
            const double t = double(i) / (points - 1), a = 2 * M_PI * turns * t;
            x.segment<3>(3 * (s * points + i)) = 0.09 * normal + t * length * normal +
                                                 width * (std::cos(a) - 1) * side +
                                                 width * std::sin(a) * other;
            curve.push_back(s * points + i);
        }
        g.add_polygon(curve, /*closed*/ false);
    }
    g.set_vectors("P", x, "point", Storage::real64);
    return g;
}

} // namespace

void bench_hair(BenchReport& report)
{
    constexpr int points = 30, steps = 8;
    NullLog log;
    for (const int strands : {1000, 4000, 16000}) {
        const Geometry g = curls(strands, points);
        auto scene = std::make_shared<Scene>();
        scene->hairs.push_back(make_hair("hair", g, nullptr, hair_preset("hair_curly").material,
                                         HairRoots::first_point, log));
        scene->mass = hair_mass(scene->hairs[0]);
        scene->mass_damping = VecX::Zero(scene->mass.size());
        State state;
        state.x = g.positions();
        state.v = VecX::Zero(state.x.size());
        const RodFrames frames = hair_frames(scene->hairs[0], state.x, {});
        state.rod_directors = frames.directors, state.rod_twists = frames.twists;
        state.rod_spins = VecX::Zero(scene->hairs[0].rod_points());
        Drive drive;
        drive.hair.push_back({state.x, {}});
        HairStepper stepper(scene);
        double seconds = 0;
        int iterations = 0, unconverged = 0;
        for (int k = 0; k < steps; ++k) { // released from the groom, under gravity
            const StepReport r = stepper.step(drive, state, 0.01, {}, NeverCancel());
            seconds += r.seconds.total, iterations += r.iterations;
            unconverged += r.status != StepStatus::converged;
        }
        const bool largest = strands == 16000;
        report.add({fmt::format("free motion, {} rods x {}: converged step", strands, points),
                    seconds / steps, "s", "", 0, largest ? "<= 0.6 s on 2 cores" : ""});
        report.add({fmt::format("free motion, {} rods x {}: Newton iteration (most of any rod)",
                                strands, points),
                    seconds / iterations, "s", "", 0, largest ? "<= 0.15 s on 2 cores" : ""});
        report.add({fmt::format("free motion, {} rods: steps not converged", strands),
                    double(unconverged), "", "", 0, "0"});
    }
}

} // namespace selvage
