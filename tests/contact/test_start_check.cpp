#include "core/contact/start_check.h"

#include "core/contact/contact_problem.h"
#include "core/contact/releases.h"
#include "tests/contact/scenes.h"

#include <gtest/gtest.h>

namespace selvage
{
namespace
{

using namespace test;

ContactSettings with_activation(double d)
{
    ContactSettings s;
    s.activation = d;
    return s;
}

/// A flat sheet at y = 0 over a collider at y = `height`; `spike` lifts or lowers one point.
ContactScene sheet_and_floor(double height, double thickness, double spike)
{
    ContactScene s = stacked_sheets(4, 1, -height, 0, thickness, true, 61);
    s.x[3 * 12 + 1] += spike;
    return s;
}

TEST(StartCheck, CleanStartsReportNothing)
{
    const ContactScene s = sheet_and_floor(-0.1, 0.01, 0.02);
    EXPECT_TRUE(find_offending_pairs(s.mesh, s.x).empty());
}

TEST(StartCheck, AFlatSheetInAnyPoseIsClean)
{
    // All its edges and triangles lie in one plane but for rounding.
    const ContactScene flat = stacked_sheets(12, 1, 0.1, 0, 0, false, 62);
    Random random(63);
    for (int i = 0; i < 50; ++i) {
        const VecX x = moved(flat.x, random.rotation(), Vec3(random.vector(3)));
        EXPECT_TRUE(find_offending_pairs(flat.mesh, x).empty()) << i;
    }
}

TEST(StartCheck, APointPushedThroughIsNamed)
{
    const ContactScene s = sheet_and_floor(-0.1, 0, -0.2);
    const auto pairs = find_offending_pairs(s.mesh, s.x);
    ASSERT_FALSE(pairs.empty());
    for (const OffendingPair& p : pairs) EXPECT_EQ(p.kind, OffendingPair::Kind::piercing);
    const std::string text = describe(s.mesh, pairs.front());
    EXPECT_NE(text.find("'sheet' edge ("), std::string::npos) << text;
    EXPECT_NE(text.find("12"), std::string::npos) << text;
    EXPECT_NE(text.find("passes through 'floor' triangle ("), std::string::npos) << text;
}

TEST(StartCheck, PairsBelowTheThicknessAreNamed)
{
    const ContactScene s = sheet_and_floor(-0.1, 0.01, -0.0905);
    const auto pairs = find_offending_pairs(s.mesh, s.x);
    ASSERT_FALSE(pairs.empty());
    EXPECT_EQ(pairs.front().kind, OffendingPair::Kind::point_triangle);
    EXPECT_EQ(pairs.front().a, 12);
    EXPECT_NEAR(pairs.front().distance, 0.0095, 1e-12);
    EXPECT_NE(describe(s.mesh, pairs.front()).find("'sheet' point 12 and 'floor' triangle"),
              std::string::npos);
}

TEST(StartCheck, CoincidentSheetsOffendEverywhere)
{
    ContactScene s = sheet_and_floor(0, 0, 0);
    s.x.tail(s.x.size() / 2) = s.x.head(s.x.size() / 2);
    const auto pairs = find_offending_pairs(s.mesh, s.x);
    EXPECT_GE(pairs.size(), std::size_t(s.mesh.simulated_count()));
    s.mesh.set_collide(0, 1, false);
    EXPECT_TRUE(find_offending_pairs(s.mesh, s.x).empty());
}

TEST(StartCheck, IgnoringTheOffendersLetsAStepBegin)
{
    for (const double spike : {-0.2, -0.0905}) {
        const ContactScene s = sheet_and_floor(-0.1, spike < -0.1 ? 0 : 0.01, spike);
        ContactProblem problem(s.mesh, with_activation(0.02));
        const VecX x = s.simulated_x(), up = 1e-3 * VecX::Ones(x.size());
        problem.set_filter(release_filter(
            s.mesh, {{}, pairs_to_ignore(s.mesh, find_offending_pairs(s.mesh, s.x))}));
        problem.begin_step(x, 0.01, s.prescribed_x());
        EXPECT_LT(problem.energy(x), infinity);
        EXPECT_GT(problem.max_step(x, up), 0);
    }
}

} // namespace
} // namespace selvage
