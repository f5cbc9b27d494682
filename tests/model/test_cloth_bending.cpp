// Which bending a cloth has, and rest shapes that are curved.
#include "core/base/cancel.h"
#include "core/energy/sink.h"
#include "core/model/cloth_builder.h"
#include "core/model/scene_terms.h"
#include "core/solver/stepper.h"
#include "tests/support/cloth_scene.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// Bending energy of one square whose two triangles are folded over their diagonal by θ.
double folded_energy(BendingModel model, double theta)
{
    SheetScene s;
    s.columns = s.rows = 1;
    s.pin_top = false;
    s.material = plain_material(0.2, 300, 0, 1e-3);
    s.material.bending_model = model;
    const auto scene = s.scene();
    VecX x = s.start().x;
    const Vec4i& h = scene->cloths[0].mesh.hinges.at(0);
    const Vec3 axis = (x.segment<3>(3 * h[2]) - x.segment<3>(3 * h[1])).normalized(),
               foot = x.segment<3>(3 * h[1]);
    x.segment<3>(3 * h[0]) =
        foot + Eigen::AngleAxisd(theta, axis) * (x.segment<3>(3 * h[0]) - foot);
    const SceneTerms terms(*scene);
    double sum = 0;
    for (const Term* t : terms.all()) {
        Sink sink;
        t->evaluate(x, {true, false, false, Psd::exact}, sink);
        sum += sink.energy;
    }
    return sum;
}

} // namespace

TEST(ClothBending, ModelsDifferInWideFoldsOnly)
{
    for (const double theta : {0.01, 0.5, 1.5, 3.0}) {
        const double tangent = folded_energy(BendingModel::hinge, theta),
                     angle = folded_energy(BendingModel::hinge_angle, theta);
        const double grown = 2 * std::tan(theta / 2) / theta;
        EXPECT_NEAR(tangent / angle, grown * grown, 1e-6 * grown * grown) << theta;
        EXPECT_NEAR(angle / folded_energy(BendingModel::hinge_angle, 0.1), theta * theta / 0.01,
                    1e-6 * theta * theta / 0.01);
    }
}

namespace
{

/// The collar of a jacket, open in front: a stand of 3 cm around a neck of 7 cm radius, folded over
/// and falling outwards. Point (i, j) lies on column i around the neck, j along the profile.
struct Collar {
    static constexpr int columns = 24;
    std::vector<Vec2> profile; ///< radius, height

    Collar()
    {
        for (int j = 0; j <= 5; ++j) profile.emplace_back(0.07, 0.006 * j);
        for (int j = 1; j <= 3; ++j) { // the fold
            const double a = M_PI * j / 4;
            profile.emplace_back(0.076 - 0.006 * std::cos(a), 0.03 + 0.006 * std::sin(a));
        }
        for (int j = 1; j <= 7; ++j) profile.emplace_back(0.082 + 0.003 * j, 0.036 - 0.006 * j);
    }
    int rows() const { return int(profile.size()); }
    int point(int i, int j) const { return j * (columns + 1) + i; }
    int point_count() const { return rows() * (columns + 1); }

    VecX shape() const
    {
        VecX x(3 * point_count());
        for (int j = 0; j < rows(); ++j)
            for (int i = 0; i <= columns; ++i) {
                const double phi = (i - columns / 2) * 5.0 / columns; // 290 degrees
                const Vec2& p = profile[std::size_t(j)];
                x.segment<3>(3 * point(i, j)) =
                    Vec3(p[0] * std::sin(phi), p[1], -p[0] * std::cos(phi));
            }
        return x;
    }
    /// How far points have moved [m], root mean square, once it has come to rest under its weight,
    /// the seam at the neck held.
    double sag(const ClothMaterial& material) const
    {
        Geometry g;
        g.set_point_count(std::size_t(point_count()));
        for (int j = 0; j + 1 < rows(); ++j)
            for (int i = 0; i < columns; ++i) {
                const int a = point(i, j), b = point(i + 1, j), c = point(i + 1, j + 1),
                          d = point(i, j + 1);
                if ((i + j) % 2) {
                    g.add_polygon({a, b, d});
                    g.add_polygon({b, c, d});
                } else {
                    g.add_polygon({a, b, c});
                    g.add_polygon({a, c, d});
                }
            }
        const VecX x = shape();
        g.set_vectors("P", x, "point", Storage::real64);
        auto scene = std::make_shared<Scene>();
        scene->collisions.enabled = false;
        NullLog log;
        scene->cloths.push_back(make_cloth("collar", g, nullptr, material, log));
        scene->mass = cloth_mass(scene->cloths[0], g);
        scene->mass_damping = VecX::Constant(scene->mass.size(), 10);
        for (int p = 0; p < 2 * (columns + 1); ++p) scene->pins.push_back({p, 0});
        const auto stepper = make_stepper("barrier", scene);
        State state;
        state.x = x;
        state.v = VecX::Zero(x.size());
        Drive drive;
        drive.pin_target_0 = drive.pin_target_1 = x.head(6 * (columns + 1));
        StepSettings settings;
        for (int k = 0; k < 48; ++k) stepper->step(drive, state, 1.0 / 24, settings, NeverCancel());
        return (state.x - x).norm() / std::sqrt(double(point_count()));
    }
};

} // namespace

TEST(CurvedRest, ACollarHoldsItsShape)
{
    const Collar collar;
    for (const BendingModel model : {BendingModel::hinge, BendingModel::shape}) {
        ClothMaterial leather = cloth_preset("leather").material;
        leather.bending_model = model;
        const double held = collar.sag(leather);
        leather.bend_warp = leather.bend_weft = 1e-7;
        const double limp = collar.sag(leather);
        EXPECT_LT(held, 0.004) << int(model); // of 9 cm along the profile
        EXPECT_GT(limp, 4 * held) << int(model);
        RecordProperty("held" + std::to_string(int(model)), std::to_string(held));
        RecordProperty("limp" + std::to_string(int(model)), std::to_string(limp));
    }
}
