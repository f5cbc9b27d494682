// Simulation in the local space of a moving frame: what does not feel the ride must end where it
// would without it, carried along.
#include "core/example/cloth_grid.h"
#include "core/session/session.h"
#include "tests/support/animated_source.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr int ride_frames = 9;

/// Where the frame is: it turns about the vertical axis and wanders.
struct Ride {
    double turn = 0;           ///< [rad] per frame
    Vec3 speed = Vec3::Zero(); ///< [m] per frame

    VecX apply(const VecX& x, double frame) const
    {
        const Mat3 R = Eigen::AngleAxisd(turn * (frame - 1), Vec3::UnitY()).toRotationMatrix();
        VecX y = x;
        for (Eigen::Index i = 0; i < x.size(); i += 3)
            y.segment<3>(i) = R * x.segment<3>(i) + (frame - 1) * speed;
        return y;
    }
    std::shared_ptr<GeometrySource> carry(const Geometry& g) const
    {
        return std::make_shared<FunctionSource>([g, ride = *this](double frame) {
            Geometry moved = g;
            moved.set_vectors("P", ride.apply(g.positions(), frame), "point", Storage::real64);
            return moved;
        });
    }
};

const Ride rides[] = {{0, Vec3(0.1, 0, 0.15)}, {0.12, Vec3::Zero()}, {0.1, Vec3(0.05, 0.02, -0.1)}};

/// A sheet hung by its top row, in still air without weight.
SessionSetup hung_sheet(const char* integrator)
{
    SessionSetup s = hanging_setup(6);
    s.shot.set("air_density", 0.0);
    s.solver.set("tolerance", 1e-9);
    s.solver.set("integrator", std::string(integrator));
    // Something to do: gravity that pulls along the axis alone would leave the sheet plane.
    Geometry g = sheet_geometry(6);
    VecX x = g.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) x[i + 2] += 0.1 * std::sin(3 * x[i + 1] + x[i]);
    g.set_vectors("P", x, "point", Storage::real64);
    s.cloths[0].geometry = std::make_shared<StaticSource>(g, "sheet.bgeo");
    return s;
}

/// A sheet that friction holds on a slope.
SessionSetup sheet_on_slope(const char* integrator)
{
    SessionSetup s;
    s.shot.set("frames", Vec3(1, 12, 0));
    s.shot.set("air_density", 0.0);
    s.solver.set("linear", std::string("ldlt"));
    s.solver.set("tolerance", 1e-6);
    s.solver.set("integrator", std::string(integrator));
    ClothSetup c;
    c.cloth.set("name", std::string("sheet"));
    c.cloth.set("friction", 0.6);
    c.cloth.set("thickness", 0.0);
    const Mat3 tilt = Eigen::AngleAxisd(0.2, Vec3::UnitZ()).toRotationMatrix();
    Geometry g = cloth_grid(4, 4, 0.2, 0.2, GridCells::alternating_triangles);
    VecX x = g.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        x.segment<3>(i) = tilt * (x.segment<3>(i) + Vec3(0, 0.001, 0));
    g.set_vectors("P", x, "point", Storage::real64);
    c.geometry = std::make_shared<StaticSource>(g);
    s.cloths.push_back(std::move(c));
    ColliderSetup slope;
    slope.collider.set("name", std::string("slope"));
    slope.collider.set("thickness", 0.0);
    slope.collider.set("friction", 0.6);
    Geometry floor = cloth_grid(2, 2, 2, 2, GridCells::alternating_triangles);
    x = floor.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        x.segment<3>(i) = tilt * (x.segment<3>(i) + Vec3(0.03, 0, 0.04));
    floor.set_vectors("P", x, "point", Storage::real64);
    slope.geometry = std::make_shared<StaticSource>(floor);
    s.colliders.push_back(std::move(slope));
    return s;
}

VecX cooked_through(const SessionSetup& setup)
{
    NullLog log;
    Session s(setup, log);
    for (int frame = 1; frame <= ride_frames; ++frame)
        EXPECT_TRUE(s.cook(frame, NeverCancel()).ok()) << frame;
    return s.frame(ride_frames)->state.x;
}

/// Pins, colliders and the frame of reference ride; the cloth feels `inherit` of it.
VecX ridden(SessionSetup setup, const Ride& ride, double inherit)
{
    ClothSetup& c = setup.cloths[0];
    const Geometry rest = *c.geometry->at(1);
    c.pin_target = c.pins.text("group").empty() ? nullptr : ride.carry(rest);
    c.frame_of_reference = ride.carry(rest);
    c.local_space.set("inherit", inherit);
    for (ColliderSetup& collider : setup.colliders)
        collider.geometry = ride.carry(*collider.geometry->at(1));
    return cooked_through(setup);
}

double furthest(const VecX& a, const VecX& b) { return (a - b).lpNorm<Eigen::Infinity>(); }

} // namespace

TEST(LocalSpace, WithoutInheritedMotionTheFrameMayTurnAndMove)
{
    for (const char* integrator : {"bdf1", "bdf2"}) {
        const SessionSetup setup = hung_sheet(integrator);
        const VecX still = cooked_through(setup);
        EXPECT_GT(furthest(still, setup.cloths[0].geometry->at(1)->positions()), 0.05);
        for (const Ride& ride : rides) {
            SCOPED_TRACE(testing::Message() << integrator << " turn " << ride.turn);
            const VecX expected = ride.apply(still, ride_frames);
            EXPECT_LT(furthest(ridden(setup, ride, 0), expected), 1e-6);
            EXPECT_GT(furthest(ridden(setup, ride, 1), expected), 0.02);
        }
    }
}

TEST(LocalSpace, WithAllInheritedMotionItIsTheWorld)
{
    for (const char* integrator : {"bdf1", "bdf2"})
        for (const Ride& ride : rides) {
            const SessionSetup setup = hung_sheet(integrator);
            SessionSetup world = setup;
            world.cloths[0].pin_target = ride.carry(*setup.cloths[0].geometry->at(1));
            EXPECT_EQ(ridden(setup, ride, 1), cooked_through(world));
        }
}

TEST(LocalSpace, ASheetThatNothingHoldsInheritsItsShareOfTheMotion)
{
    for (const char* integrator : {"bdf1", "bdf2"})
        for (const double inherit : {0.0, 0.25, 0.5, 0.8, 1.0}) {
            SCOPED_TRACE(testing::Message() << integrator << " inherit " << inherit);
            SessionSetup setup = hung_sheet(integrator);
            setup.shot.set("gravity", Vec3(0, 0, 0));
            setup.cloths[0].pins.set("group", std::string());
            Geometry g = *setup.cloths[0].geometry->at(1);
            const VecX x = g.positions();
            const Vec3 centre = x.reshaped(3, x.size() / 3).rowwise().mean(); // turned about
            const VecX start = x - centre.replicate(x.size() / 3, 1);
            g.set_vectors("P", start, "point", Storage::real64);
            setup.cloths[0].geometry = std::make_shared<StaticSource>(g, "sheet.bgeo");
            // What it inherits it feels as inertia, and stays behind by that much.
            const double carried = 1 - inherit;
            for (const Ride& ride : {rides[0], rides[1]}) {
                const Ride part{carried * ride.turn, carried * ride.speed};
                EXPECT_LT(furthest(ridden(setup, ride, inherit), part.apply(start, ride_frames)),
                          1e-6);
            }
        }
}

TEST(LocalSpace, DampedSoftPinsRideAlong)
{
    SessionSetup setup = hung_sheet("bdf2");
    setup.cloths[0].pins.set("stiffness", 200.0);
    setup.cloths[0].pins.set("damping", 0.05);
    const VecX still = cooked_through(setup);
    for (const Ride& ride : rides) {
        SCOPED_TRACE(ride.turn);
        // The stretch of a soft pin turns in the world, which its damping sees.
        EXPECT_LT(furthest(ridden(setup, ride, 0), ride.apply(still, ride_frames)),
                  ride.turn == 0 ? 1e-6 : 1e-4);
    }
}

TEST(LocalSpace, FrictionIsThatBetweenThingsThatRideTogether)
{
    for (const char* integrator : {"bdf1", "bdf2"}) {
        const SessionSetup setup = sheet_on_slope(integrator);
        const VecX still = cooked_through(setup);
        for (const Ride& ride : rides) {
            SCOPED_TRACE(testing::Message() << integrator << " turn " << ride.turn);
            // How it lands from 1 mm above depends a little on the way the slope comes to it.
            EXPECT_LT(furthest(ridden(setup, ride, 0), ride.apply(still, ride_frames)),
                      ride.speed[1] == 0 ? 5e-4 : 5e-3);
        }
    }
}

TEST(LocalSpace, FrictionOfTheWorldIsFelt)
{
    // The frame rides, the slope does not: the cloth is carried over it, held back by friction.
    SessionSetup setup = sheet_on_slope("bdf1");
    const Ride ride{0, Vec3(0, 0, 0.02)};
    setup.cloths[0].frame_of_reference = ride.carry(*setup.cloths[0].geometry->at(1));
    setup.cloths[0].local_space.set("inherit", 0.0);
    const auto across = [&](double friction) {
        setup.cloths[0].cloth.set("friction", friction);
        setup.colliders[0].collider.set("friction", friction);
        const VecX x = cooked_through(setup);
        return x.reshaped(3, x.size() / 3).row(2).mean();
    };
    const double free = across(0), held = across(0.3);
    EXPECT_NEAR(free, 0.02 * (ride_frames - 1), 0.005); // edges over edges hold it up a little
    EXPECT_LT(held, 0.9 * free);
}
