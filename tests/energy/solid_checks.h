#pragma once

#include "core/energy/tet_term.h"
#include "core/math/psd.h"
#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

/// What every law ψ(F) of a solid must satisfy.
namespace selvage::test
{

inline Mat3 solid_state(Random& random, const Vec3& sigma)
{
    return random.rotation() * sigma.asDiagonal() * random.rotation();
}
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

/// Error of plain central differences falls with h² while h is halved four times (V2).
template <class Law> void check_solid_slope(const typename Law::Moduli& m)
{
    Random random(22);
    for (const Vec3& s : {Vec3(1.5, 1.2, 1.1), Vec3(0.9, 0.8, 0.6)}) {
        const VecX f = vector9(solid_state(random, s)), p = random.vector(9);
        const auto at = [&](double t) {
            return solid_density<Law>(matrix3(f + t * p), m, Psd::exact);
        };
        const SolidDensity d = at(0);
        const auto errors = [&](double h) {
            const double slope = vector9(d.stress).dot(p);
            const double e = (at(h).energy - at(-h).energy) / (2 * h) - slope;
            const VecX g = vector9(at(h).stress - at(-h).stress) / (2 * h) - d.hessian * p;
            return Vec2(std::abs(e), g.norm());
        };
        double h = 0.02;
        Vec2 last = errors(h);
        for (int i = 0; i < 4; ++i) {
            const Vec2 next = errors(h /= 2);
            // A density that is quadratic along p has no error to shrink.
            for (int k = 0; k < 2; ++k)
                if (last[k] > 1e-7 * d.hessian.norm()) {
                    EXPECT_NEAR(std::log2(last[k] / next[k]), 2, 0.1) << h;
                }
            last = next;
        }
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

/// Largest ‖H⁺ − clamp(H)‖/‖H‖ over random F (V6).
template <class Law>
double worst_solid_clamp_error(int count, unsigned seed, const typename Law::Moduli& m)
{
    Random random(seed);
    double worst = 0;
    for (int i = 0; i < count; ++i) {
        Mat3 F = i % 2 ? matrix3(1.5 * random.vector(9))
                       : Mat3(random.rotation() + 0.1 * matrix3(random.vector(9)));
        if (Law::injective && F.determinant() < 0) F = -F;
        const Mat9 exact = solid_density<Law>(F, m, Psd::exact).hessian;
        const Mat9 H = solid_density<Law>(F, m, Psd::clamp).hessian;
        worst = std::max(worst, (H - clamp_psd<9>(exact)).norm() / exact.norm());
    }
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

/// A block of nx × ny × nz cubes of the given edge, each cut into six tetrahedra.
struct TetMesh {
    std::vector<Vec3> points;
    std::vector<std::int32_t> tets;

    VecX stacked() const
    {
        VecX x(3 * std::ptrdiff_t(points.size()));
        for (std::size_t i = 0; i < points.size(); ++i)
            x.segment<3>(3 * std::ptrdiff_t(i)) = points[i];
        return x;
    }
    std::vector<TetRest> rest() const
    {
        std::vector<TetRest> r;
        const auto p = [&](std::size_t i) { return points[std::size_t(tets[i])]; };
        for (std::size_t t = 0; t < tets.size(); t += 4)
            r.push_back(tet_rest(p(t), p(t + 1), p(t + 2), p(t + 3)));
        return r;
    }
};

inline TetMesh tet_block(int nx, int ny, int nz, double edge)
{
    TetMesh m;
    for (int k = 0; k <= nz; ++k)
        for (int j = 0; j <= ny; ++j)
            for (int i = 0; i <= nx; ++i) m.points.push_back(edge * Vec3(i, j, k));
    const auto id = [&](int i, int j, int k) {
        return std::int32_t((k * (ny + 1) + j) * (nx + 1) + i);
    };
    const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i)
                for (int t = 0; t < 6; ++t) {
                    // A path from corner to corner along the axes in some order.
                    Vec3i c(i, j, k);
                    std::int32_t v[4];
                    for (int s = 0; s < 4; ++s) {
                        v[s] = id(c[0], c[1], c[2]);
                        if (s < 3) ++c[order[t][s]];
                    }
                    if (t >= 3) std::swap(v[2], v[3]); // odd orders are inside out
                    m.tets.insert(m.tets.end(), v, v + 4);
                }
    return m;
}

} // namespace selvage::test
