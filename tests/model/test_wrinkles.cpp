// An inflated arm that bends at the elbow: with a rest shape that bends along, its skin does not
// wrinkle.
#include "core/base/cancel.h"
#include "core/model/cloth_builder.h"
#include "core/solver/stepper.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

/// A tube along x in rings of points, bent by an angle about z over its middle third, stiff rings
/// staying plane: as a character's skin is posed.
struct Arm {
    int rings = 33, around = 24;
    double length = 0.6, radius = 0.09;

    int point(int ring, int i) const { return ring * around + (i + around) % around; }
    int point_count() const { return rings * around; }

    VecX posed(double angle) const
    {
        VecX x(3 * point_count());
        Vec3 center(0, 0, 0);
        double heading = 0;
        for (int k = 0; k < rings; ++k) {
            const Vec3 along(std::cos(heading), std::sin(heading), 0),
                up(-std::sin(heading), std::cos(heading), 0);
            for (int i = 0; i < around; ++i) {
                const double phi = 2 * M_PI * i / around;
                x.segment<3>(3 * point(k, i)) =
                    center + radius * (std::cos(phi) * up + std::sin(phi) * Vec3(0, 0, 1));
            }
            const double s = (k + 0.5) / (rings - 1);
            if (s > 1.0 / 3 && s < 2.0 / 3) heading += angle * 3 / (rings - 1);
            center += length / (rings - 1) * along;
        }
        return x;
    }
    Geometry geometry() const
    {
        Geometry g;
        g.set_point_count(std::size_t(point_count()));
        for (int k = 0; k + 1 < rings; ++k)
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

/// The arm bends to `angle` in a second, ends held; blend: how far the rest shape follows.
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
    for (const int k : {0, 1, arm.rings - 2, arm.rings - 1})
        for (int i = 0; i < arm.around; ++i) scene->pins.push_back({arm.point(k, i), 0});
    const auto stepper = make_stepper("barrier", scene);
    State state;
    state.x = arm.posed(0);
    state.v = VecX::Zero(state.x.size());
    Drive drive;
    drive.gravity.setZero();
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

TEST(Wrinkles, AnAnimatedRestShapeKeepsAnInflatedArmSmooth)
{
    const double without = wrinkles(0, 1.2), half = wrinkles(0.5, 1.2), with = wrinkles(1, 1.2);
    RecordProperty("without", std::to_string(without));
    RecordProperty("half", std::to_string(half));
    RecordProperty("with", std::to_string(with));
    EXPECT_GT(without, 1.0); // folds of decimetres at least
    EXPECT_LT(with, 0.05 * without);
    EXPECT_LT(half, without);
}
