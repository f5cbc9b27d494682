#pragma once

#include "core/model/drive.h"
#include "core/model/scene.h"
#include "core/model/state.h"
#include "core/solver/step_report.h"
#include "core/solver/step_settings.h"

#include <memory>

namespace selvage
{
class Stepper;
}

namespace selvage::test
{

/// Strands given by their points, in vacuum; what hosts and sessions would assemble.
struct HairScene {
    std::shared_ptr<Scene> scene = std::make_shared<Scene>();
    State state;
    Drive drive;
    std::string method = "hair";      ///< of the stepper
    std::shared_ptr<Stepper> stepper; ///< of `step`, made when first needed

    /// Rest shape and start pose are these strands; the rest shape may be another.
    HairScene(const std::vector<std::vector<Vec3>>& strands, const HairMaterial& material,
              HairRoots roots, const std::vector<std::vector<Vec3>>& rest = {});

    /// A still collider; `run` and `step` move it where `drive.collider_1` is changed.
    void add_collider(const std::vector<Vec3>& points, const std::vector<Vec3i>& triangles,
                      double friction = 0, double thickness = 0);

    Hair& hair() { return scene->hairs[0]; }
    Vec3 at(int rod_point) const;
    /// Steps of h with all inputs still; returns the last report.
    StepReport run(int steps, double h, const StepSettings& settings);
    /// One step to the drive as it stands, after which the colliders are where they went.
    StepReport step(double h, const StepSettings& settings);
    /// Large steps until nothing moves, without contact.
    void settle(int steps = 4, double h = 100);
    /// Negative eigenvalues of the potential of elasticity and gravity at the state, with held
    /// points held: 0 is a stable equilibrium.
    int unstable_modes() const;
    /// [N] What holds the point in place: the gradient of the potential there.
    Vec3 reaction(int rod_point) const;
};

/// Round, undamped.
HairMaterial round_rod(double radius, double density, double young, double poisson);

/// n edges of equal length from a to b, before them one more edge that a root holds.
std::vector<Vec3> clamped_line(const Vec3& a, const Vec3& b, int n);

} // namespace selvage::test
