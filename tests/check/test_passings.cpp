#include "core/check/passings.h"
#include "core/check/report.h"
#include "tests/check/meshes.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <random>

using namespace selvage;

namespace
{

/// Two curves of three points that cross at a right angle, the upper one at this height, and a
/// triangle far below.
std::vector<NamedGeometry> crossing(double height, double aside = 0)
{
    return {
        named("low", make_geometry({{-1, 0, 0}, {0.1, 0, 0}, {1, 0, 0}}, {{0, 1, 2}}, false)),
        named("high", make_geometry({{aside, height, -1}, {aside, height, 0.2}, {aside, height, 1}},
                                    {{0, 1, 2}}, false)),
        named("floor", make_geometry({{-5, -3, -5}, {5, -3, -5}, {0, -3, 9}}, {{0, 1, 2}}))};
}

std::vector<Passing> passings(const std::vector<NamedGeometry>& a,
                              const std::vector<NamedGeometry>& b)
{
    return find_passings(gather_elements(a), gather_elements(b));
}

} // namespace

TEST(Passings, FindsCurvesThatPassEachOther)
{
    const auto found = passings(crossing(0.3), crossing(-0.1));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].time, 0.75, 1e-12);
    EXPECT_EQ(found[0].a.object, 0);
    EXPECT_EQ(found[0].b.object, 1);
    EXPECT_TRUE(passings(crossing(0.3), crossing(0.1)).empty());
    EXPECT_TRUE(passings(crossing(0.3, 3), crossing(-0.1, 3)).empty());
    EXPECT_TRUE(passings(crossing(0.3, 1.5), crossing(-0.1, 1.5)).empty());
    // Around the end and back down: straight ways at t = ½ are beside it.
    EXPECT_TRUE(passings(crossing(0.3, 0.5), crossing(-0.3, 3.5)).empty());
}

TEST(Passings, FindsCurvesThatPassSurfaces)
{
    const auto found = passings(crossing(-2.5), crossing(-3.5));
    EXPECT_EQ(found.size(), 3u); // the points of the upper curve
    for (const Passing& p : found) EXPECT_NEAR(p.time, 0.5, 1e-12);
    // A rim that goes through a curve, none of whose points meets the triangle.
    auto rim = [](double z) {
        return std::vector<NamedGeometry>{
            named("curve", make_geometry({{-9, 0, 0}, {9, 0, 0}, {20, 0, 0}}, {{0, 1, 2}}, false)),
            named("sheet", make_geometry({{-1, -1, z}, {1, -1, z}, {0, 1, z}}, {{0, 1, 2}}))};
    };
    EXPECT_GE(passings(rim(0.2), rim(-0.3)).size(), 2u);
}

/// Random segments on random straight ways against a fine sampling of the sign of their volume.
TEST(Passings, AgreesWithSampling)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> u(-1, 1);
    int hits = 0;
    for (int k = 0; k < 400; ++k) {
        std::vector<NamedGeometry> frames[2];
        std::vector<Vec3> p[2];
        for (int f = 0; f < 2; ++f) {
            for (int i = 0; i < 4; ++i) p[f].push_back({u(random), u(random), u(random)});
            frames[f] = {named("a", make_geometry({p[f][0], p[f][1]}, {{0, 1}}, false)),
                         named("b", make_geometry({p[f][2], p[f][3]}, {{0, 1}}, false))};
        }
        bool surely = false, perhaps = false, side_before = false;
        const int samples = 4000;
        for (int i = 0; i <= samples; ++i) {
            const double t = double(i) / samples;
            Vec3 x[4];
            for (int v = 0; v < 4; ++v)
                x[v] = (1 - t) * p[0][std::size_t(v)] + t * p[1][std::size_t(v)];
            const Vec3 d = x[1] - x[0], e = x[3] - x[2], r = x[2] - x[0], n = d.cross(e);
            const bool side = r.dot(n) > 0;
            const double s = r.cross(e).dot(n) / n.squaredNorm();
            const double q = r.cross(d).dot(n) / n.squaredNorm();
            const auto inside = [&](double slack) {
                return std::min({s, q, 1 - s, 1 - q}) > -slack;
            };
            if (i > 0 && side != side_before) {
                surely = surely || inside(-0.02);
                perhaps = perhaps || inside(0.02);
            }
            side_before = side;
        }
        const bool found = !passings(frames[0], frames[1]).empty();
        hits += surely;
        EXPECT_TRUE(found || !surely) << k;
        EXPECT_TRUE(perhaps || !found) << k;
    }
    EXPECT_GT(hits, 30);
}

TEST(Passings, FailTheCheck)
{
    const auto before = crossing(0.3), after = crossing(-0.1);
    EXPECT_TRUE(check_geometry(after).ok);
    const CheckReport r = check_geometry(after, {}, &before);
    EXPECT_FALSE(r.ok);
    EXPECT_EQ(r.passings.count, 1u);
    EXPECT_NE(report_text(r).find("passed"), std::string::npos) << report_text(r);
    EXPECT_NE(report_json(r).find("\"passing\""), std::string::npos);
}
