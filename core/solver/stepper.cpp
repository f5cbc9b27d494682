#include "core/solver/stepper.h"

#include "core/base/error.h"
#include "core/solver/barrier_stepper.h"

namespace selvage
{

std::unique_ptr<Stepper> make_stepper(std::string_view method, std::shared_ptr<const Scene> scene)
{
    if (method == "barrier") return std::make_unique<BarrierStepper>(std::move(scene));
    throw InputError("Unknown solver method '" + std::string(method) + "'. Known: barrier.");
}

StepReport step(std::shared_ptr<const Scene> scene, const Drive& drive, State& state, double h,
                const StepSettings& settings, const Cancel& cancel)
{
    return BarrierStepper(std::move(scene)).step(drive, state, h, settings, cancel);
}

} // namespace selvage
