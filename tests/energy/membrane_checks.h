#pragma once

#include "core/energy/membrane_term.h"
#include "core/math/psd.h"
#include "tests/energy/law_checks.h"
#include "tests/energy/term_checks.h"
#include "tests/support/eigenvalues.h"

#include <gtest/gtest.h>

/// What every law ψ(F) of a membrane must satisfy.
namespace selvage::test
{

/// F with the given singular values and random frames.
inline Mat32 membrane_state(Random& random, double s0, double s1)
{
    return random.rotation().leftCols<2>() * Vec2(s0, s1).asDiagonal() *
           Eigen::Rotation2Dd(M_PI * random()).toRotationMatrix();
}

/// Stretch, compression, turned over, near a line; the step of differences is relative to the
/// smaller value.
inline std::vector<Vec2> membrane_stretches()
{
    return {{1.4, 1.2}, {1.3, 0.9},  {1.02, 0.98}, {0.7, 0.6},
            {1.1, 0.3}, {1.1, -0.4}, {0.2, 0.15},  {1.2, 0.01}};
}

/// A step for differences around such a state, as a part of its smaller value.
inline double difference_step(const Vec2& s, double part)
{
    return part * std::min(std::abs(s[1]), 1.0);
}

inline Mat32 as_matrix(const VecX& f) { return Eigen::Map<const Mat32>(f.data()); }
inline VecX as_vector(const Mat32& F) { return Eigen::Map<const Vec6>(F.data()); }

template <class Law>
void check_membrane_derivatives(const typename Law::Moduli& m, const Law& law = {},
                                double tolerance = 1e-8)
{
    Random random(11);
    for (const Vec2& s : membrane_stretches())
        for (int i = 0; i < 5; ++i) {
            const VecX f = as_vector(membrane_state(random, s[0], s[1]));
            const auto energy = [&](const VecX& y) {
                return membrane_density<Law>(as_matrix(y), m, Psd::exact, law).energy;
            };
            const auto stress = [&](const VecX& y) {
                return as_vector(membrane_density<Law>(as_matrix(y), m, Psd::exact, law).stress);
            };
            const MembraneDensity d = membrane_density<Law>(as_matrix(f), m, Psd::exact, law);
            const double h = difference_step(s, 1e-2);
            EXPECT_LT(relative_error(as_vector(d.stress), fd_gradient(energy, f, h)), tolerance)
                << s.transpose();
            EXPECT_LT(relative_error(d.hessian, fd_jacobian(stress, f, h)), tolerance)
                << s.transpose();
            EXPECT_LT((d.hessian - d.hessian.transpose()).norm(), 1e-13 * d.hessian.norm());
        }
}

template <class Law> void check_membrane_slope(const typename Law::Moduli& m, const Law& law = {})
{
    Random random(12);
    for (const Vec2& s : membrane_stretches()) {
        SCOPED_TRACE(testing::Message() << "stretches " << s.transpose());
        const VecX f = as_vector(membrane_state(random, s[0], s[1])), p = random.vector(6);
        check_slope(
            [&](double t) {
                return membrane_density<Law>(as_matrix(f + t * p), m, Psd::exact, law);
            },
            as_vector, p, difference_step(s, 2e-2));
    }
}

template <class Law>
void check_membrane_invariance(const typename Law::Moduli& m, const Law& law = {})
{
    Random random(13);
    const double stiffness =
        membrane_density<Law>(Mat3::Identity().leftCols<2>(), m, Psd::exact, law).hessian.norm();
    for (int i = 0; i < 1000; ++i) {
        const Mat32 rigid = random.rotation().leftCols<2>();
        const MembraneDensity d = membrane_density<Law>(rigid, m, Psd::exact, law);
        EXPECT_NEAR(d.energy, 0, 1e-12 * stiffness);
        EXPECT_LT(d.stress.norm(), 1e-12 * stiffness);
    }
    for (const Vec2& s : membrane_stretches()) {
        const Mat32 F = membrane_state(random, s[0], s[1]);
        const Mat3 R = random.rotation();
        const MembraneDensity a = membrane_density<Law>(F, m, Psd::exact, law);
        const MembraneDensity b = membrane_density<Law>(R * F, m, Psd::exact, law);
        EXPECT_NEAR(b.energy, a.energy, 1e-11 * (a.energy + stiffness));
        EXPECT_LT((b.stress - R * a.stress).norm(), 1e-10 * (a.stress.norm() + stiffness));
    }
}

/// Largest ‖H⁺ − clamp(H)‖/‖H‖ over random F; `reference` gives what clamping should yield.
template <class Law, class Reference>
double worst_clamp_error(int count, unsigned seed, const typename Law::Moduli& m, const Law& law,
                         const Reference& reference)
{
    Random random(seed);
    double worst = 0;
    for (int i = 0; i < count; ++i) {
        const Mat32 F = i % 2 ? as_matrix(1.5 * random.vector(6))
                              : membrane_state(random, 1 + 0.1 * random(), 1 + 0.1 * random());
        const Mat6 expected = reference(F);
        const Mat6 H = membrane_density<Law>(F, m, Psd::clamp, law).hessian;
        const double norm = membrane_density<Law>(F, m, Psd::exact, law).hessian.norm();
        worst = std::max(worst, (H - expected).norm() / norm);
    }
    return worst;
}

template <class Law>
double worst_clamp_error(int count, unsigned seed, const typename Law::Moduli& m,
                         const Law& law = {})
{
    return worst_clamp_error<Law>(count, seed, m, law, [&](const Mat32& F) {
        return clamp_eigenvalues(membrane_density<Law>(F, m, Psd::exact, law).hessian);
    });
}

/// One element against differences of its energy; forces and torques vanish.
template <class Law> void check_membrane_element(const typename Law::Moduli& m, const Law& law = {})
{
    Random random(14);
    for (int i = 0; i < 10; ++i) {
        Vec9 rest;
        rest << 0, 0, 0, 1 + 0.2 * random(), 0.2 * random(), 0, 0.3 + 0.3 * random(),
            0.9 + 0.2 * random(), 0;
        const Vec3 warp(random(), random(), random());
        const MembraneTriangle t =
            membrane_triangle(rest.segment<3>(0), rest.segment<3>(3), rest.segment<3>(6), warp);
        EXPECT_LT(membrane_energy<Law>(moved(rest, random.rotation(), warp), t, m, law), 1e-12);
        const Vec9 x =
            moved(Vec9(rest + 0.15 * random.vector(9)), random.rotation(), Vec3(random.vector(3)));
        const auto energy = [&](const VecX& p) { return membrane_energy<Law>(p, t, m, law); };
        const auto gradient = [&](const VecX& p) { return membrane_gradient<Law>(p, t, m, law); };
        const Vec9 g = gradient(x);
        EXPECT_LT(relative_error(g, fd_gradient(energy, x, 5e-3)), 1e-8);
        EXPECT_LT(relative_error(membrane_hessian<Law>(x, t, m, Psd::exact, law),
                                 fd_jacobian(gradient, x, 5e-3)),
                  1e-8);
        EXPECT_LT(force_and_torque(x, g).norm(), 1e-12 * g.norm());
        const Mat9 H = membrane_hessian<Law>(x, t, m, Psd::clamp, law);
        EXPECT_GE(min_eigenvalue(H), -1e-12 * H.norm());
        for (int axis = 0; axis < 3; ++axis) { // translations are free
            Vec9 shift = Vec9::Zero();
            for (int v = 0; v < 3; ++v) shift[3 * v + axis] = 1;
            EXPECT_LT((H * shift).norm(), 1e-13 * H.norm());
        }
    }
}

/// The batched term against the sum over its elements.
template <class Law> void check_membrane_term(const typename Law::Moduli& m, const Law& law = {})
{
    const Mesh mesh = grid_cloth(5, 4, 1, 0.8);
    Random random(15);
    const VecX x = mesh.stacked() + 0.06 * random.vector(3 * mesh.vertex_count());
    std::vector<MembraneTriangle> rest;
    for (std::size_t t = 0; t < mesh.triangles.size() / 3; ++t) {
        const Vec9 p = element_positions<3>(mesh.stacked(), mesh.triangles, t);
        rest.push_back(
            membrane_triangle(p.segment<3>(0), p.segment<3>(3), p.segment<3>(6), Vec3(1, 0, 0.3)));
    }
    const MembraneTerm<Law> term(mesh.triangles, rest, {m}, mesh.vertex_count(), law);
    expect_equal_to_sum<3>(
        term, mesh.triangles, x, all_clamped,
        [&](std::size_t t, const Vec9& p) { return membrane_energy<Law>(p, rest[t], m, law); },
        [&](std::size_t t, const Vec9& p) { return membrane_gradient<Law>(p, rest[t], m, law); },
        [&](std::size_t t, const Vec9& p) {
            return membrane_hessian<Law>(p, rest[t], m, Psd::clamp, law);
        });
}

} // namespace selvage::test
