#include "core/example/cushion.h"
#include "core/example/sphere.h"
#include "core/session/session.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr double radius = 0.1; // [m]

/// Weightless, without air; linear elastic in the plane and hardly bending.
SessionSetup inflated(Geometry g)
{
    SessionSetup s;
    s.shot.set("frames", Vec3(1, 60, 0));
    s.shot.set("gravity", Vec3(0, 0, 0));
    s.shot.set("air_density", 0.0);
    s.solver.set("linear", std::string("ldlt"));
    s.solver.set("tolerance", 1e-4);
    ClothSetup c;
    c.cloth.set_text("name", "ball");
    c.cloth.set("density", 0.2);
    c.cloth.set("young_warp", 200.0);
    c.cloth.set("young_weft", 200.0);
    c.cloth.set("poisson", 0.3);
    c.cloth.set("shear", 200 / 2.6);
    c.geometry = std::make_shared<StaticSource>(std::move(g), "ball.bgeo");
    s.cloths.push_back(std::move(c));
    return s;
}

VecX cooked(Session& s, double frame)
{
    return s.cook(frame, NeverCancel()).objects.at(0).geometry.positions();
}

double mean_radius(const VecX& x)
{
    const auto points = x.reshaped(3, x.size() / 3);
    return (points.colwise() - points.rowwise().mean()).colwise().norm().mean();
}

std::string complaint(const SessionSetup& s)
{
    return message_of([&] {
        NullLog log;
        Session session(s, log);
    });
}

} // namespace

TEST(Pressure, BalloonGrowsToItsEquilibrium)
{
    // Equal stretch λ in both directions: tension Y/(1−ν) (λ² − 1)/2, against p λ R / 2.
    NullLog log;
    SessionSetup s = inflated(sphere(radius, 3));
    const double p = 500, K = 200 / 0.7;
    s.cloths[0].pressure.set_text("model", "constant");
    s.cloths[0].pressure.set("pressure", p);
    Session session(s, log);
    const double b = p * radius / K, stretch = b / 2 + std::sqrt(b * b / 4 + 1);
    EXPECT_NEAR(mean_radius(cooked(session, 40)) / radius, stretch, 0.02 * (stretch - 1));
}

TEST(Pressure, SealedGasObeysBoyle)
{
    NullLog log;
    SessionSetup s = inflated(sphere(radius, 2));
    s.cloths[0].pressure.set_text("model", "gas");
    s.cloths[0].pressure.set_json("volume_scale", R"({"keys": [[1, 1], [10, 1.2]]})");
    Session session(s, log);
    const ClothChamber& c = session.scene().chambers.at(0);
    const double V = chamber_volume(c.chamber, cooked(session, 40)) / c.rest_volume;
    // The air of 1.2 volumes, squeezed a little by the cloth's tension.
    const double stretch = std::cbrt(V);
    const double p = 200 / 0.7 * (stretch * stretch - 1) / (stretch * radius);
    EXPECT_NEAR(V, 1.2 / (1 + p / 101325), 2e-4);
    EXPECT_LT(V, 1.198);
}

TEST(Pressure, VolumeIsKeptWhenPulledOutOfShape)
{
    NullLog log;
    double lost[2];
    for (const bool filled : {false, true}) {
        Geometry ball = sphere(radius, 2);
        Group top;
        top.name = "top";
        const VecX x = ball.positions();
        for (Eigen::Index i = 1; i < x.size(); i += 3) top.member.push_back(x[i] > 0.7 * radius);
        ball.set_group(top);
        SessionSetup s = inflated(ball);
        s.shot.set("gravity", Vec3(0, -100, 0));
        s.cloths[0].pins.set_text("group", "top");
        s.cloths[0].pressure.set_text("model", "volume");
        s.cloths[0].pressure.set("stiffness", filled ? 1e5 : 0.0);
        Session session(s, log);
        const ClothChamber& c = session.scene().chambers.at(0);
        lost[filled] = std::abs(chamber_volume(c.chamber, cooked(session, 20)) / c.rest_volume - 1);
    }
    EXPECT_GT(lost[0], 0.02);
    EXPECT_LT(lost[1], 0.002);
}

TEST(Pressure, FilledBallKeepsSpinning)
{
    NullLog log;
    SessionSetup s = inflated(sphere(radius, 2));
    Geometry spinning = sphere(radius, 2);
    const Vec3 omega(0, 0, 3);
    const VecX x = spinning.positions();
    VecX v(x.size());
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        v.segment<3>(i) = omega.cross(Vec3(x.segment<3>(i)));
    spinning.set_vectors("v", v);
    s.cloths[0].geometry = std::make_shared<StaticSource>(spinning, "ball.bgeo");
    s.cloths[0].pressure.set_text("model", "constant");
    s.cloths[0].pressure.set("pressure", 300.0);
    s.solver.set_text("integrator", "bdf2");
    s.solver.set("tolerance", 1e-3);
    s.shot.set("substeps", 2.0);
    Session session(s, log);
    const auto spin = [&](int frame) {
        session.cook(frame, NeverCancel());
        const State& end = session.frame(frame)->state;
        double L = 0;
        for (Eigen::Index i = 0; i < end.x.size(); i += 3)
            L += session.scene().mass[i / 3] *
                 Vec3(end.x.segment<3>(i)).cross(Vec3(end.v.segment<3>(i)))[2];
        return L;
    };
    EXPECT_NEAR(spin(24) / spin(1), 1, 0.02);
}

TEST(Pressure, PiecesHaveAirOfTheirOwn)
{
    NullLog log;
    SessionSetup s = inflated(cushion_panels(4));
    s.cloths[0].pressure.set_text("model", "constant");
    EXPECT_EQ(Session(s, log).scene().chambers.size(), 2u);
    s.cloths[0].pressure.set("per_piece", 0.0);
    Session one(s, log);
    ASSERT_EQ(one.scene().chambers.size(), 1u);
    EXPECT_EQ(one.scene().chambers[0].chamber.holes.size(), 2u);
    EXPECT_LT(one.scene().chambers[0].rest_volume, 1e-9); // flat beyond their own rims
}

TEST(Pressure, OpenTwistedAndFlatClothIsExplained)
{
    SessionSetup s = inflated(cushion_panels(4));
    s.cloths[0].pressure.set_text("model", "gas");
    expect_says(complaint(s), {"Cloth 'ball'", "pressure.volume"}); // each panel alone is flat
    s.cloths[0].pressure.set("close_holes", 0.0);
    expect_says(complaint(s), {"open cloth", "2 holes"});

    Geometry twisted;
    twisted.set_point_count(4);
    VecX x(12);
    x << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0;
    twisted.set_positions(x);
    twisted.add_polygon({0, 1, 2});
    twisted.add_polygon({0, 3, 2});
    twisted.add_polygon({0, 1, 3});
    SessionSetup t = inflated(twisted);
    t.cloths[0].pressure.set_text("model", "constant");
    expect_says(complaint(t), {"face opposite ways"});
}
