#include "core/base/parallel.h"
#include "core/bench/bench.h"
#include "core/check/report.h"
#include "core/example/cloth_grid.h"
#include "core/example/sphere.h"
#include "core/session/session.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <cmath>
#include <ctime>

namespace selvage
{
namespace
{

constexpr double step = 0.04;      // [s]
constexpr int rest_steps = 25;     // before the ball turns
constexpr double turn = M_PI / 25; // [rad] per step: 180° per second
const Vec3 ball_centre(0, 0, 0);
constexpr double ball_radius = 0.152, clearance = 0.16; // [m]

/// A ball that turns about the vertical from frame rest_steps + 1 on.
class TurningBall final : public GeometrySource
{
public:
    std::shared_ptr<const Geometry> at(double frame) override
    {
        const double angle = turn * std::max(0.0, frame - 1 - rest_steps);
        const Eigen::AngleAxisd rotation(angle, Vec3::UnitY());
        auto ball = std::make_shared<Geometry>(sphere(ball_radius, 4, ball_centre));
        VecX x = ball->positions();
        for (Eigen::Index i = 0; i < x.size(); i += 3) {
            const Vec3 p = x.segment<3>(i);
            x.segment<3>(i) = rotation * p;
        }
        ball->set_positions(x);
        return ball;
    }
    bool animated() const override { return true; }
    bool has_subframes() const override { return true; }
    std::string describe(double) const override { return "turning ball"; }
};

Geometry lifted(Geometry g, double height)
{
    VecX x = g.positions();
    for (Eigen::Index i = 1; i < x.size(); i += 3) x[i] += height;
    g.set_positions(x);
    return g;
}

/// Cotton [Penava et al., as tabulated by Li 2021], 1 m × 1 m of n × n points, above a ball that
/// stands on a floor.
SessionSetup sphere_setup(int n, int steps, double tolerance)
{
    SessionSetup s;
    s.shot.set("frames", Vec3(1, 1 + steps, 0));
    s.shot.set("fps", 1 / step);
    s.shot.set("substeps", 1.0);
    s.solver.set("tolerance", tolerance);
    s.collision.set("enabled", 1.0);
    s.collision.set("gap", 1e-3);
    const double thickness = 0.318e-3, young = 0.821e6 * thickness, poisson = 0.243;
    const double bend = 0.821e6 * std::pow(thickness, 3) / (12 * (1 - poisson * poisson));
    ClothSetup c;
    c.cloth.set("name", std::string("cotton"));
    for (const auto& [key, value] : std::initializer_list<std::pair<const char*, double>>{
             {"density", 472.6 * thickness},
             {"thickness", 0},
             {"young_warp", young},
             {"young_weft", young},
             {"shear", young / (2 * (1 + poisson))},
             {"poisson", poisson},
             {"stretch_limit", 0.0608},
             {"bend_warp", bend},
             {"bend_weft", bend},
             {"stretch_damping", 0},
             {"bend_damping", 0},
             {"drag_normal", 0},
             {"drag_tangent", 0},
             {"friction", 0.4}})
        c.cloth.set(key, value);
    c.geometry = std::make_shared<StaticSource>(
        lifted(cloth_grid(n - 1, n - 1, 1, 1, GridCells::alternating_triangles), clearance),
        "cotton");
    s.cloths.push_back(std::move(c));
    ColliderSetup ball, floor;
    ball.collider.set("name", std::string("ball"));
    ball.collider.set("friction", 0.4);
    ball.geometry = std::make_shared<TurningBall>();
    floor.collider.set("name", std::string("floor"));
    floor.collider.set("friction", 0.4);
    floor.geometry = std::make_shared<StaticSource>(
        lifted(cloth_grid(1, 1, 4, 4, GridCells::regular_triangles), -clearance), "floor");
    s.colliders.push_back(std::move(ball));
    s.colliders.push_back(std::move(floor));
    return s;
}

double process_seconds()
{
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

void run_sphere(BenchReport& report, int n, int steps, double tolerance, const char* goal)
{
    const SessionSetup setup = sphere_setup(n, steps, tolerance);
    NullLog log;
    Session session(setup, log);
    FrameReport sum;
    double stretch = 0;
    int intersections = 0, unconverged = 0;
    session.on_frame = [&](const FrameReport& r) {
        sum.iterations += r.iterations;
        sum.linear_iterations += r.linear_iterations;
        sum.contacts = std::max(sum.contacts, r.contacts);
        sum.seconds += r.seconds;
        stretch = std::max(stretch, r.max_strain);
        unconverged += r.status == StepStatus::converged ? 0 : 1;
    };
    double cpu = 0;
    for (int frame = 1; frame <= 1 + steps; ++frame) {
        const double start = process_seconds();
        const FrameResult r = session.cook(frame, NeverCancel());
        if (frame > 1) cpu += process_seconds() - start;
        if (!r.ok()) break;
        const CheckReport judged =
            check_geometry({{"cotton", r.objects[0].geometry, std::nullopt},
                            {"ball", *setup.colliders[0].geometry->at(frame), std::nullopt}});
        intersections += judged.ok ? 0 : 1;
    }
    report.add({fmt::format("{0}×{0}, tolerance {1:g}: {2:.0f} Newton, {3:.0f} linear iterations, "
                            "<= {4} contacts",
                            n, tolerance, double(sum.iterations) / steps,
                            double(sum.linear_iterations) / steps, sum.contacts),
                cpu / steps, "s per step", "", 0, goal});
    const double total = sum.seconds.total;
    report.add({fmt::format("  assembly {:.0f} %, linear {:.0f} %, line search {:.0f} %; stretch",
                            100 * sum.seconds.assembly / total, 100 * sum.seconds.linear / total,
                            100 * sum.seconds.line_search / total),
                1 + stretch, "", "", 0, "<= 1.0608"});
    report.add({"  frames with intersections, steps not converged", double(intersections),
                fmt::format("and {}", unconverged), "", 0, "0"});
}

} // namespace

/// One thread; CPU seconds, which a busy machine stretches little.
void bench_contact_sphere(BenchReport& report)
{
    const ThreadLimit one(1);
    run_sphere(report, 50, 40, 1e-2, "<= 1.0");
    run_sphere(report, 50, 40, 1e-3, "");
    run_sphere(report, 100, 40, 1e-2, "<= 5");
}

} // namespace selvage
