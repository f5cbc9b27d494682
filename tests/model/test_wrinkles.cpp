// An inflated arm that bends at the elbow: with a rest shape that bends along, its skin does not
// wrinkle.
#include "core/base/cancel.h"
#include "core/model/chambers.h"
#include "core/model/cloth_builder.h"
#include "core/solver/stepper.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

/// A closed capsule along x in rings of points between two poles, bent by an angle about z over its
/// middle third, rings staying plane: as a character's skin is posed.
struct Arm {
    int straight = 29, cap = 5, around = 24; ///< rings of the tube and of each cap
    double length = 0.6, radius = 0.09;      ///< of the tube

    int rings() const { return straight + 2 * cap; }
    int point(int ring, int i) const { return ring * around + (i + around) % around; }
    int pole(int end) const { return rings() * around + end; }
    int point_count() const { return rings() * around + 2; }

    VecX posed(double angle) const
    {
        VecX x(3 * point_count());
        const double step = length / (straight - 1);
        Vec3 center(0, 0, 0), along(1, 0, 0), up(0, 1, 0);
        const auto ring = [&](int k, double ahead, double r) {
            for (int i = 0; i < around; ++i) {
                const double phi = 2 * M_PI * i / around;
                x.segment<3>(3 * point(k, i)) =
                    center + ahead * along +
                    r * (std::cos(phi) * up + std::sin(phi) * Vec3(0, 0, 1));
            }
        };
        const auto cap_ring = [&](int k, int from_tube, double side) {
            const double a = 0.5 * M_PI * from_tube / (cap + 1);
            ring(k, side * radius * std::sin(a), radius * std::cos(a));
        };
        for (int k = 0; k < cap; ++k) cap_ring(k, cap - k, -1);
        x.segment<3>(3 * pole(0)) = center - radius * along;
        double heading = 0;
        for (int k = 0; k < straight; ++k) {
            ring(cap + k, 0, radius);
            if (k + 1 == straight) break;
            const double s = (k + 0.5) / (straight - 1);
            if (s > 1.0 / 3 && s < 2.0 / 3) heading += angle * 3 / (straight - 1);
            center += step * along;
            along = Vec3(std::cos(heading), std::sin(heading), 0);
            up = Vec3(-std::sin(heading), std::cos(heading), 0);
        }
        for (int k = 0; k < cap; ++k) cap_ring(cap + straight + k, k + 1, 1);
        x.segment<3>(3 * pole(1)) = center + radius * along;
        return x;
    }
    Geometry geometry() const
    {
        Geometry g;
        g.set_point_count(std::size_t(point_count()));
        for (int k = 0; k + 1 < rings(); ++k)
            for (int i = 0; i < around; ++i) {
                const int a = point(k, i), b = point(k, i + 1), c = point(k + 1, i + 1),
                          d = point(k + 1, i);
                if ((k + i) % 2) {
                    g.add_polygon({a, b, c});
                    g.add_polygon({a, c, d});
                } else {
                    g.add_polygon({a, b, d});
                    g.add_polygon({b, c, d});
                }
            }
        for (int i = 0; i < around; ++i) {
            g.add_polygon({pole(0), point(0, i + 1), point(0, i)});
            g.add_polygon({pole(1), point(rings() - 1, i), point(rings() - 1, i + 1)});
        }
        g.set_vectors("P", posed(0), "point", Storage::real64);
        return g;
    }
};

/// [1/m] RMS over hinges of the mean curvature's difference between two poses: the angle across an
/// edge over the distance between the triangles' centres, halved.
double curvature_change(const Cloth& c, const VecX& x, const VecX& y)
{
    const RestShape a = rest_shape(c.mesh, x), b = rest_shape(c.mesh, y);
    double sum = 0;
    for (std::size_t k = 0; k < a.angles.size(); ++k) {
        const Vec2i& sides = c.mesh.hinge_triangles[k];
        const Vec4i& h = c.mesh.hinges[k];
        const double edge = (y.segment<3>(3 * h[2]) - y.segment<3>(3 * h[1])).norm();
        const double area = triangle_area(b.lengths[std::size_t(sides[0])]) +
                            triangle_area(b.lengths[std::size_t(sides[1])]);
        const double distance = 2.0 / 3 * area / edge;
        const double change = 0.5 * (a.angles[k] - b.angles[k]) / distance;
        sum += change * change;
    }
    return std::sqrt(sum / double(a.angles.size()));
}

/// The arm, blown up by a fan of 300 Pa, bends to `angle` in a second, its ends held; blend: how
/// far the rest shape follows.
double wrinkles(double blend, double angle)
{
    const Arm arm;
    NullLog log;
    auto scene = std::make_shared<Scene>();
    scene->collisions.enabled = false;
    const Geometry g = arm.geometry();
    scene->cloths.push_back(make_cloth("arm", g, nullptr, cloth_preset("vinyl").material, log));
    scene->mass = cloth_mass(scene->cloths[0], g);
    scene->mass_damping = VecX::Zero(scene->mass.size());
    for (int k = 0; k < arm.rings(); ++k)
        if (k <= arm.cap || k >= arm.rings() - arm.cap - 1)
            for (int i = 0; i < arm.around; ++i) scene->pins.push_back({arm.point(k, i), 0});
    for (const int end : {0, 1}) scene->pins.push_back({arm.pole(end), 0});
    scene->chambers = make_chambers(scene->cloths[0], 0, {}, log);
    EXPECT_EQ(scene->chambers.size(), 1u);
    const auto stepper = make_stepper("barrier", scene);
    State state;
    state.x = arm.posed(0);
    state.v = VecX::Zero(state.x.size());
    Drive drive;
    drive.gravity.setZero();
    GasLaw fan;
    fan.pressure = 300;
    drive.gas = {fan};
    const auto targets = [&](const VecX& x) {
        VecX t(3 * Eigen::Index(scene->pins.size()));
        for (std::size_t k = 0; k < scene->pins.size(); ++k)
            t.segment<3>(3 * Eigen::Index(k)) = x.segment<3>(3 * scene->pins[k].vertex);
        return t;
    };
    const int steps = 12;
    VecX pose = arm.posed(0);
    for (int i = 1; i <= steps + 4; ++i) {
        drive.pin_target_0 = targets(pose);
        pose = arm.posed(angle * std::min(1.0, double(i) / steps));
        drive.pin_target_1 = targets(pose);
        drive.rest = {{pose, blend, 1}};
        stepper->step(drive, state, 1.0 / steps, StepSettings(), NeverCancel());
    }
    EXPECT_TRUE(state.x.allFinite());
    return curvature_change(scene->cloths[0], state.x, pose);
}

} // namespace

TEST(Wrinkles, AnAnimatedRestShapeKeepsAnInflatedShellSmooth)
{
    const double without = wrinkles(0, 1.2), half = wrinkles(0.5, 1.2), with = wrinkles(1, 1.2);
    RecordProperty("without", std::to_string(without));
    RecordProperty("half", std::to_string(half));
    RecordProperty("with", std::to_string(with));
    EXPECT_GT(without, 1.0); // folds of decimetres at least
    EXPECT_LT(with, 0.1 * without);
    EXPECT_LT(half, 0.9 * without);
}

TEST(Wrinkles, FallWithTheRootOfWhatIsLeftOfTheExcessLength)
{
    // A fold of given wavelength that takes up an excess of length ε has an amplitude, and so a
    // curvature, that grows with √ε; the blend w leaves 1 − w of it. Bent so little that the shell
    // folds without collapsing to a kink.
    const double without = wrinkles(0, 0.8);
    for (const double blend : {0.5, 0.75, 0.9})
        EXPECT_NEAR(wrinkles(blend, 0.8) / (without * std::sqrt(1 - blend)), 1, 0.15) << blend;
}
