// Damping ratios: what is set is what decays, at any time step.
#include "core/base/cancel.h"
#include "core/model/scene_terms.h"
#include "core/model/solid_builder.h"
#include "core/solver/stepper.h"
#include "tests/energy/term_checks.h"
#include "tests/support/cloth_scene.h"
#include "tests/support/tet_block.h"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// A motion of small amplitude that returns as it was: one eigenvector of M⁻¹H at rest.
struct Mode {
    VecX shape; ///< M-normalised
    double frequency = 0;
};

/// The slowest mode of the scene at x for which `wanted` holds; vertices of exact pins are held.
template <class Wanted> Mode slowest_mode(const Scene& scene, const VecX& x, const Wanted& wanted)
{
    const SceneTerms terms(scene);
    MatX H = MatX::Zero(x.size(), x.size());
    for (const Term* t : terms.all()) H += evaluated(*t, x, all_exact).matrix.dense();
    VecX inverse_root =
        scene.mass.replicate(1, 3).transpose().reshaped().cwiseSqrt().cwiseInverse();
    for (const Pin& p : scene.pins) inverse_root.segment<3>(3 * p.vertex).setZero();
    const Eigen::SelfAdjointEigenSolver<MatX> eigen(
        MatX(inverse_root.asDiagonal() * H * inverse_root.asDiagonal()));
    for (Eigen::Index k = 0; k < x.size(); ++k) {
        const double w2 = eigen.eigenvalues()[k];
        const VecX shape = inverse_root.asDiagonal() * eigen.eigenvectors().col(k);
        if (w2 > 1e-3 && wanted(shape)) return {shape, std::sqrt(w2) / (2 * M_PI)};
    }
    ADD_FAILURE() << "no such mode";
    return {};
}

bool in_plane(const VecX& u)
{
    double out = 0;
    for (Eigen::Index i = 2; i < u.size(); i += 3) out += u[i] * u[i];
    return out < 1e-12 * u.squaredNorm();
}
bool out_of_plane(const VecX& u)
{
    double out = 0;
    for (Eigen::Index i = 2; i < u.size(); i += 3) out += u[i] * u[i];
    return out > (1 - 1e-12) * u.squaredNorm();
}

/// Damping ratio of the free decay of a mode: three periods in steps of a period / n.
double measured_ratio(const std::shared_ptr<const Scene>& scene, const State& start,
                      const Drive& drive, const Mode& mode, int n, double size)
{
    const auto stepper = make_stepper("barrier", scene);
    State state = start;
    const double amplitude = 1e-4 * size / mode.shape.lpNorm<Eigen::Infinity>();
    const double w = 2 * M_PI * mode.frequency, h = 1 / (mode.frequency * n);
    state.v = amplitude * w * mode.shape;
    StepSettings settings;
    settings.integrator = Integrator::bdf2;
    settings.tolerance = 1e-7 * w;
    const VecX mass = scene->mass.replicate(1, 3).transpose().reshaped();
    const auto coordinate = [&](const VecX& u) {
        return mode.shape.dot(mass.cwiseProduct(u)) / amplitude;
    };
    // Least squares for q̈ + 2ζω q̇ + ω² q = 0 would differentiate noise; the envelope
    // √(q² + (q̇ + ζωq)²/ω_d²) falls as exp(−ζωt), whatever the phase: compare two instants.
    std::vector<Vec2> q;
    for (int i = 0; i < 3 * n; ++i) {
        EXPECT_EQ(stepper->step(drive, state, h, settings, NeverCancel()).status,
                  StepStatus::converged);
        q.emplace_back(coordinate(state.x - start.x), coordinate(state.v));
    }
    double zeta = 0; // fixed point: the envelope needs ζ itself
    for (int k = 0; k < 30; ++k) {
        const double w_d = w * std::sqrt(1 - zeta * zeta);
        const auto envelope = [&](const Vec2& s) {
            return std::hypot(s[0], (s[1] + zeta * w * s[0]) / w_d);
        };
        const int first = n / 2 - 1, last = 3 * n - 1;
        zeta = std::log(envelope(q[std::size_t(first)]) / envelope(q[std::size_t(last)])) /
               (w * h * (last - first));
    }
    return zeta;
}

SheetScene sheet(MembraneModel model)
{
    SheetScene s;
    s.columns = s.rows = 3;
    s.material = plain_material(0.2, 300, 0.2, 1e-3);
    s.material.membrane_model = model;
    return s;
}

void expect_ratio(SheetScene s, double ClothMaterial::*ratio, bool (*wanted)(const VecX&))
{
    const double zeta = 0.08;
    const State start = s.start();
    const Mode mode = slowest_mode(*s.scene(), start.x, wanted);
    s.material.damping_frequency = mode.frequency;
    s.material.*ratio = zeta;
    if (ratio == &ClothMaterial::stretch_damping) s.material.shear_damping = zeta;
    for (const int n : {100, 400})
        EXPECT_NEAR(measured_ratio(s.scene(), start, s.still(Vec3::Zero()), mode, n, 1) / zeta, 1,
                    0.02)
            << n << " steps per period, model " << int(s.material.membrane_model);
}

} // namespace

TEST(Damping, InPlaneMotionDecaysWithItsRatio)
{
    for (const MembraneModel model :
         {MembraneModel::stvk, MembraneModel::neo_hookean, MembraneModel::baraff_witkin,
          MembraneModel::arap, MembraneModel::spline})
        expect_ratio(sheet(model), &ClothMaterial::stretch_damping, in_plane);
}

TEST(Damping, BendingDecaysWithItsRatio)
{
    for (const BendingModel model :
         {BendingModel::hinge, BendingModel::hinge_angle, BendingModel::shape}) {
        SheetScene s = sheet(MembraneModel::stvk);
        s.material.bending_model = model;
        expect_ratio(s, &ClothMaterial::bend_damping, out_of_plane);
    }
}

TEST(Damping, SolidsDecayWithTheirRatio)
{
    const TetMesh block = tet_block(2, 1, 1, 0.1);
    const Geometry g = tet_geometry(block);
    const auto scene_of = [&](const SolidMaterial& m) {
        NullLog log;
        auto scene = std::make_shared<Scene>();
        scene->collisions.enabled = false;
        scene->solids.push_back(make_solid("block", g, m, log));
        scene->mass = solid_mass(scene->solids[0], g);
        scene->mass_damping = VecX::Zero(scene->mass.size());
        for (int p = 0; p < scene->vertex_count(); ++p)
            if (block.points[std::size_t(p)][0] == 0) scene->pins.push_back({p, 0});
        return std::shared_ptr<const Scene>(scene);
    };
    SolidMaterial m;
    m.damping = 0;
    const auto elastic = scene_of(m);
    State start;
    start.x = block.stacked();
    start.v = VecX::Zero(start.x.size());
    Drive drive;
    drive.gravity.setZero();
    drive.pin_target_0.resize(3 * Eigen::Index(elastic->pins.size()));
    for (std::size_t k = 0; k < elastic->pins.size(); ++k)
        drive.pin_target_0.segment<3>(3 * Eigen::Index(k)) =
            block.points[std::size_t(elastic->pins[k].vertex)];
    drive.pin_target_1 = drive.pin_target_0;
    const Mode mode = slowest_mode(*elastic, start.x, [](const VecX&) { return true; });
    m.damping = 0.08;
    m.damping_frequency = mode.frequency;
    for (const int n : {100, 400})
        EXPECT_NEAR(measured_ratio(scene_of(m), start, drive, mode, n, 0.1) / 0.08, 1, 0.02) << n;
}
