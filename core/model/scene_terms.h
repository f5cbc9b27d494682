#pragma once

#include "core/energy/term.h"
#include "core/model/drive.h"
#include "core/model/scene.h"

#include <functional>
#include <memory>
#include <vector>

namespace selvage
{

class AirDrag;
class ChamberPressure;
class HingeBending;
class LinkTerms;
class ShapeOperatorBending;

/// The energies of a scene: scratch of a stepper, made once per scene. A new energy adds one line
/// to the constructor.
class SceneTerms
{
public:
    explicit SceneTerms(const Scene& scene);
    ~SceneTerms();

    std::vector<Term*> all() const;
    /// Hands the animated quantities of a step to the terms that need them. `creases`, `broken`: as
    /// in State.
    void set_drive(const Scene& scene, const Drive& drive, const VecX& creases = {},
                   const VecX& broken = {});

    /// The creases at the end of a step of h seconds at x: of the angle θ of each hinge, what lies
    /// beyond its rest angle by more than the material's yield angle becomes permanent at the
    /// material's rate r,
    ///   ε = θ − θ̄ − c,   c⁺ = c + sgn ε · max(0, |ε| − yield) · (1 − exp(−r h)),
    /// in the same way however a second is cut into steps. Empty where no material yields.
    VecX creases_after(const Scene& scene, const VecX& x, double h, const VecX& creases) const;

    /// Triangles of the current rest shapes that had to be repaired, and the sentence about them.
    int rest_repairs() const;
    std::string rest_message(const Scene& scene) const;
    /// Triangles that began the step beyond their limits of strain, see limit_term.h.
    int beyond_limit() const;
    /// Largest strain against the current rest shapes.
    double max_strain(const Scene& scene, const VecX& x) const;

private:
    /// The rest shape of a cloth as driven last.
    struct Rest {
        RestDrive drive;
        VecX creases;
        RestShape shape; ///< with the creases in its angles
        RestRepair repair;
        std::function<void(const Cloth&, const RestShape&)> set_membrane;
        std::function<int()> beyond_limit;
        HingeBending* hinges = nullptr;        ///< either these…
        ShapeOperatorBending* plate = nullptr; ///< …or this
    };
    static void set_rest(const Cloth& cloth, RestDrive drive, VecX creases, Rest& rest);

    std::vector<Rest> rest_; ///< one per cloth
    std::vector<std::unique_ptr<Term>> terms_;
    std::unique_ptr<LinkTerms> links_;
    ChamberPressure* pressure_ = nullptr;
    std::vector<AirDrag*> drags_; ///< one per cloth; null where it has none
};

} // namespace selvage
