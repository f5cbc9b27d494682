#pragma once

#include "core/energy/tet_term.h"
#include "core/math/psd.h"
#include "tests/energy/law_checks.h"
#include "tests/energy/term_checks.h"
#include "tests/support/eigenvalues.h"
#include "tests/support/tet_block.h"

#include <gtest/gtest.h>

/// What every law ψ(F) of a solid must satisfy.
namespace selvage::test
{

inline Mat3 solid_state(Random& random, const Vec3& sigma)
{
    return random.rotation() * sigma.asDiagonal() * random.rotation();
}
/// Columns one after the other (V1).
inline Mat3 matrix3(const VecX& f) { return Eigen::Map<const Mat3>(f.data()); }
inline VecX vector9(const Mat3& F) { return Eigen::Map<const Vec9>(F.data()); }

/// Stretch, compression, near a plane; for laws that bear it, inverted too.
inline std::vector<Vec3> solid_stretches(bool inverted)
{
    std::vector<Vec3> s = {{1.5, 1.2, 1.1}, {1.3, 0.8, 0.7}, {1.02, 1, 0.98},
                           {1, 1, 1},       {0.6, 0.5, 0.4}, {1.2, 1, 0.05}};
    if (inverted)
        for (const Vec3& a : {Vec3(1.2, 1, -0.05), Vec3(1.1, 0.9, -0.5), Vec3(1.3, 1, -0.7)})
            s.push_back(a);
    return s;
}

template <class Law>
void check_solid_derivatives(const typename Law::Moduli& m, double tolerance = 1e-8)
{
    Random random(21);
    for (const Vec3& s : solid_stretches(!Law::injective))
        for (int i = 0; i < 4; ++i) {
            const VecX f = vector9(solid_state(random, s));
            const auto energy = [&](const VecX& y) {
                return solid_density<Law>(matrix3(y), m, Psd::exact).energy;
            };
            const auto stress = [&](const VecX& y) {
                return vector9(solid_density<Law>(matrix3(y), m, Psd::exact).stress);
            };
            const SolidDensity d = solid_density<Law>(matrix3(f), m, Psd::exact);
            const double h = 1e-2 * std::min(1.0, 2 * std::abs(s[2]));
            const double unit = d.hessian.norm();
            EXPECT_LT((vector9(d.stress) - fd_gradient(energy, f, h)).norm(), tolerance * unit)
                << s.transpose();
            EXPECT_LT((d.hessian - fd_jacobian(stress, f, h)).norm(), tolerance * unit)
                << s.transpose();
            EXPECT_LT((d.hessian - d.hessian.transpose()).norm(), 1e-13 * unit);
        }
}

template <class Law> void check_solid_slope(const typename Law::Moduli& m)
{
    Random random(22);
    for (const Vec3& s : solid_stretches(!Law::injective)) {
        SCOPED_TRACE(testing::Message() << "stretches " << s.transpose());
        const VecX f = vector9(solid_state(random, s)), p = random.vector(9);
        check_slope([&](double t) { return solid_density<Law>(matrix3(f + t * p), m, Psd::exact); },
                    vector9, p, 0.01 * std::min(1.0, 2 * std::abs(s[2])));
    }
}

/// Rest and rotations cost nothing (V5, V8); ψ(RF) = ψ(F).
template <class Law> void check_solid_invariance(const typename Law::Moduli& m)
{
    Random random(23);
    const double stiffness = solid_density<Law>(Mat3::Identity(), m, Psd::exact).hessian.norm();
    EXPECT_LT(solid_density<Law>(Mat3::Identity(), m, Psd::exact).stress.norm(), 1e-12 * stiffness);
    for (int i = 0; i < 10000; ++i) {
        const SolidDensity d = solid_density<Law>(random.rotation(), m, Psd::exact);
        ASSERT_NEAR(d.energy, 0, 1e-12 * stiffness);
        ASSERT_LT(d.stress.norm(), 1e-12 * stiffness);
    }
    for (const Vec3& s : solid_stretches(!Law::injective)) {
        const Mat3 F = solid_state(random, s), R = random.rotation();
        const SolidDensity a = solid_density<Law>(F, m, Psd::exact);
        const SolidDensity b = solid_density<Law>(R * F, m, Psd::exact);
        EXPECT_NEAR(b.energy, a.energy, 1e-11 * (std::abs(a.energy) + stiffness));
        EXPECT_LT((b.stress - R * a.stress).norm(), 1e-10 * (a.stress.norm() + stiffness));
    }
}

/// Largest ‖H⁺ − clamp(H)‖/‖H‖ over random F, and how far eigenvalues of H⁺ lie below zero (V6).
template <class Law>
double worst_solid_clamp_error(int count, unsigned seed, const typename Law::Moduli& m)
{
    Random random(seed);
    double worst = 0, lowest = 0;
    for (int i = 0; i < count; ++i) {
        Mat3 F = i % 2 ? matrix3(1.5 * random.vector(9))
                       : Mat3(random.rotation() + 0.1 * matrix3(random.vector(9)));
        if (Law::injective && F.determinant() < 0) F = -F;
        const Mat9 exact = solid_density<Law>(F, m, Psd::exact).hessian;
        const Mat9 H = solid_density<Law>(F, m, Psd::clamp).hessian;
        worst = std::max(worst, (H - clamp_eigenvalues(exact)).norm() / exact.norm());
        if (i < 1000) lowest = std::min(lowest, min_eigenvalue(H) / H.norm());
    }
    EXPECT_GE(lowest, -1e-10);
    return worst;
}

/// The tensor of small strains: Poisson's ratio and Young's modulus at rest.
template <class Law> Vec2 small_strain(const typename Law::Moduli& m)
{
    const Mat9 H = solid_density<Law>(Mat3::Identity(), m, Psd::exact).hessian;
    Mat3 C; // normal strains
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) C(i, j) = H(4 * i, 4 * j);
    const Vec3 strain = C.inverse() * Vec3(1, 0, 0);
    return {-strain[1] / strain[0], 1 / strain[0]};
}

} // namespace selvage::test
