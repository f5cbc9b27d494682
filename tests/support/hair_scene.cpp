#include "tests/support/hair_scene.h"

#include "core/base/log.h"
#include "core/model/hair_builder.h"
#include "core/solver/rod_group.h"
#include "core/solver/rod_newton.h"
#include "core/solver/stepper.h"

namespace selvage::test
{
namespace
{

Geometry curves(const std::vector<std::vector<Vec3>>& strands)
{
    Geometry g;
    std::size_t count = 0;
    for (const auto& s : strands) count += s.size();
    g.set_point_count(count);
    VecX x(3 * Eigen::Index(count));
    int next = 0;
    for (const auto& s : strands) {
        std::vector<int> points;
        for (const Vec3& p : s) {
            x.segment<3>(3 * next) = p;
            points.push_back(next++);
        }
        g.add_polygon(points, /*closed*/ false);
    }
    g.set_vectors("P", x, "point", Storage::real64);
    return g;
}

/// Elasticity and gravity of the first strand, gradient and Hessian in `scratch`.
void evaluate_static(const Scene& scene, const State& state, const Vec3& gravity, bool hold,
                     RodScratch& scratch)
{
    const RodGroup group = make_rod_groups(scene)[0];
    const std::array<Vec3, 4> origin{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    RodProblem problem(group.points);
    problem.laws = rod_laws(scene, group);
    if (hold) set_held(scene, group, problem);
    problem.hangs = Real4(0.0);
    const RodChainShape shape = load_shape(scene, group, state, origin);
    for_rod_points(scene, group, [&](std::size_t lane, std::size_t i, int, int vertex) {
        const Vec3 f = scene.mass[vertex] * gravity;
        problem.load[i].x[lane] = f[0], problem.load[i].y[lane] = f[1];
        problem.load[i].z[lane] = f[2];
    });
    for (std::size_t i = 0; i < problem.center.size(); ++i) problem.center[i] = {0.0, 0.0, 0.0};
    rod_objective(problem, shape, std::vector<Real4>(shape.x.size(), Real4(0.0)),
                  {true, true, true}, Real4(0.0) > Real4(1.0), scratch);
}

} // namespace

HairScene::HairScene(const std::vector<std::vector<Vec3>>& strands, const HairMaterial& material,
                     HairRoots roots, const std::vector<std::vector<Vec3>>& rest)
{
    NullLog log;
    const Geometry g = curves(strands);
    const VecX x_rest = rest.empty() ? g.positions() : curves(rest).positions();
    scene->hairs.push_back(make_hair("hair", g, &x_rest, material, roots, log));
    scene->mass = hair_mass(hair());
    scene->mass_damping = VecX::Constant(scene->mass.size(), material.mass_damping);
    state.x = g.positions();
    state.v = VecX::Zero(state.x.size());
    const RodFrames frames = hair_frames(hair(), state.x, {});
    state.rod_directors = frames.directors;
    state.rod_twists = frames.twists;
    state.rod_spins = VecX::Zero(hair().rod_points());
    drive.hair.push_back({state.x, {}});
    drive.air_density = 0;
}

void HairScene::add_collider(const std::vector<Vec3>& points, const std::vector<Vec3i>& triangles,
                             double friction, double thickness)
{
    Collider c;
    c.name = "collider";
    c.mesh = mesh_topology(triangles);
    c.x_start.resize(3 * Eigen::Index(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i)
        c.x_start.segment<3>(3 * Eigen::Index(i)) = points[i];
    c.friction = friction, c.thickness = thickness;
    drive.collider_0.push_back(c.x_start), drive.collider_1.push_back(c.x_start);
    scene->colliders.push_back(std::move(c));
    stepper.reset();
}

Vec3 HairScene::at(int rod_point) const { return state.x.segment<3>(3 * rod_point); }

StepReport HairScene::step(double h, const StepSettings& settings)
{
    if (!stepper) stepper = make_stepper(method, scene);
    const StepReport report = stepper->step(drive, state, h, settings, NeverCancel());
    drive.collider_0 = drive.collider_1;
    return report;
}

StepReport HairScene::run(int steps, double h, const StepSettings& settings)
{
    stepper.reset(); // the scene may have changed
    StepReport report;
    for (int k = 0; k < steps; ++k) report = step(h, settings);
    return report;
}

void HairScene::settle(int steps, double h)
{
    StepSettings settings;
    settings.tolerance = 1e-11;
    settings.max_iterations = 500;
    settings.hair_contact = HairContact::none;
    for (int k = 0; k < steps; ++k) {
        state.v.setZero(), state.rod_spins.setZero();
        run(1, h, settings);
    }
}

int HairScene::unstable_modes() const
{
    RodScratch scratch;
    evaluate_static(*scene, state, drive.gravity, /*hold*/ true, scratch);
    return int(factor(scratch.hessian).negative[0]);
}

Vec3 HairScene::reaction(int rod_point) const
{
    RodScratch scratch;
    evaluate_static(*scene, state, drive.gravity, /*hold*/ false, scratch);
    const Real4* g = scratch.gradient.data() + 4 * rod_point;
    return {g[0][0], g[1][0], g[2][0]};
}

HairMaterial round_rod(double radius, double density, double young, double poisson)
{
    HairMaterial m;
    m.radius = radius, m.density = density, m.young = young;
    m.shear = young / (2 * (1 + poisson));
    m.flatness = 1;
    m.stretch_damping = m.bend_damping = m.twist_damping = 0;
    m.drag = 0;
    return m;
}

std::vector<Vec3> clamped_line(const Vec3& a, const Vec3& b, int n)
{
    std::vector<Vec3> points;
    for (int i = -1; i <= n; ++i) points.push_back(a + double(i) / n * (b - a));
    return points;
}

} // namespace selvage::test
