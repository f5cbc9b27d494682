#include "core/energy/scatter_map.h"
#include "core/energy/sink.h"
#include "core/solver/rod_term.h"
#include "tests/support/finite_difference.h"
#include "tests/support/hair_scene.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <random>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// Strands of several lengths with flat sections, bent and twisted away from rest, in a wind, with
/// targets and viscosity: everything that RodTerm sums up.
struct Bent {
    HairScene scene;
    TimeScheme scheme;
    RodTerm term;
    VecX x;

    static HairScene make()
    {
        std::mt19937 random(7);
        std::normal_distribution<double> noise(0, 1);
        std::vector<std::vector<Vec3>> strands, rest;
        for (const int n : {3, 6, 9, 5, 4}) {
            std::vector<Vec3> p, q;
            for (int i = 0; i < n; ++i) {
                q.push_back({0.01 * i, 0.02 * n, 0.002 * std::sin(2.0 * i)});
                p.push_back(q.back() + 0.001 * Vec3(noise(random), noise(random), noise(random)));
            }
            strands.push_back(p), rest.push_back(q);
        }
        HairMaterial m = hair_preset("hair_curly").material;
        m.radius = 4e-4, m.flatness = 0.6, m.young = 1e6, m.shear = 4e5, m.drag = 1;
        HairScene s(strands, m, HairRoots::first_point, rest);
        s.hair().target_rate.setConstant(30);
        s.drive.air_density = 1.2;
        s.drive.wind = Vec3(1, 2, 3);
        s.state.rod_spins.setConstant(0.3);
        return s;
    }

    Bent()
        : scene(make()),
          scheme(time_scheme(scene.state, 0.02, Integrator::bdf1)),
          term(*scene.scene)
    {
        term.begin(scene.drive, scene.state, scheme, 0.02);
        x = VecX::Zero(scene.state.x.size() + 3 * term.turn_blocks());
        x.head(scene.state.x.size()) = scene.state.x;
        disturb(1e-3);
        term.update(x);
    }

    void disturb(double size)
    {
        std::mt19937 random(3);
        std::normal_distribution<double> noise(0, size);
        for (const Chain& chain : term.chains())
            for (const int u : chain)
                if (u >= 0) x[u] += noise(random);
    }

    /// Without what is held: how frames of roots got there is the animation's affair.
    VecX free(VecX v) const
    {
        VertexFilter filter(int(x.size() / 3));
        term.hold(filter);
        filter.apply(v);
        return v;
    }

    double energy(const VecX& at) const
    {
        Sink sink;
        term.evaluate(at, {true, false, false, Psd::exact}, sink);
        return sink.energy;
    }
    VecX gradient() const
    {
        VecX g = VecX::Zero(x.size());
        Sink sink;
        sink.gradient = &g;
        term.evaluate(x, {true, true, false, Psd::exact}, sink);
        return g;
    }
    MatX hessian(Psd psd) const
    {
        VecX g = VecX::Zero(x.size());
        BlockMatrix H(make_pattern(int(x.size() / 3), {&term.stencils()}));
        Sink sink;
        sink.gradient = &g, sink.hessian = &H;
        term.evaluate(x, {true, true, true, psd}, sink);
        return H.dense();
    }
};

} // namespace

TEST(RodTerm, GradientByPointsAndTurns)
{
    const Bent b;
    const VecX g = b.free(b.gradient());
    const VecX fd = b.free(fd_gradient([&](const VecX& x) { return b.energy(x); }, b.x, 2e-5));
    EXPECT_LT((g - fd).norm(), 1e-7 * fd.norm());
    // Turns count as well.
    EXPECT_LT((g - fd).tail(3 * b.term.turn_blocks()).norm(),
              1e-6 * fd.tail(3 * b.term.turn_blocks()).norm());
}

TEST(RodTerm, HessianByPointsAndTurns)
{
    const Bent b;
    const MatX H = b.hessian(Psd::exact);
    EXPECT_LT((H - H.transpose()).norm(), 1e-12 * H.norm());
    std::mt19937 random(11);
    std::normal_distribution<double> noise(0, 1);
    for (int k = 0; k < 40; ++k) {
        VecX p = VecX::Zero(b.x.size());
        for (const Chain& chain : b.term.chains())
            for (const int u : chain)
                if (u >= 0 && (k % 2 == 0 || u >= b.scene.state.x.size())) p[u] = noise(random);
        p = b.free(p);
        const double h = 2e-5, f = b.energy(b.x);
        const auto second = [&](double t) {
            return (b.energy(b.x + t * p) - 2 * f + b.energy(b.x - t * p)) / (t * t);
        };
        const double fd = 1.5 * second(h) - 0.6 * second(2 * h) + 0.1 * second(3 * h);
        EXPECT_NEAR(p.dot(H * p), fd, 2e-5 * std::abs(fd));
    }
}

/// What is asked for is positive definite together with inertia, and never below the exact one.
TEST(RodTerm, ProjectedHessianIsPositiveWithInertia)
{
    Bent b;
    b.disturb(4e-3);
    b.term.update(b.x);
    const MatX exact = b.hessian(Psd::exact), clamped = b.hessian(Psd::clamp);
    const auto with_inertia = [&](MatX H) {
        for (Eigen::Index i = 0; i < b.scene.scene->mass.size(); ++i)
            H.diagonal().segment<3>(3 * i).array() += b.scene.scene->mass[i] / (0.02 * 0.02);
        VertexFilter filter(int(b.x.size() / 3));
        b.term.hold(filter);
        MatX S = MatX::Zero(H.rows(), H.cols());
        for (int v = 0; v < filter.size(); ++v) S.block<3, 3>(3 * v, 3 * v) = filter.projector(v);
        return MatX(S * H * S);
    };
    const auto least = [](const MatX& A) {
        return Eigen::SelfAdjointEigenSolver<MatX>(A).eigenvalues()[0];
    };
    EXPECT_LT(least(with_inertia(exact)), -1e-6 * exact.norm());
    EXPECT_GT(least(with_inertia(clamped)), -1e-12 * exact.norm());
    EXPECT_GT(least(with_inertia(clamped - exact)), -1e-6 * exact.norm());
}

/// A rigid motion with the twist that goes with it changes nothing: E is a function of points and
/// material frames.
TEST(RodTerm, RigidMotionLeavesEnergyAndTurnsForces)
{
    Bent b;
    b.scene.hair().target_rate.setZero();
    b.scene.drive.air_density = 0;
    b.scene.scene->hairs[0].material.stretch_damping = 0;
    b.scene.scene->hairs[0].material.bend_damping = 0;
    b.scene.scene->hairs[0].material.twist_damping = 0;
    const auto energy_of = [&](const State& state) {
        TimeScheme scheme = time_scheme(state, 1e6, Integrator::bdf1); // no inertia of sections
        b.term.begin(b.scene.drive, state, scheme, 1e6);
        VecX x = VecX::Zero(b.x.size());
        x.head(state.x.size()) = state.x;
        return b.energy(x);
    };
    State state = b.scene.state;
    state.rod_spins.setZero();
    const double before = energy_of(state);
    const Mat3 R = Eigen::AngleAxisd(2.3, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
    for (VecX* v : {&state.x, &state.rod_directors}) {
        const Eigen::Matrix3Xd turned = R * v->reshaped(3, v->size() / 3);
        *v = turned.reshaped();
    }
    state.x += Vec3(1, 2, 3).replicate(state.x.size() / 3, 1);
    EXPECT_NEAR(energy_of(state), before, 1e-9 * before);
}

/// Infinitesimal rotations: their turns θ = ω·t about each edge come with them.
TEST(RodTerm, ForcesAndTorquesOfFreeRodsVanish)
{
    Bent b;
    b.scene.hair().target_rate.setZero();
    b.scene.drive.air_density = 0;
    b.scene.state.rod_spins.setZero();
    b.scene.state.x = b.x.head(b.scene.state.x.size());
    const TimeScheme scheme = time_scheme(b.scene.state, 1e6, Integrator::bdf1);
    b.term.begin(b.scene.drive, b.scene.state, scheme, 1e6);
    b.x.tail(3 * b.term.turn_blocks()).setZero();
    b.term.update(b.x);
    const VecX g = b.gradient();
    for (const Chain& chain : b.term.chains()) {
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3 w = Vec3::Unit(axis);
            double force = 0, torque = 0, size = 0;
            for (std::size_t k = 0; k < chain.size(); k += 4) {
                const Vec3 p = b.x.segment<3>(chain[k]), f = g.segment<3>(chain[k]);
                force += f[axis];
                torque += w.cross(p).dot(f);
                size += f.norm();
                if (chain[k + 3] < 0) continue;
                const Vec3 next = b.x.segment<3>(chain[k + 4]);
                const int rod = chain[k] / 3;
                torque += w.dot((next - p).normalized()) * b.scene.hair().rest_length[rod] *
                          g[chain[k + 3]];
            }
            EXPECT_LT(std::abs(force), 1e-10 * size);
            EXPECT_LT(std::abs(torque), 1e-10 * size);
        }
    }
}
