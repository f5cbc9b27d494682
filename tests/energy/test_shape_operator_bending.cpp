#include "core/energy/shape_operator_bending.h"

#include "core/base/error.h"
#include "core/energy/sink.h"
#include "tests/energy/law_checks.h"
#include "tests/energy/term_checks.h"
#include "tests/support/eigenvalues.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

Vec3 corner(const Vec18& x, int i) { return x.segment<3>(3 * i); }

/// A triangle with its three neighbours, nearly flat.
Vec18 flat_patch()
{
    Vec18 x;
    x << 0, 0, 0, 1.1, 0, 0, 0.3, 0.9, 0, 1.3, 1.0, 0, -0.8, 0.5, 0, 0.6, -0.8, 0;
    return x;
}

Vec18 bent_patch(Random& random, double amount)
{
    Vec18 x = flat_patch();
    for (int i = 0; i < 6; ++i) x[3 * i + 2] += amount * random();
    return moved(x, random.rotation(), Vec3(random.vector(3)));
}

Vec3 lengths(const Vec18& x)
{
    return {(corner(x, 2) - corner(x, 1)).norm(), (corner(x, 0) - corner(x, 2)).norm(),
            (corner(x, 1) - corner(x, 0)).norm()};
}

Vec3 neighbour_altitudes(const Vec18& x)
{
    Vec3 h;
    for (int i = 0; i < 3; ++i) {
        const Vec3 a = corner(x, (i + 1) % 3), e = corner(x, (i + 2) % 3) - a;
        h[i] = e.cross(corner(x, 3 + i) - a).norm() / e.norm();
    }
    return h;
}

ShapeTriangle element(const PlateModuli& moduli = {1.3, 0.6, 0.3}, bool free_edge = false)
{
    const Vec18 x = flat_patch();
    Vec3 h = neighbour_altitudes(x);
    if (free_edge) h[1] = -1;
    return shape_triangle(lengths(x), h, {0.1, -0.2, 0.15}, Vec2(0.7, -0.4), moduli);
}

/// K as a matrix.
Mat3 stiffness(const ShapeTriangle& t)
{
    const auto& k = t.stiffness;
    Mat3 K;
    K << k[0], k[1], k[2], k[1], k[3], k[4], k[2], k[4], k[5];
    return K;
}

const BendingForm forms[] = {BendingForm::angle, BendingForm::tangent};

} // namespace

TEST(ShapeOperatorBending, GradientAndHessianMatchFiniteDifferences)
{
    Random random(5);
    for (const BendingForm form : forms)
        for (const bool free_edge : {false, true})
            for (const double amount : {0.02, 0.3, 1.0}) {
                const Vec18 x = bent_patch(random, amount);
                const ShapeTriangle t = element({1.3, 0.6, 0.3}, free_edge);
                const ShapeDamping damping{0.7, {0.3, -0.1, 0.2}};
                const VecX g = fd_gradient(
                    [&](const VecX& y) { return shape_operator_energy(y, t, form, damping); }, x,
                    2e-3);
                EXPECT_LT(relative_error(shape_operator_gradient(x, t, form, damping), g), 1e-8);
                const MatX H = fd_jacobian(
                    [&](const VecX& y) { return shape_operator_gradient(y, t, form, damping); }, x,
                    2e-3);
                EXPECT_LT(
                    relative_error(shape_operator_hessian(x, t, form, Psd::exact, damping), H),
                    1e-7);
            }
}

TEST(ShapeOperatorBending, ErrorOfDifferencesFallsWithTheSquareOfTheStep) // V2
{
    // Nearly flat, bent, folded over; then with a neighbour that is nearly a line.
    Random random(15);
    for (const BendingForm form : forms)
        for (const double amount : {0.02, 0.4, 1.0})
            for (const bool thin : {false, true}) {
                SCOPED_TRACE(testing::Message() << "amount " << amount << " thin " << thin);
                Vec18 x = bent_patch(random, amount);
                const Vec3 middle = 0.5 * (corner(x, 1) + corner(x, 2));
                if (thin) x.segment<3>(9) = middle + 0.1 * (corner(x, 3) - middle);
                const ShapeTriangle t = element();
                const ShapeDamping damping{0.7, {0.3, -0.1, 0.2}};
                check_element_slope(
                    x, thin ? 3e-4 : 3e-3, random,
                    [&](const VecX& p) { return shape_operator_energy(p, t, form, damping); },
                    [&](const VecX& p) { return shape_operator_gradient(p, t, form, damping); },
                    [&](const VecX& p) {
                        return shape_operator_hessian(p, t, form, Psd::exact, damping);
                    });
            }
}

/// Smallest eigenvalues of the clamp and of its difference to the exact Hessian, relative, over
/// random patches; the second one is of the exact Hessian.
struct ClampCheck {
    double lowest = 0, lowest_difference = 0, most_indefinite = 0;

    ClampCheck(int count, unsigned seed)
    {
        Random random(seed);
        for (int k = 0; k < count; ++k) {
            const BendingForm form = forms[k % 2];
            const Vec18 x = bent_patch(random, k / 2 % 2 ? 0.1 : 1.0);
            const ShapeTriangle t = element({1.3, 0.6, 0.3}, k % 5 == 0);
            const ShapeDamping damping{k % 3 ? 0 : 0.7, {0.3, -0.1, 0.2}};
            const Mat18 exact = shape_operator_hessian(x, t, form, Psd::exact, damping);
            const Mat18 clamped = shape_operator_hessian(x, t, form, Psd::clamp, damping);
            const auto least = [&](const Mat18& H) { return min_eigenvalue(H) / clamped.norm(); };
            lowest = std::min(lowest, least(clamped));
            lowest_difference = std::min(lowest_difference, least(clamped - exact));
            most_indefinite = std::min(most_indefinite, least(exact));
        }
    }
};

TEST(ShapeOperatorBending, ClampedHessianIsPsdAndNotBelowTheExactOne)
{
    const ClampCheck check(400, 6);
    EXPECT_GE(check.lowest, -1e-12);
    EXPECT_GE(check.lowest_difference, -1e-12);
    EXPECT_LT(check.most_indefinite, -1e-3);
}

TEST(ShapeOperatorBending, ClampIsExactAtRest)
{
    Random random(12);
    for (const BendingForm form : forms) {
        const Vec18 x = bent_patch(random, 0.4);
        Vec3 angles;
        for (int i = 0; i < 3; ++i) {
            Vec12 p;
            const int at[4] = {i, (i + 1) % 3, (i + 2) % 3, 3 + i};
            for (int k = 0; k < 4; ++k) p.segment<3>(3 * k) = corner(x, at[k]);
            angles[i] = hinge_angle(p);
        }
        const ShapeTriangle t = shape_triangle(lengths(x), neighbour_altitudes(x), angles,
                                               Vec2(0.7, -0.4), {1.3, 0.6, 0.3});
        EXPECT_LT(shape_operator_energy(x, t, form), 1e-20);
        EXPECT_LT(relative_error(shape_operator_hessian(x, t, form, Psd::clamp),
                                 shape_operator_hessian(x, t, form, Psd::exact)),
                  1e-10);
    }
}

TEST(ShapeOperatorBending, RigidMotionCostsNothing)
{
    Random random(7);
    const ShapeTriangle t = element();
    const Vec18 x = bent_patch(random, 0.5);
    const double energy = shape_operator_energy(x, t, BendingForm::tangent);
    const Vec18 y = moved(x, random.rotation(), Vec3(4, -2, 1));
    EXPECT_NEAR(shape_operator_energy(y, t, BendingForm::tangent), energy, 1e-12 * energy);
    const Vec18 f = shape_operator_gradient(x, t, BendingForm::tangent);
    EXPECT_LT(force_and_torque(x, f).norm(), 1e-12 * f.norm());
}

TEST(ShapeOperatorBending, QuadraticShapesHaveTheEnergyOfThePlate)
{
    // Small deflections w = ½ rᵀHr over a triangle whose neighbours are its point reflections.
    Random random(9);
    const Vec2 p[3] = {{0, 0}, {1, 0.1}, {0.4, 0.8}};
    const PlateModuli moduli{2.0, 0.5, 0.3};
    const Vec2 warp = Vec2(0.6, 0.8), weft(-0.8, 0.6);
    for (int k = 0; k < 20; ++k) {
        Mat2 H;
        H << random(), random(), 0, random();
        H(1, 0) = H(0, 1);
        Vec18 x, flat;
        for (int i = 0; i < 6; ++i) {
            const Vec2 r = i < 3 ? p[i] : Vec2(p[0] + p[1] + p[2] - 2 * p[i - 3]);
            const double w = 1e-5 * 0.5 * r.dot(H * r);
            x.segment<3>(3 * i) << r[0], r[1], w;
            flat.segment<3>(3 * i) << r[0], r[1], 0;
        }
        const Vec3 e0 = corner(flat, 2) - corner(flat, 1), e1 = corner(flat, 0) - corner(flat, 2);
        Mat2 E;
        E << e0[0], e1[0], e0[1], e1[1];
        const Vec2 weights = E.inverse() * weft;
        const ShapeTriangle t =
            shape_triangle(lengths(flat), neighbour_altitudes(flat), Vec3::Zero(), weights, moduli);
        const double a = warp.dot(H * warp), b = weft.dot(H * weft), c = warp.dot(H * weft);
        const double area = 0.5 * e0.cross(e1).norm(), mixed = 1.0;
        const double expected =
            0.5 * area *
            (2.0 * a * a + 2 * 0.3 * mixed * a * b + 0.5 * b * b + 2 * 0.7 * mixed * c * c);
        EXPECT_NEAR(1e10 * shape_operator_energy(x, t, BendingForm::angle) / expected, 1, 1e-6);
    }
}

TEST(ShapeOperatorBending, FreeEdgesCarryNoMoment)
{
    // Condensed energy = minimum of the full one over the angle of the free edge.
    const Mat3 full = stiffness(element()), free = stiffness(element({1.3, 0.6, 0.3}, true));
    EXPECT_EQ(free.col(1).norm(), 0);
    Random random(2);
    for (int k = 0; k < 10; ++k) {
        Vec3 phi(random(), random(), random());
        phi[1] = -(full(1, 0) * phi[0] + full(1, 2) * phi[2]) / full(1, 1);
        EXPECT_NEAR(phi.dot(free * phi), phi.dot(full * phi), 1e-12);
        EXPECT_NEAR((full * phi)[1], 0, 1e-12);
    }
}

TEST(ShapeOperatorBending, TermAgreesWithElements)
{
    const Mesh mesh = grid_cloth(5, 4, 1, 0.8, false);
    Random random(4);
    VecX x = mesh.stacked();
    for (double& a : x) a += 0.03 * random();
    std::map<std::pair<int, int>, int> opposite;
    const auto& t = mesh.triangles;
    for (std::size_t k = 0; k < t.size(); k += 3)
        for (std::size_t i = 0; i < 3; ++i)
            opposite[{t[k + (i + 1) % 3], t[k + (i + 2) % 3]}] = t[k + i];
    std::vector<std::int32_t> vertices;
    std::vector<ShapeTriangle> rest;
    for (std::size_t k = 0; k < t.size(); k += 3) {
        Vec3 altitude(-1, -1, -1);
        Vec3 p[3];
        for (std::size_t i = 0; i < 3; ++i) {
            vertices.push_back(t[k + i]);
            p[i] = mesh.points[std::size_t(t[k + i])];
        }
        for (std::size_t i = 0; i < 3; ++i) {
            const auto other = opposite.find({t[k + (i + 2) % 3], t[k + (i + 1) % 3]});
            vertices.push_back(other == opposite.end() ? t[k + i] : other->second);
            const Vec3 e = p[(i + 2) % 3] - p[(i + 1) % 3];
            if (other != opposite.end())
                altitude[Eigen::Index(i)] = e.cross(p[i] - p[(i + 1) % 3]).norm() / e.norm();
        }
        rest.push_back(
            shape_triangle({(p[2] - p[1]).norm(), (p[0] - p[2]).norm(), (p[1] - p[0]).norm()},
                           altitude, Vec3::Zero(), Vec2(0.3, 0.8), {1, 2, 0.25}));
    }
    ShapeOperatorBending term(vertices, rest, BendingForm::tangent, {}, mesh.vertex_count());
    const BendingForm form = BendingForm::tangent;
    for (const Want want : {all_clamped, all_exact})
        expect_equal_to_sum<6>(
            term, vertices, x, want,
            [&](std::size_t e, const Vec18& p) { return shape_operator_energy(p, rest[e], form); },
            [&](std::size_t e, const Vec18& p) {
                return shape_operator_gradient(p, rest[e], form);
            },
            [&](std::size_t e, const Vec18& p) {
                return shape_operator_hessian(p, rest[e], form, want.psd);
            });
}

TEST(ShapeOperatorBendingFull, ClampedHessianIsPsdAndNotBelowTheExactOne)
{
    const ClampCheck check(100000, 16);
    EXPECT_GE(check.lowest, -1e-12);
    EXPECT_GE(check.lowest_difference, -1e-12);
}

TEST(ShapeOperatorBending, RefusesAFlatTriangle)
{
    EXPECT_THROW(shape_triangle({1, 1, 2}, {1, 1, 1}, Vec3::Zero(), {1, 0}, {1, 1, 0}), InputError);
}
