#pragma once

#include "core/base/cancel.h"
#include "core/model/drive.h"
#include "core/model/scene.h"
#include "core/model/state.h"
#include "core/solver/step_report.h"
#include "core/solver/step_settings.h"

#include <memory>
#include <string_view>

namespace selvage
{

/// A way of taking steps. Keeps factorisations and patterns (scratch) between steps of one scene,
/// nothing that a result depends on: a step is a pure function of Scene, Drive and State.
class Stepper
{
public:
    virtual ~Stepper() = default;
    virtual std::string_view name() const = 0;
    /// On `cancelled` or a failed status the state is left as it was.
    virtual StepReport step(const Drive& drive, State& state, double h,
                            const StepSettings& settings, const Cancel& cancel) = 0;
};

/// [m] Of the box around all points: what tolerances are relative to.
double diagonal_of(const VecX& x);

/// "barrier" or "hair"; throws InputError naming the known methods.
std::unique_ptr<Stepper> make_stepper(std::string_view method, std::shared_ptr<const Scene> scene);

/// The one-call form: builds the scratch, takes one step, forgets it.
StepReport step(std::shared_ptr<const Scene> scene, const Drive& drive, State& state, double h,
                const StepSettings& settings, const Cancel& cancel);

} // namespace selvage
