#include "core/energy/strain_limit.h"
#include "tests/energy/membrane_checks.h"
#include "tests/support/eigenvalues.h"

#include <Eigen/SVD>

using namespace selvage;
using namespace selvage::test;

namespace
{
const StrainLimitLaw::Moduli wide{100, 1.6}, narrow{5, 1.06};

double density(double s0, double s1, const StrainLimitLaw::Moduli& m)
{
    Mat32 F = Mat32::Zero();
    F(0, 0) = s0, F(1, 1) = s1;
    return membrane_density<StrainLimitLaw>(F, m, Psd::exact).energy;
}

/// Two triangles of a unit square in the plane y = 0.
struct Square {
    std::vector<std::int32_t> triangles = {0, 1, 2, 0, 2, 3};
    VecX x = (VecX(12) << 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0).finished();
    StrainLimit limit;

    explicit Square(const StrainLimitLaw::Moduli& m) : limit(triangles, rest(), {m}, 4) {}
    std::vector<MembraneTriangle> rest() const
    {
        std::vector<MembraneTriangle> out;
        for (std::size_t t = 0; t < 2; ++t) {
            const auto at = [&](std::size_t i) -> Vec3 {
                return x.segment<3>(3 * triangles[3 * t + i]);
            };
            out.push_back(membrane_triangle(at(0), at(1), at(2), Vec3::UnitX()));
        }
        return out;
    }
};
} // namespace

TEST(StrainLimit, DerivativesMatchFiniteDifferences)
{
    Random random(11);
    for (const Vec2& s : {Vec2(1.4, 1.2), Vec2(1.3, 0.9), Vec2(1.2, 1.1999999), Vec2(1.5, 0.1)})
        for (int i = 0; i < 5; ++i) {
            const VecX f = as_vector(membrane_state(random, s[0], s[1]));
            const auto at = [&](const VecX& y) {
                return membrane_density<StrainLimitLaw>(as_matrix(y), wide, Psd::exact);
            };
            const auto energy = [&](const VecX& y) { return at(y).energy; };
            const auto stress = [&](const VecX& y) { return as_vector(at(y).stress); };
            EXPECT_LT(relative_error(as_vector(at(f).stress), fd_gradient(energy, f, 2e-3)), 1e-8);
            EXPECT_LT(relative_error(at(f).hessian, fd_jacobian(stress, f, 2e-3)), 1e-8);
        }
}

TEST(StrainLimit, ErrorOfDifferencesFallsWithTheSquareOfTheStep) // V2
{
    // Stretched, stretched and compressed, nearly a line, turned over.
    Random random(14);
    for (const Vec2& s : {Vec2(1.3, 1.2), Vec2(1.3, 0.8), Vec2(1.4, 0.02), Vec2(1.3, -0.6)}) {
        SCOPED_TRACE(testing::Message() << "stretches " << s.transpose());
        const VecX f = as_vector(membrane_state(random, s[0], s[1])), p = random.vector(6);
        check_slope(
            [&](double t) {
                return membrane_density<StrainLimitLaw>(as_matrix(f + t * p), wide, Psd::exact);
            },
            as_vector, p, difference_step(s, 1e-2));
    }
}

TEST(StrainLimit, RigidMotionCostsNothing)
{
    Random random(12);
    for (int i = 0; i < 20; ++i) {
        const Mat32 F = membrane_state(random, 1, 1);
        EXPECT_LT(membrane_density<StrainLimitLaw>(F, narrow, Psd::exact).energy, 1e-30);
    }
    for (const Vec2& s : {Vec2(1.4, 1.2), Vec2(1.3, 0.8), Vec2(1.5, 0.01), Vec2(1.3, -0.6)}) {
        const Mat32 F = membrane_state(random, s[0], s[1]);
        const Mat3 R = random.rotation();
        const MembraneDensity a = membrane_density<StrainLimitLaw>(F, wide, Psd::exact);
        const MembraneDensity b = membrane_density<StrainLimitLaw>(R * F, wide, Psd::exact);
        EXPECT_NEAR(b.energy, a.energy, 1e-11 * a.energy);
        EXPECT_LT((b.stress - R * a.stress).norm(), 1e-11 * a.stress.norm());
    }
}

TEST(StrainLimit, IsPositiveSemidefiniteAsItStands)
{
    const StrainLimitLaw::Moduli far{100, 20};
    EXPECT_LT(worst_clamp_error<StrainLimitLaw>(1000, 3, far), 1e-8);
    Random random(4);
    for (int i = 0; i < 1000; ++i) {
        const Mat32 F = membrane_state(random, 1.03 + 0.029 * random(), 1 + 0.05 * random());
        const MembraneDensity d = membrane_density<StrainLimitLaw>(F, narrow, Psd::exact);
        const Vec6 values = eigenvalues(d.hessian);
        EXPECT_GE(values[0], -1e-13 * values[5]);
    }
}

TEST(StrainLimitFull, IsPositiveSemidefiniteAsItStands)
{
    EXPECT_LT(worst_clamp_error<StrainLimitLaw>(100000, 5, {100, 20}), 1e-8);
}

TEST(StrainLimit, IsSilentInCompressionAndInfiniteAtTheLimit)
{
    EXPECT_EQ(density(1, 1, narrow), 0);
    EXPECT_EQ(density(0.9, 0.2, narrow), 0);
    EXPECT_GT(density(1.01, 0.5, narrow), 0);
    EXPECT_LT(density(1.0599999, 1, narrow), infinity);
    EXPECT_EQ(density(1.06, 1, narrow), infinity);
    EXPECT_EQ(density(2, 1, narrow), infinity);
}

TEST(StrainLimit, TermSumsElements) { check_membrane_term<StrainLimitLaw>({100, 20}); }

TEST(StrainLimit, StepsStopBeforeTheLimit)
{
    const Square square(narrow);
    VecX p = VecX::Zero(12);
    p[6] = p[9] = 0.03; // 3 % along x
    EXPECT_EQ(square.limit.max_step(square.x, p), 1);
    p *= 10;
    const double a = square.limit.max_step(square.x, p);
    EXPECT_NEAR(a * 0.3, 0.9 * 0.06, 3e-3);
    EXPECT_LE(a * 0.3, 0.9 * 0.06);
    Sink sink;
    square.limit.evaluate(square.x + a * p, {true, false, false, Psd::clamp}, sink);
    EXPECT_LT(sink.energy, infinity);
    // Against the limit it gets nearer by nine tenths of the rest, never there.
    VecX x = square.x;
    for (int i = 0; i < 6; ++i) x += square.limit.max_step(x, p) * p;
    EXPECT_LT(x[6], 1.06);
    EXPECT_GT(x[6], 1.059);
}

TEST(StrainLimit, WaysOfAnyLengthHaveAStep)
{
    // A limit of a tenth of a percent and a falling sheet: what Newton proposes in an impact may be
    // thousands of times what is left.
    const StrainLimitLaw::Moduli tight{5, 1.001};
    Random random(13);
    for (int i = 0; i < 500; ++i) {
        const Mat32 F = membrane_state(random, 1 + 0.00099 * 0.5 * (1 + random()), 0.9);
        const Mat32 direction = as_matrix(random.vector(6));
        for (const double length : {1e-3, 1.0, 1e3, 1e6}) {
            const Mat32 way = length * direction;
            const double a = StrainLimitLaw::longest_step(F, way, tight);
            ASSERT_GT(a, 0) << length;
            EXPECT_LT(membrane_density<StrainLimitLaw>(F + a * way, tight, Psd::exact).energy,
                      infinity);
            if (a == 1) continue;
            // No step that is longer by one part in a hundred keeps a tenth of what is left.
            const auto stretch = [&](double t) {
                return Eigen::JacobiSVD<Mat32>(F + t * way).singularValues()[0];
            };
            const double now = std::max(1.0, stretch(0));
            EXPECT_LE(stretch(a), now + 0.9 * (1.001 - now) + 1e-15);
            EXPECT_GT(stretch(1.01 * a), now + 0.9 * (1.001 - now));
        }
    }
}

TEST(StrainLimit, IsNothingAtRest) // K11 of the barrier's spec
{
    Mat32 F = Mat32::Zero();
    F(0, 0) = F(1, 1) = 1;
    for (const StrainLimitLaw::Moduli& m : {wide, narrow}) {
        const MembraneDensity d = membrane_density<StrainLimitLaw>(F, m, Psd::exact);
        EXPECT_EQ(d.energy, 0);
        EXPECT_EQ(d.stress.norm(), 0);
        EXPECT_EQ(d.hessian.norm(), 0);
    }
}
