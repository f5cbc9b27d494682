#include "core/contact/coulomb_contact.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

using namespace selvage;

namespace
{

/// W ≻ 0 with a condition number of up to 1e4, b of length one.
CoulombProblem random_problem(std::mt19937_64& random)
{
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0, 1);
    Mat3 A;
    for (int i = 0; i < 9; ++i) A.data()[i] = normal(random);
    const Mat3 Q = Eigen::HouseholderQR<Mat3>(A).householderQ();
    const Vec3 eigenvalues(std::pow(10, -4 * uniform(random)), std::pow(10, -4 * uniform(random)),
                           1);
    CoulombProblem p;
    p.W = Q * eigenvalues.asDiagonal() * Q.transpose();
    p.b = Vec3(normal(random), normal(random), normal(random)).normalized();
    p.friction = 2 * uniform(random);
    return p;
}

} // namespace

TEST(CoulombContact, SolvesAMillionRandomProblems)
{
    std::mt19937_64 random(14);
    std::array<int, 3> seen{};
    double worst = 0;
    for (int k = 0; k < 1000000; ++k) {
        const CoulombProblem p = random_problem(random);
        const CoulombSolution s = solve_coulomb(p);
        ++seen[std::size_t(s.state)];
        worst = std::max(worst, coulomb_residual(p, s.force));
    }
    EXPECT_LT(worst, 1e-10);
    for (const int n : seen) EXPECT_GT(n, 10000);
}

/// The residual is no formality: a force off by a thousandth is seen.
TEST(CoulombContact, ResidualSeesWrongForces)
{
    std::mt19937_64 random(15);
    for (int k = 0; k < 1000; ++k) {
        const CoulombProblem p = random_problem(random);
        const Vec3 force = solve_coulomb(p).force;
        if (force.norm() == 0) continue;
        for (int i = 0; i < 3; ++i) {
            Vec3 wrong = force;
            wrong[i] += 1e-3 * force.norm();
            EXPECT_GT(coulomb_residual(p, wrong), 1e-8);
        }
    }
}

/// A block on an incline: W diagonal, pulled along and onto the plane.
TEST(CoulombContact, SticksUpToTheAngleOfFriction)
{
    for (const double angle : {0.2, 0.3}) {
        const CoulombProblem p{
            2 * Mat3::Identity(), {-std::cos(angle), std::sin(angle), 0}, std::tan(0.25)};
        const CoulombSolution s = solve_coulomb(p);
        EXPECT_EQ(s.state, angle < 0.25 ? CoulombCase::stick : CoulombCase::slide);
        const Vec3 u = p.W * s.force + p.b;
        const double slip = angle < 0.25 ? 0 : std::sin(angle) - std::tan(0.25) * std::cos(angle);
        EXPECT_NEAR(u[1], slip, 1e-14);
        EXPECT_NEAR(s.force[0], std::cos(angle) / 2, 1e-14);
    }
}

TEST(CoulombContact, TakesOffWithoutForceAndNeedsNoFriction)
{
    EXPECT_EQ(solve_coulomb({Mat3::Identity(), {1e-9, 5, 2}, 0.4}).force, Vec3::Zero());
    const CoulombSolution s = solve_coulomb({Mat3::Identity(), {-3, 5, 2}, 0});
    EXPECT_EQ(s.force, Vec3(3, 0, 0));
}
