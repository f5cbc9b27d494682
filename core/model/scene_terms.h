#pragma once

#include "core/energy/term.h"
#include "core/model/drive.h"
#include "core/model/scene.h"

#include <memory>
#include <vector>

namespace selvage
{

class AirDrag;
class PointSpring;

/// The energies of a scene: scratch of a stepper, made once per scene. A new energy adds one line
/// to the constructor.
class SceneTerms
{
public:
    explicit SceneTerms(const Scene& scene);
    ~SceneTerms();

    std::vector<Term*> all() const;
    /// Hands the animated quantities of a step to the terms that need them.
    void set_drive(const Scene& scene, const Drive& drive);

private:
    std::vector<std::unique_ptr<Term>> terms_;
    PointSpring* soft_pins_ = nullptr;
    std::vector<AirDrag*> drags_; ///< one per cloth; null where it has none
};

} // namespace selvage
