#include "core/bench/hair_scenes.h"

#include "core/example/hair_ball.h"
#include "core/geometry/triangulate.h"
#include "core/model/hair_builder.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace selvage
{
namespace
{

/// A scene of nothing but these strands.
std::shared_ptr<Scene> strands_alone(const std::string& name, const Geometry& groom,
                                     const HairMaterial& material)
{
    NullLog log;
    auto scene = std::make_shared<Scene>();
    scene->hairs.push_back(make_hair(name, groom, nullptr, material, HairRoots::first_point, log));
    scene->mass = hair_mass(scene->hairs[0]);
    scene->mass_damping = VecX::Zero(scene->mass.size());
    return scene;
}

double processor_seconds()
{
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

VecX turned(const Mat3& R, const VecX& x)
{
    VecX out(x.size());
    for (Eigen::Index i = 0; i < x.size(); i += 3) out.segment<3>(i) = R * x.segment<3>(i);
    return out;
}

} // namespace

HairRun::HairRun(std::shared_ptr<Scene> scene, const Geometry& groom, Script script)
    : scene_(std::move(scene)),
      script_(std::move(script)),
      stepper_(std::make_unique<HairStepper>(scene_))
{
    state_.x = groom.positions();
    state_.v = VecX::Zero(state_.x.size());
    const RodFrames frames = hair_frames(scene_->hairs[0], state_.x, {});
    state_.rod_directors = frames.directors, state_.rod_twists = frames.twists;
    state_.rod_spins = VecX::Zero(scene_->hairs[0].rod_points());
    drive_.hair.push_back({state_.x, {}});
    for (const Collider& c : scene_->colliders) {
        drive_.collider_0.push_back(c.x_start);
        drive_.collider_1.push_back(c.x_start);
    }
}

StepReport HairRun::step(double h, const StepSettings& settings)
{
    script_(state_.time + h, drive_);
    const StepReport report = stepper_->step(drive_, state_, h, settings, NeverCancel());
    drive_.collider_0 = drive_.collider_1;
    return report;
}

HairRun hair_ball(int strands, int points)
{
    const Geometry groom = hair_ball_curls(strands, points);
    HairMaterial material = hair_preset("hair_curly").material;
    material.friction = 0.2;
    const std::shared_ptr<Scene> scene = strands_alone("hair", groom, material);
    Collider ball;
    ball.name = "ball";
    const Geometry surface = hair_ball_surface();
    ball.mesh = mesh_topology(triangulate(surface).triangles);
    ball.x_start = surface.positions();
    ball.friction = 0.05; // with the hair's 0.2: 0.1
    scene->colliders.push_back(ball);

    const RodFrames frames = hair_frames(scene->hairs[0], groom.positions(), {});
    VecX roots(3 * strands);
    for (int s = 0; s < strands; ++s)
        roots.segment<3>(3 * s) =
            frames.directors.segment<3>(3 * scene->hairs[0].strand_begin[std::size_t(s)]);
    return HairRun(scene, groom, [x = groom.positions(), roots, ball](double t, Drive& drive) {
        const Mat3 R = hair_ball_rotation(t);
        drive.hair[0] = {turned(R, x), turned(R, roots)};
        drive.collider_1[0] = turned(R, ball.x_start);
    });
}

HairRun free_curls(int strands, int points)
{
    const Geometry groom = hair_ball_curls(strands, points);
    return HairRun(strands_alone("hair", groom, hair_preset("hair_curly").material), groom,
                   [](double, Drive&) {});
}

HairRun whip(double frequency)
{
    constexpr int points = 30;
    constexpr double length = 0.3;
    Geometry groom;
    groom.set_point_count(points);
    VecX x(3 * points);
    std::vector<int> curve;
    for (int i = 0; i < points; ++i) {
        x.segment<3>(3 * i) << 0, length * i / (points - 1), 0;
        curve.push_back(i);
    }
    groom.add_polygon(curve, false);
    groom.set_vectors("P", x, "point", Storage::real64);
    HairMaterial material;
    material.radius = 60e-6, material.density = 1300, material.young = 1e9;
    material.shear = 3.4e8, material.friction = 0.2;
    material.stretch_damping = material.bend_damping = material.twist_damping = 0;
    const std::shared_ptr<Scene> scene = strands_alone("whip", groom, material);
    Collider wall; // its edge lies across the swing, half way along the rod, 60° from the top
    wall.name = "wall";
    wall.mesh = mesh_topology({{0, 1, 2}, {1, 3, 2}});
    const Vec3 edge(0.13, 0.075, 0);
    wall.x_start.resize(12);
    wall.x_start << edge[0], edge[1], -0.1, edge[0], edge[1], 0.1, edge[0], -0.4, -0.1, edge[0],
        -0.4, 0.1;
    wall.friction = 0.2;
    scene->colliders.push_back(wall);
    return HairRun(scene, groom, [x, frequency](double t, Drive& drive) {
        const double angle = -2.0 * std::sin(2 * M_PI * frequency * t);
        drive.hair[0].x = turned(Mat3(Eigen::AngleAxisd(angle, Vec3::UnitZ())), x);
    });
}

HairRunResult run_hair(HairRun run, double seconds, double h, const StepSettings& settings,
                       double limit)
{
    HairRunResult out;
    int most = 0;
    const int steps = int(std::lround(seconds / h));
    const double begin = processor_seconds();
    while (out.steps < steps && out.stable) {
        const StepReport r = run.step(h, settings);
        ++out.steps;
        out.stable = r.ok() && r.max_strain <= limit;
        out.unconverged += r.status != StepStatus::converged;
        if (!r.message.empty()) out.message = r.message;
        out.max_strain = std::max(out.max_strain, r.max_strain);
        out.contacts += r.contacts, out.sweeps += r.linear_iterations, out.newton += r.iterations;
        out.seconds += r.seconds;
        if (r.contacts > most) {
            most = r.contacts;
            out.bytes_per_contact = double(r.contact_bytes) / r.contacts;
        }
    }
    out.processor_seconds = processor_seconds() - begin;
    out.contacts /= out.steps, out.sweeps /= out.steps, out.newton /= out.steps;
    return out;
}

} // namespace selvage
