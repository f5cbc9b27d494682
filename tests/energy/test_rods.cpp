#include "core/energy/rod_bend.h"
#include "core/energy/rod_chain.h"
#include "core/energy/rod_stretch.h"
#include "core/energy/rod_twist.h"
#include "tests/energy/law_checks.h"
#include "tests/support/eigenvalues.h"
#include "tests/support/finite_difference.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

using V = Vec3T<double>;
using Vec8 = Eigen::Matrix<double, 8, 1>;
using Mat8 = Eigen::Matrix<double, 8, 8>;

V vec(const Vec3& a) { return {a[0], a[1], a[2]}; }
V unit(const V& a) { return (1 / std::sqrt(dot(a, a))) * a; }
double norm(const V& a) { return std::sqrt(dot(a, a)); }

/// Two edges with frames, and what a displacement q = [e f θ_e θ_f] makes of them.
struct Pair {
    V e, f, m_e, m_f;
    double twist = 0; ///< at the start, three turns up

    Pair(Random& random, double angle, double length_e, double length_f)
    {
        const Mat3 R = random.rotation();
        e = vec(R * Vec3(length_e, 0, 0));
        f = vec(R * (length_f * Vec3(std::cos(angle), std::sin(angle), 0)));
        m_e = unit_across(vec(random.vector(3)), unit(e));
        m_f = unit_across(vec(random.vector(3)), unit(f));
        twist = rod_twist_angle(at(start()), 6 * M_PI);
    }
    Vec8 start() const { return (Vec8() << e.x, e.y, e.z, f.x, f.y, f.z, 0, 0).finished(); }
    RodVertex<double> at(const VecX& q) const
    {
        const auto frame = [](const V& from, const V& to, const V& m, double theta) {
            return turned(transport(unit(from), unit(to), m), unit(to), cosine(theta), sine(theta));
        };
        const V e1 = {q[0], q[1], q[2]}, f1 = {q[3], q[4], q[5]};
        return rod_vertex(unit(e1), 1 / norm(e1), frame(e, e1, m_e, q[6]), unit(f1), 1 / norm(f1),
                          frame(f, f1, m_f, q[7]));
    }
};

Vec8 stacked(const RodGradient<double>& g)
{
    return (Vec8() << g.e.x, g.e.y, g.e.z, g.f.x, g.f.y, g.f.z, g.a, g.b).finished();
}

Mat8 stacked(const RodHessian<double>& h)
{
    Mat8 H = Mat8::Zero();
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            H(i, j) = h.ee.m[3 * i + j], H(3 + i, 3 + j) = h.ff.m[3 * i + j];
            H(i, 3 + j) = H(3 + j, i) = h.ef.m[3 * i + j];
        }
    const auto column = [&](int row, int col, const V& v) {
        H.block<3, 1>(row, col) << v.x, v.y, v.z;
        H.block<1, 3>(col, row) << v.x, v.y, v.z;
    };
    column(0, 6, h.ea), column(0, 7, h.eb), column(3, 6, h.fa), column(3, 7, h.fb);
    H(6, 6) = h.aa, H(7, 7) = h.bb, H(6, 7) = H(7, 6) = h.ab;
    return H;
}

const RodBendLaw<double> bend_law{{1.3, 0.4, 0.7}, 0.3, -0.2};
const RodTwistLaw<double> twist_law{1.7, 0.4};

RodResult<double> bend(const RodVertex<double>& v, double /*near*/)
{
    RodResult<double> r;
    set_zero(r);
    add_rod_bend(v, bend_law, {true, true, true, Psd::exact}, r);
    return r;
}
RodResult<double> twist(const RodVertex<double>& v, double near)
{
    RodResult<double> r;
    set_zero(r);
    add_rod_twist(v, rod_twist_angle(v, near), twist_law, {true, true, true, Psd::exact}, r);
    return r;
}

/// Nearly straight, bent, sharply bent, nearly folded; equal and unequal edges.
template <class Check> void for_pairs(Check check)
{
    Random random(5);
    for (const double angle : {0.0, 1e-7, 0.05, 0.8, 2.0, 2.8})
        for (const double ratio : {1.0, 0.2})
            for (int i = 0; i < 3; ++i) check(Pair(random, angle, 1.0, ratio), angle, ratio);
}

double frobenius_error(const MatX& a, const MatX& b) { return (a - b).norm() / (1 + b.norm()); }

/// Second differences of a scalar, fourth order.
template <class F> Mat8 fd_hessian(const F& f, const Vec8& q, double h)
{
    Mat8 H;
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j <= i; ++j) {
            const auto difference = [&](double step) {
                const Vec8 a = step * Vec8::Unit(i), b = step * Vec8::Unit(j);
                return (f(q + a + b) - f(q + a - b) - f(q - a + b) + f(q - a - b)) /
                       (4 * step * step);
            };
            H(i, j) = H(j, i) =
                1.5 * difference(h) - 0.6 * difference(2 * h) + 0.1 * difference(3 * h);
        }
    return H;
}

} // namespace

TEST(RodStretch, DerivativesMatchFiniteDifferences)
{
    Random random(1);
    for (const double stretch : {0.2, 0.9, 1.0, 1.5}) {
        const VecX d = random.rotation().col(0) * stretch * 0.7;
        VecX x(6);
        x << 0.1, 0.2, 0.3, Vec3(0.1, 0.2, 0.3) + d;
        const auto energy = [](const VecX& y) { return rod_stretch_energy(y, 10, 0.7); };
        const auto gradient = [](const VecX& y) { return VecX(rod_stretch_gradient(y, 10, 0.7)); };
        EXPECT_LT((rod_stretch_gradient(x, 10, 0.7) - fd_gradient(energy, x, 1e-3)).norm(), 1e-9);
        EXPECT_LT(frobenius_error(rod_stretch_hessian(x, 10, 0.7, Psd::exact),
                                  fd_jacobian(gradient, x, 1e-3)),
                  1e-9);
        const Mat6 exact = rod_stretch_hessian(x, 10, 0.7, Psd::exact);
        EXPECT_LT((rod_stretch_hessian(x, 10, 0.7, Psd::clamp) - clamp_eigenvalues(exact)).norm(),
                  1e-12);
    }
}

/// Curvature and twist by the displacement of edges and frames.
TEST(RodBend, CurvatureGradientsMatchFiniteDifferences)
{
    for_pairs([](const Pair& pair, double angle, double ratio) {
        const RodVertex<double> v = pair.at(pair.start());
        double k1, k2;
        rod_curvature(v, k1, k2);
        const auto component = [&](int which) {
            return [&pair, which](const VecX& q) {
                double k[2];
                rod_curvature(pair.at(q), k[0], k[1]);
                return k[which];
            };
        };
        const double h = 1e-2 * ratio * std::min(1.0, M_PI - angle);
        const Vec8 g1 = stacked(rod_curvature_gradient(v, k1, v.m2_e, v.m2_f, -v.m1_e, -v.m1_f));
        const Vec8 g2 = stacked(rod_curvature_gradient(v, k2, -v.m1_e, -v.m1_f, -v.m2_e, -v.m2_f));
        EXPECT_LT(frobenius_error(g1, fd_gradient(component(0), pair.start(), h)), 1e-9);
        EXPECT_LT(frobenius_error(g2, fd_gradient(component(1), pair.start(), h)), 1e-9);
    });
}

TEST(RodTwist, GradientMatchesFiniteDifferences)
{
    for_pairs([](const Pair& pair, double angle, double ratio) {
        const auto m = [&](const VecX& q) { return rod_twist_angle(pair.at(q), pair.twist); };
        const double h = 1e-2 * ratio * std::min(1.0, M_PI - angle);
        EXPECT_NEAR(m(pair.start()), 6 * M_PI, M_PI);
        EXPECT_LT(frobenius_error(stacked(rod_twist_gradient(pair.at(pair.start()))),
                                  fd_gradient(m, pair.start(), h)),
                  1e-9);
    });
}

template <class Energy> void check_hessian(const Energy& energy)
{
    for_pairs([&](const Pair& pair, double angle, double ratio) {
        const auto value = [&](const VecX& q) { return energy(pair.at(q), pair.twist).energy; };
        const double h = 1e-2 * ratio * std::min(1.0, M_PI - angle);
        const RodResult<double> r = energy(pair.at(pair.start()), pair.twist);
        EXPECT_LT(frobenius_error(stacked(r.gradient), fd_gradient(value, pair.start(), h)), 1e-9);
        EXPECT_LT(frobenius_error(stacked(r.hessian), fd_hessian(value, pair.start(), h)), 1e-6)
            << "angle " << angle << ", edge ratio " << ratio;
    });
}

TEST(RodBend, HessianMatchesFiniteDifferences) { check_hessian(bend); }
TEST(RodTwist, HessianMatchesFiniteDifferences) { check_hessian(twist); }

/// The error of central differences along one direction falls with h², of slope and curvature, for
/// pairs that are straight, bent, and nearly folded, with edges alike and nearly vanished.
template <class Energy> void check_rod_slope(const Energy& energy)
{
    Random random(8);
    for (const double angle : {0.0, 0.05, 0.8, 2.0, 2.9})
        for (const double ratio : {1.0, 0.2, 0.01}) {
            SCOPED_TRACE(testing::Message() << "angle " << angle << " ratio " << ratio);
            const Pair pair(random, angle, 1.0, ratio);
            const Vec8 q = pair.start(), p = random.vector(8);
            const auto value = [&](double t) {
                return energy(pair.at(q + t * p), pair.twist).energy;
            };
            const RodResult<double> r = energy(pair.at(q), pair.twist);
            const double slope = stacked(r.gradient).dot(p), curve = p.dot(stacked(r.hessian) * p);
            const auto errors = [&](double h) {
                return Vec2((value(h) - value(-h)) / (2 * h) - slope,
                            (value(h) - 2 * value(0) + value(-h)) / (h * h) - curve);
            };
            const double h = 0.04 * ratio * std::min(1.0, M_PI - angle);
            const Vec2 coarse = errors(h), fine = errors(h / 2);
            for (int k = 0; k < 2; ++k)
                if (std::abs(coarse[k]) > 1e-6 * std::abs(k ? curve : slope)) {
                    EXPECT_NEAR(std::log2(coarse[k] / fine[k]), 2, 0.15);
                }
        }
}

TEST(RodBend, ErrorOfDifferencesFallsWithTheSquareOfTheStep) { check_rod_slope(bend); }   // V2
TEST(RodTwist, ErrorOfDifferencesFallsWithTheSquareOfTheStep) { check_rod_slope(twist); } // V2

TEST(RodStretch, ErrorOfDifferencesFallsWithTheSquareOfTheStep) // V2
{
    // Stretched, compressed, nearly a point, turned round.
    Random random(9);
    for (const double stretch : {1.5, 0.6, 0.02, -0.7}) {
        SCOPED_TRACE(testing::Message() << "stretch " << stretch);
        VecX x = random.vector(6);
        x.tail<3>() = x.head<3>() + 0.7 * stretch * random.rotation().col(0);
        check_element_slope(
            x, 0.02 * std::abs(stretch), random,
            [](const VecX& y) { return rod_stretch_energy(y, 10, 0.7); },
            [](const VecX& y) { return VecX(rod_stretch_gradient(y, 10, 0.7)); },
            [](const VecX& y) { return MatX(rod_stretch_hessian(y, 10, 0.7, Psd::exact)); });
    }
}

TEST(RodStretch, RigidMotionLeavesTheEnergy)
{
    Random random(10);
    for (int i = 0; i < 100; ++i) {
        const Vec6 x = random.vector(6);
        const Mat3 R = random.rotation();
        const Vec6 y = moved(x, R, Vec3(random.vector(3)));
        const double E = rod_stretch_energy(x, 10, 0.7);
        EXPECT_NEAR(rod_stretch_energy(y, 10, 0.7), E, 1e-12 * (1 + E));
        const Vec6 g = rod_stretch_gradient(x, 10, 0.7), turned = rod_stretch_gradient(y, 10, 0.7);
        EXPECT_LT((turned - moved(g, R, Vec3::Zero())).norm(), 1e-11 * (1 + g.norm()));
        EXPECT_LT(force_and_torque(x, g).norm(), 1e-13 * (1 + g.norm()));
    }
}

/// In edges measured by their lengths the clamp of bending and twist together is that of the
/// eigenvalues; so nowhere below.
struct RodClamp {
    Mat8 exact, clamped;

    explicit RodClamp(const Pair& pair)
    {
        const RodVertex<double> v = pair.at(pair.start());
        RodResult<double> r = bend(v, 0);
        add_rod_twist(v, rod_twist_angle(v, 3.0), twist_law, {true, true, true, Psd::exact}, r);
        RodHessian<double> h = r.hessian;
        clamp_psd(h, v.inverse_e, v.inverse_f);
        Vec8 scale = Vec8::Ones();
        scale.head<3>().setConstant(1 / v.inverse_e);
        scale.segment<3>(3).setConstant(1 / v.inverse_f);
        exact = scale.asDiagonal() * stacked(r.hessian) * scale.asDiagonal();
        clamped = scale.asDiagonal() * stacked(h) * scale.asDiagonal();
    }
    double error() const { return (clamped - clamp_eigenvalues(exact)).norm() / exact.norm(); }
};

TEST(RodBend, ClampIsTheNearestFromAbove)
{
    for_pairs([](const Pair& pair, double, double) {
        const RodClamp c(pair);
        EXPECT_LT(c.error(), 1e-12);
        EXPECT_GT(min_eigenvalue(c.clamped), -1e-12 * c.exact.norm());
        EXPECT_GT(min_eigenvalue(Mat8(c.clamped - c.exact)), -1e-12 * c.exact.norm());
    });
}

TEST(RodBendFull, ClampIsTheNearestFromAbove)
{
    Random random(11);
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
        const double angle = 1.45 * (1 + random()), ratio = std::exp2(4 * random());
        worst = std::max(worst, RodClamp(Pair(random, angle, 1.0, ratio)).error());
    }
    EXPECT_LT(worst, 1e-8);
}

TEST(RodStretchFull, ClampIsThatOfTheEigenvalues)
{
    Random random(12);
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
        const Vec6 x = random.vector(6);
        const Mat6 exact = rod_stretch_hessian(x, 10, 0.7, Psd::exact);
        const Mat6 clamped = rod_stretch_hessian(x, 10, 0.7, Psd::clamp);
        worst = std::max(worst, (clamped - clamp_eigenvalues(exact)).norm() / exact.norm());
    }
    EXPECT_LT(worst, 1e-8);
}

TEST(RodBend, KnowsTheAxesOfItsSection)
{
    // Bent about m1 by φ: κ1 = 0, κ2 = −2 tan(φ/2).
    const double phi = 0.7;
    const V t_e = {1, 0, 0}, t_f = {std::cos(phi), 0, -std::sin(phi)}, y = {0, 1, 0};
    double k1, k2;
    rod_curvature(rod_vertex(t_e, 1.0, y, t_f, 1.0, y), k1, k2);
    EXPECT_NEAR(k2, -2 * std::tan(phi / 2), 1e-15);
    EXPECT_NEAR(k1, 0, 1e-15);
}

namespace
{

/// Four random wiggly rods with frames, each different.
RodChainShape random_chains(int points, unsigned seed)
{
    Random random(seed);
    RodChainShape s(points);
    for (std::size_t i = 0; i < s.x.size(); ++i)
        for (std::size_t lane = 0; lane < 4; ++lane) {
            s.x[i].x[lane] = double(i) + 0.3 * random();
            s.x[i].y[lane] = 0.5 * random(), s.x[i].z[lane] = 0.5 * random();
        }
    for (std::size_t i = 0; i < s.x.size(); ++i)
        s.tangent[i] = {1.0, 0.0, 0.0}, s.director[i] = {0.0, 1.0, 0.0};
    s.follow_points();
    s.measure_twist(std::vector<Real4>(s.x.size(), 0.0));
    return s;
}

RodChainLaws random_laws(int points, unsigned seed)
{
    Random random(seed);
    RodChainLaws laws;
    for (int i = 0; i < points; ++i) {
        laws.axial.push_back(100.0 + random());
        laws.rest_length.push_back(1 + 0.1 * random());
        laws.bend.push_back({{1 + 0.5 * random(), 0.2 * random(), 1 + 0.5 * random()},
                             0.3 * random(),
                             0.3 * random()});
        laws.twist.push_back({1 + 0.5 * random(), 0.4 * random()});
    }
    return laws;
}

Real4 elastic_energy(const RodChainLaws& laws, const RodChainShape& s)
{
    const Mask4 no = Real4(0.0) > Real4(1.0);
    return add_bend_and_twist(laws, s, {true}, no, nullptr, nullptr) +
           stretch_energy(laws, s, nullptr);
}

/// Every point, then every frame, as a rigid motion with this rotation and shift moves them.
RodChainShape moved(const RodChainShape& s, const Mat3& R, const Vec3& shift)
{
    RodChainShape out = s;
    const auto rotate = [&](const Vec3T<Real4>& v) {
        const auto row = [&](int i) {
            return Real4(R(i, 0)) * v.x + Real4(R(i, 1)) * v.y + Real4(R(i, 2)) * v.z;
        };
        return Vec3T<Real4>{row(0), row(1), row(2)};
    };
    for (std::size_t i = 0; i < s.x.size(); ++i) {
        out.x[i] = rotate(s.x[i]) + Vec3T<Real4>{shift[0], shift[1], shift[2]};
        out.tangent[i] = rotate(s.tangent[i]), out.director[i] = rotate(s.director[i]);
    }
    return out;
}

} // namespace

TEST(RodChain, RigidMotionLeavesTheEnergy)
{
    const int n = 9;
    const RodChainShape s = random_chains(n, 3);
    const RodChainLaws laws = random_laws(n, 4);
    const Real4 before = elastic_energy(laws, s);
    Random random(6);
    for (int k = 0; k < 10; ++k) {
        RodChainShape m = moved(s, random.rotation(), random.vector(3));
        m.follow_points();
        m.measure_twist(std::vector<Real4>(s.x.size(), 0.0));
        const Real4 after = elastic_energy(laws, m);
        for (std::size_t lane = 0; lane < 4; ++lane)
            EXPECT_NEAR(after[lane], before[lane], 1e-12 * before[lane]);
    }
}

TEST(RodChain, LanesAgreeWithElements)
{
    const int n = 5;
    const RodChainShape s = random_chains(n, 13);
    const RodChainLaws laws = random_laws(n, 14);
    const Real4 all = elastic_energy(laws, s);
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const auto at = [&](const Vec3T<Real4>& v) { return V{v.x[lane], v.y[lane], v.z[lane]}; };
        double energy = 0;
        for (std::size_t i = 0; i + 1 < s.x.size(); ++i)
            energy += rod_stretch<double>(s.length[i][lane], laws.axial[i][lane],
                                          laws.rest_length[i][lane])
                          .energy;
        for (std::size_t i = 1; i + 1 < s.x.size(); ++i) {
            const RodVertex<double> v = rod_vertex<double>(
                at(s.tangent[i - 1]), 1 / s.length[i - 1][lane], at(s.director[i - 1]),
                at(s.tangent[i]), 1 / s.length[i][lane], at(s.director[i]));
            RodResult<double> r;
            set_zero(r);
            const RodBendLaw<Real4>& b = laws.bend[i];
            add_rod_bend<double>(
                v,
                {{b.stiffness.aa[lane], b.stiffness.ab[lane], b.stiffness.bb[lane]},
                 b.curvature_1_rest[lane],
                 b.curvature_2_rest[lane]},
                {true}, r);
            add_rod_twist<double>(v, rod_twist_angle<double>(v, 0.0),
                                  {laws.twist[i].stiffness[lane], laws.twist[i].twist_rest[lane]},
                                  {true}, r);
            energy += r.energy;
        }
        EXPECT_NEAR(all[lane], energy, 1e-13 * energy);
    }
}
