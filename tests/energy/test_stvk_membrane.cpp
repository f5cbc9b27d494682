#include "core/energy/stvk_membrane.h"

#include "core/base/error.h"
#include "core/math/psd.h"
#include "tests/energy/law_checks.h"
#include "tests/support/eigenvalues.h"
#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"

#include <Eigen/QR>
#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// The constants of the kernel tests: Y across = 1000, ν = 0.3, η = 1.7, G = 420 (twice the
/// engineering modulus); warp modulus ηY, and ην of weft contraction per warp stretch.
const MembraneModuli moduli{1700, 1000, 210, 0.51};

constexpr double beta = 0.02; // [s] of stretch and shear

/// A triangle in the plane z = 0 and its warp.
struct Sample {
    Vec9 rest;
    Vec3 warp;
    StvkTriangle triangle;
};

Sample sample(unsigned seed, const MembraneModuli& m = moduli)
{
    Random random(seed);
    Sample s;
    s.rest << 0, 0, 0, 1 + 0.2 * random(), 0.2 * random(), 0, 0.3 + 0.3 * random(),
        0.9 + 0.2 * random(), 0;
    s.warp = Vec3(random(), random(), 0).normalized();
    s.triangle = stvk_triangle(s.rest.segment<3>(0), s.rest.segment<3>(3), s.rest.segment<3>(6),
                               s.warp, orthotropic_constants(m), viscous_constants(m, beta, beta));
    return s;
}

Mat2 edge_matrix(const Vec9& x)
{
    Mat2 D;
    D << x[3] - x[0], x[6] - x[0], x[4] - x[1], x[7] - x[1];
    return D;
}

Mat2 green_strain(const Vec9& rest, const Vec9& x)
{
    Mat32 d;
    d << x.segment<3>(3) - x.segment<3>(0), x.segment<3>(6) - x.segment<3>(0);
    const Mat32 F = d * edge_matrix(rest).inverse();
    return 0.5 * (F.transpose() * F - Mat2::Identity());
}

double invariant_density(const Mat2& E, const Vec2& a, const OrthotropicConstants& k)
{
    const double J1 = E.trace(), J2 = (E * E).trace(), J3 = a.dot(E * a);
    return k.lambda / 2 * J1 * J1 + k.mu * J2 + k.alpha * J1 * J3 + k.beta * J3 * J3;
}

/// ½(a11 L1² + a22 L2²) + a12 L1 L2 + shear_factor · G · e12², L1 along the warp.
double natural_density(const Mat2& E, const Vec2& a, const MembraneModuli& m, double shear_factor)
{
    const Vec2 b(-a[1], a[0]);
    const double one = 1 - m.poisson * m.poisson * m.young_weft / m.young_warp;
    const double L1 = a.dot(E * a), L2 = b.dot(E * b), e12 = a.dot(E * b);
    return 0.5 * (m.young_warp * L1 * L1 + m.young_weft * L2 * L2) / one +
           m.poisson * m.young_weft / one * L1 * L2 + shear_factor * 2 * m.shear * e12 * e12;
}

/// States in stretch, compression and near collapse.
std::vector<Vec9> states(const Sample& s, unsigned seed)
{
    Random random(seed);
    std::vector<Vec9> x;
    for (const double stretch : {1.4, 1.02, 0.7, 0.3, 0.02}) {
        Vec9 p = s.rest;
        for (int i = 0; i < 9; i += 3) p[i] *= stretch;
        p += 0.02 * Vec9(random.vector(9));
        x.push_back(moved(p, random.rotation(), Vec3(random.vector(3))));
    }
    return x;
}

} // namespace

TEST(StvkMembrane, EdgeFormEqualsDensityTimesArea) // K1
{
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Sample s = sample(seed);
        const double area = 0.5 * edge_matrix(s.rest).determinant();
        const auto error = [&](const Vec9& x) {
            const double direct =
                area * invariant_density(green_strain(s.rest, x), s.warp.head<2>(),
                                         orthotropic_constants(moduli));
            return std::abs(stvk_membrane_energy(x, s.triangle) / direct - 1);
        };
        Random random(seed);
        EXPECT_LT(error(3 * random.vector(9)), 1e-14);
        // A strain is the difference of numbers near 1: both forms lose digits to strains of a few
        // percent, which some of these states have.
        for (const Vec9& x : states(s, seed + 100)) EXPECT_LT(error(x), 3e-14);
    }
}

TEST(StvkMembrane, InvariantFormEqualsNaturalForm) // K2
{
    Random random(2);
    for (int i = 0; i < 20; ++i) {
        Mat2 E;
        E << random(), random(), 0, random();
        E(1, 0) = E(0, 1);
        const Vec2 a = Vec2(random(), random()).normalized();
        const double J = invariant_density(E, a, orthotropic_constants(moduli));
        EXPECT_NEAR(J, natural_density(E, a, moduli, 1.0), 1e-12 * std::abs(J));
        EXPECT_GT(std::abs(J - natural_density(E, a, moduli, 0.5)), 1e-6 * std::abs(J));
    }
}

TEST(StvkMembrane, IsotropicModuliGivePlaneStressLame) // K3
{
    const double Y = 1000, nu = 0.3;
    const OrthotropicConstants k = orthotropic_constants({Y, Y, Y / (2 * (1 + nu)), nu});
    EXPECT_NEAR(k.alpha, 0, 1e-12 * Y);
    EXPECT_NEAR(k.beta, 0, 1e-12 * Y);
    EXPECT_NEAR(k.lambda, Y * nu / (1 - nu * nu), 1e-12 * Y);
    EXPECT_NEAR(k.mu, Y / (2 * (1 + nu)), 1e-12 * Y);
}

TEST(StvkMembrane, DirectionalModulusFollowsTheFormula) // K4
{
    // Linear response C to E in the basis (11, 22, 12); modulus along d: 1 / (d⊗d : C⁻¹ : d⊗d).
    const OrthotropicConstants k = orthotropic_constants(moduli);
    const Vec2 a(0, 1); // warp along y
    Mat3 C;
    const auto strain_of = [](int i) {
        Mat2 E = Mat2::Zero();
        if (i < 2)
            E(i, i) = 1;
        else
            E(0, 1) = E(1, 0) = 1;
        return E;
    };
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            C(i, j) = invariant_density(strain_of(i) + strain_of(j), a, k) -
                      invariant_density(strain_of(i), a, k) - invariant_density(strain_of(j), a, k);
    // The conjugate of E12 counted once is 2 S12.
    for (int degrees = 0; degrees <= 90; degrees += 5) {
        const double phi = degrees * M_PI / 180, c = std::cos(phi), s = std::sin(phi);
        const Vec3 stress(c * c, s * s, 2 * c * s);
        const Vec3 strain = C.inverse() * stress;
        const double along = strain[0] * c * c + strain[1] * s * s + 2 * strain[2] * c * s;
        const double nu = moduli.poisson * moduli.young_weft / moduli.young_warp;
        const double expected = std::pow(c, 4) / moduli.young_weft +
                                (1 / moduli.shear - 2 * nu / moduli.young_weft) * c * c * s * s +
                                std::pow(s, 4) / moduli.young_warp;
        EXPECT_NEAR(along / expected, 1, 1e-15) << degrees;
    }
}

TEST(StvkMembrane, PullTestFollowsTheDirectionalModulus)
{
    // A triangle pulled along d with free sides: nodal forces of a uniaxial stress, the response by
    // its Hessian at rest, the strain along d.
    const Vec3 d(1, 0, 0);
    Vec9 rest;
    rest << 0, 0, 0, 1.1, 0.2, 0, 0.3, 0.9, 0;
    const Vec3 p[3] = {rest.segment<3>(0), rest.segment<3>(3), rest.segment<3>(6)};
    for (int degrees = 0; degrees <= 90; degrees += 5) {
        const double phi = degrees * M_PI / 180, c = std::cos(phi), s = std::sin(phi);
        const StvkTriangle t =
            stvk_triangle(p[0], p[1], p[2], Vec3(c, s, 0), orthotropic_constants(moduli));
        Vec9 force; // of 1 N/m along d: −∂(area)/∂x-like, stress × outward edge normals / 2
        for (int i = 0; i < 3; ++i) {
            const Vec3 e = p[(i + 2) % 3] - p[(i + 1) % 3];
            force.segment<3>(3 * i) = -0.5 * d * d.dot(Vec3(e[1], -e[0], 0));
        }
        const Mat9 H = stvk_membrane_hessian(rest, t, Psd::exact);
        const Vec9 u = H.completeOrthogonalDecomposition().solve(force);
        ASSERT_LT((H * u - force).norm(), 1e-10);
        Mat32 now;
        now << u.segment<3>(3) - u.segment<3>(0), u.segment<3>(6) - u.segment<3>(0);
        const double strain = d.dot(now * edge_matrix(rest).inverse() * d.head<2>());
        const double expected =
            std::pow(c, 4) / moduli.young_warp +
            (1 / moduli.shear - 2 * moduli.poisson / moduli.young_warp) * c * c * s * s +
            std::pow(s, 4) / moduli.young_weft;
        EXPECT_NEAR(strain / expected, 1, 1e-6) << degrees;
    }
}

TEST(StvkMembrane, PulledSheetFollowsTheDirectionalModulus)
{
    // An irregular sheet of many triangles with free sides under a uniform stress of a
    // ten-millionth of the modulus, solved in its plane by Newton's method: every triangle strains
    // alike.
    constexpr int n = 5;
    Random random(21);
    std::vector<Vec3> rest;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
            rest.push_back(Vec3(i + 0.25 * random(), j + 0.25 * random(), 0) / n);
    std::vector<Vec3i> triangles;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const int a = j * (n + 1) + i, b = a + 1, d = a + n + 1, c = d + 1;
            if ((i + j) % 2) {
                triangles.push_back({a, b, d});
                triangles.push_back({b, c, d});
            } else {
                triangles.push_back({a, b, c});
                triangles.push_back({a, c, d});
            }
        }
    const Eigen::Index unknowns = 2 * Eigen::Index(rest.size());
    const double stress = 1e-7 * moduli.young_weft;
    const Vec3 pull(1, 0, 0);
    const auto gathered = [&](const Vec3i& t, const VecX& u) {
        Vec9 x;
        for (int k = 0; k < 3; ++k) {
            x.segment<3>(3 * k) = rest[std::size_t(t[k])];
            x.segment<2>(3 * k) += u.segment<2>(2 * t[k]);
        }
        return x;
    };
    for (int degrees = 0; degrees <= 90; degrees += 5) {
        const double phi = degrees * M_PI / 180, c = std::cos(phi), s = std::sin(phi);
        std::vector<StvkTriangle> elements;
        VecX force = VecX::Zero(unknowns), u = VecX::Zero(unknowns);
        for (const Vec3i& t : triangles) {
            Vec3 p[3];
            for (int k = 0; k < 3; ++k) p[k] = rest[std::size_t(t[k])];
            elements.push_back(
                stvk_triangle(p[0], p[1], p[2], Vec3(c, s, 0), orthotropic_constants(moduli)));
            for (int k = 0; k < 3; ++k) {
                const Vec3 e = p[(k + 2) % 3] - p[(k + 1) % 3];
                force.segment<2>(2 * t[k]) -=
                    0.5 * stress * (pull * pull.dot(Vec3(e[1], -e[0], 0))).head<2>();
            }
        }
        for (int iteration = 0; iteration < 3; ++iteration) {
            VecX residual = force;
            MatX H = MatX::Zero(unknowns, unknowns);
            for (std::size_t e = 0; e < triangles.size(); ++e) {
                const Vec3i& t = triangles[e];
                const Vec9 x = gathered(t, u), g = stvk_membrane_gradient(x, elements[e]);
                const Mat9 K = stvk_membrane_hessian(x, elements[e], Psd::exact);
                for (int k = 0; k < 3; ++k) {
                    residual.segment<2>(2 * t[k]) -= g.segment<2>(3 * k);
                    for (int l = 0; l < 3; ++l)
                        H.block<2, 2>(2 * t[k], 2 * t[l]) += K.block<2, 2>(3 * k, 3 * l);
                }
            }
            // Rigid motions are free: the smallest of all solutions.
            u += H.completeOrthogonalDecomposition().solve(residual);
        }
        const double compliance =
            std::pow(c, 4) / moduli.young_warp +
            (1 / moduli.shear - 2 * moduli.poisson / moduli.young_warp) * c * c * s * s +
            std::pow(s, 4) / moduli.young_weft;
        for (const Vec3i& t : triangles) {
            const Mat2 E = green_strain(gathered(t, VecX::Zero(unknowns)), gathered(t, u));
            EXPECT_NEAR(E(0, 0) / (stress * compliance), 1, 1e-6) << degrees;
        }
    }
}

TEST(StvkMembrane, DerivativesMatchFiniteDifferences) // K5
{
    for (unsigned seed = 0; seed < 5; ++seed) {
        const Sample s = sample(seed);
        const StvkDamping damping{15, Vec3(0.05, -0.1, 0.02)};
        for (const StvkDamping& d : {StvkDamping{}, damping})
            for (const Vec9& x : states(s, seed)) {
                const auto energy = [&](const VecX& p) {
                    return stvk_membrane_energy(p, s.triangle, d);
                };
                const auto gradient = [&](const VecX& p) {
                    return stvk_membrane_gradient(p, s.triangle, d);
                };
                const Mat9 H = stvk_membrane_hessian(x, s.triangle, Psd::exact, d);
                EXPECT_LT(relative_error(gradient(x), fd_gradient(energy, x, 1e-2)), 1e-9);
                EXPECT_LT(relative_error(H, fd_jacobian(gradient, x, 1e-2)), 1e-9);
                EXPECT_LT((H - H.transpose()).norm(), 1e-14 * H.norm());
            }
    }
}

TEST(StvkMembrane, ErrorOfDifferencesFallsWithTheSquareOfTheStep) // V2
{
    // Stretched, compressed, nearly collapsed, turned over.
    Random random(11);
    const Sample s = sample(1);
    const StvkDamping d{15, Vec3(0.05, -0.1, 0.02)};
    std::vector<Vec9> all = states(s, 1);
    Vec9 over = s.rest;
    for (int i = 0; i < 9; i += 3) over[i] *= -0.8;
    all.push_back(over);
    for (const Vec9& x : all)
        check_element_slope(
            x, 0.02, random, [&](const VecX& p) { return stvk_membrane_energy(p, s.triangle, d); },
            [&](const VecX& p) { return stvk_membrane_gradient(p, s.triangle, d); },
            [&](const VecX& p) { return stvk_membrane_hessian(p, s.triangle, Psd::exact, d); });
}

TEST(StvkMembrane, RigidMotionCostsNothing) // K7
{
    const Sample s = sample(3);
    Random random(4);
    for (int i = 0; i < 10; ++i) {
        const Vec9 x = moved(s.rest, random.rotation(), Vec3(random.vector(3)));
        EXPECT_LT(stvk_membrane_energy(x, s.triangle), 1e-25);
        EXPECT_LT(stvk_membrane_gradient(x, s.triangle).norm(), 1e-11);
    }
    for (const Vec9& x : states(s, 5)) {
        const Vec9 g = stvk_membrane_gradient(x, s.triangle);
        EXPECT_LT(force_and_torque(x, g).norm(), 1e-13 * g.norm());
        const Vec9 y = moved(x, random.rotation(), Vec3(random.vector(3)));
        const double W = stvk_membrane_energy(x, s.triangle);
        EXPECT_NEAR(stvk_membrane_energy(y, s.triangle), W, 1e-12 * W);
        // Translations, and only they, are free: three zero eigenvalues.
        const Mat9 H = stvk_membrane_hessian(x, s.triangle, Psd::exact);
        for (int axis = 0; axis < 3; ++axis) {
            Vec9 t = Vec9::Zero();
            for (int v = 0; v < 3; ++v) t[3 * v + axis] = 1;
            EXPECT_LT((H * t).norm(), 1e-14 * H.norm());
        }
        EXPECT_EQ((eigenvalues(H).array().abs() < 1e-12 * H.norm()).count(), 3);
    }
}

TEST(StvkMembrane, ClampedHessianIsPsdAndNotBelowTheExactOne)
{
    int indefinite = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Sample s = sample(seed);
        for (const Vec9& x : states(s, seed)) {
            const Mat9 exact = stvk_membrane_hessian(x, s.triangle, Psd::exact);
            const Mat9 clamped = stvk_membrane_hessian(x, s.triangle, Psd::clamp);
            const double tiny = 1e-13 * exact.norm();
            EXPECT_GE(min_eigenvalue(clamped), -tiny);
            EXPECT_GE(min_eigenvalue(Mat9(clamped - exact)), -tiny);
            if (min_eigenvalue(exact) < -tiny) ++indefinite;
            // No more than a small multiple of what must be added.
            const double needed = (clamp_eigenvalues(exact) - exact).trace();
            EXPECT_LE((clamped - exact).trace(), 4 * needed + tiny);
        }
    }
    EXPECT_GT(indefinite, 20);
}

TEST(StvkMembraneFull, ClampedHessianIsPsdAndNotBelowTheExactOne)
{
    Random random(31);
    double lowest = 0, lowest_difference = 0;
    for (int i = 0; i < 100000; ++i) {
        const Sample s = sample(unsigned(i));
        const Vec9 x = s.rest + (i % 2 ? 0.05 : 1.0) * Vec9(random.vector(9));
        const StvkDamping d{10 + 10 * random(), 0.2 * Vec3(random.vector(3))};
        const Mat9 exact = stvk_membrane_hessian(x, s.triangle, Psd::exact, d);
        const Mat9 clamped = stvk_membrane_hessian(x, s.triangle, Psd::clamp, d);
        lowest = std::min(lowest, min_eigenvalue(clamped) / exact.norm());
        lowest_difference =
            std::min(lowest_difference, min_eigenvalue(Mat9(clamped - exact)) / exact.norm());
    }
    EXPECT_GE(lowest, -1e-12);
    EXPECT_GE(lowest_difference, -1e-12);
}

TEST(StvkMembrane, StretchedTriangleNeedsNoClamp)
{
    const Sample s = sample(1);
    const Vec9 x = 1.5 * s.rest;
    const Mat9 exact = stvk_membrane_hessian(x, s.triangle, Psd::exact);
    EXPECT_LT((stvk_membrane_hessian(x, s.triangle, Psd::clamp) - exact).norm(),
              1e-14 * exact.norm());
}

TEST(StvkMembrane, ScalingRestAndGeometryScalesEnergyQuadratically) // K9
{
    const Sample s = sample(6);
    const Vec2 weights =
        warp_weights(s.rest.segment<3>(0), s.rest.segment<3>(3), s.rest.segment<3>(6), s.warp);
    const Vec9 x = states(s, 7)[0];
    const double W = stvk_membrane_energy(x, s.triangle);
    for (const double scale : {0.1, 0.5, 3.0}) {
        Vec3 lengths;
        for (int i = 0; i < 3; ++i)
            lengths[i] = scale * std::sqrt(s.triangle.rest_squared[std::size_t(i)]);
        const StvkTriangle t = stvk_triangle(lengths, weights, orthotropic_constants(moduli));
        EXPECT_NEAR(stvk_membrane_energy(scale * x, t), scale * scale * W,
                    1e-12 * scale * scale * W);
        for (std::size_t k = 0; k < 6; ++k)
            EXPECT_NEAR(t.stiffness[k] * scale * scale, s.triangle.stiffness[k],
                        1e-12 * std::abs(s.triangle.stiffness[0]));
    }
}

TEST(StvkMembrane, AnimatedRestCarriesTheWarpAlong)
{
    // Rest stretched along the warp by 1.3: the warp must still be the material's warp direction.
    const Sample s = sample(8);
    const Vec3 a = s.warp;
    Vec9 stretched = s.rest;
    const Mat3 F = Mat3::Identity() + 0.3 * a * a.transpose();
    for (int i = 0; i < 9; i += 3) stretched.segment<3>(i) = F * s.rest.segment<3>(i);
    const auto p = [&](int i) { return Vec3(stretched.segment<3>(3 * i)); };
    const OrthotropicConstants k = orthotropic_constants(moduli);
    const StvkTriangle expected = stvk_triangle(p(0), p(1), p(2), a, k);
    const Vec2 weights =
        warp_weights(s.rest.segment<3>(0), s.rest.segment<3>(3), s.rest.segment<3>(6), s.warp);
    const StvkTriangle animated = stvk_triangle(
        Vec3((p(2) - p(1)).norm(), (p(0) - p(2)).norm(), (p(1) - p(0)).norm()), weights, k);
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(animated.stiffness[i], expected.stiffness[i], 1e-11 * expected.stiffness[0]);
}

TEST(StvkMembrane, ViscousForceIsStiffnessTimesVelocity)
{
    // Small motion from rest in one step: damping force = β K v.
    const Sample s = sample(9);
    const double h = 0.01;
    Random random(10);
    const Vec9 v = random.vector(9);
    const double epsilon = 1e-7;
    const Vec9 x = s.rest + epsilon * h * v;
    const StvkDamping damping{1 / h, stvk_membrane_strain(s.rest, s.triangle)};
    const Vec9 viscous =
        stvk_membrane_gradient(x, s.triangle, damping) - stvk_membrane_gradient(x, s.triangle);
    const Vec9 expected =
        beta * stvk_membrane_hessian(s.rest, s.triangle, Psd::exact) * (epsilon * v);
    EXPECT_LT(relative_error(viscous, expected), 1e-6);
}

TEST(StvkMembrane, StretchAndShearAreDampedApart)
{
    const Vec3 p[3] = {Vec3(0, 0, 0), Vec3(1, 0.1, 0), Vec3(0.2, 0.9, 0)};
    const auto viscous_energy = [&](double stretch, double shear, const Mat2& F) {
        const StvkTriangle t =
            stvk_triangle(p[0], p[1], p[2], Vec3(1, 0, 0), OrthotropicConstants(),
                          viscous_constants(moduli, stretch, shear));
        Vec9 rest, x;
        for (int i = 0; i < 3; ++i) {
            rest.segment<3>(3 * i) = p[i];
            const Vec2 q = F * p[i].head<2>();
            x.segment<3>(3 * i) << q, 0;
        }
        return stvk_membrane_energy(x, t, {1.0, stvk_membrane_strain(rest, t)});
    };
    Mat2 pull, skew; // Green strains along the threads only, and between them only
    pull << 1.1, 0, 0, 0.95;
    const double c = std::cos(0.1), d = std::sin(0.1);
    skew << c, d, d, c;
    EXPECT_GT(viscous_energy(1, 0, pull), 1);
    EXPECT_NEAR(viscous_energy(0, 1, pull), 0, 1e-12);
    EXPECT_GT(viscous_energy(0, 1, skew), 1);
    EXPECT_NEAR(viscous_energy(1, 0, skew), 0, 1e-12);
}

TEST(StvkMembrane, RefusesInadmissibleInput)
{
    EXPECT_THROW(orthotropic_constants({0, 1, 1, 0}), InputError);
    EXPECT_THROW(orthotropic_constants({1, 1, -1, 0}), InputError);
    EXPECT_THROW(orthotropic_constants({1000, 4000, 1, 0.5}), InputError);
    EXPECT_NO_THROW(orthotropic_constants({1000, 4000, 1, 0.499}));
    const OrthotropicConstants k = orthotropic_constants(moduli);
    EXPECT_THROW(stvk_triangle(Vec3(1, 1, 2.1), Vec2(1, 0), k), InputError);
    EXPECT_THROW(stvk_triangle({0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 0}, k), InputError);
    EXPECT_THROW(stvk_triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, k), InputError);
}
